package joint

import (
	"math/rand/v2"
	"slices"

	"leeway/core/differences"
)

// A state is a placement with a set of paths for every class of ordered pairs, the loads that follow and what they are
// above a limit. Pair k of slots i and j goes from the processor of slot i to that of slot j, moved by shift k.
type state struct {
	*tiling
	nodes  []int // by slot: a processor of its coset
	taken  []bool
	pairs  []pair
	loads  []int64 // by link that stands for its class, in units
	limit  int64
	excess int64 // sum over these links of the squares of what loads are above the limit
	left   int64 // sets that may still be weighed
}

// A pair is what a class of ordered pairs has chosen.
type pair struct {
	from, to, shift int // slots, and the number of the shift
	options         *options
	set             int
}

// newState returns the state of some processors, one of every coset, without any paths, and with limit 0.
func newState(t *tiling, nodes []int, left int64) *state {
	s := &state{tiling: t, nodes: slices.Clone(nodes), taken: make([]bool, t.torus.N()), loads: make([]int64, t.torus.M()),
		left: left}
	for i, v := range nodes {
		s.taken[t.reps[v]] = true
		for j := range nodes {
			for k := range t.shifts {
				if i != j || k != 0 {
					s.pairs = append(s.pairs, pair{from: i, to: j, shift: k})
				}
			}
		}
	}
	for i := range s.pairs {
		s.pairs[i].options = s.optionsOf(&s.pairs[i])
	}
	return s
}

// optionsOf returns the options that fit where the ends of a pair are.
func (s *state) optionsOf(p *pair) *options {
	to := s.plus(s.nodes[p.to], s.shifts[p.shift])
	return s.options[differences.Number(s.torus, s.nodes[p.from], to)]()
}

// lay adds the chosen paths of a pair to the loads, or with sign -1 takes them away.
func (s *state) lay(p *pair, sign int64) {
	set, row := &p.options.sets[p.set], s.row(s.nodes[p.from])
	for k, v := range set.nodes {
		load := &s.loads[set.ports[k]+row[v]]
		s.excess -= s.square(*load - s.limit)
		*load += sign * set.amounts[k]
		s.excess += s.square(*load - s.limit)
	}
}

// square returns the square of what is above 0, of large common bandwidths without its last bits.
func (g *instance) square(over int64) int64 {
	if over <= 0 {
		return 0
	}
	over = (over + 1<<g.coarse - 1) >> g.coarse
	return over * over
}

// route chooses for a pair without paths the set that adds least to the excess, one of several at random, and lays it.
// Only as many sets as are left are weighed, and the first is taken where none is.
func (s *state) route(p *pair, random *rand.Rand) {
	row := s.row(s.nodes[p.from])
	least, ties := int64(0), 0
	weigh := min(int64(len(p.options.sets)), s.left)
	p.set = 0
	for k := range int(weigh) {
		switch cost := s.cost(&p.options.sets[k], row); {
		case ties == 0 || cost < least:
			p.set, least, ties = k, cost, 1
		case cost == least:
			if ties++; random.IntN(ties) == 0 {
				p.set = k
			}
		}
	}
	s.left -= weigh
	s.lay(p, 1)
}

// cost returns about by how much a set would raise the excess: where it crosses a
// class twice each crossing is counted alone.
func (s *state) cost(set *pathSet, row []int32) int64 {
	cost := int64(0)
	for k, v := range set.nodes {
		over := s.loads[set.ports[k]+row[v]] - s.limit
		if after := over + set.amounts[k]; after > 0 {
			cost += s.square(after) - s.square(over)
		}
	}
	return cost
}

// routeAll chooses sets for all pairs in turn.
func (s *state) routeAll(random *rand.Rand) {
	for i := range s.pairs {
		s.route(&s.pairs[i], random)
	}
}

// settle chooses again for every pair that crosses a link above the limit.
func (s *state) settle(random *rand.Rand) {
	if len(s.pairs) == 0 {
		return
	}
	start := random.IntN(len(s.pairs))
	for at := range s.pairs {
		if s.excess == 0 || s.left == 0 {
			return
		}
		p := &s.pairs[(at+start)%len(s.pairs)]
		if len(p.options.sets) > 1 && s.crossesAbove(p) {
			s.lay(p, -1)
			s.route(p, random)
		}
	}
}

// crossesAbove reports whether the paths of a pair cross a link above the limit.
func (s *state) crossesAbove(p *pair) bool {
	set, row := &p.options.sets[p.set], s.row(s.nodes[p.from])
	for k, v := range set.nodes {
		if s.loads[set.ports[k]+row[v]] > s.limit {
			return true
		}
	}
	return false
}

// move takes the processors of a slot to a free coset and chooses paths for their pairs.
func (s *state) move(slot, to int, random *rand.Rand) {
	s.eachOf(slot, func(p *pair) { s.lay(p, -1) })
	s.taken[s.reps[s.nodes[slot]]], s.taken[s.reps[to]] = false, true
	s.nodes[slot] = to
	s.eachOf(slot, func(p *pair) { p.options = s.optionsOf(p); s.route(p, random) })
}

// eachOf calls do for the pairs of a slot.
func (s *state) eachOf(slot int, do func(*pair)) {
	for i := range s.pairs {
		if p := &s.pairs[i]; p.from == slot || p.to == slot {
			do(p)
		}
	}
}

// most returns the largest load.
func (s *state) most() int64 { return slices.Max(s.loads) }

// copyFrom makes s what other is, of the same tiling.
func (s *state) copyFrom(other *state) {
	copy(s.nodes, other.nodes)
	copy(s.taken, other.taken)
	copy(s.pairs, other.pairs)
	copy(s.loads, other.loads)
	s.limit, s.excess = other.limit, other.excess
}

// setLimit takes another limit.
func (s *state) setLimit(limit int64) {
	s.limit, s.excess = limit, 0
	for _, load := range s.loads {
		s.excess += s.square(load - limit)
	}
}
