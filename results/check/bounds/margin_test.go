package bounds

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	engine "leeway/objective/margin"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// margins returns the margin bound that a search would write down.
func margins(t *testing.T, r routing.Routing, n int, effort int64) objective.Bound {
	t.Helper()
	result, err := engine.LowerBound(context.Background(), r, n, effort)
	if err != nil {
		t.Fatal(err)
	}
	b := objective.Bound{Name: objective.BoundMargin, Value: result.Value}
	if result.Refuted != nil {
		b.Witness = objective.Witness{Refuted: result.Refuted.RatString(), Denominator: result.Denominator.String()}
	}
	return b
}

// denominator returns the D whose multiples of 1/D margins refute under r.
func denominator(r routing.Routing) *big.Int {
	result, err := engine.LowerBound(context.Background(), r, 1, 0)
	if err != nil {
		panic(err)
	}
	return result.Denominator
}

// step returns b with its claim moved by a number of multiples of 1/D.
func step(r routing.Routing, b objective.Bound, by int64) objective.Bound {
	move := new(big.Rat).SetFrac(big.NewInt(by), denominator(r))
	limit := new(big.Rat).Sub(b.Value, new(big.Rat).SetFrac(big.NewInt(1), denominator(r)))
	return objective.Bound{Name: b.Name, Value: new(big.Rat).Add(b.Value, move),
		Witness: objective.Witness{Refuted: limit.Add(limit, move).RatString(), Denominator: denominator(r).String()}}
}

// TestMarginIsConfirmedExactly compares the two programs: what the one proves is confirmed, and the next limit, for
// which margins exist, is not.
func TestMarginIsConfirmedExactly(t *testing.T) {
	cases := 600
	if testing.Short() {
		cases = 120
	}
	above := 0
	for i := range cases {
		rng := coretest.Rng(41, i)
		torus := coretest.Torus(rng, 40)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		r := coretest.Routing(rng, torus)
		n := 1 + rng.IntN(torus.N())
		result, err := engine.LowerBound(context.Background(), r, n, 1e7)
		if err != nil {
			t.Fatal(err)
		}
		b := margins(t, r, n, 1e7)
		if problem := marginProblem(meter.Unlimited(context.Background()), r, n, nil, b); problem != "" {
			t.Errorf("%s %s n=%d: %s is not confirmed: %s", torus, r, n, b.Value.RatString(), problem)
		}
		if b.Value.Sign() > 0 {
			above++
		}
		if next := step(r, b, 1); result.Complete &&
			marginProblem(meter.Unlimited(context.Background()), r, n, nil, next) == "" {
			t.Errorf("%s %s n=%d: %s is confirmed, but margins exist below it", torus, r, n, next.Value.RatString())
		}
	}
	if above < cases/2 {
		t.Errorf("only %d of %d bounds are above 0", above, cases)
	}
}

// TestFeasibleLimitsAreNotConfirmed claims of random placements that they do not exist.
func TestFeasibleLimitsAreNotConfirmed(t *testing.T) {
	for i := range 300 {
		rng := coretest.Rng(42, i)
		in := coretest.Random(rng, 30)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.Network(rng, 30))
		}
		if in.Placement.Size() < 1 {
			continue
		}
		most, _ := objective.Naive(in.Routing, in.Placement).Max()
		den := new(big.Rat).SetInt(denominator(in.Routing))
		units := new(big.Rat).Mul(most, den)
		limit := new(big.Rat).SetFrac(shares.Ceil(units), den.Num())
		claim := objective.Bound{Value: new(big.Rat).Add(limit, new(big.Rat).Inv(den)),
			Witness: objective.Witness{Refuted: limit.RatString(), Denominator: den.Num().String()}}
		if marginProblem(meter.Unlimited(context.Background()), in.Routing, in.Placement.Size(), nil, claim) == "" {
			t.Errorf("%s: confirmed that E_max is above %s", in, limit.RatString())
		}
	}
}

func TestMarginTargetsAreConfirmed(t *testing.T) {
	for _, test := range []struct {
		k, n int
		long bool
	}{{8, 15, false}, {8, 16, false}, {10, 20, false}, {10, 19, true}, {12, 24, true}} {
		if test.long && testing.Short() {
			continue
		}
		r := routing.NewUDR(core.MustTorus(test.k, test.k), routing.TieBoth)
		claim := objective.Bound{Value: big.NewRat(int64(test.k/2), 1),
			Witness: objective.Witness{Refuted: big.NewRat(int64(2*test.k-1), 4).RatString(), Denominator: "4"}}
		if problem := marginProblem(meter.Unlimited(context.Background()), r, test.n, nil, claim); problem != "" {
			t.Errorf("%dx%d n=%d: %s", test.k, test.k, test.n, problem)
		}
	}
}

// named returns the bound of that name.
func named(bounds []objective.Bound, name string) objective.Bound {
	return bounds[slices.IndexFunc(bounds, func(b objective.Bound) bool { return b.Name == name })]
}

