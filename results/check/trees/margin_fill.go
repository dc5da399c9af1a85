package trees

import (
	"leeway/results/check/meter"
	"math/bits"
)

// A marginFill goes through the classes of one column margin after the other and
// fills their rows.
type marginFill struct {
	filling
	*marginWalk
	rows     lineLister
	contents [maxFillSide + 1]marginContents // by size: those that a row may have under the column margin
	need     [maxFillSide + 1]marginLoad     // by rows filled: what they must carry so that the gaps are within the spare
	keep     []marginMap
	columns  marginColumns
	chosen   [maxFillSide]uint32 // contents of the rows filled
	sizes    [maxFillSide]int    // of the rows, in the order in which they are filled
}

// marginContents are contents of a line and what they load.
type marginContents struct {
	sets  []uint32
	loads []marginLoad
}

func newMarginFill(m *meter.Meter, w *marginWalk, most int64) *marginFill {
	return &marginFill{filling: filling{meter: m, most: most}, marginWalk: w, rows: lineLister{marginSide: w.sides[1]},
		columns: marginColumns{lines: lineLister{marginSide: w.sides[0]}}}
}

// open goes through the classes of column margin c.
func (f *marginFill) open(c int) {
	margin := &f.sides[1].margins[c]
	head, prepared := uint64(0), false
	for _, v := range f.heads[c] {
		head = hash(head, v)
	}
	for i := range f.groups {
		if !f.spend(1) {
			return
		}
		g := &f.groups[i]
		if g.occur&^margin.allowed != 0 || margin.occur&^g.allowed != 0 {
			continue
		}
		for _, r := range g.members {
			if !f.spend(1 + len(f.turns)) {
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
			if f.stopped() {
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
	f.keep = mapsKeeping(counts, f.reflects())
}

// class fills the rows of a class, whose column margin has been prepared.
func (f *marginFill) class(margin, across *marginList, head uint64) {
	for _, v := range across.counts[:f.sides[0].places] {
		head = hash(head, int(v))
	}
	if f.meet(head); f.Ended {
		return
	}
	f.columns.prepare(margin, across)
	if !f.spend(int(f.rows.taken()+f.columns.lines.taken()) + 16<<f.sides[1].lines) {
		return
	}
	for i, row := range f.columns.order[:f.sides[1].lines] {
		f.sizes[i] = int(across.counts[row])
	}
	var load marginLoad
	f.fill(0, &f.columns.start, &load, head)
}

// fill tries all contents of row number i in the order of filling, after rows
// that leave the columns at the given prefixes and carry load.
func (f *marginFill) fill(i int, at *[maxFillSide]uint32, load *marginLoad, h uint64) {
	if i == f.sides[1].lines {
		f.report()
		return
	}
	must, may := f.columns.next(at)
	contents, words := &f.contents[f.sizes[i]], f.sides[1].words
	if !f.spend(16 + 2*len(contents.sets)) {
		return
	}
	for n, set := range contents.sets {
		if set&must != must || set&^may != 0 || i == 0 && (!f.spend(8*len(f.keep)) || !f.least(set)) {
			continue
		}
		sum := *load
		if sum.add(&contents.loads[n], 1, words); !f.need[i+1].within(&sum, words) {
			continue
		}
		f.chosen[i] = set
		below := hash(h, int(set))
		f.meet(below)
		if f.Ended {
			return
		}
		next := f.columns.after(at, set)
		if f.fill(i+1, &next, &sum, below); f.stopped() {
			return
		}
	}
}

// least reports whether no map that keeps the column margin makes a content's
// number smaller.
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
