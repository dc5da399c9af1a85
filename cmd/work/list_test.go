package work

import (
	"errors"
	"io"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/lrat"
	"leeway/objective/fast"
	"leeway/search/refute"
	"leeway/search/searchtest"
)

// nothingLeft reports whether a formula has no model, by the solver of this program.
func nothingLeft(t *testing.T, r *Clauses) bool {
	t.Helper()
	steps := lrat.NewWriter(io.Discard, r.Clauses())
	err := refute.Refute(t.Context(), r, steps)
	if err != nil && !errors.Is(err, lrat.ErrSatisfiable) {
		t.Fatal(err)
	}
	return err == nil
}

// TestRestOf: without all optimal placements, which are listed by evaluating all naively, nothing is left; without all
// but one orbit, and for a value above the optimum that some placement has, something is.
func TestRestOf(t *testing.T) {
	several := 0
	for i := range coretest.Cases(60, 15) {
		rng := coretest.Rng(812, i)
		p := searchtest.ConditionedOn(rng, coretest.AnyNetwork(rng, 9))
		if i%2 == 0 {
			p.Fixed, p.Forbidden = nil, nil
		}
		if p.Routing.DependsOnPlacement() {
			continue
		}
		optima, best := searchtest.Best(p)
		if best == nil {
			continue
		}
		var next *big.Rat
		for _, v := range searchtest.Placements(p) {
			if v.Cmp(best) > 0 && (next == nil || v.Cmp(next) < 0) {
				next = v
			}
		}
		group := coretest.Must(fast.Group(t.Context(), p))
		byForm := map[string][]core.Placement{}
		var firsts []core.Placement
		for _, s := range optima {
			form, _ := group.Canonical(s.Nodes())
			key := core.JoinInts(form, ",")
			if byForm[key] == nil {
				firsts = append(firsts, s)
			}
			byForm[key] = append(byForm[key], s)
		}
		whole := coretest.Must(RestOf(t.Context(), p, best, firsts))
		if whole.Labelled != len(optima) || !nothingLeft(t, whole) {
			t.Fatalf("%s: E_max at most %s: %d of %d placements listed, refuted %v", p, best.RatString(), whole.Labelled,
				len(optima), nothingLeft(t, whole))
		}
		if len(firsts) > 1 {
			several++
		}
		if nothingLeft(t, coretest.Must(RestOf(t.Context(), p, best, firsts[1:]))) {
			t.Fatalf("%s: nothing is left where an orbit is not listed", p)
		}
		if next != nil && nothingLeft(t, coretest.Must(RestOf(t.Context(), p, next, firsts))) {
			t.Fatalf("%s: nothing is left at most %s, but some placement has that", p, next.RatString())
		}
	}
	if several == 0 {
		t.Error("no problem with two orbits of optima")
	}
}

// TestRestOfTooMany: more than MaxCertified images are refused before they are listed.
func TestRestOfTooMany(t *testing.T) {
	p := searchtest.Problem("12x12", "udr:tie=both", 24)
	var listed []core.Placement
	for i := range 200 {
		listed = append(listed, core.MustPlacement(p.Torus(), coretest.Rng(813, i).Perm(144)[:24]))
	}
	var input *core.InputError
	if _, err := RestOf(t.Context(), p, big.NewRat(6, 1), listed); !errors.As(err, &input) {
		t.Errorf("200 orbits on 12x12: %v", err)
	}
}
