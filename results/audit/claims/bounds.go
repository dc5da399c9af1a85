package claims

import (
	"fmt"
	"iter"
	"math/big"
	"math/bits"
	"slices"
	"sync"

	"leeway/core"
	"leeway/objective/bisect"
	"leeway/objective/congestion"
	"leeway/results/audit/model"
)

// What several papers say about tori, bisection widths and lower bounds on E_max.

// nodesAndNeighbours: k^d nodes, each with two neighbours in each dimension; a fixed coordinate leaves a torus with
// one axis less.
var nodesAndNeighbours = onCubes(2, axes{1, 2, 3, 4}, "%s",
	"on sides of 2 both ways lead to the same neighbour, and the edges are a set: there are d. All other claims are "+
		"checked for sides of 3 or more unless they say otherwise",
	func(s *survey, k, d int) {
		t := model.Cube(k, d)
		s.equal(say("torus %s, nodes", t), t.N(), "k^d")
		s.equal(say("torus %s, neighbours of a node", t), len(model.Neighbours(t, 0)), 2*d)
		for j := 0; d > 1 && j < d; j++ {
			within := 0
			for _, v := range model.Neighbours(t, 0) {
				if t.Coord(v, j) == 0 {
					within++
				}
			}
			s.equal(say("torus %s, neighbours of a node within its principal subtorus across axis %d", t, j),
				within, len(model.Neighbours(model.Cube(k, d-1), 0)))
		}
	})

// leeDistance: the sum of the cyclic distances is the length of a shortest path.
var leeDistance = onCubes(2, axes{1, 2, 3, 4}, "%s, every pair up to translation, by breadth-first search", "",
	func(s *survey, k, d int) {
		t := model.Cube(k, d)
		for q, length := range model.Product(slices.Repeat([]model.Graph{model.Ring(k)}, d)...).Distances(0) {
			lee := 0
			for _, c := range t.Coords(q) {
				lee += min(c, k-c)
			}
			s.equal(fromZero(t, q), length, lee)
		}
	})

// ifEven says that only even sides count, if so.
func ifEven(even bool) string {
	if even {
		return ", even ones"
	}
	return ""
}

// fullWidth: the full torus has bisection width 4k^(d-1).
func fullWidth(even bool) check {
	return limited(8, onCubes(3, axes{1, 2, 3}, "%s"+ifEven(even),
		"4 on rings; on k x k with odd k it is 4k+4: the cut has to step aside in the middle",
		func(s *survey, k, d int) {
			if at := model.SetUp(k, d, "full", ""); !even || k%2 == 0 {
				s.equal(at, width(s, at.Placement), "4k^(d-1)")
			}
		}))
}

// fullLoad: a full torus has E_max in relation r to k^(d+1)/8. The note goes on after that on the true value.
func fullLoad(even bool, r relation, note string) check {
	return limited(10, onCubes(3, axes{1, 2, 3},
		"%s"+ifEven(even)+", routings odr, udr and minimal with both tie ways",
		"every link of a full torus can have the mean load: k^(d+1)/8 for even k, k^(d-1) (k^2-1)/8 for odd k"+note,
		func(s *survey, k, d int) {
			for _, routed := range []string{"odr:tie=both", "udr:tie=both", "minimal"} {
				if at := model.SetUp(k, d, "full", routed); !even || k%2 == 0 {
					s.compare(at, at.Load(), r, "k^(d+1)/8")
				}
			}
		}))
}

// tiny yields the placements of at least some processors, up to translation: all of rings of 3 to 8 and of 3x3,
// those of up to 3 on 4x4. In formulas k, d and |P| are theirs.
func tiny(s *survey, least int) iter.Seq[core.Placement] {
	return func(yield func(core.Placement) bool) {
		for _, dims := range [][]int{{3}, {4}, {5}, {6}, {7}, {8}, {3, 3}, {4, 4}} {
			t := core.MustTorus(dims...)
			for p := range model.AllPlacements(s.ctx, t, least) {
				if dims[0] > s.MaxK || t.N() > 9 && p.Size() > 3 {
					break
				}
				if s.letters = let("k d |P|", dims[0], t.D(), p.Size()); !yield(p) {
					return
				}
			}
		}
	}
}

