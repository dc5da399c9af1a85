package audit

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"math/bits"

	"leeway/core"
	"leeway/objective/bisect"
	"leeway/objective/congestion"
)

// Checks of lower bounds on E_max: of every placement of tiny tori, under the best
// minimal routing.

// tinyPlacements yields the placements of at least some processors, up to
// translation: all of rings of 3 to 8 and of 3x3, those of up to 3 on 4x4.
func tinyPlacements(ctx context.Context, l Limits, least int) iter.Seq[core.Placement] {
	return func(yield func(core.Placement) bool) {
		for _, dims := range [][]int{{3}, {4}, {5}, {6}, {7}, {8}, {3, 3}, {4, 4}} {
			t := core.MustTorus(dims...)
			for p := range allPlacements(ctx, t, least) {
				if dims[0] > l.MaxK || t.N() > 9 && p.Size() > 3 {
					break
				}
				if !yield(p) {
					return
				}
			}
		}
	}
}

// tinyText is the range of tinyPlacements.
func tinyText(l Limits) string {
	return fmt.Sprintf("every placement, up to translation, of sides 3 to %d on rings and of 3x3, and on 4x4 those of up to 3 processors", min(l.MaxK, 8))
}

// best returns the least E_max of any minimal routing, splitting pairs in any
// proportion. The placements of the checks are small enough for an exact solution; one
// that is not is a mistake of the check, as a bound alone could refute too much.
func best(ctx context.Context, p core.Placement) *big.Rat {
	r := must(congestion.Solve(ctx, p, congestion.DefaultOptions()))
	if !r.Optimal && ctx.Err() == nil {
		panic(fmt.Sprintf("audit: no exact best minimal routing for %s", nodesText(p)))
	}
	return r.Lower
}

// checkDegree: E_max >= (|P| - 1)/(2d), whatever the routing.
func checkDegree(ctx context.Context, l Limits) Finding {
	var s survey
	for p := range tinyPlacements(ctx, l, 1) {
		s.compare(minimalSetting{setUpNodes(p, "")}, best(ctx, p), atLeast, ratio(p.Size()-1, 2*p.Torus().D()))
	}
	return s.finding(tinyText(l)+", under the best minimal routing", "")
}

// A minimalSetting is a placement with the best minimal routing, which explain
// shows.
type minimalSetting struct{ setting }

func (m minimalSetting) String() string { return m.setting.String() + ", best minimal routing" }

func (m minimalSetting) command() string {
	return fmt.Sprintf("leeway explain --torus %s --placement %s", m.torus(), m.words())
}

// checkSeparator: E_max >= 2|S|(|P|-|S|)/|dS| for S within P, whatever the routing.
func checkSeparator(ctx context.Context, l Limits) Finding {
	var s survey
	for p := range tinyPlacements(ctx, l, 2) {
		truth, all := best(ctx, p), mask(p)
		at := minimalSetting{setUpNodes(p, "")}
		for part := (all - 1) & all; part > 0; part = (part - 1) & all {
			n := bits.OnesCount32(uint32(part))
			s.compare(at, truth, atLeast, ratio(2*n*(p.Size()-n), 2*outLinks(p.Torus(), part)))
		}
	}
	return s.finding(tinyText(l)+", every proper part S, under the best minimal routing", "the links of dS are counted in both directions, as the paper does")
}

// mask returns the nodes of a placement as a number.
func mask(p core.Placement) int {
	m := 0
	for _, v := range p.Nodes() {
		m |= 1 << v
	}
	return m
}

// outLinks returns how many links leave a set of nodes of a tiny torus.
func outLinks(t *core.Torus, nodes int) int {
	set := core.NewSet(t.N())
	set[0] = uint64(nodes)
	return bisect.Out(t, set)
}

// checkSingleProcessor: |dS| = 4d for one processor, so that (7) becomes (6).
func checkSingleProcessor(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 3, 1, 2, 3, 4) {
		t := cube(k, d)
		set := core.NewSet(t.N())
		set.Add(0)
		s.count(words("torus "+t.String()), 2*bisect.Out(t, set), equals, 4*d)
	}
	return s.finding(l.span(3, 1, 2, 3, 4), "on sides of 2 it is 2d")
}

