package orderly_test

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search/census"
	"leeway/search/orderly"
	"leeway/search/searchtest"
)

// TestNetworksAgainstAllPlacements lists all placements within a limit up to symmetry, on random networks and tori with
// random fixed and forbidden nodes, and compares with the naive evaluation of all: the same orbits under the group of
// the problem, whose elements are applied one by one, and as many placements.
func TestNetworksAgainstAllPlacements(t *testing.T) {
	tried := 0
	for i := range coretest.Cases(600, 200) {
		rng := coretest.Rng(733, i)
		p := searchtest.Conditioned(rng, 10)
		if _, err := orderly.Enumerate(t.Context(), p, new(big.Rat), orderly.Options{}); err != nil {
			continue
		}
		tried++
		optimum := searchtest.Optimum(p)
		limit := new(big.Rat).Add(optimum, big.NewRat(int64(rng.IntN(3)), 2))
		group := coretest.Must(p.Group(context.Background()))
		want, labelled := map[string]bool{}, int64(0)
		for mask := uint64(0); mask < 1<<p.Torus().N(); mask++ {
			s := core.MustPlacement(p.Torus(), core.Set{mask}.Nodes())
			if s.Size() != p.Size || !p.Admits(s) {
				continue
			}
			if v, _ := objective.Naive(p.Routing, s).Max(); v.Cmp(limit) > 0 {
				continue
			}
			labelled++
			least := s.Nodes()
			for point := range group.Points() {
				for _, shift := range group.Shifts() {
					images, moved := group.Images(point, shift), []int{}
					for _, v := range s.Nodes() {
						moved = append(moved, images[v])
					}
					slices.Sort(moved)
					if slices.Compare(moved, least) < 0 {
						least = moved
					}
				}
			}
			want[fmt.Sprint(least)] = true
		}
		got := coretest.Must(orderly.Enumerate(t.Context(), p, limit, orderly.Options{Workers: 2}))
		if !got.Complete || len(got.Representatives) != len(want) || got.Labelled.Int64() != labelled {
			t.Errorf("%s within %s: %d orbits of %s placements, there are %d of %d", p, limit.RatString(),
				len(got.Representatives), got.Labelled, len(want), labelled)
			continue
		}
		for _, nodes := range got.Representatives {
			if form, _ := group.Canonical(nodes); !want[fmt.Sprint(form)] {
				t.Errorf("%s: %v is no placement within %s", p, nodes, limit.RatString())
			}
		}
		if p.Size == p.Fixed.Count() {
			continue // there is no tree
		}
		// As a proof: nothing below the optimum, something below any value above it.
		for _, above := range []bool{false, true} {
			below := new(big.Rat).Set(optimum)
			if above {
				below.Add(below, big.NewRat(1, 1000))
			}
			plan, err := (orderly.Engine{}).Plan(t.Context(), p, below, 1)
			if err != nil {
				t.Fatal(err)
			}
			cut := census.Cut(plan)
			answer := census.Run(t.Context(), plan, cut, make([]bool, len(cut)), census.Options{Workers: 1})
			found := answer.Found.Size() > 0
			if found != above {
				t.Errorf("%s below %s: found %v", p, below.RatString(), found)
			}
			if found && !p.Admits(answer.Found) {
				t.Errorf("%s: %v breaks a condition", p, answer.Found.Nodes())
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d problems", tried)
	}
}
