package audit

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// Checks of seed 001 in three dimensions: the shifted diagonal, which is the linear
// placement, and Routing Algorithm 3.1 as it is written.

// A trail is the nodes of a path, in order.
type trail []int

// legs returns the ways from node v to coordinate c along axis j by the shortest
// cyclic distance, as the nodes after v: two for a tie.
func legs(t *core.Torus, v, j, c int) []trail {
	k, ahead := t.Side(j), 0
	for t.Coord(t.Shift(v, j, ahead), j) != c {
		ahead++
	}
	var list []trail
	for _, way := range []struct{ steps, by int }{{ahead, 1}, {k - ahead, -1}} {
		if 2*way.steps <= k {
			leg := make(trail, way.steps)
			for i := range leg {
				leg[i] = t.Shift(v, j, (i+1)*way.by)
			}
			list = append(list, leg)
		}
	}
	return list
}

// algorithm31 returns the paths that Routing Algorithm 3.1 can take from p to q.
func algorithm31(t *core.Torus, processors core.Set, p, q int) []trail {
	var paths []trail
	differ := differingAxes(t, p, q)
	for _, j := range differ {
		for _, first := range legs(t, p, j, t.Coord(q, j)) {
			rest := without(differ, j)
			for _, i := range rest {
				paths = append(paths, secondLeg(t, processors, first, rest, i, q)...)
			}
		}
	}
	slices.SortFunc(paths, slices.Compare[trail])
	return slices.CompactFunc(paths, slices.Equal[trail])
}

// secondLeg goes on after the first leg: along i if no processor is met on the way or
// nothing else is left to correct, along the other axis of rest first otherwise.
func secondLeg(t *core.Torus, processors core.Set, first trail, rest []int, i, q int) []trail {
	at := first[len(first)-1]
	others := without(rest, i)
	var paths []trail
	for _, leg := range legs(t, at, i, t.Coord(q, i)) {
		switch {
		case len(others) == 0:
			paths = append(paths, slices.Concat(first, leg))
		case !slices.ContainsFunc(leg, processors.Has):
			paths = append(paths, finish(t, slices.Concat(first, leg), others, q)...)
		default:
			paths = append(paths, finish(t, first, []int{others[0], i}, q)...)
		}
	}
	return paths
}

// finish corrects the given axes in order, every way.
func finish(t *core.Torus, begun trail, axes []int, q int) []trail {
	if len(axes) == 0 {
		return []trail{begun}
	}
	var paths []trail
	for _, leg := range legs(t, begun[len(begun)-1], axes[0], t.Coord(q, axes[0])) {
		paths = append(paths, finish(t, slices.Concat(begun, leg), axes[1:], q)...)
	}
	return paths
}

func differingAxes(t *core.Torus, p, q int) []int {
	var axes []int
	for j := range t.D() {
		if t.Coord(p, j) != t.Coord(q, j) {
			axes = append(axes, j)
		}
	}
	return axes
}

func without(list []int, x int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(y int) bool { return x == y })
}

// checkDiffer: two processors never differ in one coordinate only.
func checkDiffer(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 2, 3) {
		at := setUp(cube(k, d), "linear", "")
		for _, q := range at.placement.Nodes()[1:] {
			s.count(words(fmt.Sprintf("torus %s, node 0 and %s", at.torus(), point(at.torus(), q))), differing(at.torus(), 0, q), atLeast, 2)
		}
	}
	return s.finding(l.span(2, 3)+", every pair up to translation", "")
}

// checkNeverPasses: no path of Algorithm 3.1 passes over a third processor. The paths
// of every pair from one processor are looked at; translations of the placement give
// the others.
func checkNeverPasses(ctx context.Context, l Limits) Finding {
	var s, same survey
	for k, d := range cubes(ctx, l, 3, 3) {
		at := setUp(cube(k, d), "linear", "avoid")
		set := at.placement.Set()
		for _, q := range at.placement.Nodes()[1:] {
			where := words(fmt.Sprintf("torus %s, from node 0 to %s", at.torus(), point(at.torus(), q)))
			paths := algorithm31(at.torus(), set, 0, q)
			for _, path := range paths {
				s.add(!slices.ContainsFunc(path[:len(path)-1], set.Has), func() Counterexample {
					return Counterexample{Case: string(where), Claimed: "no processor inside", True: fmt.Sprint("path by nodes ", path)}
				})
			}
			same.count(where, pathCount(at.routing, 0, q, set), equals, len(paths))
		}
	}
	return s.finding(l.span(3, 3)+", every pair up to translation, every path, even sides with both ways at ties",
		"the routing avoid has as many paths for every pair: this "+same.finding("the same pairs", "").Verdict)
}

