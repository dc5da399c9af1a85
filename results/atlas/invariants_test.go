package atlas_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/union"
	"leeway/objective/fast"
	"leeway/results/atlas"
)

// TestWordsOfPlacements: cells are found by the number of their optima and the invariants of their placements, here
// computed by trying everything.
func TestWordsOfPlacements(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	for _, network := range []string{"5x5", "4x4:open=0,1", "3x3x3", "3x6:twist=3"} {
		cells, _ := view.Cells(atlas.Filter{Torus: network})
		want := map[string][]string{}
		for _, c := range cells {
			i := slowInvariants(view, c)
			words := []string{fmt.Sprintf("covering=%d", i.Covering), fmt.Sprintf("packing=%d", i.Packing),
				fmt.Sprintf("stabiliser=%d", i.Stabiliser), fmt.Sprintf("orbits=%d", i.Orbits),
				map[bool]string{true: "lattice=yes", false: "lattice=no"}[i.Lattice]}
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

// TestInvariantsOfFiles: what the program's files say of placements is so. The long form looks at every cell.
func TestInvariantsOfFiles(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	cells, _ := view.Cells(atlas.Filter{})
	for i := 0; i < len(cells); i += coretest.Cases(1, 67) {
		if c := cells[i]; c.Invariants == nil || *c.Invariants != slowInvariants(view, c) {
			t.Errorf("%s: %+v, want %+v", c.Key(), c.Invariants, slowInvariants(view, c))
		}
	}
}

// slowInvariants computes the invariants of the placement of a cell from their definitions: all elements of the group
// and the distances of all pairs. A set is a coset if a-b+c is in it for all a, b, c of it.
func slowInvariants(view *atlas.Atlas, c atlas.Cell) (want atlas.Invariants) {
	d, _, err := view.Detail(c.Key())
	if err != nil {
		panic(err)
	}
	t := coretest.Must(d.ReadGrid())
	nodes := coretest.Must(core.PlacementFromCoords(t, d.Record.Nodes)).Nodes()
	group := coretest.Must(fast.Group(context.Background(), coretest.Must(c.Key().Problem())))
	alike := union.New(t.N())
	for i := range group.Points() {
		for _, shift := range group.Shifts() {
			images := group.Images(i, shift)
			if !slices.ContainsFunc(nodes, func(v int) bool { return !slices.Contains(nodes, images[v]) }) {
				want.Stabiliser++
				for _, v := range nodes {
					alike.Join(v, images[v])
				}
			}
		}
	}
	want.Lattice = true
	for _, a := range nodes {
		if alike.Find(a) == a {
			want.Orbits++
		}
		for _, b := range nodes {
			shift := t.Displacement(b, a)
			want.Lattice = want.Lattice && t.ClosedPart(shift) == shift &&
				!slices.ContainsFunc(nodes, func(c int) bool { return !slices.Contains(nodes, t.Sum(c, shift)) })
		}
	}
	for v := range t.N() {
		distance, _ := t.Nearest([]int{v})
		near := slices.Min(distancesOf(distance, nodes))
		want.Covering = max(want.Covering, near)
		if near == 0 && len(nodes) > 1 {
			others := slices.DeleteFunc(distancesOf(distance, nodes), func(d int) bool { return d == 0 })
			if far := slices.Min(others); want.Packing == 0 || far < want.Packing {
				want.Packing = far
			}
		}
	}
	return want
}

// distancesOf picks the distances of some nodes.
func distancesOf(distance []int32, nodes []int) (list []int) {
	for _, v := range nodes {
		list = append(list, int(distance[v]))
	}
	return list
}
