package core

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// A Placement is an immutable set of nodes of a torus that carry processors. It may also say which task is on which
// node.
type Placement struct {
	torus *Torus
	nodes []int // ascending
	tasks []int // the node of each task; nil: there are processors only
}

// NewPlacement returns the placement of processors on the given nodes, in any
// order. It fails with an *InputError when a node lies outside the torus or
// is repeated.
func NewPlacement(t *Torus, nodes []int) (Placement, error) {
	sorted := slices.Clone(nodes)
	slices.Sort(sorted)
	for i, v := range sorted {
		if v < 0 || v >= t.N() {
			return Placement{}, Invalid(fmt.Sprint(v), "node number outside 0..%d on torus %s", t.N()-1, t)
		}
		if i > 0 && v == sorted[i-1] {
			return Placement{}, Invalid(fmt.Sprint(t.Coords(v)), "the node is listed twice").Hinted("list every node once")
		}
	}
	return Placement{torus: t, nodes: sorted}, nil
}

// PlaceTasks returns the placement of tasks on some nodes, task i on nodes[i], which several may share. It fails with
// an *InputError when a node lies outside the torus.
func PlaceTasks(t *Torus, nodes []int) (Placement, error) {
	p, err := NewPlacement(t, slices.Compact(slices.Sorted(slices.Values(nodes))))
	p.tasks = slices.Clone(nodes)
	return p, err
}

// MustPlacement is NewPlacement for nodes known to be right; it panics on an
// error.
func MustPlacement(t *Torus, nodes []int) Placement {
	p, err := NewPlacement(t, nodes)
	if err != nil {
		panic("core: " + err.Error())
	}
	return p
}

// PlacementFromCoords returns the placement of processors on the nodes with the
// given coordinates. Errors are *InputError.
func PlacementFromCoords(t *Torus, coords [][]int) (Placement, error) {
	nodes := make([]int, len(coords))
	for i, c := range coords {
		v, err := t.Node(c...)
		if err != nil {
			return Placement{}, err
		}
		nodes[i] = v
	}
	return NewPlacement(t, nodes)
}

// Torus returns the torus of the placement.
func (p Placement) Torus() *Torus { return p.torus }

// Size returns the number of processors, or of tasks.
func (p Placement) Size() int { return max(len(p.nodes), len(p.tasks)) }

// List returns what determines a placement: the nodes of the tasks in turn, or without tasks those of the processors,
// ascending. It belongs to the placement.
func (p Placement) List() []int {
	if p.tasks != nil {
		return p.tasks
	}
	return p.nodes
}

// Tasks returns the node of each task, nil where there are processors only. It belongs to the placement.
func (p Placement) Tasks() []int { return p.tasks }

// Nodes returns a copy of the nodes in ascending order.
func (p Placement) Nodes() []int { return slices.Clone(p.nodes) }

// Pairs yields every ordered pair of distinct processors.
func (p Placement) Pairs() iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for _, from := range p.nodes {
			for _, to := range p.nodes {
				if from != to && !yield(from, to) {
					return
				}
			}
		}
	}
}

// AppendNodes appends the nodes, ascending, to dst and returns it: Nodes without
// an allocation for those who evaluate many placements.
func (p Placement) AppendNodes(dst []int) []int { return append(dst, p.nodes...) }

// Coords returns the coordinates of the nodes, ascending.
func (p Placement) Coords() [][]int {
	d := p.torus.D()
	c, all := make([][]int, len(p.nodes)), make([]int, len(p.nodes)*d)
	for i, v := range p.nodes {
		c[i] = all[i*d : (i+1)*d : (i+1)*d]
		for j := range d {
			c[i][j] = p.torus.Coord(v, j)
		}
	}
	return c
}

// Set returns the nodes as a new set.
func (p Placement) Set() Set {
	s := NewSet(p.torus.N())
	for _, v := range p.nodes {
		s.Add(v)
	}
	return s
}

// SlabCounts returns how many processors are in slab 0, 1, ... across dimension j.
func (p Placement) SlabCounts(j int) []int {
	counts := make([]int, p.torus.Slabs(j))
	for _, v := range p.nodes {
		counts[p.torus.Slab(v, j)]++
	}
	return counts
}

// Uniform reports whether the same number of processors have each coordinate in dimension j
// (seed 000, after Definition 2, for one dimension).
func (p Placement) Uniform(j int) bool {
	counts := make([]int, p.torus.Side(j))
	for _, v := range p.nodes {
		counts[p.torus.Coord(v, j)]++
	}
	for _, c := range counts {
		if c != counts[0] {
			return false
		}
	}
	return true
}

// A Set is a set of nodes of one torus, one bit a node.
type Set []uint64

// NewSet returns an empty set with room for n nodes.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// Has reports whether node v is in the set.
func (s Set) Has(v int) bool { return s[v>>6]>>(v&63)&1 != 0 }

// Add puts node v into the set.
func (s Set) Add(v int) { s[v>>6] |= 1 << (v & 63) }

// Remove takes node v out of the set.
func (s Set) Remove(v int) { s[v>>6] &^= 1 << (v & 63) }

// Count returns the number of nodes in the set.
func (s Set) Count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Nodes returns the nodes of the set in ascending order.
func (s Set) Nodes() []int { return s.AppendNodes(make([]int, 0, s.Count())) }

// AppendNodes appends the nodes of the set, ascending, to dst and returns it.
func (s Set) AppendNodes(dst []int) []int {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, i<<6+bits.TrailingZeros64(w))
		}
	}
	return dst
}
