package check

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/check/bounds"
	"leeway/results/check/meter"
)

// TestBoundsReachThoseOfSearches holds the bounds derived here against those that a search writes into records: a right
// record must not be refused because this package derives less.
func TestBoundsReachThoseOfSearches(t *testing.T) {
	refuted := map[string]bool{objective.BoundMargin: true, objective.BoundLines: true}
	compare := func(r routing.Routing, n int) {
		own := bounds.Derive(meter.Unlimited(context.Background()), r, nil, nil).At(n)
		for _, b := range bound.ForSize(r, n) {
			if refuted[b.Name] || refuted[b.Witness.From] {
				continue // TestMarginBoundsAreConfirmed, TestLinesAreConfirmed
			}
			if v, ok := own[b.Name]; !ok || v.Cmp(b.Value) < 0 {
				t.Errorf("%s %s n=%d: bound %s is %v here, %s there", r.Torus(), r, n, b.Name, v, b.Value.RatString())
			}
		}
	}
	for i := range coretest.Cases(50, 6) {
		rng := coretest.Rng(23, i)
		most := coretest.Cases(120, 40) // nodes
		torus := coretest.Torus(rng, most)
		if i%2 == 1 {
			torus = coretest.AnyNetwork(rng, most)
		}
		compare(coretest.Routing(rng, torus), 1+rng.IntN(torus.N()))
	}
	if !coretest.Long() {
		return
	}
	for _, dims := range [][]int{{13}, {16, 16}, {15, 3}, {30}, {4, 4, 4, 4}, {20, 4, 2}, {2, 2, 2, 2, 2, 2}} {
		torus := core.MustTorus(dims...)
		for n := 1; n <= torus.N(); n += 1 + torus.N()/2 {
			compare(routing.NewUDR(torus, routing.TieBoth), n)
			compare(routing.NewMinimal(torus, routing.TieBoth), n)
		}
	}
}

// TestBoundsUnderConditionsAreValid: what the command bound prints with fixed and forbidden nodes is valid, as is a
// record's proof by any of its bounds; a little more is wrong.
func TestBoundsUnderConditionsAreValid(t *testing.T) {
	coretest.Alone(t)
	seen := map[string]int{}
	for i := range coretest.Cases(600, 60) {
		rng := coretest.Rng(25, i)
		torus := coretest.AnyNetwork(rng, 40)
		order := rng.Perm(torus.N())
		fixed := rng.IntN(torus.N()/2 + 1)
		forbidden := rng.IntN(torus.N() - max(1, fixed) + 1)
		least, most := max(1, fixed), torus.N()-forbidden
		p := coretest.Must(objective.NewProblem(coretest.Routing(rng, torus), least+rng.IntN(most-least+1)))
		p = coretest.Must(p.WithNodes(order[:fixed], order[fixed:fixed+forbidden]))
		list := coretest.Must(bound.ForProblem(t.Context(), p))
		d := results.NewBounds(p.Routing, p.Size, nil, list, bound.Best(list))
		d.Conditions = results.ConditionsOf(p)
		if v := Record(coretest.Must(results.Encode(d))); v.Verdict != Valid || len(v.Reasons) > 0 {
			t.Fatalf("case %d, %s: %s %v", i, p, v.Verdict, v.Reasons)
		}
		for _, b := range list {
			if b.Value.Sign() == 0 {
				continue
			}
			seen[b.Name]++
			m := meter.Unlimited(t.Context())
			if problem := bounds.Problem(m, p.Routing, p.Size, p.Fixed, p.Forbidden, b.Name, b.Value); problem != "" {
				t.Errorf("case %d, %s: %s", i, p, problem)
			}
			more := new(big.Rat).Add(b.Value, big.NewRat(1, 1000))
			if b.Name == objective.BoundGranularity || b.Name == objective.BoundMargin || b.Name == objective.BoundLines {
				continue // other margins may show it, or more effort
			}
			if bounds.Problem(m, p.Routing, p.Size, p.Fixed, p.Forbidden, b.Name, more) == "" {
				t.Errorf("case %d, %s: the bound %s is taken for %s", i, p, b.Name, more.RatString())
			}
		}
	}
	for _, name := range []string{"degree", "mean", "dimension-mean", "separator", "slab", "fixed", "margin",
		"granularity"} {
		if seen[name] == 0 {
			t.Errorf("no bound %s: %v", name, seen)
		}
	}
}

