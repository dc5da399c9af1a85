package witnesses

import (
	"context"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/results/check/meter"
	"leeway/results/resultstest"
)

// TestCutsOfBounds accepts what package bound says on random placements.
func TestCutsOfBounds(t *testing.T) {
	for i := range coretest.Cases(200, 80) {
		rng := coretest.Rng(51, i)
		torus := coretest.Torus(rng, 60)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		p := coretest.Placement(rng, torus)
		bounds := coretest.Must(bound.PlacementBounds(context.Background(), routing.NewUDR(torus, routing.TieBoth), p))
		for _, name := range []string{lowerbound.Separator, lowerbound.Slab, lowerbound.Bisection} {
			b := named(bounds, name)
			if problem := cutProblem(meter.Unlimited(context.Background()), torus, p, b); problem != "" {
				t.Fatalf("%s, nodes %v: %s", torus, p.Nodes(), problem)
			}
		}
	}
}

// TestCutsOnNetworks changes one thing at a time in what is right on a mesh of two bandwidths: 8 processors pass to the
// other 8 by the 4 links of bandwidth 3 between rows 1 and 2.
func TestCutsOnNetworks(t *testing.T) {
	torus := coretest.Must(core.ParseNetwork("4x4:open=0:bandwidth=3,2"))
	p := coretest.Must(family.Parse(torus, "full"))
	dim := 0
	for _, c := range []struct {
		what    string
		rows    []int
		value   *big.Rat
		links   int
		across  int64
		problem string // "" if valid
	}{
		{"two rows at an end", []int{0, 1}, big.NewRat(16, 3), 4, 12, ""},
		{"two rows at the other end", []int{2, 3}, big.NewRat(16, 3), 4, 12, ""},
		{"two rows between", []int{1, 2}, big.NewRat(8, 3), 8, 24, ""},
		{"both ends", []int{0, 3}, big.NewRat(8, 3), 8, 24, ""},
		{"the links of a ring", []int{0, 1}, big.NewRat(8, 3), 8, 24, "4 links leave"},
		{"bandwidth 1", []int{0, 1}, big.NewRat(16, 1), 4, 0, "have bandwidth 12"},
		{"the other bandwidth", []int{0, 1}, big.NewRat(8, 1), 4, 8, "have bandwidth 12"},
		{"links in place of bandwidth", []int{0, 1}, big.NewRat(16, 1), 4, 12, "gives 16/3"},
		{"rows apart", []int{0, 2}, big.NewRat(16, 9), 12, 36, "not between two cuts"},
	} {
		b := lowerbound.Bound{Name: lowerbound.Slab, Value: c.value,
			Witness: lowerbound.Witness{Links: c.links, Capacity: c.across, Dim: &dim}}
		for _, row := range c.rows {
			for column := range 4 {
				b.Witness.Set = append(b.Witness.Set, []int{row, column})
			}
		}
		if problem := cutProblem(meter.Unlimited(t.Context()), torus, p, b); (problem == "") != (c.problem == "") ||
			!strings.Contains(problem, c.problem) {
			t.Errorf("%s: %q, want %q", c.what, problem, c.problem)
		}
	}
}

// half is a valid bound by hand: on a full 4x4 torus the rows 1 and 2 hold 8 of 16 processors, and each of their 8
// nodes has one link to row 0 or 3.
func half(name string) lowerbound.Bound {
	dim := 0
	var set [][]int
	for _, row := range []int{1, 2} {
		for column := range 4 {
			set = append(set, []int{row, column})
		}
	}
	return lowerbound.Bound{Name: name, Value: big.NewRat(8, 1),
		Witness: lowerbound.Witness{Set: set, Links: 8, Dim: &dim}}
}

// TestCutNearMisses changes one thing at a time.
func TestCutNearMisses(t *testing.T) {
	torus := core.MustTorus(4, 4)
	p := coretest.Must(family.Parse(torus, "full"))
	for _, c := range []struct {
		what, name, changes string
		problem             string // "" if still valid
	}{
		{"nothing", lowerbound.Separator, "", ""},
		{"nothing", lowerbound.Bisection, "", ""},
		{"nothing", lowerbound.Slab, "", ""},
		{"nothing, but named degree", lowerbound.Degree, "", "not one processor"},
		{"0 without a set", lowerbound.Slab, `Value="0"; Witness={}`, ""},
		{"no value", lowerbound.Slab, "-Value", "no value"},
		{"value a little higher", lowerbound.Separator, `Value="65/8"`, "gives 8, not 65/8"},
		{"value a little lower", lowerbound.Separator, `Value="63/8"`, "gives 8, not 63/8"},
		{"one link less", lowerbound.Separator, `Witness.links=7; Value="64/7"`, "8 links leave"},
		{"one node less", lowerbound.Bisection, "-Witness.set.0", "10 links leave"},
		{"a node twice", lowerbound.Separator, "Witness.set.0=[1,1]", "twice"},
		{"a node outside", lowerbound.Separator, "Witness.set.0=[4,0]", "outside"},
		{"a coordinate less", lowerbound.Separator, "Witness.set.0=[1]", "coordinates"},
		{"all nodes", lowerbound.Separator, "-Witness.links; Witness.set=" + rows(0, 1, 2, 3), "no link leaves"},
		{"no node", lowerbound.Separator, "-Witness.set", "0 links leave"},
		// The sets of rows have links and values worked out by hand.
		{"three rows, right value", lowerbound.Bisection, `Value="6"; Witness.set=` + rows(1, 2, 3), "12 of 16"},
		{"two rows apart, right value", lowerbound.Slab, `Value="4"; Witness.links=16; Witness.set=` + rows(0, 2),
			"not between two cuts"},
		{"three rows of a band", lowerbound.Slab, `Value="6"; Witness.set=` + rows(3, 0, 1), ""},
		{"the other dimension", lowerbound.Slab, "Witness.dim=1", "a part of slab"},
		{"no dimension", lowerbound.Slab, "-Witness.dim", "no dimension"},
	} {
		b := resultstest.Changed(half(c.name), c.changes)
		if problem := cutProblem(meter.Unlimited(context.Background()), torus, p, b); (problem == "") != (c.problem == "") ||
			!strings.Contains(problem, c.problem) {
			t.Errorf("%s, %s: %q, want %q", c.name, c.what, problem, c.problem)
		}
	}
}

// rows returns rows of 4x4 in JSON.
func rows(list ...int) string {
	var set [][]int
	for _, row := range list {
		for column := range 4 {
			set = append(set, []int{row, column})
		}
	}
	return string(coretest.Must(json.Marshal(set)))
}

// TestSideOfTwo: the two nodes of a ring of two have one link each way.
func TestSideOfTwo(t *testing.T) {
	torus := core.MustTorus(2)
	p := coretest.Must(family.Parse(torus, "full"))
	b := lowerbound.Bound{Name: lowerbound.Bisection, Value: big.NewRat(1, 1),
		Witness: lowerbound.Witness{Set: [][]int{{1}}, Links: 1}}
	if problem := cutProblem(meter.Unlimited(context.Background()), torus, p, b); problem != "" {
		t.Error(problem)
	}
	b.Value, b.Witness.Links = big.NewRat(1, 2), 2
	if problem := cutProblem(meter.Unlimited(context.Background()), torus, p, b); problem == "" {
		t.Error("two links out of one node of a ring of two were accepted")
	}
}

// named returns the bound of that name.
func named(bounds []lowerbound.Bound, name string) lowerbound.Bound {
	return bounds[slices.IndexFunc(bounds, func(b lowerbound.Bound) bool { return b.Name == name })]
}
