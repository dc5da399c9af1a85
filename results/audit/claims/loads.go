package claims

import (
	"fmt"
	"iter"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/audit/model"
)

// What several papers say about linear placements and the loads of ODR and UDR on them.

// The closed forms of this file are not the papers'. They were found from computed values and then derived; the
// checks compare them with the evaluator in the ranges that they name.

// halfReach returns the number of nodes that a node of a ring of k reaches by the + way, a tie counting one half if
// both ways are taken: floor(k/2) or (k-1)/2.
func halfReach(k int, both bool) *big.Rat {
	if both && k%2 == 0 {
		return ratio(k-1, 2)
	}
	return ratio(k/2, 1)
}

// crossings returns how many ordered pairs of nodes of a ring of k use a + link, halves for ties: h(h+1)/2 for h =
// floor(k/2), or k^2/8 if both ways are taken and k is even.
func crossings(k int, both bool) *big.Rat {
	if both && k%2 == 0 {
		return ratio(k*k, 8)
	}
	return ratio(k/2*(k/2+1), 2)
}

// reachOf returns the sum over the first m of the nodes 0, 1, 2.. steps behind a link of how many nodes each reaches
// through it.
func reachOf(k, m int, both bool) *big.Rat {
	total := new(big.Rat)
	for i := range m {
		if r := new(big.Rat).Sub(halfReach(k, both), ratio(i, 1)); r.Sign() > 0 {
			total.Add(total, r)
		}
	}
	return total
}

// odrLoad returns E_max of the residues 0..t-1 on d >= 2 sides of k >= 3 under ODR: t k^(d-2) R_t, where R_t is the
// reach of t nodes in a row. It occurs in the first and the last dimension; there one end of a pair lies on the ring
// of the link and the other is spread evenly over k^(d-2) of every coordinate.
func odrLoad(k, d, t int, both bool) *big.Rat {
	return let("k d t R", k, d, t, reachOf(k, t, both)).value("t k^(d-2) R")
}

// udrLoad returns E_max of the residues 0..t-1 on d >= 2 sides of k >= 3 under UDR: a dimension is corrected first
// or last with weight 1/d each, when one end of the pair lies on the ring, and between with (d-2)/d:
//
//	((d-2) t^2 k^(d-3) X + t k^(d-2) S_t) / d
//
// with X the crossings and S_t the reach of the two halves of t nodes in a row around the link, ceil(t/2) that send
// and floor(t/2) that receive.
func udrLoad(k, d, t int, both bool) *big.Rat {
	halves := new(big.Rat).Add(reachOf(k, (t+1)/2, both), reachOf(k, t/2, both))
	return let("k d t X S", k, d, t, crossings(k, both), halves).value("((d-2) t^2 k^(d-3) X + t k^(d-2) S)/d")
}

// A closedForm is one of our own for E_max of the residues 0..t-1 under a routing, ties plus or both.
type closedForm struct {
	routed string
	load   func(k, d, t int, both bool) *big.Rat
	words  string
}

var (
	odrLinear = closedForm{"odr", odrLoad, "E_max = h k^(d-2) with h = floor(k/2), or (k-1)/2 if a tie goes both ways, " +
		"in the first and the last dimension, where one end of a pair is fixed by the link and the other has k^(d-2) " +
		"choices for every coordinate"}
	odrMultiple = closedForm{"odr", odrLoad, "E_max = t k^(d-2) (h + (h-1) + .. ), t terms or as many as are positive, " +
		"with h = floor(k/2), or (k-1)/2 if a tie goes both ways"}
	udrForm = closedForm{"udr", udrLoad, "E_max = ((d-2) t^2 k^(d-3) X + t k^(d-2) S)/d with X the pairs of a ring that " +
		"use a + link (k^2/8 + k/4 with ties plus and k even, else k^2/8 or (k^2-1)/8) and S = (h + (h-1) + ..) with " +
		"ceil(t/2) terms plus the same with floor(t/2), positive ones only, h = floor(k/2), or (k-1)/2 if a tie goes both " +
		"ways"}
)

// The tori of the checks of loads.
var loadAxes = axes{2, 3, 4, 5}