// TestConditionsChangedAfterTheProof: lists of bounds, and answers whose proof is a bound, are refused where the fixed
// or forbidden nodes were changed and the claim has become false, which all placements tell.
func TestConditionsChangedAfterTheProof(t *testing.T) {
	coretest.Alone(t)
	lies := 0
	for i := range coretest.Cases(1500, 300) {
		rng := coretest.Rng(27, i)
		torus := coretest.Opened(rng, core.MustTorus(2+rng.IntN(2), 2+rng.IntN(3)))
		order := rng.Perm(torus.N())
		fixed := rng.IntN(torus.N() / 2)
		forbidden := rng.IntN(torus.N() / 2)
		p := coretest.Must(objective.NewProblem(coretest.Orders(rng, torus), max(2, fixed)+rng.IntN(2)))
		right, err := p.WithNodes(order[:fixed], order[fixed:fixed+forbidden])
		if err != nil || !right.Conditioned() {
			continue
		}
		changed := coretest.Must(p.WithNodes(order[:fixed/2], order[fixed:fixed+forbidden/2]))
		list := bound.PlainForProblem(right)
		best := bound.Best(list)
		d := results.NewBounds(p.Routing, p.Size, nil, list, best)
		answer := results.NewBelow(right, best.Value)
		answer.Infeasible(results.Proof{Kind: results.ProofBound, Engine: "bound", Bound: best.Name,
			Value: best.Value.RatString()})
		for _, q := range []objective.Problem{right, changed} {
			d.Conditions, answer.Conditions = results.ConditionsOf(q), results.ConditionsOf(q)
			wrong := best.Value.Cmp(least(q)) > 0
			if wrong {
				lies++
			}
			for _, text := range [][]byte{coretest.Must(results.Encode(d)), coretest.Must(results.Encode(answer))} {
				v := Record(text)
				if wrong && v.Verdict == Valid || !wrong && v.Verdict != Valid && q.Where() == right.Where() {
					t.Errorf("case %d: %s below %s, the least is %s: %s %v\n%s", i, q, best.Value.RatString(),
						least(q).RatString(), v.Verdict, v.Reasons, text)
				}
			}
		}
	}
	if lies < 20 {
		t.Errorf("only %d claims became false", lies)
	}
}

// least returns the least E_max of all placements of a problem, by the naive evaluator.
func least(p objective.Problem) *big.Rat {
	var best *big.Rat
	for x := range uint64(1) << p.Torus().N() {
		if s := (core.Set{x}); s.Count() == p.Size && p.AdmitsSet(s) {
			v, _ := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), s.Nodes())).Max()
			if best == nil || v.Cmp(best) < 0 {
				best = v
			}
		}
	}
	return best
}

// TestBoundsOfSearchesAreValid holds what the command bound prints against the checker, for a placement and for a size.
func TestBoundsOfSearchesAreValid(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(800, 40) {
		rng := coretest.Rng(24, i)
		in := coretest.Random(rng, 40)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 40))
		}
		for _, p := range []*core.Placement{&in.Placement, nil} {
			list := bound.ForSize(in.Routing, in.Placement.Size())
			if p != nil {
				list = bound.ForPlacement(in.Routing, *p)
			}
			text, err := results.Encode(results.NewBounds(in.Routing, in.Placement.Size(), p, list, bound.Best(list)))
			if err != nil {
				t.Fatal(err)
			}
			if v := Record(text); v.Verdict != Valid || len(v.Reasons) > 0 {
				t.Fatalf("%s: %s %v\n%s", in, v.Verdict, v.Reasons, text)
			}
		}
	}
}
