package joint

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/search/restrict"
)

// choices says by ordered pair of nodes which of all paths are taken.
type choices map[[2]int][]int

// choicesOf returns what a table leaves the pairs of a placement.
func (g *ground) choicesOf(p core.Placement, t *routing.Table) choices {
	chosen := choices{}
	for _, from := range p.Nodes() {
		for _, to := range p.Nodes() {
			if from == to {
				continue
			}
			all, set := g.all(g.torus.Displacement(from, to)), []int{}
			for _, path := range t.Choices(from, to) {
				at, _ := slices.BinarySearchFunc(all, path, routing.TablePath.Compare)
				set = append(set, at)
			}
			chosen[[2]int{from, to}] = set
		}
	}
	return chosen
}

// found returns the placement and the table of a state.
func (s *state) found(method string) Found {
	chosen := choices{}
	for i := range s.pairs {
		p := &s.pairs[i]
		from, to := s.nodes[p.from], s.plus(s.nodes[p.to], s.shifts[p.shift])
		for _, shift := range s.shifts {
			chosen[[2]int{s.plus(from, shift), s.plus(to, shift)}] = p.menu.sets[p.set].paths
		}
	}
	var nodes []int
	for _, v := range s.nodes {
		for _, shift := range s.shifts {
			nodes = append(nodes, s.plus(v, shift))
		}
	}
	slices.Sort(nodes)
	placement := core.MustPlacement(s.torus, nodes)
	return Found{Placement: placement, Table: s.table(placement, chosen), Value: big.NewRat(s.most(), s.den), Method: method}
}

// table returns the table of some choices: by displacement if pairs of the same
// displacement agree, else by pair. A displacement that no pair has keeps as few of
// its first paths as are allowed.
func (g *ground) table(p core.Placement, chosen choices) *routing.Table {
	var byPair []routing.TableEntry
	shared, agree := map[int][]int{}, true
	for _, from := range p.Nodes() {
		for _, to := range p.Nodes() {
			if from == to {
				continue
			}
			set, v := chosen[[2]int{from, to}], g.torus.Displacement(from, to)
			have, ok := shared[v]
			agree = agree && (!ok || slices.Equal(have, set))
			shared[v] = set
			byPair = append(byPair, routing.TableEntry{From: from, To: to, Paths: g.paths(v, set)})
		}
	}
	if !agree {
		return mustTable(g.torus, true, byPair)
	}
	var entries []routing.TableEntry
	for v := 1; v < g.torus.N(); v++ {
		set, ok := shared[v]
		if !ok {
			set = window(0, g.free.Least(restrict.CountPaths(g.torus, v)), restrict.CountPaths(g.torus, v))
		}
		entries = append(entries, routing.TableEntry{To: v, Paths: g.paths(v, set)})
	}
	return mustTable(g.torus, false, entries)
}

// mustTable returns the table of entries that are right by construction.
func mustTable(t *core.Torus, byPair bool, entries []routing.TableEntry) *routing.Table {
	table, err := routing.NewTable(t, byPair, entries)
	if err != nil {
		panic("joint: " + err.Error())
	}
	return table
}

// paths returns some paths of a displacement.
func (g *ground) paths(displacement int, set []int) []routing.TablePath {
	all := g.all(displacement)
	list := make([]routing.TablePath, len(set))
	for i, k := range set {
		list[i] = all[k]
	}
	return list
}

// greedy returns a placement with paths chosen in turn where loads are low, as far
// as the evaluations left allow.
func (r *run) greedy(p core.Placement, method string) Found {
	left := r.left()
	s := r.stateOf(p, family.Recognise(p).Period, left, rand.New(rand.NewPCG(r.Seed, 0)))
	r.evaluations += left - s.left
	return s.found(method)
}

// stateOf returns a state of a placement that a lattice keeps.
func (r *run) stateOf(p core.Placement, l family.Lattice, left int64, random *rand.Rand) *state {
	t := newTiling(r.ground, l)
	var nodes []int
	for _, v := range p.Nodes() {
		if int(t.reps[v]) == v {
			nodes = append(nodes, v)
		}
	}
	s := newState(t, nodes, left)
	s.routeAll(random)
	return s
}
