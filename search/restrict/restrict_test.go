package restrict_test

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/congestion"
	"leeway/objective/texts"
	"leeway/search"
	"leeway/search/restrict"
)

func linear(t *testing.T, torus string) core.Placement {
	t.Helper()
	tor := coretest.Must(core.ParseTorus(torus))
	return coretest.Must(family.Parse(tor, "linear"))
}

// TestLinear meets on linear placements the bounds of docs/minimal-routing.md, with sets of paths and, rounded up, with
// single ones. On 5^4 that bound, 31/2, is out of reach for paths by dimension, as weights show.
func TestLinear(t *testing.T) {
	for _, c := range []struct{ torus, sets, single string }{
		{"3x3x3", "4/3", "2"}, {"4x4x4", "5/2", "3"}, {"5x5x5", "4", "4"}, {"3^4", "13/4", "4"}, {"4^4", "8",
			"8"}, {"5^4", "125/8", "16"},
	} {
		if testing.Short() && c.torus != "3x3x3" && c.torus != "3^4" {
			continue
		}
		for _, single := range []bool{false, true} {
			params := restrict.Params{Placement: linear(t, c.torus), Single: single, Seed: 1, Evaluations: 1 << 26,
				Workers: 2}
			r := coretest.Must(restrict.Run(context.Background(), params))
			want := c.sets
			if single {
				want = c.single
			}
			if r.Value.RatString() != want || r.Reason != search.Reached {
				t.Errorf("%s, single %v: %s (%s), want %s", c.torus, single, r.Value.RatString(), r.Reason, want)
			}
			sound(t, params, r)
			if r.Weights != nil && r.Lower.Cmp(weigh(params.Placement, r.Weights)) != 0 {
				t.Errorf("%s: the weights give %s, not %s", c.torus, weigh(params.Placement, r.Weights).RatString(),
					r.Lower.RatString())
			}
		}
	}
}

// weigh returns the bound of weights on links: the cheapest path of every pair, all together, over all weights.
func weigh(p core.Placement, weights []int64) *big.Rat {
	all := routing.NewUDR(p.Torus(), routing.TieBoth)
	sum, total := int64(0), int64(0)
	for _, from := range p.Nodes() {
		for _, to := range p.Nodes() {
			if from == to {
				continue
			}
			least := int64(-1)
			for path := range all.Paths(from, to, nil) {
				cost := int64(0)
				for _, l := range path {
					cost += weights[l]
				}
				if least < 0 || cost < least {
					least = cost
				}
			}
			sum += least
		}
	}
	for l, w := range weights {
		_, port := p.Torus().LinkFrom(core.Link(l))
		total += w * int64(p.Torus().Bandwidth(port.Dim))
	}
	return big.NewRat(sum, total)
}

// TestBound holds the bound against the weaker one over all shortest paths, and the weights against their definition.
func TestBound(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 0))
	for _, text := range []string{"4x4", "5x5", "3x3x3", "2x3x4", "4x4:open=0,1", "5x5:open=0:bandwidth=1,3",
		"3x3x3:open=0,1,2", "2x3x4:bandwidth=2,3,4"} {
		network := coretest.Must(core.ParseNetwork(text))
		p := family.Draw(network, 5, random)
		r := coretest.Must(restrict.Run(context.Background(), restrict.Params{Placement: p, Seed: 1, Evaluations: 1000,
			Workers: 1}))
		wide := coretest.Must(congestion.Solve(context.Background(), p, congestion.DefaultOptions()))
		if r.Weights == nil || r.Lower.Cmp(wide.Lower) < 0 || r.Lower.Cmp(weigh(p, r.Weights)) != 0 {
			t.Errorf("%s nodes %v: bound %s by weights %v; over all shortest paths %s", p.Torus(), p.Nodes(),
				r.Lower.RatString(), r.Weights, wide.Lower.RatString())
		}
	}
}

// TestWorkers repeats runs with other numbers of workers.
func TestWorkers(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 0))
	for _, by := range []restrict.By{restrict.ByAny, restrict.ByDisplacement, restrict.ByPair} {
		p := family.Draw(core.MustTorus(4, 3, 3), 6, random)
		var first restrict.Restriction
		for _, workers := range []int{1, 3} {
			r := coretest.Must(restrict.Run(context.Background(), restrict.Params{Placement: p, By: by, Seed: 5,
				Evaluations: 8_000, Workers: workers}))
			if workers == 1 {
				first = r
			}
			if !reflect.DeepEqual(r.Table.Entries(), first.Table.Entries()) || r.Evaluations != first.Evaluations ||
				r.Method != first.Method {
				t.Errorf("by %d: %d workers change the result: %s after %d instead of %s after %d", by, workers,
					r.Value.RatString(), r.Evaluations, first.Value.RatString(), first.Evaluations)
			}
		}
	}
}

