package findings

import (
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/worst"
	"leeway/results"
	"leeway/results/atlas"
)

// TestWorstOfAllPermutations: of some cells with few processors the worst loads are those of all permutations, each
// added up link by link.
func TestWorstOfAllPermutations(t *testing.T) {
	view, known := coretest.Must(atlas.Shipped()), coretest.Must(atlas.ShippedWorst())
	cells, _ := view.Cells(atlas.Filter{From: 2, To: 5})
	checked := 0
	for i := 0; i < len(cells); i += coretest.Cases(1, 23) {
		w, ok := known.Get(cells[i])
		if !ok {
			continue
		}
		checked++
		d, _, err := view.Detail(cells[i].Key())
		if err != nil {
			t.Fatal(err)
		}
		torus := coretest.Must(d.ReadGrid())
		nodes := coretest.Must(core.PlacementFromCoords(torus, d.Record.Nodes)).Nodes()
		for name, want := range map[string]string{d.Routing: w.Load, "val": w.Valiant} {
			r := coretest.Must(routing.Parse(torus, name))
			if most := worstOf(r, nodes, map[core.Link]*big.Rat{}, 0, nodes); most.RatString() != want {
				t.Errorf("%s: %s under %s, the file has %s", d.Key(), most.RatString(), name, want)
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d cells checked", checked)
	}
}

// TestWorstOfAllCells: the file has every proved cell in two dimensions with sides of at most 8 under the routings that
// docs/permutations.md names, also under val, and a placement with the least worst load where another has less.
func TestWorstOfAllCells(t *testing.T) {
	view, known := coretest.Must(atlas.Shipped()), coretest.Must(atlas.ShippedWorst())
	cells, _ := view.Cells(atlas.Filter{})
	evaluators, least := map[string]*worst.Evaluator{}, 0
	for _, c := range cells {
		if len(c.Torus) != 2 || max(c.Torus[0], c.Torus[1]) > 8 || c.Size < 2 || c.Status != atlas.Optimal ||
			c.Where() != c.Grid.Text() || !slices.Contains([]string{"odr", "udr", "minimal"}, c.Routing[:len(c.Routing)-9]) {
			continue
		}
		w, ok := known.Get(c)
		if !ok || w.Valiant == "" {
			t.Errorf("%s has no worst load, or none under val", c.Key())
		}
		if (w.Best != "") != (w.Least != "" && w.Least != w.Load) {
			t.Errorf("%s: the least worst load is %q, by %q", c.Key(), w.Least, w.Best)
		}
		if w.Best == "" {
			continue
		}
		p := coretest.Must(c.Key().Problem())
		key := c.Where() + c.Routing
		if evaluators[key] == nil {
			evaluators[key] = coretest.Must(worst.New(p.Routing))
		}
		s := coretest.Must(family.ParseNodes(p.Torus(), w.Best))
		load := results.FormatFraction(big.NewRat(evaluators[key].Load(s, 0), evaluators[key].Den()))
		if len(s) != c.Size || load != w.Least {
			t.Errorf("%s: %s has a worst load of %s, the file says %s", c.Key(), w.Best, load, w.Least)
		}
		least++
	}
	if least < 200 {
		t.Errorf("%d placements with a smaller worst load", least)
	}
}

// worstOf returns the largest load over all permutations, of which the first messages are on the links already and the
// others go to what is left.
func worstOf(r routing.Routing, nodes []int, on map[core.Link]*big.Rat, first int, left []int) *big.Rat {
	most := new(big.Rat)
	if first == len(nodes) {
		for _, load := range on {
			if load.Cmp(most) > 0 {
				most = load
			}
		}
		return most
	}
	for i, to := range left {
		loads := map[core.Link]*big.Rat{}
		for l, load := range on {
			loads[l] = load
		}
		if to != nodes[first] {
			f := r.Flow(nodes[first], to, nil)
			for _, s := range f.Shares {
				load := new(big.Rat).SetFrac(s.Num, f.Den)
				if had := loads[s.Link]; had != nil {
					load.Add(load, had)
				}
				loads[s.Link] = load
			}
		}
		rest := append(append([]int{}, left[:i]...), left[i+1:]...)
		if load := worstOf(r, nodes, loads, first+1, rest); load.Cmp(most) > 0 {
			most = load
		}
	}
	return most
}
