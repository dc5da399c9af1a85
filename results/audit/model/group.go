package model

import (
	"fmt"
	"iter"
	"slices"
)

// A Group is finite, with elements 0 to n-1 and 0 its identity.
type Group struct {
	name    string
	n       int
	product func(g, h int) int
}

func cyclicGroup(n int) Group {
	return Group{fmt.Sprintf("Z_%d", n), n, func(g, h int) int { return (g + h) % n }}
}

// turnedGroup is the dihedral group of order 2m, or with squares half a turn the dicyclic one (m even): elements r^a
// s^b, s r s^-1 = r^-1.
func turnedGroup(m int, dicyclic bool) Group {
	name, half := fmt.Sprintf("D_%d", m), 0
	if dicyclic {
		name, half = fmt.Sprintf("Q_%d", 2*m), m/2
	}
	return Group{name, 2 * m, func(g, h int) int {
		a, b, c, d := g/2, g%2, h/2, h%2
		if b == 1 {
			c = m - c
		}
		return (a+c+b*d*half)%m*2 + (b+d)%2
	}}
}

func directProduct(g, h Group) Group {
	return Group{g.name + " x " + h.name, g.n * h.n, func(x, y int) int {
		return g.product(x/h.n, y/h.n)*h.n + h.product(x%h.n, y%h.n)
	}}
}

// SmallGroups returns every group with at most that many elements, up to 10.
func SmallGroups(most int) []Group {
	var groups []Group
	for n := 2; n <= most; n++ {
		groups = append(groups, cyclicGroup(n))
	}
	two := cyclicGroup(2)
	for _, g := range []Group{directProduct(two, two), turnedGroup(3, false), directProduct(two, directProduct(two, two)),
		directProduct(two, cyclicGroup(4)), turnedGroup(4, false), turnedGroup(4, true),
		directProduct(cyclicGroup(3), cyclicGroup(3)), turnedGroup(5, false)} {
		if g.n <= most {
			groups = append(groups, g)
		}
	}
	return groups
}

// inverse returns the element h with g h = 0.
func (g Group) inverse(x int) int {
	for y := range g.n {
		if g.product(x, y) == 0 {
			return y
		}
	}
	return -1
}

// Cayley yields every set of elements without the identity that is closed under inverses and generates the group,
// with the graph that it makes and on that the exchange in which all nodes do the same: for every element a shortest
// word in the generators, one generator a step.
func (g Group) Cayley() iter.Seq[Graph] {
	return func(yield func(Graph) bool) {
		for mask := range 1 << (g.n - 1) {
			var set []int
			closed := true
			for x := 1; x < g.n; x++ {
				if mask>>(x-1)&1 == 1 {
					set = append(set, x)
					closed = closed && mask>>(g.inverse(x)-1)&1 == 1
				}
			}
			c := Graph{Name: fmt.Sprintf("%s by %v", g.name, set), N: g.n}
			for v := range g.n {
				for _, x := range set {
					if u := g.product(v, x); v < u {
						c.Edges = append(c.Edges, [2]int{v, u})
					}
				}
			}
			if closed && c.connected() {
				if c.In = g.sameForAll(set, c.Distances(0)); !yield(c) {
					return
				}
			}
		}
	}
}

func (g Group) sameForAll(set, distance []int) Steps {
	var all Steps
	for target := 1; target < g.n; target++ {
		var word []int // backwards
		for at := target; at != 0; {
			for _, x := range set {
				if before := g.product(at, g.inverse(x)); distance[before] < distance[at] {
					word, at = append(word, x), before
					break
				}
			}
		}
		at := 0
		for _, x := range slices.Backward(word) {
			next := g.product(at, x)
			var step []Hop
			for v := range g.n {
				step = append(step, Hop{g.product(v, at), g.product(v, next), v, g.product(v, target)})
			}
			all, at = append(all, step), next
		}
	}
	return all
}
