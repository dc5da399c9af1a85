package audit

import (
	"context"
	"fmt"
	"math/big"
)

// What the text of Section 6 reads off Figures 9 to 11.

func leastTransmission(_ context.Context, _ Limits) Finding {
	var s survey
	for d := 4; d <= 20; d++ {
		for _, other := range planeRows() {
			s.add(ourT4().transmission(d).Cmp(other.transmission(d)) < 0, differs(fmt.Sprintf("d = %d, %s", d, other.name),
				"more than "+ourT4().transmission(d).RatString(), other.transmission(d).RatString()))
		}
		first := planeRows()[0]
		s.add(ourT4().startups(d).Cmp(first.startups(d)) > 0, differs(fmt.Sprintf("d = %d", d), "more startups than T-2D1", ourT4().startups(d).RatString()))
	}
	worse := ""
	for d := 5; d <= 20; d++ {
		for _, other := range cubeRows() {
			if other.transmission(d).Cmp(ourC64().transmission(d)) < 0 {
				worse += fmt.Sprintf("; on three axes %s needs %s blocks at d = %d, C64 %s", other.name, other.transmission(d).RatString(), d, ourC64().transmission(d).RatString())
			}
		}
	}
	return s.finding("d = 4 to 20, against the printed rows", "T4 has startups 4d-6, T-2D1 3d-3"+worse)
}

func paragonRatio(_ context.Context, _ Limits) Finding {
	var s survey
	truth := scaled(count(216), big.NewRat(10000, 4*226)) // 216 us / (4 * 0.0226 us)
	off := new(big.Rat).Sub(count(2500), truth)
	s.add(off.Abs(off).Cmp(scaled(truth, big.NewRat(1, 20))) <= 0, differs("t_s = 216, t_x = 0.0226, b = 4", "within 5% of 2500", truth.FloatString(1)))
	return s.finding("the printed numbers, within 5%", "it is "+truth.FloatString(1))
}

// speedup is the latency of one scheme over that of another at t_s/(b t_x).
func speedup(over, ours schemeCost, d int, ts *big.Rat) *big.Rat {
	latency := func(c schemeCost) *big.Rat { return total(scaled(c.startups(d), ts), c.transmission(d)) }
	return new(big.Rat).Quo(latency(over), latency(ours))
}

// mostCases checks that a scheme is the faster one in more than half of the cases.
func mostCases(others []schemeCost, ours schemeCost, first int, ratios []int64) func(context.Context, Limits) Finding {
	return func(context.Context, Limits) Finding {
		var s survey
		slower := ""
		faster, all := 0, 0
		for _, r := range ratios {
			for d := first; d <= 10; d++ {
				for _, other := range others {
					all++
					if x := speedup(other, ours, d, big.NewRat(r, 1)); x.Cmp(count(1)) > 0 {
						faster++
					} else {
						slower += fmt.Sprintf("; %s at d = %d and ratio %d: %s", other.name, d, r, x.FloatString(2))
					}
				}
			}
		}
		s.add(2*faster > all, differs(ours.name, "faster in most cases", fmt.Sprintf("in %d of %d", faster, all)))
		return s.finding(fmt.Sprintf("d = %d to 10, ratios %v, %d schemes", first, ratios, len(others)), fmt.Sprintf("faster in %d of %d%s", faster, all, slower))
	}
}

// moreSteps checks that T4 has more startups than others for d = 4 to 6.
func moreSteps(_ context.Context, _ Limits) Finding {
	var s survey
	for d := 4; d <= 6; d++ {
		for _, other := range planeRows() {
			s.add(ourT4().startups(d).Cmp(other.startups(d)) > 0, differs(fmt.Sprintf("d = %d, %s", d, other.name), "fewer startups than T4, which has "+ourT4().startups(d).RatString(), other.startups(d).RatString()))
		}
	}
	return s.finding("d = 4 to 6, the three schemes", "T4 has more startups than T-2D1 only, as many as DP-2D at d = 4, and else fewer")
}

// figure10 checks the speedups for large blocks that the text prints.
func figure10(_ context.Context, _ Limits) Finding {
	var s survey
	for d, shown := range [][]string{4: {"1.89", "1.33", "1.11"}, 5: {"2.94", "1.81", "1.36"}, 6: {"3.47", "2.05", "1.46"}} {
		for i, text := range shown {
			other := planeRows()[i]
			x := speedup(other, ourT4(), d, new(big.Rat))
			s.add(decimal(x, text) == text, differs(fmt.Sprintf("d = %d, %s/T4", d, other.name), text, fmt.Sprintf("%s = %s", x.RatString(), x.FloatString(4))))
		}
	}
	early := speedup(planeRows()[2], ourT4(), 6, big.NewRat(25, 1))
	return s.finding("the nine printed values, as limits for large blocks",
		fmt.Sprintf("this speedup falls towards its limit, so that smaller blocks show more: %s at t_s/(b t_x) = 25", early.FloatString(4)))
}

// figure10Slopes checks which speedups fall as blocks grow: those over T-2D2 and DP-2D at
// d = 6, no other.
func figure10Slopes(_ context.Context, _ Limits) Finding {
	var s survey
	for d := 4; d <= 6; d++ {
		for i, other := range planeRows() {
			for _, over := range []int64{10000, 2000, 400} {
				for b := int64(4); b <= 512; b *= 2 {
					now := speedup(other, ourT4(), d, big.NewRat(over, b))
					then := speedup(other, ourT4(), d, big.NewRat(over, 2*b))
					s.add((then.Cmp(now) < 0) == (d == 6 && i > 0), differs(fmt.Sprintf("d = %d, %s/T4, t_s/t_x = %d, b = %d", d, other.name, over, b), "falling at d = 6 for T-2D2 and DP-2D only", now.FloatString(3)+" to "+then.FloatString(3)))
				}
			}
		}
	}
	return s.finding("d = 4 to 6, t_s/t_x = 10000, 2000, 400, b = 4, 8, .. 1024", "")
}
