package exchange

import (
	"math/big"
	"strings"
	"testing"

	"leeway/core"
)

// TestFormulasAgainstPlans compares the closed forms with the plans that have them.
func TestFormulasAgainstPlans(t *testing.T) {
	for _, s := range schemes {
		if !s.ours {
			continue
		}
		for d := s.least; d*s.axes <= 20 && d <= 8; d++ {
			sides := make([]int, s.axes)
			for j := range sides {
				sides[j] = 1 << d
			}
			p, err := planMakers[s.name](core.MustTorus(sides...), Published)
			if err != nil {
				t.Fatal(err)
			}
			f, err := FormulaOf(s.name, d)
			if err != nil {
				t.Fatal(err)
			}
			cost := p.Cost()
			if f.Startups.Int64() != int64(cost.Startups) || f.Transmission.Int64() != int64(cost.Transmission) {
				t.Errorf("%s, d = %d: formula %v and %v, plan %+v", s.name, d, f.Startups, f.Transmission, cost)
			}
		}
	}
	for d := 4; d <= 8; d++ {
		startups, transmission, err := BalancedRing(d)
		cost := ringSchedule(t, 1<<d, Balanced).Cost()
		if err != nil || startups != cost.Startups || transmission.Int64() != int64(cost.Transmission) {
			t.Errorf("balanced ring, d = %d: formula %d and %v (%v), plan %+v", d, startups, transmission, err, cost)
		}
	}
}

// TestReferenceFormulas evaluates tables 3 and 4 of seed 004 by hand at d = 5:
// T-2D1 9*2^11 + 3*2^9, T-3D1 5*2^18 + 8*2^14, and so on.
func TestReferenceFormulas(t *testing.T) {
	for _, c := range []struct {
		name                   string
		startups, transmission int64
	}{
		{"t-2d1", 12, 9*2048 + 3*512}, {"t-2d2", 24, 3 * 4096}, {"dp-2d", 18, 8192 + 1024},
		{"t-3d1", 18, 5*262144 + 8*16384}, {"t-3d2", 29, 3*131072 + 5*16384}, {"dp-3d", 21, 262144 + 5*16384},
		{"c64", 25, 376832},
	} {
		f, err := FormulaOf(c.name, 5)
		if err != nil || f.Startups.Int64() != c.startups || f.Transmission.Int64() != c.transmission {
			t.Errorf("%s: %+v (%v), want %d and %d", c.name, f, err, c.startups, c.transmission)
		}
	}
	if f, _ := FormulaOf("t4", 4); f.Transmission.Int64() != 1152 {
		t.Errorf("t4 at d = 4: %v", f.Transmission)
	}
	if f, _ := FormulaOf("c64", 5); !strings.Contains(f.Note, "8d-25") {
		t.Errorf("c64: note %q does not name the misprint", f.Note)
	}
}

// TestLimits is property 15: table 5 of seed 004, seen at d = 40.
func TestLimits(t *testing.T) {
	const d = 40
	bound2, bound3 := new(big.Int).Lsh(one, 3*d-3), new(big.Int).Lsh(one, 4*d-3) // n^3/8, n^4/8
	value := func(name string) *big.Int {
		f, err := FormulaOf(name, d)
		if err != nil {
			t.Fatal(err)
		}
		return f.Transmission
	}
	for _, c := range []struct {
		name       string
		above, den *big.Int
		limit      *big.Rat
	}{
		{"t-2d1/t4", value("t-2d1"), value("t4"), big.NewRat(216, 65)},
		{"t-2d2/t4", value("t-2d2"), value("t4"), big.NewRat(144, 65)},
		{"dp-2d/t4", value("dp-2d"), value("t4"), big.NewRat(96, 65)},
		{"t-3d1/c64", value("t-3d1"), value("c64"), big.NewRat(480, 65)},
		{"t4/bound", value("t4"), bound2, big.NewRat(65, 48)},
		{"c64/bound", value("c64"), bound3, big.NewRat(65, 48)},
	} {
		off := new(big.Rat).SetFrac(c.above, c.den)
		off.Sub(off, c.limit).Abs(off)
		if off.Cmp(big.NewRat(1, 1e8)) > 0 {
			t.Errorf("%s is off its limit %v by %s", c.name, c.limit, off.FloatString(12))
		}
	}
	if f, _ := FormulaOf("c64", d); f.Startups.Int64() != 8*d-15 {
		t.Errorf("c64 has %v startups", f.Startups)
	}
}

func TestFormulaErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		d    int
		want string
	}{{"t5", 4, "no such scheme"}, {"c64", 2, "d in 3.."}, {"t4", -1, "d in 2.."}, {"ring", 5000, "1000"}} {
		if _, err := FormulaOf(c.name, c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s at %d: error %v, want %q", c.name, c.d, err, c.want)
		}
	}
	if _, _, err := BalancedRing(3); err == nil {
		t.Error("a balanced ring of 8 has no closed form")
	}
}

// TestBounds is property 14: small cuts by hand.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		sides                  []int
		startups, transmission int
	}{
		{[]int{4, 4}, 4, 15}, {[]int{8, 8}, 6, 64}, {[]int{16, 16}, 8, 512}, {[]int{8, 8, 8}, 9, 512},
		{[]int{2, 2}, 2, 3}, {[]int{2}, 1, 1}, {[]int{5}, 3, 4}, {[]int{30}, 5, 113}, {[]int{3, 2}, 3, 5}, {[]int{2, 9}, 5, 20},
	} {
		startups, transmission := WormholeBounds(core.MustTorus(c.sides...))
		if startups != c.startups || transmission != c.transmission {
			t.Errorf("%v: bounds %d and %d, want %d and %d", c.sides, startups, transmission, c.startups, c.transmission)
		}
	}
}