// tinyText is the range of tiny.
func tinyText(s *survey) string {
	return fmt.Sprintf("every placement, up to translation, of sides 3 to %d on rings and of 3x3, and on 4x4 those of "+
		"up to 3 processors", min(s.MaxK, 8))
}

// onTiny is a check of each tiny placement. The range stands at the %s of over.
func onTiny(least int, over, note string, each func(s *survey, at model.MinimalSetting, p core.Placement)) check {
	return func(s *survey) {
		for p := range tiny(s, least) {
			each(s, model.SetUpAt(p, "", "").Minimal(), p)
		}
		s.end(fmt.Sprintf(over, tinyText(s)), note)
	}
}

// minimalLoads remembers best by setting: nine claims ask for the same placements.
var minimalLoads sync.Map

// best returns the least E_max of any minimal routing, splitting pairs in any proportion. The placements of the checks
// are small enough for an exact solution; one that is not is a mistake of the check, as a bound alone could refute too
// much.
func best(s *survey, p core.Placement) *big.Rat {
	at := model.SetUpAt(p, "", "").String()
	if known, ok := minimalLoads.Load(at); ok {
		return known.(*big.Rat)
	}
	r := model.Must(congestion.Solve(s.ctx, p, congestion.DefaultOptions()))
	if r.Optimal {
		minimalLoads.Store(at, r.Lower)
	} else if !s.done() {
		panic("audit: no exact best minimal routing for " + at)
	}
	return r.Lower
}

// width returns the bisection width in directed links. The tori of the checks are small enough for an exact engine;
// one that is not is a mistake of the check.
func width(s *survey, p core.Placement) int {
	r := bisect.Width(s.ctx, bisect.Half(p))
	if !r.Exact && !s.done() {
		panic("audit: no exact bisection width for " + model.SetUpAt(p, "", "").Words())
	}
	return r.Width()
}

// degreeBound: E_max >= (|P|-1)/(2d), whatever the routing.
var degreeBound = onTiny(1, "%s, under the best minimal routing", "",
	func(s *survey, at model.MinimalSetting, p core.Placement) {
		s.compare(at, best(s, p), atLeast, "(|P|-1)/(2d)")
	})

// separatorBound: E_max >= 2|S|(|P|-|S|)/|dS| for S within P, whatever the routing.
var separatorBound = onTiny(2, "%s, every proper part S, under the best minimal routing",
	"the links of dS are counted in both directions, as the paper does",
	func(s *survey, at model.MinimalSetting, p core.Placement) {
		truth, all := best(s, p), model.Mask(p)
		for part := (all - 1) & all; part > 0; part = (part - 1) & all {
			n := bits.OnesCount(part)
			s.compare(at, truth, atLeast, ratio(2*n*(p.Size()-n), 2*model.OutLinks(p.Torus(), part)))
		}
	})

// bisectionBound: E_max >= 2(|P|/2)^2 over the bisection width.
func bisectionBound(s *survey) {
	var repaired survey
	const repair = "2 floor(|P|/2) ceil(|P|/2) / width"
	for p := range tiny(s, 2) {
		at, truth := model.SetUpAt(p, "", "").Minimal(), best(s, p)
		s.letters["width"] = width(s, p)
		s.compare(at, truth, atLeast, "2(|P|/2)^2 / width")
		repaired.compare(at, truth, atLeast, s.value(repair))
	}
	s.end(tinyText(s)+", 2 processors or more, under the best minimal routing",
		"wrong for odd |P| only, where the halves have (|P|-1)/2 and (|P|+1)/2. "+
			repaired.instead(repair))
}

// sizeBound: |P| <= 12 d c k^(d-1) where c = E_max/|P|.
var sizeBound = onTiny(2, "%s, 2 processors or more, c from the best minimal routing",
	"the step through (8) is wrong for odd |P|, the result is not",
	func(s *survey, at model.MinimalSetting, p core.Placement) {
		s.letters["c"] = new(big.Rat).Quo(best(s, p), s.value("|P|"))
		s.compare(at, p.Size(), atMost, "12 d c k^(d-1)")
	})

