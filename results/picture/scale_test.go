package picture

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
)

// TestLevelsAreExact checks every level against its definition: level i of count holds the loads above (i-1)/count
// and up to i/count of E_max.
func TestLevelsAreExact(t *testing.T) {
	for i := range 100 {
		in := coretest.Random(coretest.Rng(13, i), 30)
		loads := objective.Naive(in.Routing, in.Placement)
		s := newScale(loads)
		most, _ := loads.Max()
		for l := range in.Torus.M() {
			load := loads.At(core.Link(l))
			for _, count := range []int64{8, 9, 16} {
				level := int64(s.level(core.Link(l), count))
				// Compare count*load with level*E_max and (level-1)*E_max in integers: load = a/b, E_max = c/d.
				a, b, c, d := load.Num().Int64(), load.Denom().Int64(), most.Num().Int64(), most.Denom().Int64()
				switch {
				case level == 0 && a != 0, level > count, level < 0,
					level > 0 && (count*a*d > level*c*b || count*a*d <= (level-1)*c*b):
					t.Fatalf("%s: load %s of E_max %s has level %d of %d", in, load.RatString(), most.RatString(), level, count)
				}
			}
		}
	}
}

// TestRampsAreSequential checks that every ramp gets steadily lighter or darker, so that it reads without hues. Luma
// weights are those of ITU-R BT.601, times 1000.
func TestRampsAreSequential(t *testing.T) {
	for name, c := range map[string]struct {
		ramp ramp
		sign int
	}{"light": {onLight, -1}, "dark": {onDark, 1}} {
		for i := 1; i < len(c.ramp); i++ {
			if c.sign*(luma(c.ramp[i])-luma(c.ramp[i-1])) < 8000 {
				t.Errorf("ramp on %s: colours %d and %d are too close: %d, %d", name, i-1, i, luma(c.ramp[i-1]), luma(c.ramp[i]))
			}
		}
	}
}

func luma(c [3]int) int { return 299*c[0] + 587*c[1] + 114*c[2] }

func TestRampEnds(t *testing.T) {
	r := ramp{{1, 2, 3}, 8: {255, 16, 0}}
	if first, last := r.color(1), r.color(bands); first != rgb(0x010203) || last != rgb(0xff1000) {
		t.Errorf("ends %v and %v", first, last)
	}
}
