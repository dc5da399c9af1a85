package work

import (
	"cmp"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"leeway/core/coretest"
	"leeway/objective"
	"leeway/objective/lowerbound"
	"leeway/results/check"
	"leeway/results/layout"
	"leeway/search"
	"leeway/search/portfolio"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// TestHalfway meets all fractions with small denominators.
func TestHalfway(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 0))
	for range 3000 {
		low := big.NewRat(rng.Int64N(60), 1+rng.Int64N(20))
		high := new(big.Rat).Add(low, big.NewRat(1+rng.Int64N(60), 1+rng.Int64N(20)))
		a := new(big.Rat).Add(new(big.Rat).Mul(low, big.NewRat(2, 3)), new(big.Rat).Mul(high, big.NewRat(1, 3)))
		b := new(big.Rat).Sub(new(big.Rat).Add(low, high), a)
		within := func(a, b *big.Rat, den int64) bool { // whether a multiple of 1/den is
			return objective.RoundUp(a, big.NewInt(den)).Cmp(b) <= 0
		}
		den := int64(1)
		for !within(a, b, den) {
			den++
		}
		if v := halfway(low, high, nil); v.Cmp(a) < 0 || v.Cmp(b) > 0 || v.Denom().Int64() != den {
			t.Fatalf("%s between %s and %s: the least denominator is %d", v, low, high, den)
		}
		unit := 1 + rng.Int64N(6)
		v := halfway(low, high, big.NewInt(unit))
		next := search.NextAbove(low, big.NewInt(unit))
		if (v == nil) != (next.Cmp(high) >= 0) ||
			v != nil && (v.Cmp(low) <= 0 || v.Cmp(high) >= 0 || unit%v.Denom().Int64() != 0) {
			t.Fatalf("%v of 1/%d between %s and %s", v, unit, low, high)
		}
	}
}

// TestRaise: from nothing and any placement, the bound comes as near to the optimum as loads allow, with steps that the
// checker accepts.
func TestRaise(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 0))
	routings := []string{"odr", "udr", "udr:tie=both", "minimal", "avoid"}
	for i := range coretest.Cases(200, 12) {
		torus := []string{"3x3", "3x4:open=1", "4x4", "2x2x3", "2x6:twist=2"}[rng.IntN(5)]
		p := searchtest.Problem(torus, routings[i%len(routings)], 3+rng.IntN(4))
		s, _ := session(t)
		task := Task{Problem: p, Budget: Budget{Seed: 1, Time: time.Hour}, Proof: &Proof{Engine: EngineAuto}}
		r := &run{Session: s, Task: task, started: time.Now(), baseline: startBaseline(t.Context(), p),
			lower: &lowerBound{fallback: lowerbound.Bound{Name: lowerbound.Degree, Value: new(big.Rat)}}}
		r.lower.best = r.lower.fallback
		var race refuters.Race
		engines, _ := refuters.Supporting(p)
		for _, engine := range refuters.Deciding(engines) {
			race.Methods = append(race.Methods, s.slicedMethod(task, engine))
		}
		best := search.Draw(p, rng)
		value, _ := p.Naive(best).Max()
		result := portfolio.Outcome{Outcome: search.Outcome{Method: "test", Best: best, Value: value}}
		var first *big.Rat
		for before := (*big.Rat)(nil); before == nil || result.Value.Cmp(before) < 0; {
			before, first = result.Value, r.lower.value()
			var err error
			if result, err = r.raise(t.Context(), race, search.Params{Problem: p, Seed: 1, Workers: 1}, result); err != nil {
				t.Fatal(err)
			}
		}
		optimum, bound := searchtest.Optimum(p), r.lower.value()
		if f := result.Refutation; f != nil && f.Below.Cmp(bound) > 0 {
			bound = f.Below
		}
		open := new(big.Rat).Sub(result.Value, first)
		left := new(big.Rat).Sub(result.Value, bound)
		if bound.Cmp(optimum) > 0 || optimum.Cmp(result.Value) > 0 || bound.Cmp(result.Value) < 0 &&
			halfway(bound, result.Value, p.Denominator()) != nil && left.Mul(left, big.NewRat(finest, 1)).Cmp(open) >= 0 {
			t.Fatalf("%s: from %s to %s, the optimum is %s", p, bound, result.Value, optimum)
		}
		record := coretest.Must(r.record(t.Context(), p, result.Outcome, r.lower))
		v := verdictOf(t, coretest.Must(layout.Encode(record)))
		proof := cmp.Or(record.Proof, record.BoundProof)
		if v.Verdict != check.Valid || len(v.Reasons) > 0 || record.LowerBound != bound.RatString() ||
			check.ClosedForm(p).Cmp(bound) < 0 && (proof == nil || proof.Steps == nil) {
			t.Fatalf("%s: bound %s, proof %+v: %s, %q", p, record.LowerBound, proof, v.Verdict, v.Reasons)
		}
	}
}
