package work

import (
	"errors"
	"io"
	"math/big"
	"testing"

	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/results/check/judgetest"
	"leeway/search/cuts"
	"leeway/search/learn"
	"leeway/search/refuters"
	"leeway/search/searchtest"
	"leeway/search/searchtest/refutetest"
	"leeway/search/slabs"
)

// TestRefuters holds what each engine writes about random problems against the best of all placements.
func TestRefuters(t *testing.T) {
	coretest.Alone(t)
	proved := map[string]int{}
	for i := range coretest.Cases(1000, 250) {
		r := coretest.Rng(11, i)
		p := searchtest.Conditioned(r, 12)
		switch {
		case i%4 == 0:
			p = searchtest.Clients(r, 12)
		case i%5 == 0 && p.Torus().HasDimensions():
			p.Routing = routing.NewAvoid(p.Torus(), coretest.Tie(r))
		}
		best := searchtest.Optimum(p)
		list, _ := refuters.Supporting(p)
		for _, engine := range list {
			write := func(below *big.Rat, w *steps.Writer) error { return engine.Refute(t.Context(), p, below, w) }
			if err := write(best, steps.NewWriter(io.Discard, steps.Sets(p))); errors.Is(err, cuts.ErrOpen) ||
				errors.Is(err, slabs.ErrOpen) {
				continue
			}
			if proved[engine.Name]++; engine.Decides {
				refutetest.Hold(t, judgetest.Steps, p, best, write)
			} else {
				refutetest.Follows(t, judgetest.Steps, p, best, write)
			}
		}
	}
	list, _ := refuters.Supporting(searchtest.Problem("3x3", "odr", 3))
	for _, engine := range list {
		want := 20
		if engine.Name == learn.Name { // few of the networks have two dimensions
			want = 4
		}
		if proved[engine.Name] < want {
			t.Errorf("%s proved only %d", engine.Name, proved[engine.Name])
		}
	}
}
