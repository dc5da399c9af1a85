package audit

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// Checks of unordered dimensional routing, and of what more paths do.

// checkPathsUDR: s! paths for a pair that differs in s dimensions.
func checkPathsUDR(ctx context.Context, l Limits) Finding {
	var s, both survey
	for k, d := range cubes(ctx, l, 3, 1, 2, 3) {
		t := cube(k, d)
		plus, free := must(routing.Parse(t, "udr")), must(routing.Parse(t, "udr:tie=both"))
		for q := 1; q < t.N(); q++ {
			printed := factorial(differing(t, 0, q))
			at := words(fmt.Sprintf("torus %s, from node 0 to %s", t, point(t, q)))
			s.count(at, pathCount(plus, 0, q, nil), equals, printed)
			both.count(at, pathCount(free, 0, q, nil), equals, printed)
		}
	}
	return s.finding(l.span(3, 1, 2, 3)+", every pair up to translation, ties the + way",
		fmt.Sprintf("without a rule for ties, which the paper states for ODR only, each tie doubles the paths: %d of %d pairs then have more", both.failed, both.cases))
}

// differing returns the number of coordinates in which two nodes differ.
func differing(t *core.Torus, p, q int) int {
	n := 0
	for j := range t.D() {
		if t.Coord(p, j) != t.Coord(q, j) {
			n++
		}
	}
	return n
}

func factorial(n int) int {
	if n < 2 {
		return 1
	}
	return n * factorial(n-1)
}

// checkStrict: on linear placements under UDR the load of every link is less than
// the number of paths through it.
func checkStrict(ctx context.Context, l Limits) Finding {
	var s, loaded survey
	l = l.upTo(10)
	for k, d := range cubes(ctx, l, 3, 2, 3) {
		at := setUp(cube(k, d), "linear", "udr")
		loads, through := objective.Evaluate(at.routing, at.placement), pathsThrough(at)
		for link, n := range through {
			e := loads.At(core.Link(link))
			from, port := at.torus().LinkFrom(core.Link(link))
			where := words(fmt.Sprintf("%s, link from %s along axis %d, %s", at, point(at.torus(), from), port.Dim, port.Dir))
			s.compare(where, e, below, whole(n))
			if n > 0 {
				loaded.compare(where, e, below, whole(n))
			}
		}
	}
	return s.finding("linear placements, "+l.span(3, 2, 3)+", every link", "a link that no path uses has load 0 and 0 paths. "+loaded.instead("strictly less on links that some path uses"))
}

// pathsThrough returns the number of paths of all pairs through every link: the share
// of the link times the number of paths of the pair, added up.
func pathsThrough(at setting) []int {
	through := make([]int, at.torus().M())
	for _, p := range at.placement.Nodes() {
		for _, q := range at.placement.Nodes() {
			if p == q {
				continue
			}
			flow, paths := at.routing.Flow(p, q, nil), factorial(differing(at.torus(), p, q))
			for _, share := range flow.Shares {
				through[share.Link] += int(share.Num.Int64()) * paths / int(flow.Den.Int64())
			}
		}
	}
	return through
}

// checkMorePaths: adding paths lowers the load of the links in use. UDR has all paths
// of ODR and minimal has all of UDR with both tie ways.
func checkMorePaths(ctx context.Context, l Limits) Finding {
	var s survey
	l = l.upTo(12)
	for _, pair := range [][2]string{{"odr", "udr"}, {"odr:tie=both", "udr:tie=both"}, {"udr:tie=both", "minimal"}} {
		for k, d := range cubes(ctx, l, 3, 2, 3) {
			few, more := setUp(cube(k, d), "linear", pair[0]), setUp(cube(k, d), "linear", pair[1])
			s.compare(more, more.load(), atMost, few.load())
		}
	}
	return s.finding("linear placements, "+l.span(3, 2, 3)+"; E_max of odr against udr (either tie rule), of udr against minimal (both tie ways)",
		"claimed is at most E_max of the routing with fewer paths. It is so from odr to udr; but minimal, which has all paths of udr and more, sends more of them over the links in the middle of a ring")
}

// pairsBound returns t^2 2^(d-1) k^(d-1), the bound of Theorems 4 and 5.
func pairsBound(k, d, t int) *big.Rat {
	return product(whole(t*t), product(power(2, d-1), power(k, d-1)))
}

