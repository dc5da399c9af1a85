package orderly

import (
	"slices"

	"leeway/core"
	"leeway/encode/steps"
)

// A slabbing is the slabs across a dimension, with the links along it out of every node, and into it: what a processor
// sends to those in other slabs takes these, so its own slab must have enough of the others.
type slabbing struct {
	slab       []int            // by node
	sets, rest []steps.Set      // by slab: its nodes, all others
	links      [2][][]core.Link // by node
	needs, by  []int            // scratches of scarce: by slab, processors that are missing, and the one that needs them
}

// newSlabbings defines the slabs as sets.
func (b *burden) newSlabbings() (list []slabbing) {
	t := b.torus
	for j := range t.D() {
		s := slabbing{needs: make([]int, t.Slabs(j)), by: make([]int, t.Slabs(j))}
		nodes, others := make([][]int, t.Slabs(j)), make([][]int, t.Slabs(j))
		for v := range t.N() {
			s.slab = append(s.slab, t.Slab(v, j))
			for x := range nodes {
				if x == s.slab[v] {
					nodes[x] = append(nodes[x], v)
				} else {
					others[x] = append(others[x], v)
				}
			}
		}
		for x := range nodes {
			s.sets, s.rest = append(s.sets, b.to.Set(nodes[x])), append(s.rest, b.to.Set(others[x]))
			b.to.Sum(steps.All, []steps.Set{s.sets[x], s.rest[x]}, nil)
		}
		b.to.Sum(steps.All, s.sets, nil)
		for side := range s.links {
			for v := range t.N() {
				along := slices.Clone(b.ports[side][v])
				s.links[side] = append(s.links[side], slices.DeleteFunc(along, func(l core.Link) bool {
					_, port := t.LinkFrom(l)
					return port.Dim != j
				}))
			}
		}
		list = append(list, s)
	}
	return list
}

// scarce writes steps that close the branch if the slabs across some dimension need more processors than are missing.
func (b *burden) scarce() bool {
	left := b.need()
	for i := range 2 * len(b.slabbings) {
		s, side := &b.slabbings[i/2], i%2
		needs, by, sum := s.needs, s.by, 0
		clear(needs)
		for _, v := range b.nodes {
			x := s.slab[v]
			if k := b.needed(s, side, v); k > needs[x] {
				sum += k - needs[x]
				needs[x], by[x] = k, v
			}
			if sum > left {
				b.fail(s, side, needs, by)
				return true
			}
		}
	}
	return false
}

// fail writes for each slab that it has as many more processors as it needs; these are too many.
func (b *burden) fail(s *slabbing, side int, needs, by []int) {
	for x, k := range needs {
		has := 0
		for _, v := range b.nodes {
			if s.slab[v] == x {
				has++
			}
		}
		for more := range k {
			weighting := b.to.Weighting(steps.Evenly(s.links[side][by[x]]...))
			view := b.to.View([]steps.Set{s.sets[x], s.rest[x]}, nil)
			b.to.SplitLow(s.sets[x], has+more+1)
			b.to.Weigh(weighting, steps.Identity, view)
		}
	}
	b.to.Crossed()
}

// needed returns the least k such that some open nodes, as many as processors are missing and k of them in the slab of
// processor v, bring no more to its links than these have room for; one more than are missing without such nodes.
func (b *burden) needed(s *slabbing, side, v int) int {
	room, left := int64(0), b.need()
	for _, l := range s.links[side][v] {
		room += b.room[l]
	}
	own, others := b.own[:0], b.others[:0]
	for u, state := range b.state {
		if state != open {
			continue
		}
		brought := int64(0)
		for _, l := range s.links[side][v] {
			brought += b.bring[u][l]
		}
		if s.slab[u] == s.slab[v] {
			own = append(own, brought)
		} else {
			others = append(others, brought)
		}
	}
	slices.Sort(own)
	slices.Sort(others)
	b.own, b.others = own, others
	for k := max(0, left-len(others)); k <= min(left, len(own)); k++ {
		total := int64(0)
		for _, x := range own[:k] {
			total += x
		}
		for _, x := range others[:left-k] {
			total += x
		}
		if total <= room {
			return k
		}
	}
	return left + 1
}
