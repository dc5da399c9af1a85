package shares

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/meter"
)

// TestDenominators compares with values of section 1 of the definition: odr 1, udr lcm(1..d), twice that with ties.
func TestDenominators(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		want           int64
	}{
		{"8x8", "odr", 1}, {"8x8", "odr:tie=both", 2}, {"7x7", "odr:tie=both", 1}, {"8x8", "udr", 2},
		{"8x8", "udr:tie=both", 4},
		{"3x3x3", "udr:tie=both", 6}, {"3^4", "udr", 12}, {"4x4x4", "udr:tie=both", 12}, {"2x2", "udr:tie=both", 2},
		{"3x3", "minimal", 2}, {"4x4", "minimal", 12 * 2}, {"4x4", "minimal:tie=plus", 6}, {"4x4", "avoid", 840},
		{"3x3", "avoid", 2},
		{"5x5x5", "orders:012+120+201", 6},
	} {
		torus, err := core.ParseTorus(c.torus)
		if err != nil {
			t.Fatal(err)
		}
		r, err := routing.Parse(torus, c.routing)
		if err != nil {
			t.Fatal(err)
		}
		if have := Denominator(meter.Unlimited(context.Background()), r); have.Cmp(big.NewInt(c.want)) != 0 {
			t.Errorf("%s %s: %s, want %d", c.torus, c.routing, have, c.want)
		}
	}
}
