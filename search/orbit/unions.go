package orbit

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
)

// A tally is the account of one visit of a lattice: unions evaluated, and those found that were better than everything
// before, with when.
type tally struct {
	limit  int64 // loads above are of no interest
	enough int64 // a union with at most this load ends the visit
	budget int64 // unions that may be evaluated
	stop   *atomic.Bool
	spent  int64
	found  []find
}

// A find is a union of orbits, its largest load, and how many unions had been evaluated with it.
type find struct {
	union []int
	load  int64
	at    int64
}

// ended reports whether the visit may not or need not go on.
func (c *tally) ended() bool {
	return c.spent >= c.budget || c.limit < c.enough || c.stop.Load()
}

// take notes a union within the limit and lowers it.
func (c *tally) take(union []int, load int64) {
	c.found = append(c.found, find{union: slices.Clone(union), load: load, at: c.spent})
	c.limit = load - 1
}

// maxSmallest is the most cosets of a part of a union that is compared with its images: beyond, that takes longer than
// what it saves.
const maxSmallest = 6

// A unionWalk tries all unions of orbits up to symmetry, each from its smallest image: that starts with the orbits that
// are held, or with a leader, and what it starts with is smallest too.
type unionWalk struct {
	*orbits
	*tally
	union []int
	loads [][]int64 // by number of orbits: what they send each other
	cut   bool      // the tally ended it
}

// walkUnions looks at all unions and reports whether the tally let it see all that could be better.
func walkUnions(m *orbits, c *tally) bool {
	w := &unionWalk{orbits: m, tally: c, loads: [][]int64{make([]int64, m.classes)}}
	left := m.size
	if m.held == 0 {
		for _, a := range m.leaders() {
			w.extend(a, left)
		}
		return !w.cut || w.limit < 0
	}
	for a := range m.held - 1 {
		w.union = append(w.union, a)
		w.load()
		left -= len(m.list[a])
	}
	w.extend(m.held-1, left)
	return !w.cut || w.limit < 0
}

// extend adds orbit a, then all that may follow it, to reach the size with left processors. Loads only grow with
// orbits, so a part above the limit is given up.
func (w *unionWalk) extend(a, left int) {
	if w.cut = w.cut || w.ended(); w.cut || w.barred[a] || len(w.list[a]) > left {
		return
	}
	w.union = append(w.union, a)
	defer func() { w.union = w.union[:len(w.union)-1] }()
	if len(w.union) <= maxSmallest && !w.smallest(w.union) {
		return
	}
	w.spent++
	load := w.load()
	left -= len(w.list[a])
	switch {
	case load > w.limit:
	case left == 0:
		w.take(w.union, load)
	default:
		for b := a + 1; b < len(w.list) && w.tail[b] >= left; b++ {
			w.extend(b, left)
		}
	}
}

// load computes the loads of the union from those without its last orbit, and returns the largest.
func (w *unionWalk) load() int64 {
	n := len(w.union)
	if n == len(w.loads) {
		w.loads = append(w.loads, make([]int64, w.classes))
	}
	loads, last := w.loads[n], w.union[n-1]
	copy(loads, w.loads[n-1])
	w.addOwn(loads, last)
	for _, b := range w.union[:n-1] {
		w.addPair(loads, last, b, 1)
	}
	return slices.Max(loads)
}

// tenure is how many exchanges long an orbit that left stays out.
const tenure = 3

// An exchange improves a union by exchanging one orbit for another of its size, always the pair that leaves the
// smallest largest load, then the fewest links with it (tabu search). Once as many exchanges in a row as it has orbits
// brought nothing, it starts afresh: measured, new starts pay more than patience.
type exchange struct {
	*orbits
	*tally
	rng   *rand.Rand
	union []int
	out   []int     // by orbit: the step until which it stays out; -1 if it is in the union
	loads []int64   // of the union
	with  [][]int64 // by orbit a: what a adds to the loads of the union without a
	rest  []int64   // loads without the orbit that leaves
	trial []int64   // loads after an exchange
}

// A merit is the largest load of a union and how many links have it.
type merit struct {
	load  int64
	links int
}

func (a merit) better(b merit) bool { return a.load < b.load || a.load == b.load && a.links < b.links }

// newExchange returns an exchange without a union yet.
func newExchange(m *orbits, c *tally, rng *rand.Rand) *exchange {
	links := len(m.own[0])
	x := &exchange{orbits: m, tally: c, rng: rng, loads: make([]int64, links), rest: make([]int64, links),
		trial: make([]int64, links), out: make([]int, len(m.list)), with: make([][]int64, len(m.list))}
	for a := range x.with {
		x.with[a] = make([]int64, links)
	}
	return x
}

