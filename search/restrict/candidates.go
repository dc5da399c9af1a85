package restrict

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/routing"
)

// Candidates list all that can be chosen for a placement: its elements are the
// paths of every ordered pair of processors, numbered pair by pair.
type candidates struct {
	placement core.Placement
	torus     *core.Torus
	pairs     []pair
	elements  int
	index     map[[2]int]int              // number of the pair with these ends
	lists     map[int][]routing.TablePath // by difference
	links     []core.Link                 // buffer of cost
}

// A pair of processors with its paths; first is the number of its first element.
type pair struct {
	from, to, difference, first int
	paths                       []routing.TablePath
}

// newCandidates returns the candidates of p, an *core.InputError if it is too large, or the error of the context.
func newCandidates(ctx context.Context, p core.Placement) (*candidates, error) {
	t := p.Torus()
	s := &candidates{placement: p, torus: t, index: map[[2]int]int{}, lists: map[int][]routing.TablePath{}}
	watch := core.NewWatch(ctx)
	for from, to := range orderedPairs(p) {
		d := t.Difference(from, to)
		if s.elements+CountPaths(t, from, to) > MaxElements {
			return nil, &core.InputError{Text: fmt.Sprintf("%d processors on %s", p.Size(), t),
				Problem: fmt.Sprintf("their pairs have more than %d paths together, "+
					"too many for a restriction by displacement or pair", MaxElements),
				Hint: "choose among dimension orders instead (--orders), or take a smaller placement"}
		}
		if s.lists[d] == nil {
			s.lists[d] = Paths(t, from, to)
		}
		list := s.lists[d]
		if err := watch.Err(stepsOfPath * len(list)); err != nil {
			return nil, err
		}
		s.index[[2]int{from, to}] = len(s.pairs)
		s.pairs = append(s.pairs, pair{from: from, to: to, difference: d, first: s.elements, paths: list})
		s.elements += len(list)
	}
	return s, nil
}

// stepsOfPath is how many steps of a watch listing a path is.
const stepsOfPath = 64

// A solution says of every element whether its pair may use that path.
type solution []bool

// paths returns the paths that a solution leaves a pair.
func (s *candidates) paths(sol solution, p pair) []routing.TablePath {
	var list []routing.TablePath
	for i, path := range p.paths {
		if sol[p.first+i] {
			list = append(list, path)
		}
	}
	return list
}

// solutionOf returns what a table allows.
func (s *candidates) solutionOf(t *routing.Table) solution {
	sol := make(solution, s.elements)
	for _, p := range s.pairs {
		for _, path := range t.Choices(p.from, p.to) {
			sol[p.first+place(p.paths, path)] = true
		}
	}
	return sol
}

// fewest returns the least number of paths that a pair has, 0 without pairs.
func (s *candidates) fewest(sol solution) int {
	least := 0
	for i, p := range s.pairs {
		if n := len(s.paths(sol, p)); i == 0 || n < least {
			least = n
		}
	}
	return least
}

// table returns the routing table of a solution. By displacement, one that no
// pair of processors has keeps as few of its paths as are allowed.
func (s *candidates) table(sol solution, by By, free routing.Free) (*routing.Table, error) {
	var entries []routing.TableEntry
	if by == ByPair {
		for _, p := range s.pairs {
			entries = append(entries, routing.TableEntry{From: p.from, To: p.to, Paths: s.paths(sol, p)})
		}
		return routing.NewTable(s.torus, true, entries)
	}
	used := map[int]pair{}
	for _, p := range s.pairs {
		used[p.difference] = p
	}
	for v := 1; v < s.torus.N(); v++ {
		if p, ok := used[v]; ok {
			entries = append(entries, routing.TableEntry{To: v, Paths: s.paths(sol, p)})
			continue
		}
		some := somePaths(s.torus, 0, v, free.Least(CountPaths(s.torus, 0, v)))
		entries = append(entries, routing.TableEntry{To: v, Paths: some})
	}
	return routing.NewTable(s.torus, false, entries)
}