// linearLoad compares E_max of the linear placement with a printed formula, or those for even and for odd k, and our
// closed form with both tie rules.
func linearLoad(ours closedForm, r relation, printed ...string) check {
	return residueLoads("%s", func(int) int { return 1 }, ours, r, printed)
}

// multipleLoads is linearLoad for the residues 0..t-1 for all t < k.
func multipleLoads(ours closedForm, r relation, printed ...string) check {
	return residueLoads("%s, all t < k", func(k int) int { return k - 1 }, ours, r, printed)
}

func residueLoads(over string, most func(k int) int, f closedForm, r relation, printed []string) check {
	return func(s *survey) {
		var own survey
		for k, d := range cubes(s, 3, loadAxes...) {
			for t := 1; t <= most(k); t++ {
				at, both := model.SetUp(k, d, residues(t), f.routed), model.SetUp(k, d, residues(t), f.routed+":tie=both")
				truth := at.Load()
				s.letters["t"] = t
				s.compare(at, truth, r, printed[k%len(printed)])
				own.equal(at, truth, f.load(k, d, t, false))
				own.equal(both, both.Load(), f.load(k, d, t, true))
			}
		}
		s.end(fmt.Sprintf(over, span(s, 3, loadAxes...)), own.exactly(f.words, "the same tori, ties plus and both"))
	}
}

// residues returns the words for the residues 0..t-1.
func residues(t int) string {
	if t == 1 {
		return "linear"
	}
	return fmt.Sprintf("multilinear:t=%d", t)
}

// The bounds of the theorems about linear load.
const (
	pairsODR = "t^2 k^(d-1)"
	pairsUDR = "t^2 2^(d-1) k^(d-1)"
)

// printedODR are the closed forms of the proof of Theorem 2 of seed 000 for the linear placement under ODR, k even and
// odd.
var printedODR = []string{"k^(d-1)/8 + k^(d-2)/4", "k^(d-1)/8 - k^(d-3)/8"}

// leadingODR: E_max = k^(d-1)/8 plus lower order terms. With E_max = h k^(d-2) the ratio tends to 1/2; what is
// compared allows k^(d-2) for the lower order terms.
var leadingODR = onCubes(3, loadAxes, "%s, with k^(d-2) for all lower order terms together",
	"E_max is floor(k/2) k^(d-2), so the leading term is k^(d-1)/2; the value printed is that of the dimensions between "+
		"the first and the last",
	func(s *survey, k, d int) {
		at := model.SetUp(k, d, "linear", "odr")
		s.compare(at, at.Load(), atMost, "k^(d-1)/8 + k^(d-2)")
	})

// pathsODR: one path for odd k, several for some pair for even k; one with the rule for ties.
var pathsODR = onCubes(3, axes{1, 2, 3}, "%s, every pair up to translation", "", func(s *survey, k, d int) {
	t := model.Cube(k, d)
	most := func(routed string) int {
		n, r := 0, model.Must(routing.Parse(t, routed))
		for q := 1; q < t.N(); q++ {
			n = max(n, model.PathCount(r, 0, q, nil))
		}
		return n
	}
	s.add((most("odr:tie=both") == 1) == (k%2 == 1), say("torus %s, no rule for ties", t), "one path exactly for odd k",
		"otherwise")
	s.equal(say("torus %s, ties go the + way", t), most("odr"), 1)
})

// pathsUDR: s! paths for a pair that differs in s dimensions.
func pathsUDR(s *survey) {
	var both survey
	for k, d := range cubes(s, 3, 1, 2, 3) {
		t := model.Cube(k, d)
		plus, free := model.Must(routing.Parse(t, "udr")), model.Must(routing.Parse(t, "udr:tie=both"))
		for q := 1; q < t.N(); q++ {
			at, n := fromZero(t, q), model.Differing(t, 0, q)
			s.equal(at, model.PathCount(plus, 0, q, nil), model.Choices(n, n))
			both.equal(at, model.PathCount(free, 0, q, nil), model.Choices(n, n))
		}
	}
	s.end(span(s, 3, 1, 2, 3)+", every pair up to translation, ties the + way",
		fmt.Sprintf("without a rule for ties, which the paper states for ODR only, each tie doubles the paths: %d of %d "+
			"pairs then have more", both.failed, both.cases))
}

// unit reports whether a coefficient is relatively prime to k.
func unit(a, k int) bool { return core.GCD(a, k) == 1 }

