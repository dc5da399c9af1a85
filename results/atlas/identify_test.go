package atlas_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/labels"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
)

// TestIdentify: whatever symmetry moves an optimum, it has the label and the number of its orbit; those of a cell are
// all different, and each label leads back to a placement of its orbit.
func TestIdentify(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	cells, _ := view.Cells(atlas.Filter{})
	cells = slices.DeleteFunc(cells, func(c atlas.Cell) bool { return c.Optima < 2 || c.Optima > 12 })
	rng := rand.New(rand.NewPCG(38, 1))
	for range coretest.Cases(200, 6) {
		c := cells[rng.IntN(len(cells))]
		d, _, err := view.Detail(c.Key())
		if err != nil {
			t.Fatal(err)
		}
		p, list, err := compose.ListedOptima(*d.Record)
		if err != nil {
			t.Fatal(err)
		}
		group := coretest.Must(fast.Group(t.Context(), p))
		seen := map[string]bool{}
		numbers := make([]bool, len(list)+1)
		for _, o := range list {
			image := group.Images(rng.IntN(group.Points()), group.Shifts()[rng.IntN(len(group.Shifts()))])
			var moved []int
			for _, v := range o.Nodes() {
				moved = append(moved, image[v])
			}
			id := identified(t, view, p, core.MustPlacement(p.Torus(), moved))
			if again := identified(t, view, p, o); again.Label != id.Label {
				t.Errorf("%s: %v moved to %v is %s, not %s", c.Key(), o.Coords(), moved, id.Label, again.Label)
			}
			if id.Standing != atlas.StandingOptimal || id.MaxLoad != c.MaxLoad || id.Orbit == nil ||
				id.Orbit.Of != c.Optima || numbers[id.Orbit.Number] || seen[id.Label] {
				t.Fatalf("%s: %+v, orbit %+v", c.Key(), id, id.Orbit)
			}
			numbers[id.Orbit.Number], seen[id.Label] = true, true
			known, ok, err := view.Labelled(t.Context(), id.Label)
			if err != nil || !ok || known.Key() != c.Key() || !slices.EqualFunc(known.Record.Nodes, id.Nodes, slices.Equal) ||
				known.Record.ClaimSHA256 != known.Record.Hash() {
				t.Fatalf("%s: the label leads to %+v, %v, %v", id.Label, known.Record, ok, err)
			}
		}
	}
}

// identified is what the atlas says of a placement: with its E_max as the naive evaluator has it.
func identified(t *testing.T, view *atlas.Atlas, p objective.Problem, s core.Placement) atlas.Identity {
	t.Helper()
	id, err := view.Identify(context.Background(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	if most, _ := p.Naive(s).Max(); id.MaxLoad != results.FormatFraction(most) {
		t.Errorf("%v: E_max %s, not %s", p, id.MaxLoad, most)
	}
	return id
}

// TestIdentifyOtherNames: the same placement on a torus with its sides in another order is the same orbit.
func TestIdentifyOtherNames(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	var label string
	for _, torus := range []string{"4x6", "6x4"} {
		p := coretest.Must(texts.ParseProblem(torus, "udr:tie=both", 4))
		nodes := []int{}
		for i := range 4 {
			at := []int{i, (i * 2) % 6}
			if torus == "6x4" {
				slices.Reverse(at)
			}
			nodes = append(nodes, coretest.Must(p.Torus().Node(at...)))
		}
		id := identified(t, view, p, core.MustPlacement(p.Torus(), nodes))
		if cell, _, ok := labels.Split(id.Label); !ok || cell != "4x6.udr-tie-both.4" || label != "" && label != id.Label {
			t.Errorf("%s: the label is %s, then %s", torus, label, id.Label)
		}
		label = id.Label
	}
}
