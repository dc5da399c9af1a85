package clients

import (
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/objective/lanes"
	"leeway/search/census"
)

// A walker looks for the 0/1 matrices of the classes of one prefix after the other: rows with contents that the column
// counts allow, and columns that can be completed to contents that the row counts allow.
type walker struct {
	*plan
	census.Counter
	along, across *contents // of rows and of columns
	head          uint64    // hash of the prefix
	columns       *counts
	order         []int // rows as they are filled
	sizes         []int // of the rows in this order
	moves         [][]int
	tries         []trie // by column
	begun         [][]uint32
	hash          []uint64
	picks         []uint16   // by row
	left          [][]uint64 // by rows filled: what the others carry by alpha
	least, most   [][]uint64 // by rows filled: the bounds of that
	must, may     []uint16   // by row: places with fixed nodes, and places without forbidden ones
	mustOf, mayOf []uint16   // by column
}

func newWalker(q *plan) *walker {
	w := &walker{plan: q}
	if len(q.prefixes) == 0 {
		return w
	}
	w.across, w.along = newContents(q.sides[0], true), newContents(q.sides[1], true)
	rows, columns := q.sides[0].k, q.sides[1].k
	for range rows + 1 {
		w.begun, w.hash = append(w.begun, make([]uint32, columns)), append(w.hash, 0)
		for _, list := range []*[][]uint64{&w.left, &w.least, &w.most} {
			*list = append(*list, make([]uint64, q.sides[1].words))
		}
	}
	for range columns {
		w.tries = append(w.tries, make(trie, (2<<rows+63)/64))
	}
	w.picks, w.must, w.may = make([]uint16, rows), make([]uint16, rows), make([]uint16, rows)
	w.mustOf, w.mayOf = make([]uint16, columns), make([]uint16, columns)
	t := q.problem.Torus()
	for v := range t.N() {
		i, j := t.Coord(v, 0), t.Coord(v, 1)
		if q.problem.MustHave(v) {
			w.must[i] |= 1 << j
			w.mustOf[j] |= 1 << i
		}
		if q.problem.MayHave(v) {
			w.may[i] |= 1 << j
			w.mayOf[j] |= 1 << i
		}
	}
	return w
}

// Walk goes through the classes of prefix i.
func (w *walker) Walk(i int, poll func(nodes int64) bool) census.Tally {
	w.Start(poll)
	w.head = census.HashAll(0, w.prefixes[i])
	m := w.pairs[w.at[i].pair]
	w.columns = &m.columns[w.at[i].column]
	w.moves = w.sides[1].fixing(w.columns)
	kind, listed := m.kind[w.at[i].column], false
	for g := range m.groups {
		asked, holds := false, false
		for r := range m.groups[g].members {
			if !m.groups[g].members[r].fits[kind] {
				continue
			}
			if !listed {
				w.along.under(*w.columns, 2<<w.sides[1].k-1)
				listed = true
			}
			if !asked {
				asked, holds = true, w.along.holds(&m.groups[g].histogram)
			}
			if !holds {
				break
			}
			if w.fill(&m.groups[g].members[r].counts) || w.Ended {
				return w.End()
			}
		}
	}
	return w.End()
}

// fixing returns the moves that leave the counts as they are.
func (d *side) fixing(c *counts) (list [][]int) {
	for _, move := range d.moves {
		fixes := true
		for x, y := range move {
			fixes = fixes && c[x] == c[y]
		}
		if fixes {
			list = append(list, move)
		}
	}
	return list
}

// spend counts a node of the given depth and hash, and reports whether to go on.
func (w *walker) spend(depth int, hash uint64) bool {
	w.hash[depth] = hash
	return w.Visit(hash)
}

