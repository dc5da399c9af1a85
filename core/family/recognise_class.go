package family

import (
	"slices"

	"leeway/core"
)

// character returns coefficients c such that c.p modulo the index is 0 exactly on
// the lattice and takes every value, and whether there are any: exactly if the
// cosets form a cyclic group.
func (l Lattice) character() ([]int, bool) {
	t, index := l.torus, l.Index()
	exponent := 1
	for _, e := range unitNodes(t) {
		exponent = core.LCM(exponent, l.steps(e))
	}
	if exponent != index {
		return nil, false
	}
	g := 0 // a node whose multiples meet every coset
	for l.steps(g) != index {
		g++
	}
	c := make([]int, t.D())
	times := map[int]int{}
	for i, v := 0, 0; i < index; i, v = i+1, t.Sum(v, g) {
		times[l.Representative(v)] = i
	}
	for j, e := range unitNodes(t) {
		c[j] = times[l.Representative(e)]
	}
	return c, true
}

// steps returns how many steps of v lead back into the lattice.
func (l Lattice) steps(v int) int {
	count := 1
	for w := v; !l.Contains(w); w = l.torus.Sum(w, v) {
		count++
	}
	return count
}

// closedClass returns the residue class of the nodes' cosets with the simplest of
// the coefficient vectors u*c, u prime to m.
func closedClass(t *core.Torus, c []int, m int, nodes []int) Residues {
	best := c
	for u := 2; u < m; u++ {
		if core.GCD(u, m) != 1 {
			continue
		}
		scaled := make([]int, len(c))
		for j, x := range c {
			scaled[j] = x * u % m
		}
		if simpler(scaled, best, m) {
			best = scaled
		}
	}
	class := Residues{Coefficients: make([]int, len(c)), Modulus: m}
	for _, v := range nodes {
		class.Residues = append(class.Residues, dot(t, best, v)%m)
	}
	slices.Sort(class.Residues)
	for j, x := range best {
		class.Coefficients[j] = centred(x, m)
	}
	return class
}

// simpler orders coefficients in 0..m-1 by the sum of their absolute values when
// they are written in -m/2..m/2, then lexicographically.
func simpler(a, b []int, m int) bool {
	size := func(c []int) (sum int) {
		for _, x := range c {
			sum += min(x, m-x)
		}
		return sum
	}
	if d := size(a) - size(b); d != 0 {
		return d < 0
	}
	return slices.Compare(a, b) < 0
}

// dot returns c.v, not reduced.
func dot(t *core.Torus, c []int, v int) int {
	sum := 0
	for j, x := range c {
		sum += x * t.Coord(v, j)
	}
	return sum
}

// centred returns the number in -m/2..m/2 that is x modulo m, m/2 rather than
// -m/2.
func centred(x, m int) int {
	if 2*x > m {
		return x - m
	}
	return x
}
