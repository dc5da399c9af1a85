package exhaustive

import (
	"context"
	"errors"
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/search"
	"leeway/search/searchtest"
)

func TestConformance(t *testing.T) { searchtest.Conform(t, Method{}) }

// best returns the smallest naive E_max over all placements, also those without node 0, with the first node list that
// has it and how many contain node 0.
func best(p objective.Problem) (value *big.Rat, nodes []int, with0 int64) {
	var visit func(list []int, from int)
	visit = func(list []int, from int) {
		if len(list) < p.Size {
			for v := from; v < p.Torus().N(); v++ {
				visit(append(list, v), v+1)
			}
			return
		}
		if list[0] == 0 {
			with0++
		}
		if v, _ := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), list)).Max(); value == nil || v.Cmp(value) < 0 {
			value, nodes = v, slices.Clone(list)
		}
	}
	visit(nil, 0)
	return value, nodes, with0
}

var routings = []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "minimal:tie=plus", "avoid",
	"avoid:tie=plus"}

func TestFindsTheFirstOptimum(t *testing.T) {
	tori := []string{"2", "7", "2x2", "2x3", "3x3", "2x2x2", "4x2"}
	for i, torus := range tori {
		for j, r := range routings {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			for n := 1; n <= searchtest.Problem(torus, r, 1).Torus().N(); n++ {
				compare(t, searchtest.Problem(torus, r, n))
			}
		}
	}
}

func TestFindsTheFirstOptimumOnTwelveNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("all placements on twelve nodes by the naive evaluator")
	}
	for i, torus := range []string{"12", "3x4", "2x5", "2x2x3"} {
		for j, r := range routings {
			n := 2 + (3*i+2*j)%8
			compare(t, searchtest.Problem(torus, r, n))
		}
	}
}

func compare(t *testing.T, p objective.Problem) {
	t.Helper()
	out, err := Method{}.Run(context.Background(), search.Params{Problem: p, Workers: 1})
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	value, nodes, with0 := best(p)
	if out.Value.Cmp(value) != 0 || !slices.Equal(out.Best.Nodes(), nodes) {
		t.Errorf("%s: %s at %v, by brute force %s at %v",
			p, out.Value.RatString(), out.Best.Nodes(), value.RatString(), nodes)
	}
	r := out.Refutation
	if out.Reason != search.Complete || r == nil || r.Below.Cmp(value) != 0 {
		t.Errorf("%s: reason %s, refutation %+v, %d placements with node 0", p, out.Reason, r, with0)
	}
}

// TestAvoidIsNotMonotone pins why avoid is never pruned: on 4x4 its optimum at n=15 lies above that at n=16. All
// placements of 15 are translates of one, so naive evaluation of one of each size is the whole truth.
func TestAvoidIsNotMonotone(t *testing.T) {
	values := map[int]*big.Rat{}
	for _, n := range []int{15, 16} {
		p := searchtest.Problem("4x4", "avoid", n)
		out := coretest.Must(Method{}.Run(context.Background(), search.Params{Problem: p, Workers: 1}))
		nodes := make([]int, n)
		for v := range nodes {
			nodes[v] = v
		}
		if want, _ := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), nodes)).Max(); out.Value.Cmp(want) != 0 {
			t.Errorf("n=%d: %s, naive %s", n, out.Value.RatString(), want.RatString())
		}
		values[n] = out.Value
	}
	if values[15].Cmp(values[16]) <= 0 {
		t.Errorf("optimum %s at 15, %s at 16", values[15].RatString(), values[16].RatString())
	}
}

// TestSlowCounterAgrees runs the census on the counter for denominators that fit no word and expects what the fast one
// gives.
func TestSlowCounterAgrees(t *testing.T) {
	for _, r := range routings {
		p := searchtest.Problem("2x4", r, 4)
		fast, _ := Method{}.Run(context.Background(), search.Params{Problem: p})
		c := &census{ctx: context.Background(), params: search.Params{Problem: p}, candidates: core.Range(8)[1:],
			prune:   !p.Routing.DependsOnPlacement(),
			counter: newAnew(p)}
		c.take(0)
		if !c.extend(0) || c.out.Value.Cmp(fast.Value) != 0 || !slices.Equal(c.out.Best.Nodes(), fast.Best.Nodes()) ||
			c.out.Evaluations != fast.Evaluations {
			t.Errorf("%s: %s at %v, fast %s at %v",
				p, c.out.Value.RatString(), c.out.Best.Nodes(), fast.Value.RatString(), fast.Best.Nodes())
		}
	}
}

func TestRunsOutOfEvaluations(t *testing.T) {
	p := searchtest.Problem("4x4", "avoid", 8)
	out, err := Method{}.Run(context.Background(), search.Params{Problem: p, Evaluations: 10, Workers: 1})
	if err != nil || out.Reason != search.Spent || out.Refutation != nil || out.Evaluations != 10 || out.Value == nil {
		t.Fatalf("%+v, %v", out, err)
	}
}

func TestStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := searchtest.Problem("4x5", "udr:tie=both", 10)
	out, err := Method{}.Run(ctx, search.Params{Problem: p, Workers: 1, Observe: func(e search.Event) {
		if e.Evaluations > 1 {
			cancel()
		}
	}})
	if err != nil || out.Reason != search.Stopped || out.Refutation != nil || out.Value == nil {
		t.Fatalf("%+v, %v", out, err)
	}
}

