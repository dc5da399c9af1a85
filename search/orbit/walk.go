package orbit

import (
	"math/rand/v2"
	"slices"

	"leeway/objective/lanes"
)

// A walk goes through the choices of orbits of a model, depth first, for values within a limit that falls below every
// value found. It is anytime.
type walk struct {
	model   *model
	lanes   lanes.Layout
	words   int
	table   []uint64 // by pair: its loads, packed, cut at the first limit and 1
	bias    []uint64 // that of the limit: no load, biased
	biased  []uint64 // scratch: loads with the bias
	limit   int64
	allowed int64 // nodes that may be visited
	enough  int64 // a value at which to end, -1 for none
	stopped func() bool

	nodes  int64
	chosen []int
	levels []*level
	best   []int // the last choice found
	value  int64
	ended  bool // early
}

// A level is the choices that are left once some orbits are chosen.
type level struct {
	load  []uint64
	items []int    // candidates: orbits that fit together with those chosen
	gone  []bool   // by place in items: tried before, together with its images
	loads []uint64 // by place in items: what choosing it adds
	perms [][]int16
}

// newWalk prepares a walk within a limit, at least 0, in units, which may visit some nodes.
func newWalk(m *model, limit, nodes int64, stopped func() bool) *walk {
	limit = min(limit, m.most)
	// A load and that of a candidate, each within the limit, and that of one more pair, cut at limit+1, are added up
	// with a bias that may grow to that of the limit -1.
	l := lanes.Narrowest(3*limit + 2)
	w := &walk{model: m, lanes: l, words: l.Words(m.rows), allowed: nodes, enough: -1, stopped: stopped}
	w.bias, w.biased = make([]uint64, w.words), make([]uint64, w.words)
	for _, loads := range m.loads {
		w.table = append(w.table, l.Pack(m.rows, func(r int) int64 { return min(int64(loads[r]), limit+1) })...)
	}
	w.lower(limit)
	return w
}

// lower sets the limit.
func (w *walk) lower(limit int64) {
	w.limit = limit
	for i := range w.bias {
		w.bias[i] = w.lanes.Bias(limit)
	}
}

// run visits the choices in the order of a shuffle, 0 for that of the orbits. Afterwards ended says whether it ended
// early, and best is the best choice, if there was one within the limit.
func (w *walk) run(shuffle uint64) {
	root := w.level(0)
	root.perms = w.model.perms
	for i := range w.model.orbits {
		root.items = append(root.items, i)
	}
	if shuffle != 0 {
		rng := rand.New(rand.NewPCG(shuffle, 0))
		rng.Shuffle(len(root.items), func(a, b int) { root.items[a], root.items[b] = root.items[b], root.items[a] })
	}
	for a, i := range root.items {
		copy(root.loads[a*w.words:], w.pairWords(i, i))
	}
	w.visit(0, w.model.size)
}

// level returns the place for the choices after some were made, empty but for its load.
func (w *walk) level(depth int) *level {
	if depth == len(w.levels) {
		n := len(w.model.orbits)
		w.levels = append(w.levels, &level{load: make([]uint64, w.words), loads: make([]uint64, n*w.words)})
	}
	l := w.levels[depth]
	l.items, l.gone = l.items[:0], l.gone[:0]
	return l
}

func (w *walk) pairWords(i, j int) []uint64 { return lanes.Row(w.table, pair(i, j), w.words) }

// visit tries every candidate of a level, with left processors to come; first the orbits that must be in. Images of one
// tried before under permutations that leave all else as it is are passed over. It reports whether to go on.
func (w *walk) visit(depth, left int) bool {
	total := 0
	l := w.levels[depth]
	for _, i := range l.items {
		l.gone = append(l.gone, false)
		total += len(w.model.orbits[i])
	}
	if depth < len(w.model.must) {
		a := slices.Index(l.items, w.model.must[depth])
		return a < 0 || w.try(depth, a, left)
	}
	for a, i := range l.items {
		if l.gone[a] {
			continue
		}
		if total < left {
			return true
		}
		if !w.try(depth, a, left) {
			return false
		}
		total -= w.drop(l, i)
	}
	return true
}

// drop takes the images of an orbit out of the candidates and returns how many nodes they have.
func (w *walk) drop(l *level, i int) int {
	size := 0
	for _, perm := range l.perms {
		a := slices.Index(l.items, int(perm[i]))
		if a >= 0 && !l.gone[a] {
			l.gone[a] = true
			size += len(w.model.orbits[i])
		}
	}
	return size
}

// try chooses the candidate at place a and goes on. It reports whether to go on.
func (w *walk) try(depth, a, left int) bool {
	if w.nodes == w.allowed || w.nodes%256 == 0 && w.stopped() {
		w.ended = true
		return false
	}
	w.nodes++
	l, next := w.levels[depth], w.level(depth+1)
	i := l.items[a]
	if !w.lanes.AddWithin(next.load, l.load, lanes.Row(l.loads, a, w.words), w.bias) {
		return true
	}
	left -= len(w.model.orbits[i])
	w.chosen = append(w.chosen, i)
	defer func() { w.chosen = w.chosen[:len(w.chosen)-1] }()
	switch {
	case !w.exchange(next.load, left):
		return true
	case left == 0:
		w.take(next.load)
		w.ended = w.value <= w.enough
		return !w.ended
	}
	w.narrow(l, next, a, left)
	next.perms = l.perms // which keep the orbits with fixed nodes together
	if depth >= len(w.model.must) {
		next.perms = fixing(l.perms, i)
	}
	return w.visit(depth+1, left)
}

// exchange reports whether every orbit chosen has room on the links around it for what it still has to send, and to
// receive: one unit for each processor to come.
func (w *walk) exchange(load []uint64, left int) bool {
	for _, i := range w.chosen {
		for _, e := range w.model.ends[i] {
			room := -int64(left) * w.model.unit
			for _, s := range e {
				room += int64(s.bandwidth) * (w.limit - w.lanes.Number(load, s.row))
			}
			if room < 0 {
				return false
			}
		}
	}
	return true
}

// narrow fills next with the candidates of l that stay possible once the one at place a is chosen.
func (w *walk) narrow(l, next *level, a, left int) {
	lanes.AddScaled(w.biased, next.load, 1, w.bias)
	for b, k := range l.items {
		if b == a || l.gone[b] || len(w.model.orbits[k]) > left {
			continue
		}
		sum := lanes.Row(next.loads, len(next.items), w.words)
		if w.lanes.AddWithin(sum, lanes.Row(l.loads, b, w.words), w.pairWords(l.items[a], k), w.biased) {
			next.items = append(next.items, k)
		}
	}
}

// take notes a complete choice and lowers the limit below its value.
func (w *walk) take(load []uint64) {
	w.value = 0
	for r := range w.model.rows {
		w.value = max(w.value, w.lanes.Number(load, r))
	}
	w.best = slices.Clone(w.chosen)
	w.lower(w.value - 1)
}
