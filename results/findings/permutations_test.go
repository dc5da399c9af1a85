package findings

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/results/atlas"
)

// TestWorstOfAllPermutations: of some cells with few processors the worst loads are those of all permutations, each
// added up link by link.
func TestWorstOfAllPermutations(t *testing.T) {
	view, known := coretest.Must(atlas.Shipped()), coretest.Must(atlas.ShippedWorst())
	cells, _ := view.Cells(atlas.Filter{From: 2, To: 5})
	checked := 0
	for i := 0; i < len(cells); i += coretest.Cases(1, 23) {
		w, ok := known.Of(cells[i])
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
