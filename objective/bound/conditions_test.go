package bound_test

import (
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/search/searchtest"
)

// conditionedProblem returns a random problem of at most most nodes with fixed or forbidden nodes, on a torus or on a
// network with open dimensions and bandwidths.
func conditionedProblem(i, most int) objective.Problem {
	for rng := coretest.Rng(77, i); ; {
		t := coretest.Any(rng, most)
		if rng.IntN(2) == 0 {
			t = coretest.Opened(rng, core.MustTorus(2+rng.IntN(3), 2+rng.IntN(most/4)))
		}
		if p := searchtest.ConditionedOn(rng, t); t.N() <= most && p.Conditioned() {
			return p
		}
	}
}

// TestConditionsAgainstAllPlacements holds every bound under conditions against the least E_max of all placements that
// keep to them. Each must be above the bound without conditions now and then, and the best must reach the optimum
// often.
func TestConditionsAgainstAllPlacements(t *testing.T) {
	better, tight, cases := map[string]int{}, 0, coretest.Cases(1500, 200)
	for i := range cases {
		p := conditionedProblem(i, 11)
		optimum, without := searchtest.Optimum(p), map[string]*big.Rat{}
		for _, b := range bound.SizeBounds(p.Routing, p.Size) {
			without[b.Name] = b.Value
		}
		list := coretest.Must(bound.ProblemBounds(t.Context(), p))
		for _, b := range list {
			if b.Value.Cmp(optimum) > 0 {
				t.Errorf("case %d, %s: the bound %s is %s, the optimum is %s", i, p, b.Name, b.Value.RatString(),
					optimum.RatString())
			}
			switch have := without[b.Name]; {
			case have == nil && b.Value.Cmp(without[lowerbound.Granularity]) > 0, have != nil && b.Value.Cmp(have) > 0:
				better[b.Name]++
			case have != nil && b.Value.Cmp(have) < 0:
				t.Errorf("case %d, %s: the bound %s is %s, without conditions %s", i, p, b.Name, b.Value.RatString(),
					have.RatString())
			}
		}
		if best := bound.Best(list); best.Value.Cmp(optimum) == 0 {
			tight++
		}
	}
	t.Logf("%d of %d tight; better than without conditions: %v", tight, cases, better)
	for _, name := range []string{"degree", "mean", "dimension-mean", "separator", "slab", "fixed", "margin",
		"granularity"} {
		if better[name] == 0 {
			t.Errorf("conditions never raise the bound %s", name)
		}
	}
	if 3*tight < cases {
		t.Errorf("tight in %d of %d cases", tight, cases)
	}
}

// TestFixedBoundOfOnePlacement: where only one placement is left the bound of the fixed nodes is its E_max, or there is
// none, in few cases, because minimal paths on a wide network, and dimensions, are too many to be listed.
func TestFixedBoundOfOnePlacement(t *testing.T) {
	cases, without := coretest.Cases(200, 50), 0
	for i := range cases {
		rng := coretest.Rng(78, i)
		in := coretest.RandomOn(rng, coretest.Any(rng, 40))
		if in.Placement.Size() < 1 || in.Routing.DependsOnPlacement() {
			continue
		}
		want, _ := objective.Naive(in.Routing, in.Placement).Max()
		p := coretest.Must(objective.NewProblem(in.Routing, in.Placement.Size()))
		fixed, forbidden := in.Placement.Nodes(), []int(nil)
		if i%2 == 0 { // all nodes but those
			fixed = fixed[:rng.IntN(len(fixed))]
			for v := range in.Torus.N() {
				if !in.Placement.Set().Has(v) {
					forbidden = append(forbidden, v)
				}
			}
		}
		p = coretest.Must(p.WithNodes(fixed, forbidden))
		if !p.Conditioned() {
			continue
		}
		for _, b := range bound.QuickBounds(p) {
			_, minimal := in.Routing.(*routing.Minimal)
			switch {
			case b.Name != lowerbound.Fixed:
			case b.Value.Sign() == 0 && (minimal || in.Torus.D() > 4):
				without++
			case b.Value.Cmp(want) != 0:
				t.Errorf("%s: %s, E_max is %s", in, b.Value.RatString(), want.RatString())
			}
		}
	}
	if 20*without > cases {
		t.Errorf("no bound of the fixed nodes in %d of %d cases", without, cases)
	}
}

