package margin

import (
	"context"
	"math/bits"
)

// A fill looks for the 0/1 matrix of one class: rows with the contents that the
// column counts allow, and columns that can be completed to contents that the
// row counts allow.
type fill struct {
	ctx     context.Context
	nodes   int64 // rows placed so far
	most    int64 // at which the fill gives up
	stopped bool

	across  *ring
	limit   int64
	has     uint32     // numbers of processors that columns have, as bits
	rows    []int      // row counts
	order   []int      // in which the rows are filled
	tries   []trie     // of columns, by number of processors
	columns []int      // column counts
	lines   [][]line   // of rows, by number of processors
	leader  []bool     // by mask: may be the first row
	prefix  [][]uint32 // by depth and column: what is filled, after a leading 1
	spare   [][]uint64 // by depth: what the gaps of the rows still to come add up to
	picks   []uint16   // by row number: its content
}

// newFill returns a fill for the classes of column margin i and the numbers of
// processors that a row may have, as bits.
func (q *question) newFill(ctx context.Context, i int, most int64) (f *fill, fits uint32) {
	d, c := q.along, q.columns[i]
	f = &fill{ctx: ctx, most: most, across: q.across, limit: q.limit, has: countsOf(c), columns: c, lines: d.byCount(c, q.limit), leader: leaders(c, q.flip),
		prefix: make([][]uint32, d.lines+1), spare: make([][]uint64, d.lines+1), picks: make([]uint16, d.lines)}
	for i := range f.prefix {
		f.prefix[i], f.spare[i] = make([]uint32, d.k), make([]uint64, d.words())
	}
	for j := range d.k {
		f.prefix[0][j] = 1
	}
	f.spare[0] = d.spare(c, q.limit)
	for n, lines := range f.lines {
		if len(lines) > 0 {
			fits |= 1 << n
		}
	}
	return f, fits
}

// run answers whether the class of the row counts has a matrix, which then
// stands in picks. If it stopped early the answer is false. Opening the class is
// a node.
func (f *fill) run(rows []int) bool {
	if f.spend(); f.stopped {
		return false
	}
	f.rows, f.order = rows, fillingOrder(rows)
	f.tries = f.across.tries(rows, f.limit, f.has, f.order)
	return f.row(0)
}

// picked returns the contents of the rows of the matrix found, nil if the fill
// was stopped.
func (f *fill) picked() []uint16 {
	if f.stopped {
		return nil
	}
	return f.picks
}

// row tries all contents for the i-th row of the filling order.
func (f *fill) row(i int) bool {
	if i == len(f.order) {
		return true
	}
	at := f.order[i]
	full, empty, ok := f.forced(i)
	if n := f.rows[at]; !ok || bits.OnesCount16(full) > n || len(f.columns)-bits.OnesCount16(empty) < n {
		return false
	}
	for _, l := range f.lines[f.rows[at]] {
		if l.mask&empty != 0 || l.mask&full != full || i == 0 && !f.leader[l.mask] || !subtract(f.spare[i+1], f.spare[i], l.gap) {
			continue
		}
		if f.spend(); f.stopped {
			return false
		}
		f.picks[at] = l.mask
		for j, p := range f.prefix[i] {
			f.prefix[i+1][j] = p<<1 | uint32(l.mask>>j&1)
		}
		if f.row(i + 1) {
			return true
		}
	}
	return false
}

// forced returns the columns that need a processor in row i of the filling order
// and those that take none. It reports false when some column can be completed
// in no way.
func (f *fill) forced(i int) (full, empty uint16, ok bool) {
	for j, p := range f.prefix[i] {
		t := f.tries[f.columns[j]]
		if !t.has(p<<1 | 1) {
			empty |= 1 << j
		}
		if !t.has(p << 1) {
			full |= 1 << j
		}
	}
	return full, empty, full&empty == 0
}

// spend counts a node and looks now and then whether to go on.
func (f *fill) spend() {
	if f.nodes >= f.most || f.nodes&1023 == 0 && f.ctx.Err() != nil {
		f.stopped = true
		return
	}
	f.nodes++
}
