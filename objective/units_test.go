package objective_test

import (
	"math/big"
	"testing"

	"leeway/objective"
)

// TestUnits compares with the definition, by counting.
func TestUnits(t *testing.T) {
	for num := int64(-12); num <= 12; num++ {
		for denom := int64(1); denom <= 6; denom++ {
			for den := int64(1); den <= 6; den++ {
				value := big.NewRat(num, denom)
				most, below := int64(-100), int64(-100)
				for u := int64(-100); u <= 100; u++ {
					switch big.NewRat(u, den).Cmp(value) {
					case -1:
						most, below = u, u
					case 0:
						most = u
					}
				}
				d := big.NewInt(den)
				if a, b, c := objective.Units(value, d), objective.UnitsBelow(value, d), objective.UnitsUp(value,
					d); a.Int64() != most || b.Int64() != below || c.Int64() != below+1 {
					t.Errorf("%s in 1/%d: at most %s, below %s, up %s; want %d, %d, %d", value.RatString(), den, a, b,
						c, most, below, below+1)
				}
			}
		}
	}
}
