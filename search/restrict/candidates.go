package restrict

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"leeway/core"
	"leeway/core/differences"
	"leeway/core/routing"
	"leeway/objective"
)

// Candidates list all that can be chosen for a placement: its elements are the
// paths of every ordered pair of processors, numbered pair by pair.
type candidates struct {
	placement core.Placement
	traffic   objective.Traffic
	torus     *core.Torus
	pairs     []pair
	messages  int64 // of all pairs
	elements  int
	index     [][]int32             // by ends: number of the pair, -1 where none sends; nil from nodes that do not send
	lists     [][]routing.TablePath // by difference
	links     []core.Link           // buffer of cost
}

// A pair of nodes that sends messages, with its paths; first is the number of its first element.
type pair struct {
	from, to, difference, first int
	messages                    int64
	paths                       []routing.TablePath
}

// newCandidates returns the candidates of p under a traffic, an *core.InputError if it is too large, or the error of
// the context.
func newCandidates(ctx context.Context, p core.Placement, traffic objective.Traffic) (*candidates, error) {
	t := p.Torus()
	between, _ := traffic.Amounts(p)
	s := &candidates{placement: p, traffic: traffic, torus: t, index: make([][]int32, t.N()),
		lists: make([][]routing.TablePath, differences.Count(t))}
	watch := core.NewWatch(ctx)
	for from, to := range sending(p, traffic) {
		d := differences.Number(t, from, to)
		count := CountPaths(t, from, to)
		if count > MaxPaths || s.elements+count > maxElements {
			problem := fmt.Sprintf("their pairs have more than %d paths together", maxElements)
			if count > MaxPaths {
				problem = fmt.Sprintf("a pair has more than %d paths", MaxPaths)
			}
			return nil, core.Invalid(fmt.Sprintf("%d processors on %s", p.Size(), t),
				"%s, too many for a restriction by displacement or pair", problem).
				Hinted("take a smaller placement")
		}
		if s.lists[d] == nil {
			s.lists[d] = Paths(t, from, to)
		}
		list := s.lists[d]
		if err := watch.Err(stepsOfPath * len(list)); err != nil {
			return nil, err
		}
		if s.index[from] == nil {
			s.index[from] = slices.Repeat([]int32{-1}, t.N())
		}
		s.index[from][to] = int32(len(s.pairs))
		messages := between(from, to)
		s.messages += messages
		s.pairs = append(s.pairs,
			pair{from: from, to: to, difference: d, first: s.elements, messages: messages, paths: list})
		s.elements += len(list)
	}
	return s, nil
}

// sending yields the ordered pairs of nodes that send messages.
func sending(p core.Placement, traffic objective.Traffic) iter.Seq2[int, int] {
	between, nodes := traffic.Amounts(p)
	return func(yield func(from, to int) bool) {
		for _, from := range nodes {
			for _, to := range nodes {
				if from != to && between(from, to) > 0 && !yield(from, to) {
					return
				}
			}
		}
	}
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

// maxClientEntries bounds the entries of a table by pair under client traffic, which has all pairs of nodes.
const maxClientEntries = 1 << 18

// byPairTooLarge says why no table by pair is made, "" if it is.
func byPairTooLarge(t *core.Torus, traffic objective.Traffic) string {
	if n := t.N(); traffic.Clients() && n*(n-1) > maxClientEntries {
		return fmt.Sprintf("a table by pair would have entries for %d pairs of nodes, more than %d",
			n*(n-1), maxClientEntries)
	}
	return ""
}

// table returns the routing table of a solution. A displacement that no pair has, and a pair of processors, under
// client traffic of nodes, that sends nothing, keeps as few of its paths as are allowed.
func (s *candidates) table(sol solution, by By, free routing.Free) (*routing.Table, error) {
	var entries []routing.TableEntry
	if by == ByPair {
		for _, p := range s.pairs {
			entries = append(entries, routing.TableEntry{From: p.from, To: p.to, Paths: s.paths(sol, p)})
		}
		entries = append(entries, s.silent(free)...)
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

// silent returns entries for the pairs of nodes that have messages, but none for each other.
func (s *candidates) silent(free routing.Free) (entries []routing.TableEntry) {
	_, nodes := s.traffic.Amounts(s.placement)
	for _, from := range nodes {
		for _, to := range nodes {
			if from == to || s.index[from] != nil && s.index[from][to] >= 0 {
				continue
			}
			some := somePaths(s.torus, from, to, free.Least(CountPaths(s.torus, from, to)))
			entries = append(entries, routing.TableEntry{From: from, To: to, Paths: some})
		}
	}
	return entries
}
