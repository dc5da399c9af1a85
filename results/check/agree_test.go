package check_test

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/texts"
	"leeway/results"
	. "leeway/results/check"
	"leeway/results/compose"
	"leeway/results/resultstest"
)

// TestBoundsOfSearchesAreConfirmed: a lower bound that a search has is confirmed, by a closed form or by the steps of
// an engine, alone in a record and as a proof; a thousandth more than the least E_max of all placements is not.
func TestBoundsOfSearchesAreConfirmed(t *testing.T) {
	coretest.Alone(t)
	seen := map[string]int{}
	for i := range coretest.Cases(600, 80) {
		rng := coretest.Rng(25, i)
		torus := coretest.AnyNetwork(rng, 12)
		order := rng.Perm(torus.N())
		fixed, forbidden := 0, 0
		if i%2 == 0 {
			fixed = rng.IntN(torus.N()/2 + 1)
			forbidden = rng.IntN(torus.N() - max(1, fixed) + 1)
		}
		from, to := max(1, fixed), torus.N()-forbidden
		p := coretest.Must(objective.NewProblem(coretest.Routing(rng, torus), from+rng.IntN(to-from+1)))
		p = coretest.Must(p.WithNodes(order[:fixed], order[fixed:fixed+forbidden]))
		list := coretest.Must(bound.ProblemBounds(t.Context(), p))
		d := compose.NewBounds(p.Routing, p.Size, nil, list, bound.Best(list))
		d.Setting = compose.SettingOf(p)
		if v := produced(t, resultstest.Forged(d)); v.Verdict != Valid || len(v.Reasons) > 0 {
			t.Fatalf("case %d, %s: %s %v", i, p, v.Verdict, v.Reasons)
		}
		if p.Size < 2 {
			continue
		}
		proof := func(kind string, v *big.Rat) Verdict {
			answer := compose.NewBelow(p, v)
			answer.Infeasible(results.Proof{Kind: kind, Below: v.RatString()})
			return produced(t, resultstest.Forged(answer))
		}
		_, optimum := leastOf(p)
		form := ClosedForm(p)
		shown := func(v *big.Rat) Verdict { // as searches do: there may be one placement only
			if form.Cmp(v) >= 0 {
				return proof(results.ProofBound, v)
			}
			return proof(results.ProofSteps, v)
		}
		if v := shown(optimum); v.ProofVerdict != Verified {
			t.Errorf("case %d, %s: none is below %s: %v", i, p, optimum.RatString(), v.Reasons)
		}
		if form.Cmp(optimum) > 0 {
			t.Errorf("case %d, %s: the closed form %s is above %s", i, p, form.RatString(), optimum.RatString())
		}
		if v := proof(results.ProofBound, form); v.ProofVerdict != Verified {
			t.Errorf("case %d, %s: the closed form %s: %v", i, p, form.RatString(), v.Reasons)
		}
		more := new(big.Rat).Add(optimum, big.NewRat(1, 1000))
		for _, kind := range []string{results.ProofSteps, results.ProofBound} {
			if v := proof(kind, more); v.Verdict != Wrong || v.ProofVerdict != Wrong {
				t.Errorf("case %d, %s: %s, proof %s, where %s is least: %v", i, p, v.Verdict, v.ProofVerdict,
					optimum.RatString(), v.Reasons)
			}
		}
		for _, b := range list {
			if b.Value.Sign() == 0 {
				continue
			}
			seen[b.Name]++
			if v := shown(b.Value); v.ProofVerdict != Verified {
				t.Errorf("case %d, %s: %s %s: %v", i, p, b.Name, b.Value.RatString(), v.Reasons)
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

// TestClosedFormsOfLargeNetworks: what leaves a node, and all distances over all links, worked out by hand where no
// engine takes the network.
func TestClosedFormsOfLargeNetworks(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		size           int
		want           string
	}{
		{"91x91", "udr:tie=both", 10, "5/2"},        // nine messages over four links, in halves
		{"91x91", "odr:tie=plus", 10, "3"},          // a whole number
		{"9999", "udr:tie=both", 3, "1"},            // two over two links
		{"101", "minimal:tie=both", 101, "1275"},    // 2(1+...+50) a node, over two links
		{"3x1001:open=0", "udr:tie=both", 2, "1/2"}, // one over four links, in halves
		{"65x65x65", "udr:tie=both", 1, "0"},
		{"2x2x2x2x2x2x2x2x2x2x2x2x2", "odr:tie=plus", 4096, "793"}, // up to six links: 13(1586) a node, over 26
	} {
		p := coretest.Must(texts.ParseProblem(c.torus, c.routing, c.size))
		if have := ClosedForm(p).RatString(); have != c.want {
			t.Errorf("%s: %s instead of %s", p, have, c.want)
		}
	}
}

// TestConditionsChangedAfterTheProof: lists of bounds, and answers with a proof by steps, are refused exactly where
// the fixed or forbidden nodes were changed and the claim has become false, which all placements tell.
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
		list := bound.QuickBounds(right)
		best := bound.Best(list)
		d := compose.NewBounds(p.Routing, p.Size, nil, list, best)
		answer := compose.NewBelow(right, best.Value)
		answer.Infeasible(results.Proof{Kind: results.ProofSteps, Below: best.Value.RatString()})
		for _, q := range []objective.Problem{right, changed} {
			d.Setting, answer.Setting = compose.SettingOf(q), compose.SettingOf(q)
			_, least := leastOf(q)
			wrong := best.Value.Cmp(least) > 0
			if wrong {
				lies++
			}
			for _, document := range []any{d, answer} {
				if v := produced(t, resultstest.Forged(document)); (v.Verdict == Valid) == wrong {
					t.Errorf("case %d: %s below %s, the least is %s: %s %v\n%+v", i, q, best.Value.RatString(),
						least.RatString(), v.Verdict, v.Reasons, document)
				}
			}
		}
	}
	if lies < 20 {
		t.Errorf("only %d claims became false", lies)
	}
}

// TestBoundsOfSearchesAreValid holds what the command bound prints against the checker, for a placement and for a size.
func TestBoundsOfSearchesAreValid(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(800, 40) {
		rng := coretest.Rng(24, i)
		in := coretest.Random(rng, 16)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 16))
		}
		for _, p := range []*core.Placement{&in.Placement, nil} {
			list := bound.SizeBounds(in.Routing, in.Placement.Size())
			if p != nil {
				list = coretest.Must(bound.PlacementBounds(context.Background(), in.Routing, *p))
			}
			d := compose.NewBounds(in.Routing, in.Placement.Size(), p, list, bound.Best(list))
			if v := produced(t, resultstest.Forged(d)); v.Verdict != Valid || len(v.Reasons) > 0 {
				t.Fatalf("%s: %s %v\n%+v", in, v.Verdict, v.Reasons, d)
			}
		}
	}
}