// exchangeOrbits looks at unions until the tally ends it.
func exchangeOrbits(m *orbits, c *tally, rng *rand.Rand) {
	x := newExchange(m, c, rng)
	for !x.ended() {
		x.start()
		best := x.merit(x.loads, merit{load: -1})
		x.note(best)
		for step, last := 1, 0; step-last <= len(x.union) && !x.ended(); step++ {
			now, ok := x.step(step)
			if !ok {
				break
			}
			if now.better(best) {
				best, last = now, step
			}
		}
	}
}

// start draws a union and tables its loads.
func (x *exchange) start() {
	order := x.rng.Perm(len(x.list))
	slices.SortStableFunc(order, func(a, b int) int { return min(a, x.held) - min(b, x.held) }) // those held come first
	order = slices.DeleteFunc(order, func(a int) bool { return x.barred[a] })
	can := make([][]bool, len(order)+1) // by place and number: orbits from there on have that many processors
	can[len(order)] = make([]bool, x.size+1)
	can[len(order)][0] = true
	for i, a := range slices.Backward(order) {
		can[i] = slices.Clone(can[i+1])
		for n := len(x.list[a]); n <= x.size; n++ {
			can[i][n] = can[i][n] || can[i+1][n-len(x.list[a])]
		}
	}
	x.union = x.union[:0]
	left := x.size
	for i, a := range order {
		if rest := left - len(x.list[a]); a < x.held || rest >= 0 && can[i+1][rest] {
			x.union = append(x.union, a)
			left = rest
		}
	}
	clear(x.out)
	clear(x.loads)
	for a := range x.with {
		clear(x.with[a])
		x.addOwn(x.with[a], a)
		for _, b := range x.union {
			if a != b {
				x.addPair(x.with[a], a, b, 1)
			}
		}
	}
	for i, a := range x.union {
		x.out[a] = -1
		x.addOwn(x.loads, a)
		for _, b := range x.union[:i] {
			x.addPair(x.loads, a, b, 1)
		}
	}
	x.spent++
}

// note takes the union if it is better than everything before.
func (x *exchange) note(now merit) {
	if now.load <= x.limit {
		x.take(x.union, now.load)
	}
}

// merit returns the largest of some loads and how often it occurs. Once it is above that of worst it is not finished; a
// worst load below 0 stands for none.
func (x *exchange) merit(loads []int64, worst merit) merit {
	m := merit{load: -1}
	for _, v := range loads {
		switch {
		case v > m.load:
			if m = (merit{load: v, links: 1}); worst.load >= 0 && v > worst.load {
				return m
			}
		case v == m.load:
			m.links++
		}
	}
	return m
}

// step makes the best exchange, one drawn among the best, and reports false if the budget ends before all are compared
// or there is none.
func (x *exchange) step(step int) (merit, bool) {
	best, ties, from, to := merit{load: -1}, 0, 0, 0
	for i, a := range x.union {
		if a < x.held {
			continue
		}
		for l, v := range x.loads {
			x.rest[l] = v - x.with[a][l]
		}
		for b, nodes := range x.list {
			if x.barred[b] || x.out[b] < 0 || x.out[b] > step || len(nodes) != len(x.list[a]) {
				continue
			}
			if x.ended() {
				return best, false
			}
			x.spent++
			copy(x.trial, x.rest)
			for l, v := range x.with[b] {
				x.trial[l] += v
			}
			x.addPair(x.trial, a, b, -1)
			now := x.merit(x.trial, best)
			switch {
			case best.load < 0 || now.better(best):
				best, ties, from, to = now, 1, i, b
			case now == best:
				if ties++; x.rng.IntN(ties) == 0 {
					from, to = i, b
				}
			}
		}
	}
	if best.load < 0 {
		return best, false
	}
	x.swap(from, to, step)
	x.note(best)
	return best, true
}

// swap puts orbit b in place of the union's orbit number i.
func (x *exchange) swap(i, b, step int) {
	a := x.union[i]
	x.union[i] = b
	for l := range x.loads {
		x.loads[l] += x.with[b][l] - x.with[a][l]
	}
	x.addPair(x.loads, a, b, -1)
	for c := range x.with {
		if c != a {
			x.addPair(x.with[c], c, a, -1)
		}
		if c != b {
			x.addPair(x.with[c], c, b, 1)
		}
	}
	x.out[a], x.out[b] = step+1+tenure, -1
}