// spaceLoad is Theorem 3.2.
func spaceLoad(k, s int) *big.Rat { return new(big.Rat).Sub(ratio(k*k-1, 6), ratio(s*(s+1), 2)) }

// checkExtension: UDR, the extension of Algorithm 2.1, does not reach (k^2-1)/6 in
// three dimensions.
func checkExtension(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 3, 3) {
		at := setUp(cube(k, d), "linear", "udr:tie=both")
		s.compare(at, at.load(), above, ratio(k*k-1, 6))
	}
	return s.finding(l.span(3, 3), "wrong for k = 3 only, where UDR meets the degree bound too")
}

// checkSix: six paths of the extension between processors that differ in all axes.
func checkSix(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 3, 3) {
		at := setUp(cube(k, d), "linear", "udr:tie=both")
		for _, q := range at.placement.Nodes()[1:] {
			if differing(at.torus(), 0, q) == 3 {
				s.count(words(fmt.Sprintf("torus %s, from node 0 to %s", at.torus(), point(at.torus(), q))), pathCount(at.routing, 0, q, nil), equals, 6)
			}
		}
	}
	return s.finding(l.span(3, 3)+", every pair up to translation", "six for odd k; for even k each tie doubles them, as the paper says itself in two dimensions")
}

// checkNamedProcessors: the nodes that the text of section 3 and Figure 4 call
// processors lie on the shifted diagonal of 5x5x5.
func checkNamedProcessors(context.Context, Limits) Finding {
	var s survey
	p := setUp(cube(5, 3), "linear", "").placement
	for _, c := range [][]int{{0, 0, 0}, {2, 1, 1}, {2, 1, 2}, {3, 3, 4}, {4, 4, 2}} {
		v := must(p.Torus().Node(c...))
		s.add(p.Set().Has(v), func() Counterexample {
			return Counterexample{Case: fmt.Sprintf("torus 5x5x5, node %s", point(p.Torus(), v)), Claimed: "a processor, coordinates with sum 0 modulo 5",
				True: fmt.Sprintf("no processor, the sum is %d", c[0]+c[1]+c[2]), Command: "leeway eval --torus 5x5x5 --placement linear --routing avoid --json"}
		})
	}
	return s.finding("the five nodes named in section 3 for the 5-torus", "a slip, of the print or of the conversion: the caption of Figure 4 has (2,1,2)")
}

// checkFigure4: six paths from (0,0,0) to (2,1,2), four from (3,3,4) to (4,4,2), and
// of the six orders of the latter those that correct axis 0 second pass a processor.
// The paper numbers axes from the right.
func checkFigure4(context.Context, Limits) Finding {
	var s survey
	t := cube(5, 3)
	set := setUp(t, "linear", "").placement.Set()
	for _, c := range []struct {
		from, to []int
		paths    int
	}{{[]int{0, 0, 0}, []int{2, 1, 2}, 6}, {[]int{3, 3, 4}, []int{4, 4, 2}, 4}} {
		p, q := must(t.Node(c.from...)), must(t.Node(c.to...))
		s.count(words(fmt.Sprintf("torus 5x5x5, from %s to %s", point(t, p), point(t, q))), len(algorithm31(t, set, p, q)), equals, c.paths)
	}
	p, q := must(t.Node(3, 3, 4)), must(t.Node(4, 4, 2))
	for order := range permutations3() {
		r := must(routing.NewODR(t, order, routing.TiePlus))
		passes := slices.Index(order, 2) == 1
		for path := range r.Paths(p, q, nil) {
			met := slices.ContainsFunc(path[1:], func(l core.Link) bool { from, _ := t.LinkEnds(l); return set.Has(from) })
			s.add(met == passes, func() Counterexample {
				return Counterexample{Case: fmt.Sprintf("order %s of the coordinates as written", joined(order)), Claimed: fmt.Sprint("passes: ", passes), True: fmt.Sprint("passes: ", met)}
			})
		}
	}
	return s.finding("both pairs, and the six orders of the second", "")
}

// permutations3 yields the orders of three axes.
func permutations3() iter.Seq[[]int] {
	return slices.Values([][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}})
}

// checkShiftedSize: k^2 processors.
func checkShiftedSize(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 2, 3) {
		at := setUp(cube(k, d), "linear", "")
		s.count(at, at.placement.Size(), equals, k*k)
	}
	return s.finding(l.span(2, 3), "")
}

// checkFigure3: the shifted diagonal of 5x5x5 under Algorithm 3.1 meets the degree
// bound, which holds for every placement of 25.
func checkFigure3(context.Context, Limits) Finding {
	var s survey
	at := setUp(cube(5, 3), "linear", "avoid")
	s.compare(at, at.load(), equals, ratio(24, 6))
	return s.finding("the shifted diagonal of 5x5x5 against (|P|-1)/6", "the drawing itself is not in the text at hand")
}
