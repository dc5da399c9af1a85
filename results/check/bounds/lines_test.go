package bounds

import (
	"math/big"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lowerbound"
	engine "leeway/objective/margin"
	"leeway/results/check/meter"
)

// linesClaim returns the bound that a search would claim.
func linesClaim(b engine.Bound) lowerbound.Bound {
	claim := lowerbound.Bound{Name: lowerbound.Lines, Value: b.Value}
	if b.Refuted != nil {
		claim.Witness = lowerbound.Witness{Refuted: b.Refuted.RatString(), Denominator: b.Denominator.String()}
	}
	return claim
}

// TestLinesAreConfirmed confirms what the engine finds, and refuses one step more where there is no more.
func TestLinesAreConfirmed(t *testing.T) {
	texts := strings.Fields("2x2x2 3x3x3 2x3x4 4x4x4 2x2x2x2 3x3x3:open=0,2 3x4x2:open=1:bandwidth=2,1,1 " +
		"4x3x3:bandwidth=1,1,3 5x5x5 3x3x3x3 6x6x6 4x4x4:open=0,1,2 4x8:twist=4 4x4x8:twist=0,0,4+0,0,4+0,0,0 " +
		"8x8:twist=4 6x6:bandwidth=1,3:twist=3 2x4x4:twist=0,0,2+0,0,2+0,0,0")
	above := 0
	for i := range coretest.Cases(300, 60) {
		rng := coretest.Rng(45, i)
		torus := coretest.Must(core.ParseNetwork(texts[i%len(texts)]))
		r := coretest.Orders(rng, torus)
		n := 2 + rng.IntN(min(torus.N()-1, 30))
		result := coretest.Must(engine.Lines(t.Context(), r, n, 1e6))
		m := meter.Unlimited(t.Context())
		claim := linesClaim(result)
		if claim.Value.Sign() > 0 {
			above++
			if problem := LinesProblem(m, r, n, claim.Value); problem != "" {
				t.Errorf("%s %s n=%d: %s is not derived: %s", torus, r, n, claim.Value.RatString(), problem)
			}
		}
		more := new(big.Rat).Add(claim.Value, new(big.Rat).SetFrac(big.NewInt(1), result.Denominator))
		if !torus.Twisted() && result.Complete && LinesProblem(m, r, n, more) == "" { // on twisted tori it may know more
			t.Errorf("%s %s n=%d: %s is derived, %s is the bound", torus, r, n, more.RatString(), claim.Value.RatString())
		}
	}
	if above < 30 {
		t.Errorf("only %d bounds above 0", above)
	}
}

// TestLinesRefuseWhatAPlacementHas: no load that a placement has is ruled out.
func TestLinesRefuseWhatAPlacementHas(t *testing.T) {
	texts := strings.Fields("2x2x2 3x3x3 2x3x4 4x4x4 2x2x2x2 3x3x3:open=0,2 3x4x2:open=1:bandwidth=2,1,1 2x2x3 " +
		"5x2x3:open=0")
	for i := range coretest.Cases(1200, 300) {
		rng := coretest.Rng(46, i)
		torus := coretest.Must(core.ParseNetwork(texts[i%len(texts)]))
		if i%2 == 1 {
			torus = coretest.Twisted(rng, 40)
		}
		r, p := coretest.Orders(rng, torus), coretest.Placement(rng, torus)
		if p.Size() < 2 {
			continue
		}
		most, _ := objective.Naive(r, p).Max()
		if refuteLines(meter.Unlimited(t.Context()), r, p.Size(), most) == "" {
			t.Errorf("%s %s: %s is ruled out, %v has it", torus, r, most.RatString(), p.Coords())
		}
	}
}

// TestLinesAnswer: the bound of 36 on 6x6x6 is 27/2 and no more, and there are questions that lines do not answer.
func TestLinesAnswer(t *testing.T) {
	r := coretest.Must(routing.Parse(core.MustTorus(6, 6, 6), "odr:tie=both"))
	m := meter.Unlimited(t.Context())
	if problem := LinesProblem(m, r, 36, big.NewRat(27, 2)); problem != "" {
		t.Errorf("27/2 is refused: %s", problem)
	}
	if LinesProblem(m, r, 36, big.NewRat(14, 1)) == "" {
		t.Error("14 is derived")
	}
	for _, test := range []struct {
		torus *core.Torus
		name  string
		n     int
	}{{core.MustTorus(6, 6), "odr", 12}, {coretest.Must(core.ParseNetwork("4x34:twist=17")), "odr", 12},
		{core.MustTorus(3, 3, 3), "minimal", 9}, {core.MustTorus(3, 3, 3), "avoid", 9},
		{core.MustTorus(3, 3, 3), "odr", 28}, {core.MustTorus(3, 3, 3), "odr", 1}} {
		r := coretest.Must(routing.Parse(test.torus, test.name))
		if refuteLines(m, r, test.n, new(big.Rat)) == "" {
			t.Errorf("%s %s n=%d: something is ruled out", test.torus, r, test.n)
		}
	}
}
