package audit

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/bisect"
)

// Checks of seed 002 about alpha-separators and of how the bounds compare.

// checkSeparatorShare: any placement of k^(d-1) processors is cut by 4k^(d-1) links so
// that both sides hold a fixed share; bands of slabs do it, with a quarter.
func checkSeparatorShare(ctx context.Context, l Limits) Finding {
	var s survey
	worst, where := ratio(1, 2), "all"
	add := func(at setting) {
		share := bandShare(at.placement)
		s.compare(at, share, atLeast, ratio(1, 4))
		if share.Cmp(worst) < 0 {
			worst, where = share, at.String()
		}
	}
	for _, k := range []int{3, 4, 5} {
		if k <= l.MaxK {
			for p := range placements(ctx, cube(k, 2), k) {
				add(setUpNodes(p, ""))
			}
		}
	}
	for k, d := range cubes(ctx, l, 3, 3, 4, 5, 6) {
		n := int(power(k, d-1).Num().Int64())
		for seed := range 5 {
			add(setUp(cube(k, d), fmt.Sprintf("random:n=%d:seed=%d", n, seed+1), ""))
		}
		add(setUpNodes(crowded(cube(k, d), n), ""))
	}
	return s.finding("3x3, 4x4 and 5x5 with every placement of k processors; five random placements and one crowded around the axes through node 0 each on "+l.span(3, 3, 4, 5, 6)+"; alpha = 1/4, 4k^(d-1) links",
		fmt.Sprintf("the theorem names no constants; these serve in the range. The least share is %s (%s)", worst.RatString(), where))
}

// bandShare returns the largest share of the processors that the smaller side of a
// band of neighbouring slabs can hold. A band has at most 4k^(d-1) links, both ways.
func bandShare(p core.Placement) *big.Rat {
	most := 0
	for j := range p.Torus().D() {
		n := bisect.Middle(p, j).Count
		most = max(most, min(n, p.Size()-n))
	}
	return ratio(most, p.Size())
}

// crowded returns the n nodes with the most coordinates 0, ties by number: the slabs
// through node 0 hold as much as they can.
func crowded(t *core.Torus, n int) core.Placement {
	nodes := make([]int, t.N())
	for v := range nodes {
		nodes[v] = v
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return differing(t, 0, a) - differing(t, 0, b) })
	return core.MustPlacement(t, nodes[:n])
}

// checkHalfSeparator: with alpha = 1/2 the separator is the bisection.
func checkHalfSeparator(ctx context.Context, l Limits) Finding {
	var s survey
	for p := range tinyPlacements(ctx, l, 2) {
		q := must(bisect.Share(p, ratio(1, 2)))
		s.count(setUpNodes(p, ""), bisect.Width(ctx, q).Width(), equals, exactWidth(ctx, p))
	}
	return s.finding(tinyText(l)+", 2 processors or more", "")
}

// slabBound returns the bound that two cuts give for linear placements, whatever the
// parity of k: floor(k/2) ceil(k/2) k^(d-3) / 2, which is k^(d-1)/8 for even k.
func slabBound(k, d int) *big.Rat { return product(ratio((k/2)*((k+1)/2), 2), power(k, d-3)) }

// checkTighter: from some number of axes on the slab bound of linear placements is
// above (|P|-1)/(2d). No bound is above the best minimal routing, which for 3^4 has
// exactly (27-1)/8.
func checkTighter(from int, note string) func(context.Context, Limits) Finding {
	return func(ctx context.Context, l Limits) Finding {
		var s survey
		for d := from; d <= 12; d++ {
			for k := 3; k <= l.MaxK; k++ {
				degree := product(sum(power(k, d-1), whole(-1)), ratio(1, 2*d))
				at := shownBy{words(fmt.Sprintf("torus %d^%d, placement linear", k, d)), fmt.Sprintf("leeway explain --torus %d^%d --placement linear", k, d)}
				s.compare(at, slabBound(k, d), above, degree)
			}
		}
		return s.finding(fmt.Sprintf("linear placements, sides from 3, %d to 12 axes, the bound of two cuts against (|P|-1)/(2d)", from), note)
	}
}

// checkSeparatorBound: E_max >= 2 a (1-a) |P|^2 over the links of any cut into shares
// a and 1-a.
func checkSeparatorBound(ctx context.Context, l Limits) Finding {
	var s survey
	for p := range tinyPlacements(ctx, l, 2) {
		truth, n := best(ctx, p), p.Size()
		for _, alpha := range []*big.Rat{ratio(1, 4), ratio(1, 3), ratio(1, 2)} {
			r := bisect.Width(ctx, must(bisect.Share(p, alpha)))
			a := r.Processors[0]
			s.compare(minimalSetting{setUpNodes(p, "")}, truth, atLeast, ratio(2*a*(n-a), r.Width()))
		}
	}
	return s.finding(tinyText(l)+", 2 processors or more, alpha 1/4, 1/3 and 1/2, with the true share of the narrowest cut, under the best minimal routing", "")
}
