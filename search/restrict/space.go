package restrict

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/routing"
)

// MaxElements bounds the ordered pairs times their paths.
const MaxElements = maxElements

const maxElements = 1 << 21

// A space lists all that can be chosen for a placement: its elements are the
// paths of every ordered pair of processors, numbered pair by pair.
type space struct {
	placement core.Placement
	torus     *core.Torus
	pairs     []pair
	elements  int
	index     map[[2]int]int    // number of the pair with these ends
	lists     map[int]*pathList // by displacement
}

// A pair of processors with its paths; first is the number of its first element.
type pair struct {
	from, to, displacement, first int
	list                          *pathList
}

// newSpace returns the space of p, an *core.InputError if it is too large, or the error of
// the context.
func newSpace(ctx context.Context, p core.Placement) (*space, error) {
	t := p.Torus()
	s := &space{placement: p, torus: t, index: map[[2]int]int{}, lists: map[int]*pathList{}}
	nodes, watch := p.Nodes(), core.NewWatch(ctx)
	for _, from := range nodes {
		for _, to := range nodes {
			if from == to {
				continue
			}
			v := t.Displacement(from, to)
			if s.elements+countPaths(t, v, maxElements) > maxElements {
				return nil, &core.InputError{Text: fmt.Sprintf("%d processors on %s", p.Size(), t),
					Problem: fmt.Sprintf("their pairs have more than %d paths together, too many for a restriction by displacement or pair", maxElements),
					Hint:    "choose among dimension orders instead (--orders), or take a smaller placement"}
			}
			list := s.list(v)
			if err := watch.Err(stepsOfPath * len(list.paths)); err != nil {
				return nil, err
			}
			s.index[[2]int{from, to}] = len(s.pairs)
			s.pairs = append(s.pairs, pair{from: from, to: to, displacement: v, first: s.elements, list: list})
			s.elements += len(list.paths)
		}
	}
	return s, nil
}

// stepsOfPath is how many steps of a watch listing a path is.
const stepsOfPath = 64

// list returns the paths of a displacement.
func (s *space) list(displacement int) *pathList {
	l := s.lists[displacement]
	if l == nil {
		l = newPathList(s.torus, displacement, maxElements)
		s.lists[displacement] = l
	}
	return l
}

// A solution says of every element whether its pair may use that path.
type solution []bool

// paths returns the paths that a solution leaves a pair.
func (s *space) paths(sol solution, p pair) []routing.TablePath {
	var list []routing.TablePath
	for i, path := range p.list.paths {
		if sol[p.first+i] {
			list = append(list, path)
		}
	}
	return list
}

// solutionOf returns what a table allows.
func (s *space) solutionOf(t *routing.Table) solution {
	sol := make(solution, s.elements)
	for _, p := range s.pairs {
		for _, path := range t.Choices(p.from, p.to) {
			sol[p.first+int(p.list.index[key(path)])] = true
		}
	}
	return sol
}

// fewest returns the least number of paths that a pair has, 0 without pairs.
func (s *space) fewest(sol solution) int {
	least := 0
	for i, p := range s.pairs {
		if n := len(s.paths(sol, p)); i == 0 || n < least {
			least = n
		}
	}
	return least
}

// table returns the routing table of a solution. By displacement, one that no
// pair of processors has keeps least(available) of its paths.
func (s *space) table(sol solution, by By, least func(available int) int) (*routing.Table, error) {
	var entries []routing.TableEntry
	if by == ByPair {
		for _, p := range s.pairs {
			entries = append(entries, routing.TableEntry{From: p.from, To: p.to, Paths: s.paths(sol, p)})
		}
		return routing.NewTable(s.torus, true, entries)
	}
	used := map[int]pair{}
	for _, p := range s.pairs {
		used[p.displacement] = p
	}
	for v := 1; v < s.torus.N(); v++ {
		if p, ok := used[v]; ok {
			entries = append(entries, routing.TableEntry{To: v, Paths: s.paths(sol, p)})
			continue
		}
		some := least(countPaths(s.torus, v, maxElements))
		entries = append(entries, routing.TableEntry{To: v, Paths: newPathList(s.torus, v, some).paths})
	}
	return routing.NewTable(s.torus, false, entries)
}
