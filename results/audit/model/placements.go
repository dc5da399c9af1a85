package model

import (
	"context"
	"iter"
	"slices"

	"leeway/core"
	"leeway/objective/bisect"
)

// Cube returns the torus with d sides of k.
func Cube(k, d int) *core.Torus { return core.MustTorus(slices.Repeat([]int{k}, d)...) }

// Neighbours returns the nodes to which the definition joins a node, once each.
func Neighbours(t *core.Torus, v int) []int {
	set := core.NewSet(t.N())
	for j := range t.D() {
		set.Add(t.Shift(v, j, 1))
		set.Add(t.Shift(v, j, -1))
	}
	return set.Nodes()
}

// Differing returns the number of coordinates in which two nodes differ.
func Differing(t *core.Torus, p, q int) int {
	n := 0
	for j := range t.D() {
		if t.Coord(p, j) != t.Coord(q, j) {
			n++
		}
	}
	return n
}

// Placements yields the placements of n nodes that contain node 0, in ascending order of their node lists: with their
// translates these are all. It ends with the context.
func Placements(ctx context.Context, t *core.Torus, n int) iter.Seq[core.Placement] {
	return func(yield func(core.Placement) bool) {
		nodes := core.Range(n)
		for ctx.Err() == nil && yield(core.MustPlacement(t, nodes)) {
			i := n - 1
			for i > 0 && nodes[i] == t.N()-n+i {
				i--
			}
			if i <= 0 {
				return
			}
			nodes[i]++
			for j := i + 1; j < n; j++ {
				nodes[j] = nodes[j-1] + 1
			}
		}
	}
}

// AllPlacements yields the placements of least to N nodes that contain node 0, by size.
func AllPlacements(ctx context.Context, t *core.Torus, least int) iter.Seq[core.Placement] {
	return func(yield func(core.Placement) bool) {
		for n := least; n <= t.N(); n++ {
			for p := range Placements(ctx, t, n) {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// Octants returns the placement on all nodes of two opposite octants of k^3, k even: uniform, but a cut around one
// octant is short.
func Octants(k int) core.Placement {
	t := Cube(k, 3)
	var nodes []int
	for v := range t.N() {
		c := t.Coords(v)
		if low := 2*c[0] < k; low == (2*c[1] < k) && low == (2*c[2] < k) {
			nodes = append(nodes, v)
		}
	}
	return core.MustPlacement(t, nodes)
}

// Crowded returns the n nodes with the most coordinates 0, ties by number: the slabs through node 0 hold as much as
// they can.
func Crowded(t *core.Torus, n int) core.Placement {
	nodes := core.Range(t.N())
	slices.SortStableFunc(nodes, func(a, b int) int { return Differing(t, 0, a) - Differing(t, 0, b) })
	return core.MustPlacement(t, nodes[:n])
}

// Mask returns the nodes of a placement on a tiny torus as a number.
func Mask(p core.Placement) uint {
	m := uint(0)
	for _, v := range p.Nodes() {
		m |= 1 << v
	}
	return m
}

// OutLinks returns how many links leave a set of nodes of a tiny torus.
func OutLinks(t *core.Torus, nodes uint) int {
	set := core.NewSet(t.N())
	set[0] = uint64(nodes)
	return bisect.CapacityOut(t, set)
}
