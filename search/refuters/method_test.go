package refuters_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/steps"
	"leeway/search"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// TestConformance: every refuter is a method.
func TestConformance(t *testing.T) {
	for _, r := range refuters.Deciding(refuters.All()) {
		t.Run(r.Name, func(t *testing.T) { searchtest.Conform(t, refuters.Method{Refuter: r}) })
	}
}

// TestRaceConforms: so are several together, and one that takes its turn among others.
func TestRaceConforms(t *testing.T) {
	var race refuters.Race
	for _, r := range refuters.Deciding(refuters.All()) {
		m := refuters.Method{Refuter: r}
		race.Methods = append(race.Methods, m)
		t.Run("bounded "+r.Name, func(t *testing.T) { searchtest.Conform(t, refuters.Bounded{Method: m}) })
	}
	searchtest.Conform(t, race)
}

// TestRaceForAnyWorkers: of refuters that need so much for a proof, the first comes to its end, in the order of the
// list, that can in the first round in which one can; with little to spend none does.
func TestRaceForAnyWorkers(t *testing.T) {
	p := searchtest.Problem("3x3", "odr", 3)
	for i := range coretest.Cases(200, 50) {
		rng := coretest.Rng(1, i)
		var race refuters.Race
		needs := make([]int64, 2+rng.IntN(3))
		for k, r := range slices.Repeat(refuters.Deciding(refuters.All()), 2)[:len(needs)] {
			r.Name = fmt.Sprint(k)
			needs[k] = int64(rng.IntN(10*firstRound) + 1)
			part := needs[k]/int64(1+rng.IntN(50)) + 1
			prove := func(_ context.Context, _ *big.Rat, _ int64, spend func(int64) error, _ func(int64, int, int)) (int64,
				error) {
				for left := needs[k]; left > 0; left -= part {
					if err := spend(min(left, part)); err != nil {
						return 0, err
					}
				}
				return needs[k], nil
			}
			race.Methods = append(race.Methods, refuters.Method{Refuter: r, Prove: prove})
		}
		want := 0
		had := make([]int64, len(needs)) // the third and the fourth have a quarter
		for round := int64(firstRound); ; round += round / 2 {
			for k := range had {
				had[k] += []int64{round, round, round / 4, round / 4}[k]
			}
			if want = slices.IndexFunc(core.Range(len(had)), func(k int) bool { return needs[k] <= had[k] }); want >= 0 {
				break
			}
		}
		for _, workers := range []int{1, 2, 5} {
			o, err := race.Run(t.Context(), search.Params{Problem: p, Seed: 1, Workers: workers})
			if err != nil || o.Refutation == nil || o.Refutation.Engine != fmt.Sprint(want) || o.Evaluations != needs[want] {
				t.Fatalf("%v: %+v, %v, want %d", needs, o, err, want)
			}
			race.Spend = slices.Min(needs) - 1
			if o, err := race.Run(t.Context(), search.Params{Problem: p, Seed: 1, Workers: workers}); race.Spend > 0 &&
				(err != nil || o.Reason != search.Spent || o.Refutation != nil || o.GaveUp != "") {
				t.Fatalf("%v, spending less: %+v, %v", needs, o, err)
			}
			race.Spend = 0
		}
	}
}

// firstRound is what each spends in the first round.
const firstRound = 1 << 15

// TestPlacementElsewhere: a placement that does not keep to the conditions ends a proof, and is none that was found.
func TestPlacementElsewhere(t *testing.T) {
	p := searchtest.Problem("4x4:forbidden=0,0", "odr", 2)
	for _, nodes := range [][]int{{0, 10}, {1, 11}} {
		s := core.MustPlacement(p.Torus(), nodes)
		m := refuters.Method{Refuter: refuters.Deciding(refuters.All())[0], Prove: func(context.Context, *big.Rat, int64,
			func(int64) error, func(int64, int, int)) (int64, error) {
			return 1, &refuters.PlacementError{Placement: s}
		}}
		start := core.MustPlacement(p.Torus(), []int{1, 2})
		out, err := m.Run(context.Background(), search.Params{Problem: p, Starts: []core.Placement{start}, Workers: 1,
			Evaluations: 5})
		kept := slices.Equal(out.Best.Nodes(), nodes)
		if err != nil || kept != p.Admits(s) || kept == (out.GaveUp != "") || out.Refutation != nil {
			t.Errorf("%v: %v, %v, gave up: %q, %v", nodes, out.Best.Nodes(), out.Value, out.GaveUp, err)
		}
	}
}

// TestMost: what a refuter tries and drops counts with what it writes; definitions, which are written first, may be
// more.
func TestMost(t *testing.T) {
	coretest.Alone(t)
	const definitions = 2000
	for _, r := range refuters.Deciding(refuters.All()) {
		for _, most := range []int64{300, 3000} {
			work := int64(0)
			err := r.Write(t.Context(), searchtest.Problem("8x8", "odr", 17), big.NewRat(11, 1), false,
				steps.Cut{Most: most, Work: &work}, io.Discard)
			if !errors.Is(err, steps.ErrMost) || work < most || work > 2*most+definitions {
				t.Errorf("%s, most %d: %d steps, %v", r.Name, most, work, err)
			}
		}
	}
}
