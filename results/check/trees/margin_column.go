package trees

import "slices"

// marginColumns knows how columns may go on while rows are filled. What a column
// holds so far is a node of a binary tree: the root is 1, and the node after v is
// 2v if the next row is empty there and 2v+1 if not.
type marginColumns struct {
	lines  lineLister
	order  [maxFillSide]int          // rows, fullest first
	start  [maxFillSide]uint32       // all columns at the root
	alive  [maxFillSide + 1][]uint64 // by size: bit v says that node v is on the way to a content that a column may have
	column [maxFillSide]*[]uint64    // by place of a row: alive of its size
	places int                       // of a row
}

// prepare sets the margins: columns have the sizes of the first, and the second
// says what they may hold.
func (c *marginColumns) prepare(margin, across *marginList) {
	rows := c.lines.places
	for i := range rows {
		c.order[i] = i
	}
	slices.SortStableFunc(c.order[:rows], func(a, b int) int { return int(across.counts[b]) - int(across.counts[a]) })
	for size := range rows + 1 {
		if margin.occur>>size&1 != 0 {
			c.alive[size] = append(c.alive[size][:0], make([]uint64, (2<<rows+63)/64)...)
		}
	}
	c.lines.prepare(across.counts[:rows])
	c.lines.each(func(set uint32, size int, _ *marginLoad) {
		if margin.occur>>size&1 != 0 {
			c.enter(c.alive[size], set)
		}
	})
	c.places = c.lines.lines
	for x := range c.places {
		c.start[x] = 1
		c.column[x] = &c.alive[margin.counts[x]]
	}
}

// enter marks the way to a content.
func (c *marginColumns) enter(alive []uint64, set uint32) {
	node := uint32(1)
	for _, row := range c.order[:c.lines.places] {
		node = 2*node + set>>row&1
	}
	for ; node > 0 && alive[node>>6]>>(node&63)&1 == 0; node >>= 1 {
		alive[node>>6] |= 1 << (node & 63)
	}
}

// next returns which columns must, and which may, have a processor in the next
// row.
func (c *marginColumns) next(at *[maxFillSide]uint32) (must, may uint32) {
	for x := range c.places {
		v := 2 * at[x]
		both := (*c.column[x])[v>>6] >> (v & 63) & 3
		may |= uint32(both>>1) << x
		must |= uint32(both>>1&^both&1) << x
	}
	return must, may
}

// after returns where the columns are after a row.
func (c *marginColumns) after(at *[maxFillSide]uint32, set uint32) (next [maxFillSide]uint32) {
	for x := range c.places {
		next[x] = 2*at[x] + set>>x&1
	}
	return next
}