// loadPerProcessor: E_max >= |P|/(2d), for two axes and three.
var loadPerProcessor = limited(12, onCubes(3, axes{2, 3}, "linear placements, %s, routing avoid",
	"(1) gives (|P|-1)/(2d), which these placements reach; |P|/(2d) is out of reach for them",
	func(s *survey, k, d int) {
		at := model.SetUp(k, d, "linear", "avoid")
		s.compare(at, at.Load(), atLeast, ratio(at.Placement.Size(), 2*d))
	}))

// twoCuts is the bound of two cuts for uniform placements of k^(d-1) processors.
const twoCuts = "floor(k/2) ceil(k/2) k^(d-3) / 2"

// slabsTighter: from some number of axes on the slab bound of linear placements is above (|P|-1)/(2d). Whatever the
// parity of k that is twoCuts, k^(d-1)/8 for even k. No bound is above the
// best minimal routing, which for 3^4 has exactly (27-1)/8.
func slabsTighter(from int, note string) check {
	return func(s *survey) {
		for d := from; d <= 12; d++ {
			for k := 3; k <= s.MaxK; k++ {
				s.letters = let("k d", k, d)
				at := say("torus %d^%d, placement linear", k, d).withCommand(
					fmt.Sprintf("leeway explain --torus %d^%d --placement linear", k, d))
				s.compare(at, s.value(twoCuts), above, "(k^(d-1)-1)/(2d)")
			}
		}
		s.end(fmt.Sprintf("linear placements, sides from 3, %d to 12 axes, the bound of two cuts against (|P|-1)/(2d)",
			from),
			note)
	}
}

// anyWidth: any placement has bisection width at most 6dk^(d-1).
func anyWidth(s *survey) {
	worst, where := new(big.Rat), ""
	add := func(at model.Setting, width int) {
		s.compare(at, width, atMost, "6d k^(d-1)")
		s.letters["width"] = width
		if c := s.value("width / (d k^(d-1))"); at.Torus().D() > 1 && above.holds(c, worst) {
			worst, where = c, at.String()
		}
	}
	for p := range tiny(s, 1) {
		add(model.SetUpAt(p, "", ""), width(s, p))
	}
	for k, d := range cubes(s, 3, 2, 3, 4, 5) {
		for seed := range 10 {
			if n := k + seed*(bits.Len(uint(model.Cube(k, d).N()))+k); n <= model.Cube(k, d).N() {
				at := model.SetUp(k, d, fmt.Sprintf("random:n=%d:seed=%d", n, seed+1), "")
				add(at, 2*bisect.CapacityOut(at.Torus(), bisect.Sweep(bisect.Half(at.Placement))))
			}
		}
	}
	s.end(tinyText(s)+", exact; 10 random placements each on "+span(s, 3, 2, 3, 4, 5)+
		", by the hyperplane of the appendix, an upper bound of the width",
		fmt.Sprintf("the largest constant seen in place of 6 on two axes or more is %s (%s)", worst.RatString(), where))
}

// uniformWidth: a uniform placement has bisection width 4k^(d-1), or at most that. Placements are all that are
// uniform on tiny tori, then linear, full and blocked ones.
func uniformWidth(r relation, even bool, note string) check {
	return func(s *survey) {
		visit := func(at model.Setting) {
			if k, d := at.Sides(); !even || k%2 == 0 {
				s.letters = let("k d", k, d)
				s.compare(at, width(s, at.Placement), r, "4k^(d-1)")
			}
		}
		for k := 3; k <= min(4, s.MaxK); k++ {
			for p := range model.AllPlacements(s.ctx, model.Cube(k, 2), 1) {
				if p.Uniform(0) && p.Uniform(1) {
					visit(model.SetUpAt(p, "", ""))
				}
			}
		}
		s.MaxK = min(s.MaxK, 8)
		for k, d := range cubes(s, 3, 2, 3) {
			for t := 1; t <= k; t++ {
				if d == 2 || t == 1 || t == k { // others on three axes take seconds each
					visit(model.SetUp(k, d, fmt.Sprintf("multilinear:t=%d", t), ""))
				}
			}
			if d == 3 && k%2 == 0 {
				visit(model.SetUpAt(model.Octants(k), "", ""))
			}
		}
		s.end("3x3 and 4x4 with every uniform placement; residues 0..t-1 for all t, on three axes t = 1 and k, on "+
			span(s, 3, 2, 3)+"; two opposite octants where three axes have even sides"+ifEven(even), note)
	}
}
