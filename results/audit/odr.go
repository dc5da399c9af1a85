package audit

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// Checks of ordered dimensional routing on linear and multiple linear placements.

// axesOf are the numbers of axes of the checks of loads.
var axesOf = []int{2, 3, 4, 5}

// checkPathsODR: one path for odd k, several for some pair for even k; one with the
// rule for ties.
func checkPathsODR(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 3, 1, 2, 3) {
		t := cube(k, d)
		odd := k%2 == 1
		s.add((mostPaths(must(routing.Parse(t, "odr:tie=both"))) == 1) == odd, func() Counterexample {
			return Counterexample{Case: "torus " + t.String() + ", no rule for ties", Claimed: "one path exactly for odd k", True: "otherwise"}
		})
		s.count(words("torus "+t.String()+", ties go the + way"), mostPaths(must(routing.Parse(t, "odr"))), equals, 1)
	}
	return s.finding(l.span(3, 1, 2, 3)+", every pair up to translation", "")
}

// mostPaths returns the most paths of a pair.
func mostPaths(r routing.Routing) int {
	most := 0
	for q := 1; q < r.Torus().N(); q++ {
		most = max(most, pathCount(r, 0, q, nil))
	}
	return most
}

// pathCount returns the number of paths from p to q.
func pathCount(r routing.Routing, p, q int, processors core.Set) int {
	n := 0
	for range r.Paths(p, q, processors) {
		n++
	}
	return n
}

// checkLoads compares E_max of the residues 0..t-1 with a printed value, for t = 1
// or all t < k, and says how a closed form of our own fares.
func checkLoads(routed string, multiple bool, r relation, printed func(k, d, t int) *big.Rat, ours func(k, d, t int, both bool) *big.Rat, formula string) func(context.Context, Limits) Finding {
	return func(ctx context.Context, l Limits) Finding {
		var s, o survey
		for k, d := range cubes(ctx, l, 3, axesOf...) {
			most := 1
			if multiple {
				most = k - 1
			}
			for t := 1; t <= most; t++ {
				at := setUp(cube(k, d), multipleText(t), routed)
				truth := at.load()
				s.compare(at, truth, r, printed(k, d, t))
				o.compare(at, truth, equals, ours(k, d, t, false))
				both := setUp(cube(k, d), multipleText(t), routed+":tie=both")
				o.compare(both, both.load(), equals, ours(k, d, t, true))
			}
		}
		return s.finding(l.span(3, axesOf...)+rangeOfT(multiple), o.exactly(formula))
	}
}

// multipleText returns the words for the residues 0..t-1.
func multipleText(t int) string {
	if t == 1 {
		return "linear"
	}
	return fmt.Sprintf("multilinear:t=%d", t)
}

func rangeOfT(multiple bool) string {
	if multiple {
		return ", all t < k"
	}
	return ""
}

// exactly says how a closed form of our own fared, with ties plus and both.
func (s *survey) exactly(formula string) string {
	f := s.finding("the same tori, ties plus and both", "")
	return fmt.Sprintf("Exactly: %s; this %s in %s", formula, f.Verdict, f.Checked)
}

// odrPrinted returns the closed form that the proof of Theorem 2 prints.
func odrPrinted(k, d, _ int) *big.Rat {
	if k%2 == 0 {
		return sum(product(power(k, d-1), ratio(1, 8)), product(power(k, d-2), ratio(1, 4)))
	}
	return sum(product(power(k, d-1), ratio(1, 8)), product(power(k, d-3), ratio(-1, 8)))
}

const (
	odrLinearForm   = "E_max = h k^(d-2) with h = floor(k/2), or (k-1)/2 if a tie goes both ways, in the first and the last dimension, where one end of a pair is fixed by the link and the other has k^(d-2) choices for every coordinate"
	odrMultipleForm = "E_max = t k^(d-2) (h + (h-1) + .. ), t terms or as many as are positive, with h = floor(k/2), or (k-1)/2 if a tie goes both ways"
)

// checkODRMiddle: the printed maximum, in a dimension that is neither first nor
// last.
func checkODRMiddle(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 3, 3, 4, 5) {
		at := setUp(cube(k, d), "linear", "odr")
		s.compare(at, maxAlong(at, 1), equals, odrPrinted(k, d, 1))
	}
	return s.finding(l.span(3, 3, 4, 5)+", links along axis 1", "so the printed closed form is that of the dimensions between the first and the last")
}

// maxAlong returns the largest load of a link along an axis.
func maxAlong(at setting, axis int) *big.Rat {
	loads, most := objective.Evaluate(at.routing, at.placement), new(big.Rat)
	t := at.torus()
	for _, dir := range []core.Dir{core.Plus, core.Minus} {
		for v := range t.N() {
			if e := loads.At(t.Link(v, axis, dir)); e.Cmp(most) > 0 {
				most = e
			}
		}
	}
	return most
}

// checkRingPairs: on a ring of k with ties the + way, k^2/8 + k/4 ordered pairs use
// a + link if k is even, (k^2-1)/8 if odd.
func checkRingPairs(ctx context.Context, l Limits) Finding {
	var s survey
	for k := 3; k <= 4*l.MaxK; k++ {
		at := setUp(cube(k, 1), "full", "odr")
		printed := ratio(k*k-1, 8)
		if k%2 == 0 {
			printed = ratio(k*k+2*k, 8)
		}
		s.compare(at, at.load(), equals, printed)
	}
	return s.finding(fmt.Sprintf("rings of 3 to %d", 4*l.MaxK), "")
}

// checkODRLeading: E_max = k^(d-1)/8 plus lower order terms. With what follows exactly,
// E_max = h k^(d-2), the ratio tends to 1/2; what is compared allows k^(d-2)
// for the lower order terms.
func checkODRLeading(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 3, axesOf...) {
		at := setUp(cube(k, d), "linear", "odr")
		limit := product(sum(ratio(1, 8), ratio(1, k)), power(k, d-1))
		s.compare(at, at.load(), atMost, limit)
	}
	return s.finding(l.span(3, axesOf...)+", with k^(d-2) for all lower order terms together", "E_max is floor(k/2) k^(d-2), so the leading term is k^(d-1)/2; the value printed is that of the dimensions between the first and the last")
}

// odrPairs returns t^2 k^(d-1), the bound of Theorems 2 and 3.
func odrPairs(k, d, t int) *big.Rat { return product(whole(t*t), power(k, d-1)) }
