package restrict

import (
	"fmt"
	"slices"
	"sync"

	"leeway/core"
	"leeway/core/differences"
	"leeway/core/routing"
)

// MaxPaths bounds the paths of a pair, maxElements those of all ordered pairs together.
const (
	MaxPaths    = 1 << 21
	maxElements = 1 << 23
)

// Paths returns the paths of a pair of nodes that correct one dimension after the other, in canonical order. They
// depend on its Difference only.
func Paths(t *core.Torus, from, to int) []routing.TablePath {
	return somePaths(t, from, to, MaxPaths)
}

// somePaths is Paths for no more than limit of them.
func somePaths(t *core.Torus, from, to, limit int) (list []routing.TablePath) {
	var extend func(dims, vector []int, start routing.TablePath) // by the paths that begin so and go on along dims
	extend = func(dims, vector []int, start routing.TablePath) {
		if len(list) == limit {
			return
		}
		if len(dims) == 0 {
			list = append(list, start.Clone())
			return
		}
		for i, j := range dims {
			extend(slices.Delete(slices.Clone(dims), i, i+1), vector,
				routing.TablePath{Order: append(start.Order, j), Steps: append(start.Steps, vector[j])})
		}
	}
	for _, vector := range t.Vectors(from, to, true) {
		extend(moving(vector), vector, routing.TablePath{})
	}
	slices.SortFunc(list, routing.TablePath.Compare)
	return list
}

// moving returns the dimensions in which a vector moves.
func moving(vector []int) []int {
	return slices.DeleteFunc(core.Range(len(vector)), func(j int) bool { return vector[j] == 0 })
}

// place returns where a path stands in a list in canonical order that has it.
func place(list []routing.TablePath, path routing.TablePath) int {
	at, _ := slices.BinarySearchFunc(list, path, routing.TablePath.Compare)
	return at
}

// CountPaths returns how many Paths a pair has, at most one more than can be searched at all.
func CountPaths(t *core.Torus, from, to int) int {
	sum := 0
	for _, vector := range t.Vectors(from, to, true) {
		count := 1
		for i := range moving(vector) {
			count = min(count*(i+1), MaxPaths+1)
		}
		sum = min(sum+count, MaxPaths+1)
	}
	return sum
}

// Choices says by ordered pair of nodes which of its Paths are taken, by their places in ascending order.
type Choices map[[2]int][]int

// Lists has the paths of the pairs of nodes of a torus, by Difference, each listed when it is first asked for, by any
// goroutine.
type Lists struct {
	torus *core.Torus
	lists []func() []routing.TablePath
}

// NewLists returns the lists of a torus.
func NewLists(t *core.Torus) *Lists {
	l := &Lists{torus: t, lists: make([]func() []routing.TablePath, differences.Count(t))}
	for d := range l.lists {
		l.lists[d] = sync.OnceValue(func() []routing.TablePath {
			from, to := differences.Pair(t, d)
			return Paths(t, from, to)
		})
	}
	return l
}

// Paths returns the Paths of a pair.
func (l *Lists) Paths(from, to int) []routing.TablePath {
	return l.lists[differences.Number(l.torus, from, to)]()
}

// ChoicesOf returns what a table leaves the pairs of a placement.
func (l *Lists) ChoicesOf(p core.Placement, t *routing.Table) Choices {
	chosen := Choices{}
	for from, to := range p.Pairs() {
		all, set := l.Paths(from, to), []int{}
		for _, path := range t.Choices(from, to) {
			set = append(set, place(all, path))
		}
		chosen[[2]int{from, to}] = set
	}
	return chosen
}

// List returns the choices of the pairs of a placement, by first and then by second node: what Read reads.
func (c Choices) List(p core.Placement) [][]int {
	var list [][]int
	for from, to := range p.Pairs() {
		list = append(list, c[[2]int{from, to}])
	}
	return list
}

// Read returns the choices of a list, or an error where they are not allowed.
func (l *Lists) Read(p core.Placement, free routing.Free, list [][]int) (Choices, error) {
	if n := p.Size(); len(list) != n*(n-1) {
		return nil, fmt.Errorf("%d nodes have paths for %d pairs", n, len(list))
	}
	chosen, next := Choices{}, 0
	for from, to := range p.Pairs() {
		set, count := list[next], CountPaths(l.torus, from, to)
		next++
		if len(set) == 0 || slices.Min(set) < 0 || slices.Max(set) >= count || !free.Allows(len(set), count) {
			return nil, fmt.Errorf("the paths %v of pair %d are not allowed", set, next)
		}
		chosen[[2]int{from, to}] = set
	}
	return chosen, nil
}

// Allowed returns an error if a table gives a pair of a placement fewer or more paths than a free routing allows.
func Allowed(p core.Placement, t *routing.Table, free routing.Free) error {
	if t == nil {
		return fmt.Errorf("no table was made for nodes %v", p.Nodes())
	}
	for from, to := range p.Pairs() {
		have, count := len(t.Choices(from, to)), CountPaths(p.Torus(), from, to)
		if !free.Allows(have, count) {
			return fmt.Errorf("the table has %d of %d paths from node %d to node %d, which %s does not allow",
				have, count, from, to, free)
		}
	}
	return nil
}

// Table returns the table of some choices: by displacement if pairs of the same displacement agree and no dimension is
// open, else by pair. A displacement that no pair has keeps as few of its first paths as are allowed.
func (l *Lists) Table(p core.Placement, free routing.Free, chosen Choices) *routing.Table {
	var byPair []routing.TableEntry
	shared, agree := map[int][]int{}, l.torus.Closed()
	for from, to := range p.Pairs() {
		set, v := chosen[[2]int{from, to}], l.torus.Displacement(from, to)
		have, ok := shared[v]
		agree = agree && (!ok || slices.Equal(have, set))
		shared[v] = set
		byPair = append(byPair, routing.TableEntry{From: from, To: to, Paths: l.pick(from, to, set)})
	}
	if !agree {
		return mustTable(l.torus, true, byPair)
	}
	var entries []routing.TableEntry
	for v := 1; v < l.torus.N(); v++ {
		set, ok := shared[v]
		if !ok {
			for k := range free.Least(CountPaths(l.torus, 0, v)) {
				set = append(set, k)
			}
		}
		entries = append(entries, routing.TableEntry{To: v, Paths: l.pick(0, v, set)})
	}
	return mustTable(l.torus, false, entries)
}

// pick returns some paths of a pair.
func (l *Lists) pick(from, to int, set []int) []routing.TablePath {
	all := l.Paths(from, to)
	list := make([]routing.TablePath, len(set))
	for i, k := range set {
		list[i] = all[k]
	}
	return list
}

// mustTable returns the table of entries that are right by construction.
func mustTable(t *core.Torus, byPair bool, entries []routing.TableEntry) *routing.Table {
	table, err := routing.NewTable(t, byPair, entries)
	if err != nil {
		panic("restrict: " + err.Error())
	}
	return table
}
