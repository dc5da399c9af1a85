package lns

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"leeway/core"
)

// A measure says how far nodes are from the middle of a neighbourhood.
type measure func(node int) int

// shape returns a random kind of neighbourhood: around a node, around a slab, on a link at
// the maximum, or anywhere.
func (l *lane) shape() measure {
	t := l.problem.Torus()
	switch l.rng.IntN(4) {
	case 0:
		centre := l.rng.IntN(t.N())
		return func(v int) int { return t.LeeDistance(centre, v) }
	case 1:
		j := l.rng.IntN(t.D())
		slab := l.rng.IntN(t.Side(j))
		return func(v int) int { return core.CyclicDistance(slab, t.Coord(v, j), t.Side(j)) }
	case 2:
		return l.throughPeak()
	default: // any nodes
		return func(int) int { return 0 }
	}
}

// throughPeak puts first the processors that send most through a random link at the
// maximum.
func (l *lane) throughPeak() measure {
	loads := l.flows.loads(l.nodes)
	peak := slices.Max(loads)
	var links []int
	for link, load := range loads {
		if load == peak {
			links = append(links, link)
		}
	}
	link := int32(links[l.rng.IntN(len(links))])
	sent := make([]int, len(l.all))
	for _, v := range l.nodes {
		for _, w := range l.nodes {
			l.flows.Each(v, w, func(on, load int32) {
				if on == link {
					sent[v] -= int(load)
				}
			})
		}
	}
	return func(v int) int { return sent[v] }
}

// nearest returns the nodes of a list, nearest first by a measure, equals shuffled.
func nearest(list []int, by measure, rng *rand.Rand) []int {
	list = slices.Clone(list)
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	slices.SortStableFunc(list, func(v, w int) int { return cmp.Compare(by(v), by(w)) })
	return list
}

// ask chooses a neighbourhood and writes its question as a formula. It frees as many
// processors, nearest first, as leave no more than l.room candidates.
func (l *lane) ask(limit int32, move bool) *formula {
	by := l.shape()
	nodes := nearest(l.nodes, by, l.rng)
	some := 1
	for some < len(nodes) && l.candidates(nodes[some+1:], limit, l.room) != nil {
		some++
	}
	c := l.candidates(nodes[some:], limit, len(l.all))
	q := &question{free: some, fixed: nodes[some:], limit: limit, candidates: c.nodes}
	if move {
		q.removed = nodes[:some]
	}
	return newFormula(q, l.flows, c.base, c.around)
}

// A choice is what a fixed part leaves.
type choice struct {
	nodes  []int     // that can be added alone
	base   []int32   // the loads of the fixed part
	around [][]int32 // by node: what it exchanges with the fixed part
}

// candidates returns the nodes that can be added to a fixed part within a limit, nil if
// they are more than allowed.
func (l *lane) candidates(fixed []int, limit int32, most int) *choice {
	c := &choice{base: l.flows.loads(fixed)}
	taken := core.NewSet(len(l.all))
	for _, v := range fixed {
		taken.Add(v)
	}
	loads := make([]int32, l.flows.Links())
	for _, v := range l.all {
		if taken.Has(v) {
			continue
		}
		if l.flows.around(loads, v, fixed); !fits(c.base, loads, limit) {
			continue
		}
		if len(c.nodes) == most {
			return nil
		}
		c.nodes, c.around = append(c.nodes, v), append(c.around, slices.Clone(loads))
	}
	l.rng.Shuffle(len(c.nodes), func(i, j int) {
		c.nodes[i], c.nodes[j] = c.nodes[j], c.nodes[i]
		c.around[i], c.around[j] = c.around[j], c.around[i]
	})
	return c
}

// fits reports whether two vectors of loads together stay within a limit.
func fits(a, b []int32, limit int32) bool {
	for i := range a {
		if a[i]+b[i] > limit {
			return false
		}
	}
	return true
}