// checkBisectionBound: E_max >= 2(|P|/2)^2 over the bisection width.
func checkBisectionBound(ctx context.Context, l Limits) Finding {
	var printed, repaired survey
	for p := range tinyPlacements(ctx, l, 2) {
		at, n, truth, width := minimalSetting{setUpNodes(p, "")}, p.Size(), best(ctx, p), exactWidth(ctx, p)
		printed.compare(at, truth, atLeast, ratio(n*n, 2*width))
		repaired.compare(at, truth, atLeast, ratio(2*(n/2)*((n+1)/2), width))
	}
	return printed.finding(tinyText(l)+", 2 processors or more, under the best minimal routing",
		"wrong for odd |P| only, where the halves have (|P|-1)/2 and (|P|+1)/2. "+repaired.instead("2 floor(|P|/2) ceil(|P|/2) / width"))
}

// instead says how a repaired statement fared.
func (s *survey) instead(statement string) string {
	f := s.finding("the same", "")
	return fmt.Sprintf("Instead: %s %s in %s", statement, f.Verdict, f.Checked)
}

// checkHalfBoundary: with half of the processors as S, dS is as small as the
// bisection width.
func checkHalfBoundary(ctx context.Context, l Limits) Finding {
	var s survey
	for p := range tinyPlacements(ctx, l, 2) {
		all, least := mask(p), p.Torus().M()
		for part := all; part > 0; part = (part - 1) & all {
			if bits.OnesCount32(uint32(part)) == p.Size()/2 {
				least = min(least, outLinks(p.Torus(), part))
			}
		}
		s.count(setUpNodes(p, ""), 2*least, equals, exactWidth(ctx, p))
	}
	return s.finding(tinyText(l)+", 2 processors or more, the best half S", "the claimed value is the bisection width, the true one the least |dS| of a half S of the processors: "+
		"nodes without a processor may join a side and shorten the cut. The bound (8) needs S to be a set of nodes, which the proof of Lemma 1 allows.")
}

// checkSize: |P| <= 12 d c k^(d-1) where c = E_max/|P|.
func checkSize(ctx context.Context, l Limits) Finding {
	var s survey
	for p := range tinyPlacements(ctx, l, 2) {
		k, d := p.Torus().Side(0), p.Torus().D()
		c := product(best(ctx, p), ratio(1, p.Size()))
		s.compare(minimalSetting{setUpNodes(p, "")}, whole(p.Size()), atMost, product(product(whole(12*d), c), power(k, d-1)))
	}
	return s.finding(tinyText(l)+", 2 processors or more, c from the best minimal routing",
		"the step through (8) is wrong for odd |P|, the result is not")
}

// checkFraction: E_max >= |P|/4 for two axes and |P|/6 for three.
func checkFraction(ctx context.Context, l Limits) Finding {
	var s survey
	l = l.upTo(12)
	for k, d := range cubes(ctx, l, 3, 2, 3) {
		at := setUp(cube(k, d), "linear", "avoid")
		s.compare(at, at.load(), atLeast, ratio(at.placement.Size(), 2*d))
	}
	return s.finding("linear placements, "+l.span(3, 2, 3)+", routing avoid", "(1) gives (|P|-1)/(2d), which these placements reach; |P|/(2d) is out of reach for them")
}

// checkSlabBound: E_max >= c^2 k^(d-1)/8 for uniform placements of c k^(d-1).
func checkSlabBound(ctx context.Context, l Limits) Finding {
	var printed, repaired survey
	l = l.upTo(8)
	for k, d := range cubes(ctx, l, 3, 1, 2, 3) {
		for t := range k {
			p := setUp(cube(k, d), fmt.Sprintf("multilinear:t=%d", t+1), "")
			if d == 1 && t+1 < k {
				continue // not uniform
			}
			truth := best(ctx, p.placement)
			at, c := minimalSetting{p}, (t+1)*(t+1)
			printed.compare(at, truth, atLeast, product(ratio(c, 8), power(k, d-1)))
			repaired.compare(at, truth, atLeast, product(ratio(c*((k/2)*((k+1)/2)), 2), power(k, d-3)))
		}
	}
	return printed.finding("residues 0..t-1, t = 1..k (full on rings), "+l.span(3, 1, 2, 3)+", under the best minimal routing",
		"the two cuts halve P for even k only. "+repaired.instead("c^2 floor(k/2) ceil(k/2) k^(d-3) / 2"))
}
