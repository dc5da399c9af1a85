package lattice

import (
	"math/rand/v2"
)

// tenure is how many exchanges long a coset that left stays out.
const tenure = 3

// An exchange improves a union by exchanging one coset for another, always the pair
// that leaves the smallest largest load, then the fewest links with it (tabu
// search). Once as many exchanges in a row as it has cosets brought nothing, it starts
// afresh: measured, new starts pay more than patience.
type exchange struct {
	*model
	*tally
	rng   *rand.Rand
	union []int
	out   []int     // by coset: the step until which it stays out; -1 if it is in the union
	loads []int64   // of the union
	with  [][]int64 // by coset a: what a adds to the loads of the union without a
	base  []int64   // loads without the coset that leaves
	trial []int64   // loads after an exchange
}

// A merit is the largest load of a union and how many links have it.
type merit struct {
	load  int64
	links int
}

func (a merit) better(b merit) bool { return a.load < b.load || a.load == b.load && a.links < b.links }

// newExchange returns an exchange without a union yet.
func newExchange(m *model, c *tally, rng *rand.Rand) *exchange {
	x := &exchange{model: m, tally: c, rng: rng, loads: make([]int64, len(m.own)), base: make([]int64, len(m.own)), trial: make([]int64, len(m.own)),
		out: make([]int, len(m.first)), with: make([][]int64, len(m.first))}
	for a := range x.with {
		x.with[a] = make([]int64, len(m.own))
	}
	return x
}

// exchangeCosets looks at unions until the tally ends it.
func exchangeCosets(m *model, c *tally, rng *rand.Rand) {
	x := newExchange(m, c, rng)
	for !x.ended() {
		x.start()
		best := x.merit(x.loads, merit{load: -1})
		x.note(best)
		for step, last := 1, 0; step-last <= m.size && !x.ended(); step++ {
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
	x.union = append(x.union[:0], x.rng.Perm(len(x.first))[:x.size]...)
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

// merit returns the largest of some loads and how often it occurs. Once it is
// above that of worst it is not finished; a worst load below 0 stands for none.
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

// step makes the best exchange, one drawn among the best, and reports false if the
// budget ends before all are compared or there is none.
func (x *exchange) step(step int) (merit, bool) {
	best, ties, from, to := merit{load: -1}, 0, 0, 0
	for i, a := range x.union {
		for l, v := range x.loads {
			x.base[l] = v - x.with[a][l]
		}
		for b := range x.first {
			if x.out[b] < 0 || x.out[b] > step {
				continue
			}
			if x.ended() {
				return best, false
			}
			x.spent++
			copy(x.trial, x.base)
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

// swap puts coset b in place of the union's coset number i.
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
