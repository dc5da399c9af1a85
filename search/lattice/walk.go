package lattice

import "slices"

// maxSmallest is the most cosets of a part of a union that is compared with its
// images: beyond, that takes longer than what it saves.
const maxSmallest = 6

// A walk tries all unions of cosets up to symmetry, each from its smallest image:
// that contains coset 0, and what it starts with is smallest too.
type walk struct {
	*model
	*tally
	union []int
	loads [][]int64 // by number of cosets: what they send each other
	cut   bool      // the tally ended it
}

// walkAll looks at all unions and reports whether the tally let it see them all.
func walkAll(m *model, c *tally) bool {
	w := &walk{model: m, tally: c, loads: make([][]int64, m.size+1)}
	for i := range w.loads {
		w.loads[i] = make([]int64, len(m.own))
	}
	w.extend(0)
	return !w.cut
}

// extend adds coset a, then all that may follow it. Loads only grow with cosets, so
// a part above the limit is given up.
func (w *walk) extend(a int) {
	if w.cut = w.cut || w.ended(); w.cut {
		return
	}
	w.union = append(w.union, a)
	defer func() { w.union = w.union[:len(w.union)-1] }()
	if len(w.union) <= maxSmallest && !w.smallest(w.union) {
		return
	}
	w.spent++
	load := w.load()
	switch {
	case load > w.limit:
	case len(w.union) == w.size:
		w.take(w.union, load)
	default:
		for b := a + 1; b <= len(w.first)-(w.size-len(w.union)); b++ {
			w.extend(b)
		}
	}
}

// load computes the loads of the union from those without its last coset, and
// returns the largest.
func (w *walk) load() int64 {
	n := len(w.union)
	loads, last := w.loads[n], w.union[n-1]
	copy(loads, w.loads[n-1])
	w.addOwn(loads, last)
	for _, b := range w.union[:n-1] {
		w.addPair(loads, last, b, 1)
	}
	return slices.Max(loads)
}