func TestMarginBoundsAreConfirmed(t *testing.T) {
	for _, dims := range [][]int{{8}, {6, 6}, {8, 8}, {9, 9}, {4, 6}, {4, 4, 4}, {5, 5, 5}, {2, 2, 2, 2}} {
		torus := core.MustTorus(dims...)
		for _, r := range []routing.Routing{routing.NewUDR(torus, routing.TieBoth), routing.NewAvoid(torus, routing.TieBoth),
			routing.NewMinimal(torus, routing.TiePlus)} {
			n := torus.N() / torus.Side(0) * 2
			if torus.D() > 2 {
				n /= 2
			}
			claim := named(bound.ForSize(r, n), objective.BoundMargin)
			if problem := marginProblem(meter.Unlimited(context.Background()), r, n, nil, claim); problem != "" {
				t.Errorf("%s %s n=%d: %s: %s", torus, r, n, claim.Value.RatString(), problem)
			}
		}
	}
}

// TestMarginBoundsUnderTablesWithGaps confirms what margins say where a table by pair lists the pairs of one placement
// only, and refuses one step more; nothing needs the other pairs.
func TestMarginBoundsUnderTablesWithGaps(t *testing.T) {
	for i := range 40 {
		rng := coretest.Rng(43, i)
		torus := coretest.Torus(rng, 40)
		p := coretest.Placement(rng, torus)
		used := p.Set()
		var entries []routing.TableEntry
		for all, from := coretest.Table(rng, torus, true), 0; from < torus.N(); from++ {
			for to := range torus.N() {
				if from != to && used.Has(from) && used.Has(to) {
					entries = append(entries, routing.TableEntry{From: from, To: to, Paths: all.Choices(from, to)})
				}
			}
		}
		r, err := routing.NewTable(torus, true, entries)
		if err != nil {
			t.Fatal(err)
		}
		n := max(1, p.Size())
		result, err := engine.LowerBound(context.Background(), r, n, 1e7)
		if err != nil {
			t.Fatal(err)
		}
		b := margins(t, r, n, 1e7)
		if problem := marginProblem(meter.Unlimited(t.Context()), r, n, nil, b); problem != "" {
			t.Errorf("%s n=%d: %s is not confirmed: %s", torus, n, b.Value.RatString(), problem)
		}
		if next := step(r, b, 1); result.Complete && marginProblem(meter.Unlimited(t.Context()), r, n, nil, next) == "" {
			t.Errorf("%s n=%d: %s is confirmed, %s is the bound", torus, n, next.Value.RatString(), b.Value.RatString())
		}
	}
}

// TestMarginWitnesses rejects witnesses that are slightly wrong.
func TestMarginWitnesses(t *testing.T) {
	r := routing.NewUDR(core.MustTorus(8, 8), routing.TieBoth)
	good := step(r, objective.Bound{Value: big.NewRat(4, 1)}, 0)
	if problem := marginProblem(meter.Unlimited(context.Background()), r, 16, nil, good); problem != "" {
		t.Fatalf("the right witness is refused: %s", problem)
	}
	for name, change := range map[string]func(*objective.Bound){
		"value above":      func(b *objective.Bound) { b.Value = big.NewRat(17, 4) },
		"value below":      func(b *objective.Bound) { b.Value = big.NewRat(15, 4) },
		"refuted missing":  func(b *objective.Bound) { b.Witness.Refuted = "" },
		"refuted off grid": func(b *objective.Bound) { b.Witness.Refuted = "31/8" },
		"refuted decimal":  func(b *objective.Bound) { b.Witness.Refuted = "3.75" },
		"refuted negative": func(b *objective.Bound) { b.Witness.Refuted, b.Value = "-1/4", new(big.Rat) },
		"denominator":      func(b *objective.Bound) { b.Witness.Denominator = "2" },
		"one step more":    func(b *objective.Bound) { *b = step(r, *b, 1) },
	} {
		b := good
		change(&b)
		if marginProblem(meter.Unlimited(context.Background()), r, 16, nil, b) == "" {
			t.Errorf("%s: %s with %+v is confirmed", name, b.Value.RatString(), b.Witness)
		}
	}
	if marginProblem(meter.Unlimited(context.Background()), r, 65, nil, good) == "" {
		t.Error("confirmed for more processors than nodes")
	}
}

// BenchmarkConfirmMargin is what a search under odr waits for before it claims its lower bound.
func BenchmarkConfirmMargin(b *testing.B) {
	r, err := routing.Parse(core.MustTorus(8, 8), "odr")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{16, 30} {
		claim := named(bound.ForSize(r, n), objective.BoundMargin)
		b.Run(fmt.Sprintf("8x8 n=%d odr", n), func(b *testing.B) {
			for b.Loop() {
				if problem := marginProblem(meter.Unlimited(context.Background()), r, n, nil, claim); problem != "" {
					b.Fatal(problem)
				}
			}
		})
	}
}
