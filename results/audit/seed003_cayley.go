package audit

import (
	"context"
	"fmt"
)

// A group is finite, with elements 0 to n-1 and 0 its identity.
type group struct {
	name    string
	n       int
	product func(g, h int) int
}

func cyclicGroup(n int) group {
	return group{fmt.Sprintf("Z_%d", n), n, func(g, h int) int { return (g + h) % n }}
}

// turnedGroup is the dihedral group of order 2m, or with squares half a turn the
// dicyclic one (m even): elements r^a s^b, s r s^-1 = r^-1.
func turnedGroup(m int, dicyclic bool) group {
	name, half := fmt.Sprintf("D_%d", m), 0
	if dicyclic {
		name, half = fmt.Sprintf("Q_%d", 2*m), m/2
	}
	return group{name, 2 * m, func(g, h int) int {
		a, b, c, d := g/2, g%2, h/2, h%2
		if b == 1 {
			c = m - c
		}
		return (a+c+b*d*half)%m*2 + (b+d)%2
	}}
}

func directProduct(g, h group) group {
	return group{g.name + " x " + h.name, g.n * h.n, func(x, y int) int {
		return g.product(x/h.n, y/h.n)*h.n + h.product(x%h.n, y%h.n)
	}}
}

// inverse returns the element h with g h = 0.
func (g group) inverse(x int) int {
	for y := range g.n {
		if g.product(x, y) == 0 {
			return y
		}
	}
	return -1
}

// generatingSets calls f with every set of elements without the identity that is closed
// under inverses and generates the group, with the Cayley graph that it makes.
func (g group) generatingSets(f func(set []int, cayley graph)) {
	for mask := range 1 << (g.n - 1) {
		var set []int
		closed := true
		for x := 1; x < g.n; x++ {
			if mask>>(x-1)&1 == 1 {
				set = append(set, x)
				closed = closed && mask>>(g.inverse(x)-1)&1 == 1
			}
		}
		if !closed {
			continue
		}
		c := graph{name: fmt.Sprintf("%s by %v", g.name, set), n: g.n}
		for v := range g.n {
			for _, x := range set {
				if u := g.product(v, x); v < u {
					c.edges = append(c.edges, [2]int{v, u})
				}
			}
		}
		if c.connected() {
			f(set, c)
		}
	}
}

// sameForAll is the exchange in which all nodes do the same: for every element a
// shortest word in the generators, one generator a step.
func (g group) sameForAll(set []int, cayley graph) steps {
	distance := cayley.distances()[0]
	var all steps
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
		for i := len(word) - 1; i >= 0; i-- {
			next := g.product(at, word[i])
			var step []hop
			for v := range g.n {
				step = append(step, hop{g.product(v, at), g.product(v, next), v, g.product(v, target)})
			}
			all = append(all, step)
			at = next
		}
	}
	return all
}

func cayleyNetworks(ctx context.Context, l Limits) Finding {
	var s survey
	most := min(10, max(6, l.MaxK))
	var groups []group
	for n := 2; n <= most; n++ {
		groups = append(groups, cyclicGroup(n))
	}
	two := cyclicGroup(2)
	groups = append(groups, directProduct(two, two), turnedGroup(3, false))
	if most >= 8 {
		groups = append(groups, directProduct(two, directProduct(two, two)), directProduct(two, cyclicGroup(4)), turnedGroup(4, false), turnedGroup(4, true))
	}
	if most >= 9 {
		groups = append(groups, directProduct(cyclicGroup(3), cyclicGroup(3)))
	}
	if most >= 10 {
		groups = append(groups, turnedGroup(5, false))
	}
	for _, g := range groups {
		g.generatingSets(func(set []int, cayley graph) {
			if ctx.Err() != nil {
				return
			}
			v := g.sameForAll(set, cayley).judge(cayley)
			claimed := fmt.Sprintf("%s steps, valid", cayley.averageStatus().RatString())
			truth := fmt.Sprintf("%d steps, %s", v.Phases, v.Verdict)
			s.add(claimed == truth, func() Counterexample {
				return Counterexample{Case: cayley.name, Claimed: claimed, True: truth}
			})
		})
	}
	return s.finding(fmt.Sprintf("every group with at most %d elements and every generating set closed under inverses", most),
		"all nodes pass on along the same generator, one word for each element")
}
