package census

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
)

// TestCensusAgainstNaive evaluates every placement with the naive evaluator, without using symmetry.
func TestCensusAgainstNaive(t *testing.T) {
	for i := range 60 {
		rng := coretest.Rng(22, i)
		torus := coretest.Torus(rng, 9)
		r := coretest.Routing(rng, torus)
		n := 1 + rng.IntN(torus.N())
		var best *big.Rat
		for set := uint64(0); set < 1<<torus.N(); set++ {
			s := core.Set{set}
			if s.Count() != n {
				continue
			}
			if most, _ := objective.Naive(r, core.MustPlacement(torus, s.Nodes())).Max(); best == nil || most.Cmp(best) < 0 {
				best = most
			}
		}
		p := objective.Problem{Routing: r}
		count, found, _ := countAll(meter.Unlimited(context.Background()), p, n, Conditions{}, best)
		if want := new(big.Int).Binomial(int64(torus.N()-1), int64(n-1)).Int64(); found != nil || count != want {
			t.Fatalf("%s %s n=%d: below the optimum %s found %v, count %d, want %d",
				torus, r, n, best.RatString(), found, count, want)
		}
		above := new(big.Rat).Add(best, big.NewRat(1, 1000000))
		if _, found, _ := countAll(meter.Unlimited(context.Background()), p, n, Conditions{}, above); found == nil {
			t.Fatalf("%s %s n=%d: the optimum %s was not found", torus, r, n, best.RatString())
		}
	}
}

// TestCensusOfTheLargest runs the longest counts there are.
func TestCensusOfTheLargest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, text := range []string{"udr:tie=both", "avoid:tie=both"} {
		r, err := routing.Parse(core.MustTorus(4, 5), text)
		if err != nil {
			t.Fatal(err)
		}
		p := objective.Problem{Routing: r}
		count, _, _ := countAll(meter.Unlimited(context.Background()), p, 10, Conditions{}, big.NewRat(1, 1))
		if count != 92378 {
			t.Errorf("%s: count %d, C(19,9) is 92378", text, count)
		}
		if most, found := censusOptimum(r, 10); found != 92378 {
			t.Errorf("%s: count %d at the optimum %s", text, found, most.RatString())
		}
	}
}

// censusOptimum lowers the limit to the load of what is found until nothing is.
func censusOptimum(r routing.Routing, n int) (*big.Rat, int64) {
	limit := big.NewRat(1000, 1)
	for {
		p := objective.Problem{Routing: r}
		count, found, _ := countAll(meter.Unlimited(context.Background()), p, n, Conditions{}, limit)
		if found == nil {
			return limit, count
		}
		limit, _ = objective.Naive(r, *found).Max()
	}
}

// TestCensusUnderConditions counts on larger networks of which conditions leave few placements, with the naive
// evaluator, and refuses those of which they leave many.
func TestCensusUnderConditions(t *testing.T) {
	m := meter.Unlimited(context.Background())
	for i := range coretest.Cases(60, 20) {
		rng := coretest.Rng(23, i)
		torus := coretest.Opened(rng, core.MustTorus([][]int{{5, 5}, {3, 3, 4}, {6, 8}, {4, 4, 4}, {40}}[i%5]...))
		r := coretest.Orders(rng, torus)
		order, n := rng.Perm(torus.N()), 1+rng.IntN(5)
		a := n - min(n, rng.IntN(3))
		c := Conditions{Forbidden: core.MustPlacement(torus, order[a+5:]).Set()}
		if a > 0 {
			c.Fixed = core.MustPlacement(torus, order[:a]).Set()
		}
		if a == n && i%2 == 0 {
			c.Forbidden = nil // one placement
		}
		var best *big.Rat
		count := int64(0)
		for mask := range uint64(1) << 5 {
			nodes := slices.Clone(order[:a])
			for j, v := range order[a : a+5] {
				if mask>>j&1 != 0 {
					nodes = append(nodes, v)
				}
			}
			if len(nodes) != n {
				continue
			}
			count++
			if v, _ := objective.Naive(r, core.MustPlacement(torus, nodes)).Max(); best == nil || v.Cmp(best) < 0 {
				best = v
			}
		}
		if got, problem := NoneBelow(m, objective.Problem{Routing: r}, n, c, best); problem != "" || got.Int64() != count {
			t.Errorf("case %d: %s %s n=%d: %v, %q, there are %d", i, torus, r, n, got, problem, count)
		}
		above := new(big.Rat).Add(best, big.NewRat(1, 1000))
		if _, problem := NoneBelow(m, objective.Problem{Routing: r}, n, c, above); problem == "" {
			t.Errorf("case %d: %s %s n=%d: the optimum %s is not found", i, torus, r, n, best.RatString())
		}
		c = Conditions{Fixed: core.MustPlacement(torus, order[:1]).Set()}
		few := meter.New(t.Context(), meter.Limits{Steps: 1 << 20})
		ended := few.Run(func() { NoneBelow(few, objective.Problem{Routing: r}, torus.N()/2, c, best) })
		if limit := (*meter.LimitError)(nil); !errors.As(ended, &limit) || few.Steps() > 0 {
			t.Errorf("case %d: %s: %v after %d steps", i, torus, ended, few.Steps())
		}
	}
}

