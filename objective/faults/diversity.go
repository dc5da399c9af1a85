package faults

import (
	"math/big"

	"leeway/core/routing"
)

// Diversity counts the allowed paths of pairs, and how many of them are pairwise
// link-disjoint: a set of allowed paths no two of which share a directed link, as
// large as can be. That is what survives faults, and it can be less than a
// maximum flow over the links of the allowed paths, which may mix pieces of them.
type Diversity struct {
	MinPaths     int
	MeanPaths    *big.Rat // over ordered pairs, under client traffic over requests and replies
	MinDisjoint  int
	MeanDisjoint *big.Rat
	// DisjointExact reports whether every disjoint set was shown to be as large
	// as can be; if not, MinDisjoint and MeanDisjoint are lower bounds.
	DisjointExact bool
}

// diversityOf returns the diversity over all flows. Where paths depend on the
// displacement only, each displacement is looked at once.
func diversityOf(flows []flow) Diversity {
	d := Diversity{MeanPaths: new(big.Rat), MeanDisjoint: new(big.Rat), DisjointExact: true}
	if len(flows) == 0 {
		return d
	}
	byDisplacement := [2]bool{}
	for i := range min(2, len(flows)) { // of two kinds at most, in turns
		r := flows[i].Routing
		byDisplacement[kind(flows[i])] = routing.Invariant(r) && !r.DependsOnPlacement()
	}
	known := [2]map[int]packing{{}, {}}
	paths, disjoint := int64(0), int64(0)
	for i, p := range flows {
		v, kind := p.Routing.Torus().Displacement(p.From, p.To), kind(p)
		best, seen := known[kind][v]
		if !seen || !byDisplacement[kind] {
			best = pack(p.paths)
			known[kind][v] = best
		}
		if i == 0 || len(p.paths) < d.MinPaths {
			d.MinPaths = len(p.paths)
		}
		if i == 0 || best.size < d.MinDisjoint {
			d.MinDisjoint = best.size
		}
		d.DisjointExact = d.DisjointExact && best.exact
		paths += int64(len(p.paths))
		disjoint += int64(best.size)
	}
	d.MeanPaths.SetFrac64(paths, int64(len(flows)))
	d.MeanDisjoint.SetFrac64(disjoint, int64(len(flows)))
	return d
}

// kind returns 1 for replies, otherwise 0.
func kind(p flow) int {
	if p.Reply {
		return 1
	}
	return 0
}

// A packing is the size of a set of link-disjoint paths of one pair.
type packing struct {
	size  int
	exact bool // no set is larger
}

// maxPackingSteps bounds the paths that the search for one pair tries.
const maxPackingSteps = 100_000

// pack finds a largest set of paths of one pair no two of which share a link.
//
// Disjoint paths leave the start by different links and enter the end by
// different ones, so that the fewer of these bound the size; a depth-first search
// takes at most one path for every first link and stops at that bound.
func pack(paths [][]int32) packing {
	last := map[int32]bool{}
	groups := [][][]int32{} // by first link
	group := map[int32]int{}
	for _, p := range paths {
		last[p[len(p)-1]] = true
		i, ok := group[p[0]]
		if !ok {
			i, group[p[0]] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	s := packer{groups: groups, limit: min(len(groups), len(last)), taken: map[int32]bool{}}
	s.extend(0, 0)
	return packing{size: s.best, exact: s.best == s.limit || s.steps < maxPackingSteps}
}

// A packer is the depth-first search of pack.
type packer struct {
	groups [][][]int32
	limit  int
	taken  map[int32]bool // links of the paths taken
	best   int
	steps  int
}

// extend decides for the groups from i on, with size paths taken.
func (s *packer) extend(i, size int) {
	s.best = max(s.best, size)
	if i == len(s.groups) || size+len(s.groups)-i <= s.best {
		return
	}
	for _, path := range s.groups[i] {
		if s.best == s.limit || s.steps >= maxPackingSteps {
			return
		}
		if s.steps++; !s.free(path) {
			continue
		}
		s.mark(path, true)
		s.extend(i+1, size+1)
		s.mark(path, false)
	}
	s.extend(i+1, size)
}

func (s *packer) free(path []int32) bool {
	for _, l := range path {
		if s.taken[l] {
			return false
		}
	}
	return true
}

func (s *packer) mark(path []int32, taken bool) {
	for _, l := range path {
		s.taken[l] = taken
	}
}