// TestEnds looks at runs without time, without pairs and without choice.
func TestEnds(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, by := range []restrict.By{restrict.ByAny, restrict.ByDisplacement, restrict.ByPair} {
		p := restrict.Params{Placement: linear(t, "6x6"), By: by, Seed: 1, Workers: 1}
		r, err := restrict.Run(ended, p)
		if err != nil || r.Table == nil {
			t.Fatalf("by %d, ended at the start: %v, %v", by, r, err)
		}
		sound(t, p, r)
		for _, nodes := range [][]int{nil, {3}, {0, 1}} {
			p.Placement = core.MustPlacement(core.MustTorus(3, 3), nodes)
			r, err := restrict.Run(context.Background(), p)
			if err != nil || r.Table == nil {
				t.Fatalf("by %d, nodes %v: %v, %v", by, nodes, r, err)
			}
			sound(t, p, r)
		}
	}
}

// TestUnused writes a table by displacement where other displacements have millions of paths.
func TestUnused(t *testing.T) {
	coretest.Alone(t)
	p := restrict.Params{Placement: core.MustPlacement(core.MustTorus(2, 2, 2, 2, 2, 2, 2, 2, 2, 2), []int{0, 3}),
		By: restrict.ByDisplacement, MinPaths: 2, Seed: 1, Workers: 1}
	r := coretest.Must(restrict.Run(context.Background(), p))
	sound(t, p, r)
	if n := len(r.Table.Entries()); n != 1023 || len(r.Table.Choices(0, 1023)) != 2 {
		t.Errorf("%d entries, %d paths where no pair is", n, len(r.Table.Choices(0, 1023)))
	}
}

// TestRefused looks at requirements that cannot be met.
func TestRefused(t *testing.T) {
	wide := core.MustTorus(2, 2, 2, 2, 2, 2, 2, 2, 2, 2)
	for name, p := range map[string]restrict.Params{
		"single and several": {Placement: linear(t, "4x4"), Single: true, MinPaths: 2},
		"too many paths":     {Placement: core.MustPlacement(wide, []int{0, wide.N() - 1})},
		"open": {Placement: core.MustPlacement(coretest.Must(texts.ParseMesh("4x4")), []int{0, 1}),
			By: restrict.ByDisplacement},
	} {
		p.Workers = 1
		var wrong *core.InputError
		if _, err := restrict.Run(context.Background(), p); !errors.As(err, &wrong) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestEnded runs with a context that has ended: a sound result still, no worse than what it starts from.
func TestEnded(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	random := rand.New(rand.NewPCG(17, 0))
	for _, by := range []restrict.By{restrict.ByAny, restrict.ByDisplacement, restrict.ByPair} {
		for _, params := range []restrict.Params{{}, {Single: true}, {MinPaths: 2}} {
			params.Placement, params.By, params.Workers = family.Draw(core.MustTorus(4, 3), 5, random), by, 1
			r := coretest.Must(restrict.Run(ended, params))
			if r.Reason != search.Stopped || r.Evaluations != 0 {
				t.Errorf("%s after %d evaluations", r.Reason, r.Evaluations)
			}
			sound(t, params, r)
			params.Evaluations = 3000
			good := coretest.Must(restrict.Run(context.Background(), params))
			if good.Evaluations > params.Evaluations {
				t.Errorf("%d evaluations of %d", good.Evaluations, params.Evaluations)
			}
			params.Start = good.Table
			r = coretest.Must(restrict.Run(ended, params))
			if by != restrict.ByDisplacement && r.Value.Cmp(good.Value) != 0 {
				t.Errorf("started from %s and stopped: %s", good.Value.RatString(), r.Value.RatString())
			}
			sound(t, params, r)
		}
	}
}

// TestEndsWithoutABudget gives neither evaluations nor a context that ends, where no bound is reached.
func TestEndsWithoutABudget(t *testing.T) {
	coretest.Alone(t)
	placement := family.Draw(core.MustTorus(2, 3, 2, 2), 9, rand.New(rand.NewPCG(19, 0)))
	p := restrict.Params{Placement: placement, Seed: 1, Workers: 1}
	r := coretest.Must(restrict.Run(context.Background(), p))
	sound(t, p, r)
	if r.Reason != search.Spent || r.Evaluations != 1<<20 {
		t.Errorf("ends as %v after %d", r.Reason, r.Evaluations)
	}
}