// TestCensusOfFewOnManyNodes counts where placements are few, however many nodes there are, with the naive evaluator.
func TestCensusOfFewOnManyNodes(t *testing.T) {
	problem := func(network, text string, size int, traffic objective.Traffic) objective.Problem {
		t := coretest.Must(core.ParseNetwork(network))
		p := coretest.Must(objective.NewProblem(coretest.Must(routing.Parse(t, text)), size))
		return coretest.Must(p.WithTraffic(traffic))
	}
	both := objective.Traffic{Request: 1, Reply: 2}
	for _, p := range []objective.Problem{
		problem("4x8", "avoid", 2, objective.Traffic{}), problem("3^4", "avoid", 2, objective.Traffic{}),
		problem("70", "avoid", 2, objective.Traffic{}), problem("7x10", "minimal", 2, objective.Traffic{}),
		problem("6x6:open=0,1", "minimal", 1, both), problem("4x8", "minimal", 2, both),
		problem("9x9:open=0", "odr", 1, both)} {
		var best *big.Rat
		for v := range p.Torus().N() {
			nodes := []int{v}
			if p.Size == 2 {
				nodes = []int{0, v} // the others are translates
			}
			if p.Size == 2 && v == 0 {
				continue
			}
			if most, _ := p.Naive(core.MustPlacement(p.Torus(), nodes)).Max(); best == nil || most.Cmp(best) < 0 {
				best = most
			}
		}
		m := meter.Unlimited(context.Background())
		if count, problem := NoneBelow(m, p, p.Size, Conditions{}, best); problem != "" || count.Cmp(p.Placements()) != 0 {
			t.Errorf("%s: %s counted, %q, there are %s", p, count, problem, p.Placements())
		}
		above := new(big.Rat).Add(best, big.NewRat(1, 1000000))
		if _, problem := NoneBelow(m, p, p.Size, Conditions{}, above); !strings.Contains(problem, "has E_max below") {
			t.Errorf("%s: %q at %s", p, problem, best.RatString())
		}
	}
	for _, p := range []objective.Problem{problem("16x16:open=0,1", "minimal", 2, objective.Traffic{}),
		problem("8x8", "odr", 15, objective.Traffic{})} {
		m := meter.New(t.Context(), meter.Limits{Steps: 1 << 20})
		ended := m.Run(func() { NoneBelow(m, p, p.Size, Conditions{}, big.NewRat(1, 1)) })
		if limit := (*meter.LimitError)(nil); !errors.As(ended, &limit) {
			t.Errorf("%s: %v", p, ended)
		}
	}
}

// TestCensusOfClients counts placements of client traffic with the naive evaluator.
func TestCensusOfClients(t *testing.T) {
	for i := range coretest.Cases(120, 30) {
		rng := coretest.Rng(1310, i)
		p := objective.Problem{Routing: coretest.Orders(rng, coretest.AnyNetwork(rng, 10))}
		traffic := objective.Traffic{Request: 1 + rng.IntN(3), Reply: rng.IntN(3)}
		if rng.IntN(2) == 0 && traffic.Reply > 0 {
			traffic.Replies = coretest.Orders(rng, p.Torus())
		}
		p = coretest.Must(p.WithTraffic(traffic))
		p.Size = 1 + rng.IntN(p.Torus().N())
		var best *big.Rat
		for set := uint64(0); set < 1<<p.Torus().N(); set++ {
			s := core.MustPlacement(p.Torus(), core.Set{set}.Nodes())
			if s.Size() != p.Size {
				continue
			}
			if most, _ := p.Naive(s).Max(); best == nil || most.Cmp(best) < 0 {
				best = most
			}
		}
		m := meter.Unlimited(context.Background())
		if count, problem := NoneBelow(m, p, p.Size, Conditions{}, best); problem != "" || count.Cmp(p.Placements()) != 0 {
			t.Errorf("%s: %s counted, %q, there are %s", p, count, problem, p.Placements())
		}
		above := new(big.Rat).Add(best, big.NewRat(1, 1000000))
		if _, problem := NoneBelow(m, p, p.Size, Conditions{}, above); problem == "" {
			t.Errorf("%s: nothing found at %s", p, best.RatString())
		}
	}
}