func TestRefusesLargeTori(t *testing.T) {
	for _, p := range []objective.Problem{searchtest.Problem("5x5", "odr", 12), searchtest.Problem("17x17", "odr", 2),
		searchtest.Problem("16x16:open=0,1", "minimal", 2)} {
		var unsupported *search.UnsupportedError
		if err := (Method{}).Supports(p); !errors.As(err, &unsupported) {
			t.Errorf("%s: Supports: %v", p, err)
		}
		if _, err := (Method{}).Run(context.Background(), search.Params{Problem: p}); !errors.As(err, &unsupported) {
			t.Errorf("%s: Run: %v", p, err)
		}
	}
}

// TestFewOnManyNodes counts where placements are few, however many nodes there are, with the naive evaluator.
func TestFewOnManyNodes(t *testing.T) {
	both := objective.Traffic{Request: 1, Reply: 2}
	for _, c := range []struct {
		problem objective.Problem
		traffic objective.Traffic
	}{
		{searchtest.Problem("4x8", "avoid", 2), objective.Traffic{}},
		{searchtest.Problem("3^4", "avoid", 2), objective.Traffic{}},
		{searchtest.Problem("7x10", "minimal", 2), objective.Traffic{}},
		{searchtest.Problem("6x6:open=0,1", "minimal", 1), both},
		{searchtest.Problem("8x8:open=0,1", "minimal", 1), objective.Traffic{Request: 1}},
		{searchtest.Problem("9x9:open=0", "odr", 1), both},
	} {
		p := coretest.Must(c.problem.WithTraffic(c.traffic))
		var best *big.Rat
		for v := range p.Torus().N() {
			nodes := []int{v}
			if p.Size == 2 && v > 0 {
				nodes = []int{0, v} // the others are translates
			} else if p.Size == 2 {
				continue
			}
			if most, _ := p.Naive(core.MustPlacement(p.Torus(), nodes)).Max(); best == nil || most.Cmp(best) < 0 {
				best = most
			}
		}
		out, err := Method{}.Run(t.Context(), search.Params{Problem: p, Workers: 1})
		if err != nil || out.Value.Cmp(best) != 0 || out.Refutation == nil {
			t.Errorf("%s: %+v, %v, by the naive evaluator %s", p, out, err, best.RatString())
		}
	}
}

// TestSaysHowManyTurnsAreLeft: so that a search lets it rest until turns are long enough.
func TestSaysHowManyTurnsAreLeft(t *testing.T) {
	p := searchtest.Problem("4x5", "avoid", 5)
	out, err := Method{}.Run(t.Context(), search.Params{Problem: p, Evaluations: 1000, Workers: 1})
	if err != nil || out.Turns != 4 { // C(19,4) is 3876
		t.Errorf("%d turns, %v", out.Turns, err)
	}
}

// TestConditionsOnLargerTori counts the placements of networks of up to 64 nodes of which conditions leave few, with
// the naive evaluator.
func TestConditionsOnLargerTori(t *testing.T) {
	for i := range coretest.Cases(60, 20) {
		rng := coretest.Rng(612, i)
		torus := coretest.Opened(rng, core.MustTorus([][]int{{5, 5}, {3, 3, 4}, {8, 8}, {4, 4, 4}, {40}}[i%5]...))
		r := coretest.Routing(rng, torus)
		if routing.ByPair(r) || objective.Denominator(r) == nil || objective.Denominator(r).BitLen() > maxUnitBits {
			continue
		}
		order := rng.Perm(torus.N())
		p := objective.Problem{Routing: r, Size: 2 + rng.IntN(4)}
		fixed, forbidden := order[:p.Size-1-rng.IntN(min(2, p.Size-1))], order[p.Size+4:]
		if i%7 == 0 { // the only placement
			fixed, forbidden = order[:p.Size], nil
		}
		p = coretest.Must(p.WithNodes(fixed, forbidden))
		var best *big.Rat
		count := int64(0)
		free := p.Candidates()
		if p.Size == len(fixed) {
			free = nil
		}
		for mask := range uint64(1) << len(free) {
			if bits.OnesCount64(mask) != p.Size-len(fixed) {
				continue
			}
			nodes := slices.Clone(fixed)
			for j, v := range free {
				if mask>>j&1 != 0 {
					nodes = append(nodes, v)
				}
			}
			count++
			if v, _ := objective.Naive(r, core.MustPlacement(torus, nodes)).Max(); best == nil || v.Cmp(best) < 0 {
				best = v
			}
		}
		out, err := Method{}.Run(t.Context(), search.Params{Problem: p, Workers: 1})
		if err != nil {
			t.Fatalf("case %d: %s: %v", i, p, err)
		}
		if out.Value.Cmp(best) != 0 || out.Refutation == nil || !p.Admits(out.Best) {
			t.Errorf("case %d: %s: %+v, the best of %d is %s", i, p, out, count, best.RatString())
		}
	}
	for where, size := range map[string]int{"5x5:fixed=0,0": 12, "9x9:fixed=0,0+1,1": 7} {
		p := coretest.Must(texts.ParseProblem(where, "udr", size))
		var unsupported *search.UnsupportedError
		if err := (Method{}).Supports(p); !errors.As(err, &unsupported) {
			t.Errorf("%s: %v", p, err)
		}
	}
}
