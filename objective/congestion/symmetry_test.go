package congestion_test

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/congestion"
)

// allSymmetries lists, as images of all nodes, the automorphisms that map a
// placement to itself, trying every map of coordinates.
func allSymmetries(p core.Placement) [][]int {
	t, set := p.Torus(), p.Set()
	var list [][]int
	for _, perm := range arrangements(t.D()) {
		for flips := range 1 << t.D() {
			for shift := range t.N() {
				if g, ok := coordinateMap(t, perm, flips, shift); ok && keeps(g, p, set) && keepsLinks(g, t) {
					list = append(list, g)
				}
			}
		}
	}
	return list
}

// coordinateMap returns the images of all nodes. It refuses permutations of
// unequal sides, and flips of sides of 2, which only repeat others.
func coordinateMap(t *core.Torus, perm []int, flips, shift int) ([]int, bool) {
	for j, to := range perm {
		if t.Side(j) != t.Side(to) || t.Side(j) == 2 && flips>>j&1 == 1 {
			return nil, false
		}
	}
	images := make([]int, t.N())
	for v := range images {
		for j, to := range perm {
			c, k := t.Coord(v, j), t.Side(j)
			if flips>>j&1 == 1 {
				c = k - c
			}
			images[v] += (c + t.Coord(shift, to)) % k * t.Stride(to)
		}
	}
	return images, true
}

// keepsLinks reports whether a map of nodes takes links to links of the same bandwidth.
func keepsLinks(g []int, t *core.Torus) bool {
	for l := range t.M() {
		from, to := t.LinkEnds(core.Link(l))
		if !t.HasLink(core.Link(l)) {
			continue
		}
		image, ok := linkOf(t, g[from], g[to])
		if !ok || t.Bandwidth(t.Port(int(image)/t.N()).Dim) != t.Bandwidth(t.Port(l/t.N()).Dim) {
			return false
		}
	}
	return true
}

func keeps(g []int, p core.Placement, set core.Set) bool {
	for _, v := range p.Nodes() {
		if !set.Has(g[v]) {
			return false
		}
	}
	return true
}

// arrangements lists the orders of 0..n-1.
func arrangements(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var list [][]int
	for _, shorter := range arrangements(n - 1) {
		for at := range n {
			longer := append(append(append([]int(nil), shorter[:at]...), n-1), shorter[at:]...)
			list = append(list, longer)
		}
	}
	return list
}

func linkFromTo(t *core.Torus, from, to int) core.Link {
	l, ok := linkOf(t, from, to)
	if !ok {
		panic("no such link")
	}
	return l
}

func linkOf(t *core.Torus, from, to int) (core.Link, bool) {
	for l := range t.M() {
		if a, b := t.LinkEnds(core.Link(l)); a == from && b == to && t.HasLink(core.Link(l)) {
			return core.Link(l), true
		}
	}
	return 0, false
}

// TestClasses counts classes of links and pairs by trying every automorphism.
func TestClasses(t *testing.T) {
	for i := range 500 {
		rng := coretest.Rng(43, i)
		torus := coretest.Torus(rng, 16)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		p := coretest.Placement(rng, torus)
		if p.Size() < 2 {
			continue
		}
		symmetries := allSymmetries(p)
		links, pairs := map[[2]int]bool{}, map[[2]int]bool{}
		for l := range torus.M() {
			if !torus.HasLink(core.Link(l)) {
				continue
			}
			a, b := torus.LinkEnds(core.Link(l))
			links[least(symmetries, a, b)] = true
		}
		for a, b := range p.Pairs() {
			pairs[least(symmetries, a, b)] = true
		}
		r := solve(t, p, congestion.Options{Rounds: 1, Flows: true})
		if r.LinkClasses != len(links) || len(r.Flows) != len(pairs) {
			t.Fatalf("case %d, %s %v: %d and %d classes, want %d and %d", i, torus, p.Nodes(), r.LinkClasses,
				len(r.Flows), len(links), len(pairs))
		}
	}
}

// least returns the least image of an ordered pair of nodes or its reverse.
func least(symmetries [][]int, a, b int) [2]int {
	best := [2]int{a, b}
	for _, g := range symmetries {
		for _, c := range [][2]int{{g[a], g[b]}, {g[b], g[a]}} {
			if c[0] < best[0] || c[0] == best[0] && c[1] < best[1] {
				best = c
			}
		}
	}
	return best
}
