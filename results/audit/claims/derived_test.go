package claims

import (
	"context"
	"math/big"
	"math/bits"
	"testing"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/audit/model"
)

// Independent computations behind the verdicts: the naive evaluator and counts over
// all sets and paths.

// TestClosedFormsAgainstNaive compares our closed forms with the evaluator that lists
// paths.
func TestClosedFormsAgainstNaive(t *testing.T) {
	forms := map[string]func(k, d, t int, both bool) *big.Rat{"odr": odrLoad, "udr": udrLoad}
	for _, kd := range [][2]int{{3, 2}, {4, 2}, {5, 2}, {6, 2}, {7, 2}, {3, 3}, {4, 3}} {
		for name, form := range forms {
			for m := 1; m < kd[0]; m++ {
				for _, both := range []bool{false, true} {
					text := name
					if both {
						text += ":tie=both"
					}
					at := model.SetUp(kd[0], kd[1], residues(m), text)
					most, _ := objective.Naive(at.Routing, at.Placement).Max()
					if want := form(kd[0], kd[1], m, both); most.Cmp(want) != 0 {
						t.Errorf("%s: naive %s, closed form %s", at, most.RatString(), want.RatString())
					}
				}
			}
		}
	}
}

// TestSidesOfTwo: what the notes of Corollary 2.1 and Theorem 3.2 say about them.
func TestSidesOfTwo(t *testing.T) {
	for d, routed := range map[int]string{2: "udr:tie=both", 3: "avoid"} {
		at := model.SetUp(2, d, "linear", routed)
		most, _ := objective.Naive(at.Routing, at.Placement).Max()
		if want := ratio(at.Placement.Size()-1, d); most.Cmp(want) != 0 {
			t.Errorf("%s: %s, want %s", at, most.RatString(), want.RatString())
		}
	}
}

// TestWidthByAllSets finds bisection widths by looking at all sets of nodes.
func TestWidthByAllSets(t *testing.T) {
	torus := model.Cube(3, 2)
	for text, want := range map[string]int{"full": 16, "nodes:0,0+0,1+1,0+1,2+2,1+2,2": 16, "linear": 8} {
		p := model.SetUp(3, 2, text, "").Placement
		least := torus.M()
		for set := range 1 << torus.N() {
			inside := bits.OnesCount(uint(set) & model.Mask(p))
			if other := p.Size() - inside; inside-other > 1 || other-inside > 1 {
				continue
			}
			cut := 0
			for v := range torus.N() {
				for _, w := range model.Neighbours(torus, v) {
					if set>>v&1 != set>>w&1 {
						cut++
					}
				}
			}
			least = min(least, cut)
		}
		if got := width(&survey{ctx: context.Background()}, p); got != least || got != want {
			t.Errorf("%s: width %d, over all sets %d, want %d", text, got, least, want)
		}
	}
}

// TestRingOfTheMiddle: an independent look at why the UDR claim about general linear
// placements fails: on linear:c=1,0,1 E_max over k^2 grows, by the naive evaluator.
func TestRingOfTheMiddle(t *testing.T) {
	last := new(big.Rat)
	for k := 4; k <= 6; k += 2 {
		p := model.SetUp(k, 3, "linear:c=1,0,1", "").Placement
		most, _ := objective.Naive(model.Must(routing.Parse(p.Torus(), "udr")), p).Max()
		share := let("k m", k, most).value("m/k^2")
		if want := let("k X", k, crossings(k, false)).value("(2k+1)/3 X"); most.Cmp(want) != 0 {
			t.Errorf("k=%d: naive %s, closed form %s", k, most.RatString(), want.RatString())
		}
		if share.Cmp(last) <= 0 {
			t.Errorf("k=%d: E_max/|P| = %s does not grow", k, share.RatString())
		}
		last = share
	}
}
