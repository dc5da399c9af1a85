package audit

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
)

// Checks of the appendix of seed 000: the hyperplane that sweeps the array.

// checkWrapLinks: the torus has dk^(d-1) more edges than the array, undirected.
func checkWrapLinks(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 3, 1, 2, 3, 4) {
		t := cube(k, d)
		inside := product(product(whole(d), whole(k-1)), power(k, d-1))
		s.compare(words("torus "+t.String()), new(big.Rat).Sub(whole(t.M()/2), inside), equals, product(whole(d), power(k, d-1)))
	}
	return s.finding(l.span(3, 1, 2, 3, 4), "")
}

// checkDirection: 1 < g < .. < g^(d-1) < 2 and r g^(i-1) > g^(d-1) for r >= 2, for
// rational g between 1 and the d-th root of 2.
func checkDirection(ctx context.Context, l Limits) Finding {
	var s survey
	for d := 2; d <= 8; d++ {
		for _, g := range directions(d) {
			p := powers(g, d)
			rising := slices.IsSortedFunc(p, (*big.Rat).Cmp) && p[1].Cmp(p[0]) > 0
			s.add(rising && p[d-1].Cmp(whole(2)) < 0, func() Counterexample {
				return Counterexample{Case: fmt.Sprintf("d = %d, g = %s", d, g.RatString()), Claimed: "rising, below 2", True: p[d-1].RatString()}
			})
		}
	}
	return s.finding("d = 2..8, for each ten fractions between 1 and the d-th root of 2", "")
}

// directions returns fractions g with 1 < g and g^d < 2.
func directions(d int) []*big.Rat {
	var list []*big.Rat
	for i := int64(1); len(list) < 10; i++ {
		g := big.NewRat(1001+i*700/(10*int64(d)), 1000)
		if powers(g, d+1)[d].Cmp(whole(2)) >= 0 {
			break
		}
		list = append(list, g)
	}
	return list
}

// powers returns g^0, .., g^(d-1).
func powers(g *big.Rat, d int) []*big.Rat {
	p := []*big.Rat{whole(1)}
	for len(p) < d {
		p = append(p, product(p[len(p)-1], g))
	}
	return p
}

// checkSweepRange: the hyperplane reaches the farthest node at t = k-1. With g near 1
// the square of the true t, (k-1)^2 (sum g^i)^2 / sum g^2i, is what is compared.
func checkSweepRange(ctx context.Context, l Limits) Finding {
	var s survey
	for d := 2; d <= 5; d++ {
		for k := 2; k <= l.Side(d); k++ {
			p := powers(directions(d)[0], d)
			total, squares := new(big.Rat), new(big.Rat)
			for _, x := range p {
				total.Add(total, x)
				squares.Add(squares, product(x, x))
			}
			at := words(fmt.Sprintf("array %s, direction 1, g, .. with g = %s, square of the last t", cube(k, d), p[1].RatString()))
			s.compare(at, product(whole((k-1)*(k-1)), new(big.Rat).Quo(product(total, total), squares)), equals, whole((k-1)*(k-1)))
		}
	}
	return s.finding(l.span(2, 2, 3, 4, 5)+", one direction each", "the sweep must go on to t = (k-1)(eta_1 + .. + eta_d), about (k-1) sqrt(d); otherwise it misses placements that "+
		"lie in the far corner, such as the single node (k-1, .., k-1). The range is printed twice. Nothing else in the proof changes.")
}

// checkHyperplane: for no t does the hyperplane cross more than 2dk^(d-1) edges of the
// array, nor do more than 2k^(d-1) nodes lie within eta_d below it.
func checkHyperplane(ctx context.Context, l Limits) Finding {
	var s survey
	l = l.upTo(12)
	for k, d := range cubes(ctx, l, 2, 2, 3, 4) {
		for _, g := range directions(d) {
			nodes, edges := sweep(cube(k, d), powers(g, d))
			at := fmt.Sprintf("array %s, g = %s", cube(k, d), g.RatString())
			s.compare(words(at+", nodes in S_d"), whole(nodes), atMost, product(whole(2), power(k, d-1)))
			s.compare(words(at+", edges crossed"), whole(edges), atMost, product(whole(2*d), power(k, d-1)))
		}
	}
	return s.finding(l.span(2, 2, 3, 4)+", ten directions each, every position of the hyperplane", "")
}

// sweep returns the most nodes within the last component below the hyperplane, and
// the most edges that it crosses, over all positions between nodes.
func sweep(t *core.Torus, eta []*big.Rat) (nodes, edges int) {
	scale := whole(1)
	for _, x := range eta {
		scale = product(scale, new(big.Rat).SetInt(x.Denom()))
	}
	w := make([]int64, len(eta))
	for j, x := range eta {
		w[j] = product(x, scale).Num().Int64()
	}
	var starts, ends []int64
	at := make([]int64, t.N())
	for v := range t.N() {
		for j := range t.D() {
			at[v] += w[j] * int64(t.Coord(v, j))
		}
		for j := range t.D() {
			if t.Coord(v, j) < t.Side(j)-1 {
				starts, ends = append(starts, at[v]), append(ends, at[v]+w[j])
			}
		}
	}
	ends2 := make([]int64, len(at))
	for i, x := range at {
		ends2[i] = x + w[len(w)-1]
	}
	return overlap(at, ends2), overlap(starts, ends)
}

// overlap returns the most of the open intervals that share a point.
func overlap(starts, ends []int64) int {
	starts, ends = slices.Sorted(slices.Values(starts)), slices.Sorted(slices.Values(ends))
	most, j := 0, 0
	for i, x := range starts {
		for j < len(ends) && ends[j] <= x {
			j++
		}
		most = max(most, i+1-j)
	}
	return most
}

// checkDiscrepancy: N[d,k] <= 2k^(d-1), the most nodes no three of which differ in one
// coordinate only, by looking at every set.
func checkDiscrepancy(ctx context.Context, l Limits) Finding {
	var s survey
	for _, kd := range [][2]int{{2, 2}, {3, 2}, {4, 2}, {2, 3}, {2, 4}} {
		if ctx.Err() == nil && kd[0] <= l.MaxK {
			t := cube(kd[0], kd[1])
			s.compare(words("array "+t.String()), whole(mostSpread(t)), atMost, product(whole(2), power(kd[0], kd[1]-1)))
		}
	}
	return s.finding("every set of nodes of 2x2, 3x3, 4x4, 2x2x2 and 2x2x2x2", "in general at most two on each of the k^(d-1) lines along one axis")
}

// mostSpread returns the size of a largest set of nodes without three on a line along
// an axis.
func mostSpread(t *core.Torus) int {
	var lines []int
	for v := range t.N() {
		for j := range t.D() {
			if t.Coord(v, j) == 0 {
				line := 0
				for i := range t.Side(j) {
					line |= 1 << t.Shift(v, j, i)
				}
				lines = append(lines, line)
			}
		}
	}
	most := 0
	for m := range 1 << t.N() {
		if n := bits.OnesCount32(uint32(m)); n > most && !slices.ContainsFunc(lines, func(line int) bool { return bits.OnesCount32(uint32(line&m)) > 2 }) {
			most = n
		}
	}
	return most
}