// fill opens a class and reports whether it has a matrix. If it ended early the answer is false.
func (w *walker) fill(r *counts) bool {
	rows := w.sides[0].k
	h := w.head
	for _, v := range r[:rows] {
		h = census.Hash(h, int(v))
	}
	if !w.spend(0, h) {
		return false
	}
	w.order, w.sizes = core.Range(rows), w.sizes[:0]
	slices.SortStableFunc(w.order, func(a, b int) int { return int(r[b]) - int(r[a]) })
	for _, i := range w.order {
		w.sizes = append(w.sizes, int(r[i]))
	}
	columns := w.columns.histogram(w.sides[1].k)
	w.across.under(*r, columns.sizes())
	for j := range w.tries {
		w.tries[j].list(w.across.sizes[w.columns[j]].list, w.order, w.mustOf[j], w.mayOf[j])
		w.begun[0][j] = 1
	}
	copy(w.left[0], w.along.total)
	clear(w.least[rows])
	clear(w.most[rows])
	for i := rows - 1; i >= 0; i-- {
		s := &w.along.sizes[w.sizes[i]]
		lanes.AddScaled(w.least[i], w.least[i+1], 1, s.least)
		copy(w.most[i], w.most[i+1])
		w.along.addMost(w.most[i], 1, s)
	}
	return w.row(0)
}

// row tries all contents for the i-th row of the filling order.
func (w *walker) row(i int) bool {
	if i == len(w.order) {
		w.Found = core.MustPlacement(w.problem.Torus(), w.nodes())
		return true
	}
	full, empty := w.forced(i)
	if full&empty != 0 {
		return false // a column can be completed in no way
	}
	at := w.order[i]
	s := &w.along.sizes[w.sizes[i]]
	full, empty = full|w.must[at], empty|^w.may[at]
	for j, content := range s.list {
		if content&empty != 0 || content&full != full ||
			!w.along.Subtract(w.left[i+1], w.left[i], lanes.Row(s.loads, j, w.along.words)) ||
			!w.along.Covers(w.left[i+1], w.least[i+1]) || !w.along.Covers(w.most[i+1], w.left[i+1]) ||
			i == 0 && !leads(content, w.moves) {
			continue
		}
		if !w.spend(i+1, census.Hash(w.hash[i], int(content))) {
			return false
		}
		w.picks[at] = content
		for x, p := range w.begun[i] {
			w.begun[i+1][x] = p<<1 | uint32(content>>x&1)
		}
		if w.row(i + 1) {
			return true
		}
		if w.Ended {
			return false
		}
	}
	return false
}

// forced returns the columns that need a processor in row i of the filling order and those that take none.
func (w *walker) forced(i int) (full, empty uint16) {
	for x, p := range w.begun[i] {
		if !w.tries[x].has(p<<1 | 1) {
			empty |= 1 << x
		}
		if !w.tries[x].has(p << 1) {
			full |= 1 << x
		}
	}
	return full, empty
}

// nodes returns the nodes of the placement that the rows make up.
func (w *walker) nodes() (list []int) {
	for i, content := range w.picks {
		for ; content != 0; content &= content - 1 {
			list = append(list, i*len(w.tries)+bits.TrailingZeros16(content))
		}
	}
	return list
}

// leads reports whether the content of a row comes first among its images under the moves.
func leads(content uint16, moves [][]int) bool {
	for _, to := range moves {
		image := uint16(0)
		for x, y := range to {
			image |= content >> x & 1 << y
		}
		if image < content {
			return false
		}
	}
	return true
}

// A trie knows which beginnings of a line can be completed to one of a list: bit 1<<i|p is set if the i bits p can.
// Bits are read in the order in which the crossing lines are filled, the first in the highest.
type trie []uint64

// has reports whether the beginning with its leading 1 can be completed.
func (t trie) has(begun uint32) bool { return t[begun>>6]>>(begun&63)&1 != 0 }

// list takes in the contents that hold all of some places and no other than some.
func (t trie) list(contents []uint16, order []int, must, may uint16) {
	clear(t)
	for _, content := range contents {
		if content&must != must || content&^may != 0 {
			continue
		}
		begun := uint32(1)
		for _, x := range order {
			begun = begun<<1 | uint32(content>>x&1)
			t[begun>>6] |= 1 << (begun & 63)
		}
	}
}