func someUnit(k int, c []int) bool {
	return slices.ContainsFunc(c, func(a int) bool { return unit(a, k) })
}
func allUnits(k int, c []int) bool {
	return !slices.ContainsFunc(c, func(a int) bool { return !unit(a, k) })
}
func endUnits(k int, c []int) bool { return unit(c[0], k) && unit(c[len(c)-1], k) }

// linear yields the linear placements, residue 0, whose coefficients in 0..k-1 keep accepts, in ascending order, with
// their sides and axes, on tori of 2 to 4 axes with at most a given number of nodes.
func linear(s *survey, most int, keep func(k int, c []int) bool) iter.Seq[model.Setting] {
	return func(yield func(model.Setting) bool) {
		for k, d := range cubes(s, 2, 2, 3, 4) {
			t := model.Cube(k, d)
			for v := 0; t.N() <= most && v < t.N(); v++ { // its coordinates as coefficients
				c := t.Coords(v)
				if s.done() || keep(k, c) && !yield(model.SetUp(k, d, "linear:c="+core.JoinInts(c, ","), "")) {
					return
				}
			}
		}
	}
}

// linearSize: a linear placement, one coefficient relatively prime to k, has k^(d-1) processors, for every residue.
func linearSize(s *survey) {
	for at := range linear(s, 300, someUnit) {
		k, d := at.Sides()
		for r := range k {
			p := model.SetUp(k, d, fmt.Sprintf("%s:r=%d", at.Placed, r), "")
			s.equal(p, p.Placement.Size(), "k^(d-1)")
		}
	}
	s.end(span(s, 2, 2, 3, 4)+", at most 300 nodes, all coefficients of which one is relatively prime to k, all "+
		"residues", "")
}

// multipleSize: the residues 0..t-1 have t k^(d-1) processors.
var multipleSize = onCubes(2, axes{1, 2, 3, 4}, "%s, all t < k", "", func(s *survey, k, d int) {
	for t := 1; t < k; t++ {
		at := model.SetUp(k, d, fmt.Sprintf("multilinear:t=%d", t), "")
		s.letters["t"] = t
		s.equal(at, at.Placement.Size(), "t k^(d-1)")
	}
})

// linearUniform: with all coefficients relatively prime to k every slab has k^(d-2) processors, of residues 0..t-1 t
// times that.
func linearUniform(s *survey) {
	for at := range linear(s, 300, allUnits) {
		k, d := at.Sides()
		for t := 1; t < k; t++ {
			s.letters["t"] = t
			p := model.SetUp(k, d, fmt.Sprintf("multi%s:t=%d", at.Placed, t), "")
			for j := range d {
				for _, n := range p.Placement.SlabCounts(j) {
					s.equal(p, n, "t k^(d-2)")
				}
			}
		}
	}
	s.end(span(s, 2, 2, 3, 4)+", at most 300 nodes, all coefficients relatively prime to k, residues 0..t-1 for all t "+
		"< k, every slab", "from two axes on; on one axis a linear placement is a single processor")
}

// linearCoefficients: with c_1 and c_d relatively prime to k, E_max <= k^(d-1) under ODR. The note says whether
// E_max of a linear placement depends on its coefficients if all are relatively prime to k.
func linearCoefficients(s *survey) {
	for at := range linear(s, 220, endUnits) {
		k, d := at.Sides()
		routed := model.SetUp(k, d, at.Placed, "odr")
		s.compare(routed, routed.Load(), atMost, "k^(d-1)")
	}
	var same survey
	for at := range linear(s, 220, allUnits) {
		if k, d := at.Sides(); k > 2 {
			odr, udr := model.SetUp(k, d, at.Placed, "odr"), model.SetUp(k, d, at.Placed, "udr")
			same.equal(odr, odr.Load(), odrLoad(k, d, 1, false))
			same.equal(udr, udr.Load(), udrLoad(k, d, 1, false))
		}
	}
	s.end(span(s, 2, 2, 3, 4)+", at most 220 nodes, all coefficients with the first and last relatively prime to k",
		"Besides: with all coefficients relatively prime to k E_max under ODR and UDR is that of all ones; this "+
			same.fared("all such coefficients on the same tori, sides from 3"))
}
