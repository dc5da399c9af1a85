package audit

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/objective/bisect"
)

// Checks of bisection widths with respect to a placement, in directed links.

// exactWidth returns the bisection width. The tori of the checks are small enough
// for an exact engine; one that is not is a mistake of the check.
func exactWidth(ctx context.Context, p core.Placement) int {
	r := bisect.Width(ctx, bisect.Half(p))
	if !r.Exact && ctx.Err() == nil {
		panic(fmt.Sprintf("audit: no exact bisection width for %s", nodesText(p)))
	}
	return r.Width()
}

// uniform reports whether every slab across every axis has as many processors.
func uniform(p core.Placement) bool {
	for j := range p.Torus().D() {
		if !p.Uniform(j) {
			return false
		}
	}
	return true
}

// uniformPlacements yields the uniform placements of the checks of Theorem 1: all on
// tiny tori, then linear, full and blocked ones.
func uniformPlacements(ctx context.Context, l Limits, visit func(setting)) {
	for _, k := range []int{3, 4} {
		if k > l.MaxK {
			return
		}
		for p := range allPlacements(ctx, cube(k, 2), 1) {
			if uniform(p) {
				visit(setUpNodes(p, ""))
			}
		}
	}
	for k, d := range cubes(ctx, l.upTo(8), 3, 2, 3) {
		for t := 1; t <= k; t++ {
			if d == 3 && t > 1 && t < k {
				continue // seconds each
			}
			visit(setUp(cube(k, d), fmt.Sprintf("multilinear:t=%d", t), ""))
		}
		if d == 3 && k%2 == 0 {
			visit(setUpNodes(octants(k), ""))
		}
	}
}

// octants returns the placement on all nodes of two opposite octants of k^3, k
// even: uniform, but a cut around one octant is short.
func octants(k int) core.Placement {
	t := cube(k, 3)
	var nodes []int
	for v := range t.N() {
		c := t.Coords(v)
		if low := 2*c[0] < k; low == (2*c[1] < k) && low == (2*c[2] < k) {
			nodes = append(nodes, v)
		}
	}
	return core.MustPlacement(t, nodes)
}

// uniformText is the range of uniformPlacements.
func uniformText(l Limits) string {
	return "3x3 and 4x4 with every uniform placement; residues 0..t-1 for all t, on three axes t = 1 and k, on " + l.upTo(8).span(3, 2, 3) + "; two opposite octants where three axes have even sides"
}

// checkUniformWidth: a uniform placement has bisection width 4k^(d-1), or at most
// that.
func checkUniformWidth(r relation, even bool, note string) func(context.Context, Limits) Finding {
	return func(ctx context.Context, l Limits) Finding {
		var s survey
		uniformPlacements(ctx, l, func(at setting) {
			k, _ := at.torus().Common()
			if even && k%2 == 1 {
				return
			}
			s.compare(at, whole(exactWidth(ctx, at.placement)), r, product(whole(4), power(k, at.torus().D()-1)))
		})
		return s.finding(uniformText(l)+parity(even), note)
	}
}

// checkTwoCuts: for even k, the slabs 1..k/2 across any one axis hold half of a
// placement that is uniform there, and 4k^(d-1) links join them to the rest.
func checkTwoCuts(ctx context.Context, l Limits) Finding {
	var s survey
	for _, dims := range [][]int{{4, 2}, {4, 4}} {
		t := core.MustTorus(dims...)
		for p := range allPlacements(ctx, t, 1) {
			if p.Uniform(0) {
				checkCut(&s, setUpNodes(p, ""))
			}
		}
	}
	for k, d := range cubes(ctx, l, 4, 2, 3, 4) {
		if k%2 == 0 {
			checkCut(&s, setUp(cube(k, d), "linear", ""))
			checkCut(&s, setUp(cube(k, d), "multilinear:t=2", ""))
		}
	}
	return s.finding("4x2 and 4x4 with every placement that is uniform across axis 0; residue 0 and residues 0,1 on even "+l.span(4, 2, 3, 4), "")
}

// checkCut adds the case of the two cuts across axis 0: first that they halve, then
// their links.
func checkCut(s *survey, at setting) {
	t := at.torus()
	k := t.Side(0)
	band := bisect.Band{Dim: 0, Start: 1, Length: k / 2}
	set, inside := band.Set(t), 0
	for _, v := range at.placement.Nodes() {
		if set.Has(v) {
			inside++
		}
	}
	s.count(at, 2*inside, equals, at.placement.Size())
	s.count(at, 2*bisect.Out(t, set), atMost, 4*t.N()/k)
}

// checkAnyWidth: any placement has bisection width at most 6dk^(d-1).
func checkAnyWidth(ctx context.Context, l Limits) Finding {
	var s survey
	worst, where := new(big.Rat), ""
	add := func(at setting, width int) {
		k, _ := at.torus().Common()
		d := at.torus().D()
		unit := power(k, d-1)
		s.compare(at, whole(width), atMost, product(whole(6*d), unit))
		if c := new(big.Rat).Quo(whole(width), product(whole(d), unit)); d > 1 && c.Cmp(worst) > 0 {
			worst, where = c, at.String()
		}
	}
	for p := range tinyPlacements(ctx, l, 1) {
		add(setUpNodes(p, ""), exactWidth(ctx, p))
	}
	for k, d := range cubes(ctx, l, 3, 2, 3, 4, 5) {
		for seed := range 10 {
			n := k + seed*(power(k, d).Num().BitLen()+k)
			if n > cube(k, d).N() {
				continue
			}
			at := setUp(cube(k, d), fmt.Sprintf("random:n=%d:seed=%d", n, seed+1), "")
			add(at, 2*bisect.Out(at.torus(), bisect.Sweep(bisect.Half(at.placement))))
		}
	}
	return s.finding(tinyText(l)+", exact; 10 random placements each on "+l.span(3, 2, 3, 4, 5)+", by the hyperplane of the appendix, an upper bound of the width",
		fmt.Sprintf("the largest constant seen in place of 6 on two axes or more is %s (%s)", worst.RatString(), where))
}
