package audit

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/congestion"
)

// Checks of seed 001 in two dimensions: the diagonal and Routing Algorithm 2.1, which
// is UDR with both ways at ties.

// diagonal is the placement {(i,i)}.
const diagonal = "linear:c=1,-1"

// checkDiagonalPaths: two paths to every pair of the diagonal for odd k; more to some
// for even k.
func checkDiagonalPaths(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 3, 2) {
		at := setUp(cube(k, d), diagonal, "udr:tie=both")
		fewest, most := pathRange(at)
		s.count(words(at.String()+", fewest paths"), fewest, equals, 2)
		s.add((most > 2) == (k%2 == 0), func() Counterexample {
			return Counterexample{Case: at.String() + ", most paths", Claimed: "above 2 exactly for even k", True: fmt.Sprint(most)}
		})
	}
	return s.finding(l.span(3, 2)+", every pair", "")
}

// pathRange returns the fewest and the most paths of a pair of processors.
func pathRange(at setting) (fewest, most int) {
	for _, p := range at.placement.Nodes() {
		for _, q := range at.placement.Nodes() {
			if p != q {
				n := pathCount(at.routing, p, q, at.placement.Set())
				if most == 0 || n < fewest {
					fewest = n
				}
				most = max(most, n)
			}
		}
	}
	return fewest, most
}

// checkLinkLoads compares the load of every link of a setting with a printed value
// that depends on k and the distance s of the link from the processor on its ring.
func checkLinkLoads(axes int, placed, routed string, printed func(k, s int) *big.Rat) func(context.Context, Limits) Finding {
	return func(ctx context.Context, l Limits) Finding {
		var s survey
		for k, d := range cubes(ctx, l, 3, axes) {
			at := setUp(cube(k, d), placed, routed)
			loads, t := objective.Evaluate(at.routing, at.placement), at.torus()
			for link := range t.M() {
				from, port := t.LinkFrom(core.Link(link))
				where := fmt.Sprintf("%s, link from %s along axis %d, %s", at, point(t, from), port.Dim, port.Dir)
				s.compare(shownBy{words(where), at.command() + " --loads"}, loads.At(core.Link(link)), equals, printed(k, linkDistance(at.placement, core.Link(link))))
			}
		}
		return s.finding(l.span(3, axes)+", every link", "")
	}
}

// linkDistance returns the least cyclic distance of an end of a link from the one
// processor on its ring.
func linkDistance(p core.Placement, link core.Link) int {
	t, set := p.Torus(), p.Set()
	from, to := t.LinkEnds(link)
	_, port := t.LinkFrom(link)
	for s := range t.Side(port.Dim) {
		for _, v := range []int{from, to} {
			if set.Has(t.Shift(v, port.Dim, s)) || set.Has(t.Shift(v, port.Dim, -s)) {
				return s
			}
		}
	}
	panic("audit: no processor on the ring of the link")
}

// planeLoad is Lemma 2.2.
func planeLoad(k, s int) *big.Rat { return ratio(k-1-2*s, 4) }

// checkDegreeMet: E_max is the degree bound.
func checkDegreeMet(axes int, placed, routed, note string) func(context.Context, Limits) Finding {
	return func(ctx context.Context, l Limits) Finding {
		var s survey
		for k, d := range cubes(ctx, l, 3, axes) {
			at := setUp(cube(k, d), placed, routed)
			s.compare(at, at.load(), equals, ratio(at.placement.Size()-1, 2*d))
		}
		return s.finding(l.span(3, axes), note)
	}
}

// checkMostProcessors: no more than k^(d-1) processors can meet the degree bound. On
// 3x3 any minimal routing may be taken, on 4x4 it is avoid.
func checkMostProcessors(ctx context.Context, l Limits) Finding {
	var s survey
	for _, k := range []int{3, 4} {
		t := cube(k, 2)
		for n := k + 1; n <= 6 && k <= l.MaxK; n++ {
			for p := range placements(ctx, t, n) {
				at, bound := setUpNodes(p, "avoid"), ratio(n-1, 4)
				truth := at.load()
				if k == 3 {
					truth = least(truth, must(congestion.Solve(ctx, p, congestion.DefaultOptions())).Upper)
				}
				s.compare(at, truth, above, bound)
			}
		}
	}
	return s.finding("every placement of k+1 to 6 processors, up to translation, on 3x3 under avoid or the best minimal routing and on 4x4 under avoid",
		"two processors on one ring need not load its links more: a row and a column of 3x3, five processors, reach (5-1)/4 = 1")
}

func least(a, b *big.Rat) *big.Rat {
	if b.Cmp(a) < 0 {
		return b
	}
	return a
}

// checkFigure1: the diagonal of 5x5 is optimal: it meets the degree bound, which holds
// for every placement of 5.
func checkFigure1(context.Context, Limits) Finding {
	var s survey
	at := setUp(cube(5, 2), diagonal, "udr:tie=both")
	s.compare(at, at.load(), equals, ratio(4, 4))
	return s.finding("the diagonal of 5x5 against (|P|-1)/4", "")
}

// checkFigure2: the paths between (3,3) and (0,0) and between (2,2) and (1,1) on 5x5:
// two each way.
func checkFigure2(context.Context, Limits) Finding {
	var s survey
	t := cube(5, 2)
	r := must(routing.Parse(t, "udr:tie=both"))
	for _, pair := range [][2]int{{18, 0}, {12, 6}} {
		s.count(words(fmt.Sprintf("torus 5x5, from %s to %s", point(t, pair[0]), point(t, pair[1]))), pathCount(r, pair[0], pair[1], nil), equals, 2)
	}
	return s.finding("both pairs of the caption", "the drawing itself is not in the text at hand; what is checked is that these pairs have two paths each, as the text says for odd k")
}
