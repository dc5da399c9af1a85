package trees

import (
	"math/bits"
	"slices"

	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// A marginFill goes through the classes of one column margin after the other and fills their rows.
type marginFill struct {
	census.Pass
	*marginWalk
	rows     lineLister
	contents [maxFillSide + 1]marginContents // by size: those that a row may have under the column margin
	need     [maxFillSide + 1]marginLoad     // by rows filled: what they must carry so that the gaps are within the spare
	keep     []marginMap
	columns  marginColumns
	chosen   [maxFillSide]uint32                       // contents of the rows filled
	sizes    [maxFillSide]int                          // of the rows, in the order in which they are filled
	bounds   [maxFillSide]struct{ must, never uint32 } // by row, from conditions
}

// marginContents are contents of a line and what they load.
type marginContents struct {
	sets  []uint32
	loads []marginLoad
}

func newMarginFill(m *meter.Meter, w *marginWalk, most int64) *marginFill {
	return &marginFill{Pass: census.NewPass(m, most), marginWalk: w, rows: lineLister{marginSide: w.sides[1]},
		columns: marginColumns{lines: lineLister{marginSide: w.sides[0]}}}
}

// open goes through the classes of column margin c.
func (f *marginFill) open(c int) {
	margin := &f.sides[1].margins[c]
	head, prepared := uint64(0), false
	for _, v := range f.heads[c] {
		head = census.Hash(head, v)
	}
	for i := range f.groups {
		if !f.Spend(1) {
			return
		}
		g := &f.groups[i]
		if g.occur&^margin.allowed != 0 || margin.occur&^g.allowed != 0 {
			continue
		}
		for _, r := range g.members {
			if !f.Spend(1 + len(f.points) + 8*len(f.kept)) {
				return
			}
			if !f.first(c, int(r)) {
				continue
			}
			if !prepared {
				f.prepare(margin)
				prepared = true
			}
			f.class(margin, &f.sides[0].margins[r], head)
			if f.Stopped() {
				return
			}
		}
	}
}

// prepare lists what rows may hold under a column margin.
func (f *marginFill) prepare(margin *marginList) {
	counts := margin.counts[:f.sides[1].places]
	f.rows.prepare(counts)
	for i := range f.contents {
		f.contents[i].sets, f.contents[i].loads = f.contents[i].sets[:0], f.contents[i].loads[:0]
	}
	f.rows.each(func(set uint32, size int, load *marginLoad) {
		f.contents[size].sets = append(f.contents[size].sets, set)
		f.contents[size].loads = append(f.contents[size].loads, *load)
	})
	side := f.sides[1]
	for i := range side.lines + 1 {
		for class := range 3 * side.words {
			rest := side.limit.at(class) * int64(side.lines-i)
			f.need[i].set(class, max(0, f.rows.total.at(class)-rest))
		}
	}
	if !f.given {
		f.keep = mapsKeeping(counts, side.open, reversesAlone(f.points, 1))
		return
	}
	f.keep = f.mapsWithin(counts)
	for row := range side.lines {
		f.bounds[row].must, f.bounds[row].never = side.bound(counts, row)
	}
}

// class fills the rows of a class, whose column margin has been prepared.
func (f *marginFill) class(margin, across *marginList, head uint64) {
	for _, v := range across.counts[:f.sides[0].places] {
		head = census.Hash(head, int(v))
	}
	if f.Meet(head); f.Ended {
		return
	}
	f.columns.prepare(margin, across)
	tries := 16
	if f.given {
		tries += 4 * f.columns.places
	}
	if !f.Spend(int(f.rows.taken()+f.columns.lines.taken()) + tries<<f.sides[1].lines) {
		return
	}
	for i, row := range f.columns.order[:f.sides[1].lines] {
		f.sizes[i] = int(across.counts[row])
	}
	var load marginLoad
	f.fill(0, &f.columns.start, &load, head)
}

// fill tries all contents of row number i in the order of filling, after rows that leave the columns at the given
// prefixes and carry load.
func (f *marginFill) fill(i int, at *[maxFillSide]uint32, load *marginLoad, h uint64) {
	if i == f.sides[1].lines {
		f.report()
		return
	}
	must, may := f.columns.next(at)
	row := &f.bounds[f.columns.order[i]]
	must, may = must|row.must, may&^row.never
	contents, words := &f.contents[f.sizes[i]], f.sides[1].words
	if !f.Spend(16 + 2*len(contents.sets)) {
		return
	}
	for n, set := range contents.sets {
		if set&must != must || set&^may != 0 || i == 0 && (!f.Spend(8*len(f.keep)) || !f.least(set)) {
			continue
		}
		sum := *load
		if sum.add(&contents.loads[n], 1, words); !f.need[i+1].within(&sum, words) {
			continue
		}
		f.chosen[i] = set
		below := census.Hash(h, int(set))
		f.Meet(below)
		if f.Ended {
			return
		}
		next := f.columns.after(at, set)
		if f.fill(i+1, &next, &sum, below); f.Stopped() {
			return
		}
	}
}

// least reports whether no map that keeps the column margin makes a content's number smaller.
func (f *marginFill) least(set uint32) bool {
	for i := range f.keep {
		image := uint32(0)
		for rest := set; rest != 0; rest &= rest - 1 {
			image |= 1 << f.keep[i][bits.TrailingZeros32(rest)]
		}
		if image < set {
			return false
		}
	}
	return true
}

// report notes the nodes of the placement that all rows make up.
func (f *marginFill) report() {
	f.Found = []int{}
	byRow := make([]uint32, f.sides[1].lines)
	for i, row := range f.columns.order[:len(byRow)] {
		byRow[row] = f.chosen[i]
	}
	for row, set := range byRow {
		for rest := set; rest != 0; rest &= rest - 1 {
			f.Found = append(f.Found, row*f.torus.Stride(0)+bits.TrailingZeros32(rest))
		}
	}
}

// marginColumns knows how columns may go on while rows are filled. What a column holds so far is a node of a binary
// tree: the root is 1, and the node after v is 2v if the next row is empty there and 2v+1 if not.
type marginColumns struct {
	lines lineLister
	order [maxFillSide]int    // rows, fullest first
	start [maxFillSide]uint32 // all columns at the root
	// By size, under conditions by column: bit v says that node v is on the way to a content that a column may have.
	alive  [maxFillSide + 1][]uint64
	column [maxFillSide]*[]uint64 // by place of a row: alive of its size
	places int                    // of a row
}

// prepare sets the margins: columns have the sizes of the first, and the second says what they may hold.
func (c *marginColumns) prepare(margin, across *marginList) {
	rows := c.lines.places
	for i := range rows {
		c.order[i] = i
	}
	slices.SortStableFunc(c.order[:rows], func(a, b int) int { return int(across.counts[b]) - int(across.counts[a]) })
	c.lines.prepare(across.counts[:rows])
	c.places = c.lines.lines
	if c.lines.held != nil {
		c.prepareEach(margin, across)
		return
	}
	for size := range rows + 1 {
		if margin.occur>>size&1 != 0 {
			c.alive[size] = append(c.alive[size][:0], make([]uint64, (2<<rows+63)/64)...)
		}
	}
	c.lines.each(func(set uint32, size int, _ *marginLoad) {
		if margin.occur>>size&1 != 0 {
			c.enter(c.alive[size], set)
		}
	})
	for x := range c.places {
		c.start[x] = 1
		c.column[x] = &c.alive[margin.counts[x]]
	}
}

// prepareEach does so column by column, each with its own conditions.
func (c *marginColumns) prepareEach(margin, across *marginList) {
	rows := c.lines.places
	for x := range c.places {
		c.alive[x] = append(c.alive[x][:0], make([]uint64, (2<<rows+63)/64)...)
		c.lines.full, c.lines.empty = c.lines.bound(across.counts[:rows], x)
		c.lines.each(func(set uint32, size int, _ *marginLoad) {
			if size == int(margin.counts[x]) {
				c.enter(c.alive[x], set)
			}
		})
		c.start[x], c.column[x] = 1, &c.alive[x]
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

// next returns which columns must, and which may, have a processor in the next row.
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
