package atlas_test

import (
	"fmt"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results/atlas"
)

// TestWordsOfPlacements: cells are found by the number of their optima, and by covering radius and packing distance,
// here taken from the distances of all pairs.
func TestWordsOfPlacements(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	for _, network := range []string{"5x5", "4x4:open=0,1", "3x3x3"} {
		cells, _ := view.Cells(atlas.Filter{Torus: network})
		want := map[string][]string{}
		for _, c := range cells {
			d, _, err := view.Detail(c.Key())
			if err != nil {
				t.Fatal(err)
			}
			torus := coretest.Must(d.ReadGrid())
			nodes := coretest.Must(core.PlacementFromCoords(torus, d.Record.Nodes)).Nodes()
			covering, packing := 0, 0
			for v := range torus.N() {
				distance, _ := torus.Nearest([]int{v})
				near := slices.Min(distancesOf(distance, nodes))
				covering = max(covering, near)
				if near == 0 && len(nodes) > 1 {
					others := slices.DeleteFunc(distancesOf(distance, nodes), func(d int) bool { return d == 0 })
					if far := slices.Min(others); packing == 0 || far < packing {
						packing = far
					}
				}
			}
			words := []string{fmt.Sprintf("covering=%d", covering), fmt.Sprintf("packing=%d", packing)}
			if c.Optima > 0 {
				words = append(words, fmt.Sprintf("optima=%d", c.Optima))
			}
			for _, word := range words {
				want[word] = append(want[word], c.Label())
			}
		}
		delete(want, "packing=0")
		for word, labels := range want {
			found, _ := view.Cells(atlas.Filter{Torus: network, Text: word})
			var got []string
			for _, c := range found {
				got = append(got, c.Label())
			}
			if !slices.Equal(got, labels) {
				t.Errorf("%s %s finds %v, want %v", network, word, got, labels)
			}
		}
	}
}

// distancesOf picks the distances of some nodes.
func distancesOf(distance []int32, nodes []int) (list []int) {
	for _, v := range nodes {
		list = append(list, int(distance[v]))
	}
	return list
}
