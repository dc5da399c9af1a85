package orbit

import (
	"math/rand/v2"
	"slices"
)

// A walk goes through the choices of orbits of a model, depth first, for values
// within a limit that falls below every value found. It is anytime.
type walk struct {
	model *model
	layout
	words   int
	table   []uint64 // by pair: its loads, packed
	tops    uint64
	biased  uint64 // the bias of the limit
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
	turns [][]int16
}

// newWalk prepares a walk within a limit, at least 0, in units, which may
// visit some nodes.
func newWalk(m *model, limit, nodes int64, stopped func() bool) *walk {
	limit = min(limit, m.most)
	l, ok := layoutFor(limit)
	if !ok {
		panic("orbit: loads pass 32 bits") // Supports refuses them
	}
	w := &walk{model: m, layout: l, words: l.words(m.rows), tops: l.every(1 << (l.width - 1)), allowed: nodes, enough: -1, stopped: stopped}
	w.table = make([]uint64, len(m.loads)*w.words)
	for i, loads := range m.loads {
		l.pack(w.table[i*w.words:][:w.words], loads, limit)
	}
	w.lower(limit)
	return w
}

// lower sets the limit.
func (w *walk) lower(limit int64) { w.limit, w.biased = limit, w.bias(limit) }

// run visits the choices in the order of a shuffle, 0 for that of the orbits.
// Afterwards ended says whether it ended early, and best is the best choice, if
// there was one within the limit.
func (w *walk) run(shuffle uint64) {
	root := w.level(0)
	root.turns = w.model.turns
	for i := range w.model.orbits {
		root.items = append(root.items, i)
	}
	if shuffle != 0 {
		rng := rand.New(rand.NewPCG(shuffle, 0))
		rng.Shuffle(len(root.items), func(a, b int) { root.items[a], root.items[b] = root.items[b], root.items[a] })
	}
	for a, i := range root.items {
		copy(root.loads[a*w.words:], w.between(i, i))
	}
	w.visit(0, w.model.size)
}

// level returns the place for the choices after some were made, empty but for its
// load.
func (w *walk) level(depth int) *level {
	if depth == len(w.levels) {
		n := len(w.model.orbits)
		w.levels = append(w.levels, &level{load: make([]uint64, w.words), loads: make([]uint64, n*w.words)})
	}
	l := w.levels[depth]
	l.items, l.gone = l.items[:0], l.gone[:0]
	return l
}

func (w *walk) between(i, j int) []uint64 { return w.table[pair(i, j)*w.words:][:w.words] }

// visit tries every candidate of a level, with left processors to come. Images of
// one tried before under turns that leave all else as it is are passed over. It
// reports whether to go on.
func (w *walk) visit(depth, left int) bool {
	total := 0
	l := w.levels[depth]
	for _, i := range l.items {
		l.gone = append(l.gone, false)
		total += len(w.model.orbits[i])
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

// drop takes the images of an orbit out of the candidates and returns how many
// nodes they have.
func (w *walk) drop(l *level, i int) int {
	size := 0
	for _, turn := range l.turns {
		a := slices.Index(l.items, int(turn[i]))
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
	if w.add(next.load, l.load, l.loads[a*w.words:][:w.words]) {
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
	next.turns = fixing(l.turns, i)
	return w.visit(depth+1, left)
}

// add writes a+b to sum and reports whether a row passes the limit.
func (w *walk) add(sum, a, b []uint64) bool {
	over := uint64(0)
	for i := range sum {
		sum[i] = a[i] + b[i]
		over |= sum[i] + w.biased
	}
	return over&w.tops != 0
}

// exchange reports whether every orbit chosen has room on the links around it for
// what it still has to send, and to receive: one unit for each processor to come.
func (w *walk) exchange(load []uint64, left int) bool {
	for _, i := range w.chosen {
		for _, e := range w.model.ends[i] {
			room := w.limit*int64(len(e)) - int64(left)*w.model.unit
			for _, r := range e {
				room -= w.at(load, r)
			}
			if room < 0 {
				return false
			}
		}
	}
	return true
}

// narrow fills next with the candidates of l that stay possible once the one at
// place a is chosen.
func (w *walk) narrow(l, next *level, a, left int) {
	for b, k := range l.items {
		if b == a || l.gone[b] || len(w.model.orbits[k]) > left {
			continue
		}
		to := len(next.items) * w.words
		if !w.fits(next.loads[to:][:w.words], l.loads[b*w.words:], w.between(l.items[a], k), next.load) {
			continue
		}
		next.items = append(next.items, k)
	}
}

// fits writes a+b to sum, what a candidate brings, and reports whether no row of it
// passes the limit on top of a load. It is the inner loop of the engine.
func (w *walk) fits(sum, a, b, load []uint64) bool {
	over := uint64(0)
	a, b, load = a[:len(sum)], b[:len(sum)], load[:len(sum)]
	for i := range sum {
		s := a[i] + b[i]
		sum[i] = s
		over |= s + load[i] + w.biased
	}
	return over&w.tops == 0
}

// take notes a complete choice and lowers the limit below its value.
func (w *walk) take(load []uint64) {
	w.value = 0
	for r := range w.model.rows {
		w.value = max(w.value, w.at(load, r))
	}
	w.best = slices.Clone(w.chosen)
	w.lower(w.value - 1)
}