const udrForm = "E_max = ((d-2) t^2 k^(d-3) X + t k^(d-2) S)/d with X the pairs of a ring that use a + link (k^2/8 + k/4 with ties plus and k even, else k^2/8 or (k^2-1)/8) " +
	"and S = (h + (h-1) + ..) with ceil(t/2) terms plus the same with floor(t/2), positive ones only, h = floor(k/2), or (k-1)/2 if a tie goes both ways"

// checkGeneralODR: with c_1 and c_d relatively prime to k, E_max <= k^(d-1) under ODR.
func checkGeneralODR(ctx context.Context, l Limits) Finding {
	var s survey
	for at := range linearSettings(ctx, l, 220, endUnits) {
		k, _ := at.torus().Common()
		routed := setUp(at.torus(), at.placedText, "odr")
		s.compare(routed, routed.load(), atMost, power(k, at.torus().D()-1))
	}
	return s.finding(l.span(2, 2, 3, 4)+", at most 220 nodes, all coefficients with the first and last relatively prime to k", sameLoads(ctx, l))
}

// sameLoads says whether E_max of a linear placement depends on its coefficients if all
// are relatively prime to k.
func sameLoads(ctx context.Context, l Limits) string {
	var s survey
	for at := range linearSettings(ctx, l, 220, allUnits) {
		if k, d := at.torus().Side(0), at.torus().D(); k > 2 {
			odr, udr := setUp(at.torus(), at.placedText, "odr"), setUp(at.torus(), at.placedText, "udr")
			s.compare(odr, odr.load(), equals, odrLoad(k, d, 1, false))
			s.compare(udr, udr.load(), equals, udrLoad(k, d, 1, false))
		}
	}
	f := s.finding("all such coefficients on the same tori, sides from 3", "")
	return fmt.Sprintf("Besides: with all coefficients relatively prime to k E_max under ODR and UDR is that of all ones; this %s in %s", f.Verdict, f.Checked)
}

// endUnits reports whether the first and the last coefficient are relatively prime
// to k.
func endUnits(k int, c []int) bool { return coprime(c[0], k) && coprime(c[len(c)-1], k) }

// checkNotByItself: a linear placement whose load is not linear. E_max over |P| is
// above k/12, so above any constant.
func checkNotByItself(ctx context.Context, l Limits) Finding {
	var s survey
	for k := 3; k <= l.MaxK && ctx.Err() == nil; k++ {
		at := setUp(cube(k, 3), "linear:c=1,0,1", "udr")
		s.compare(at, product(at.load(), power(k, -2)), above, ratio(k, 12))
	}
	return s.finding(fmt.Sprintf("E_max/|P| against k/12 for linear:c=1,0,1 on three sides of 3 to %d, routing udr", l.MaxK), "the paper gives no example; this one is ours")
}

// checkGeneralUDR: the same for UDR, with 2^(d-1) k^(d-1). A coefficient 0 in the
// middle gives a load that grows like k^3/12 on three axes, and passes 4k^2 at k = 46.
func checkGeneralUDR(ctx context.Context, l Limits) Finding {
	var s, ours survey
	for k := 3; k <= 3*l.MaxK && ctx.Err() == nil; k++ {
		at := setUp(cube(k, 3), "linear:c=1,0,1", "udr")
		truth := at.load()
		s.compare(at, truth, below, pairsBound(k, 3, 1))
		ours.compare(at, truth, equals, product(ratio(2*k+1, 3), crossings(k, false)))
	}
	return s.finding(fmt.Sprintf("linear:c=1,0,1 on three sides of 3 to %d", 3*l.MaxK),
		"the load is not linear in |P| = k^2: it grows like k^3/12. A pair that corrects the middle dimension last or first is not held to one solution by its coefficient 0. "+
			ours.exactlyAlone("(2k+1)/3 times the pairs of a ring that use a + link"))
}

// exactlyAlone says how a closed form fared on the cases of the claim.
func (s *survey) exactlyAlone(formula string) string {
	f := s.finding("the same range", "")
	return fmt.Sprintf("Exactly: %s; this %s in %s", formula, f.Verdict, f.Checked)
}
