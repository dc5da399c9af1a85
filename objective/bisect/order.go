package bisect

import (
	"leeway/core"
)

// An order lists all nodes; its prefixes are sets that grow node by node.

// hyperplane returns the nodes in the order in which the sweeping hyperplane of
// the appendix of seed 000 meets them, in the array that begins at the origin.
//
// The paper takes the direction (1, g, g^2, ...) with a transcendental g so that
// no two nodes are met at once, and 1 < g^(d-1) < 2. Its proof uses no more than
// that: the components differ by less than a factor of 2 and no two nodes tie. We
// take 1 plus infinitesimals of falling order, which needs no real numbers: by
// sum of coordinates, ties by the coordinates from the first on.
func hyperplane(t *core.Torus, origin int) []int {
	most := 0
	for j := range t.D() {
		most += t.Side(j) - 1
	}
	starts := make([]int, most+2)
	for v := range t.N() {
		starts[sum(t, v)+1]++
	}
	for i := range most + 1 {
		starts[i+1] += starts[i]
	}
	order := make([]int, t.N())
	for v := range t.N() { // ascending numbers are ascending coordinates
		i := sum(t, v)
		order[starts[i]] = moved(t, v, origin)
		starts[i]++
	}
	return order
}

// layers returns the nodes slab by slab across dimension first, starting in the
// slab of the origin; within a slab row by row.
func layers(t *core.Torus, first, origin int) []int {
	order := make([]int, 0, t.N())
	stride, k := t.Stride(first), t.Side(first)
	for s := range k {
		for high := 0; high < t.N(); high += stride * k {
			for low := range stride {
				order = append(order, moved(t, high+s*stride+low, origin))
			}
		}
	}
	return order
}

func sum(t *core.Torus, v int) int {
	total := 0
	for j := range t.D() {
		total += t.Coord(v, j)
	}
	return total
}

// moved returns v translated by the node number by.
func moved(t *core.Torus, v, by int) int {
	to := 0
	for j := range t.D() {
		to += (t.Coord(v, j) + t.Coord(by, j)) % t.Side(j) * t.Stride(j)
	}
	return to
}

// prefixes visits the prefixes of an order, from one node up to all but one:
// their length, number of processors and links out. Cost O(M).
func (g *graph) prefixes(order []int, processors core.Set, visit func(length, count, out int)) {
	in := core.NewSet(g.nodes)
	count, out := 0, 0
	for i, v := range order[:len(order)-1] {
		in.Add(v)
		if processors.Has(v) {
			count++
		}
		out += g.degree
		for _, w := range g.of(v) {
			if in.Has(int(w)) {
				out -= 2
			}
		}
		visit(i+1, count, out)
	}
}

// origins returns up to limit nodes spread over the torus, node 0 first.
func origins(t *core.Torus, limit int) []int {
	step := max(1, (t.N()+limit-1)/limit)
	for step > 1 && core.GCD(step, t.N()) > 1 {
		step++ // else all origins could lie on one line
	}
	var list []int
	for i := range min(limit, t.N()) {
		list = append(list, i*step%t.N())
	}
	return list
}