// TestConditionsKnownValues: four processors of sixteen in a corner of a mesh send 4 x 12 messages over the 4 links
// that leave it, and a forbidden half of a ring leaves the other to all.
func TestConditionsKnownValues(t *testing.T) {
	for _, c := range []struct {
		problem          objective.Problem
		fixed, forbidden []int
		name, want       string
	}{
		{searchtest.Problem("8x8:open=0,1", "odr", 16), []int{0, 1, 8, 9}, nil, "separator", "12"},
		{searchtest.Problem("8:open=0", "odr", 4), nil, []int{2, 3, 4, 5}, "slab", "4"},
		{searchtest.Problem("6x6", "odr", 2), []int{0, 1}, nil, "fixed", "1"},
		{searchtest.Problem("4x4:open=0,1", "odr", 5), []int{0}, nil, "degree", "2"},
		{searchtest.Problem("8", "odr", 2), []int{0, 4}, nil, "mean", "1/2"},
	} {
		p := coretest.Must(c.problem.WithNodes(c.fixed, c.forbidden))
		for _, b := range bound.QuickBounds(p) {
			if b.Name == c.name && b.Value.RatString() != c.want {
				t.Errorf("%s: the bound %s is %s, want %s", p, b.Name, b.Value.RatString(), c.want)
			}
		}
	}
}

// TestAboveOneLimit holds what is said of one limit against the bounds that are looked for over all limits, with and
// without conditions, for every multiple of the unit up to the optimum.
func TestAboveOneLimit(t *testing.T) {
	above := map[string]int{}
	for i := range coretest.Cases(400, 250) {
		p := conditionedProblem(i, 12)
		if i%2 == 0 {
			p = objective.Problem{Routing: p.Routing, Size: p.Size}
		}
		den := objective.Denominator(p.Routing)
		_, ordered := p.Routing.(*routing.Orders)
		list := coretest.Must(bound.ProblemBounds(t.Context(), p))
		best := slices.MaxFunc(list, func(a, b lowerbound.Bound) int { // of those that take a search
			value := func(b lowerbound.Bound) *big.Rat {
				if b.Name == lowerbound.Margin || b.Name == lowerbound.Lines {
					return b.Value
				}
				return new(big.Rat)
			}
			return value(a).Cmp(value(b))
		})
		if !ordered {
			if b, ok := bound.BoundAbove(t.Context(), p, new(big.Rat)); ok {
				t.Errorf("case %d, %s: %+v", i, p, b)
			}
			continue
		}
		unit := new(big.Rat).SetFrac(big.NewInt(1), den)
		for limit := new(big.Rat); limit.Cmp(new(big.Rat).Add(best.Value, unit)) <= 0; {
			next := new(big.Rat).Add(limit, unit)
			b, ok := bound.BoundAbove(t.Context(), p, limit)
			if named := best.Name == lowerbound.Margin || best.Name == lowerbound.Lines; ok != (named &&
				best.Value.Cmp(limit) > 0) {
				t.Errorf("case %d, %s: limit %s: %v, the best is %s %s", i, p, limit.RatString(), ok, best.Name,
					best.Value.RatString())
			}
			if ok && (b.Value.Cmp(next) != 0 || b.Witness.Refuted != limit.RatString() ||
				b.Witness.Denominator != den.String()) {
				t.Errorf("case %d, %s: limit %s: %+v", i, p, limit.RatString(), b)
			}
			above[b.Name]++
			limit = next
		}
	}
	if above[lowerbound.Margin] == 0 || above[lowerbound.Lines] == 0 || above[""] == 0 {
		t.Errorf("too few cases: %v", above)
	}
}
