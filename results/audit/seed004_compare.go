package audit

import (
	"context"
	"fmt"
	"math/big"
)

// Section 6 of seed 004: tables 3 to 5 and the figures that the text reads off its plots.
// Costs of T4 and C64 are those of the plans; those of other papers' schemes are the
// printed rows, which are not checked.

// A schemeCost has the costs of a scheme on sides 2^d.
type schemeCost struct {
	name         string
	startups     func(d int) *big.Rat
	transmission func(d int) *big.Rat
}

// planeRows and cubeRows are the rows of other schemes in Tables 3 and 4.
func planeRows() []schemeCost {
	return []schemeCost{
		{"T-2D1", func(d int) *big.Rat { return count(3 * (d - 1)) }, func(d int) *big.Rat {
			return total(binary(9, 3*d-4), binary(int64(d*d-5*d+3), 2*d-1))
		}},
		{"T-2D2", func(d int) *big.Rat { return binary(3, d-2) }, func(d int) *big.Rat { return binary(3, 3*(d-1)) }},
		{"DP-2D", func(d int) *big.Rat { return total(binary(1, d-1), count(2)) }, func(d int) *big.Rat {
			return total(binary(1, 3*d-2), binary(1, 2*d))
		}},
	}
}

func cubeRows() []schemeCost {
	return []schemeCost{
		{"T-3D1", func(d int) *big.Rat { return count(4*d - 2) }, func(d int) *big.Rat {
			return total(binary(5, 4*d-2), binary(int64(d*d-3*d-2), 3*d-1))
		}},
		{"T-3D2", func(d int) *big.Rat { return total(binary(3, d-2), count(d)) }, func(d int) *big.Rat {
			return total(binary(3, 4*d-3), binary(int64(d), 3*d-1))
		}},
		{"DP-3D", func(d int) *big.Rat { return total(binary(1, d-1), count(5)) }, func(d int) *big.Rat {
			return total(binary(1, 4*d-2), binary(5, 3*d-1))
		}},
	}
}

// printedT4Row and printedC64Row are the transmission in Tables 3 and 4.
func printedT4Row(d int) *big.Rat {
	switch {
	case d == 4:
		return total(scaled(big.NewRat(31, 96), binary(1, 3*d-1)), binary(5, 2*d-2), scaled(big.NewRat(1, 3), binary(1, d+2)))
	case d <= 6:
		return total(scaled(big.NewRat(31, 96), binary(1, 3*d-1)), binary(5, 2*d-2), scaled(big.NewRat(5, 3), binary(1, d+2)))
	}
	return total(scaled(big.NewRat(65, 192), binary(1, 3*d-1)), binary(1, 2*d-1), scaled(big.NewRat(5, 3), binary(1, d+2)))
}

func printedC64Row(d int) *big.Rat {
	switch {
	case d == 5:
		return total(scaled(big.NewRat(31, 96), binary(1, 4*d-1)), binary(5, 3*d), scaled(big.NewRat(1, 3), binary(1, 2*d+7)))
	case d <= 7:
		return total(scaled(big.NewRat(31, 96), binary(1, 4*d-1)), binary(5, 3*d), scaled(big.NewRat(5, 3), binary(1, 2*d+4)))
	}
	return total(scaled(big.NewRat(65, 192), binary(1, 4*d-1)), binary(7, 3*d-1), scaled(big.NewRat(5, 3), binary(1, 2*d+4)))
}

// rows checks a row of a table against plans with sides 2^d, d from first to last. A row
// is of startups if startups is not nil, else of blocks.
func rows(name string, axes, first, last int, startups func(d int) int, blocks func(d int) *big.Rat, note string) func(context.Context, Limits) Finding {
	return func(ctx context.Context, l Limits) Finding {
		var s survey
		most := max(first, min(last, ringExponent(l)+1))
		for d := first; d <= most && ctx.Err() == nil; d++ {
			plan, err := torusPlan(name, square(axes, d))
			if err != nil {
				return broken(err)
			}
			cost := plan.Cost()
			where := fmt.Sprintf("d = %d", d)
			if startups != nil {
				s.equal(where, count(startups(d)), count(cost.Startups), exchangeOn(name, square(axes, d)))
			} else {
				s.equal(where, blocks(d), count(cost.Transmission), exchangeOn(name, square(axes, d)))
			}
		}
		return s.finding(fmt.Sprintf("sides 2^d, d = %d to %d, against the plan", first, most), note)
	}
}

// ourT4 and ourC64 are the true costs: Theorems 2 and 3, which hold.
func ourT4() schemeCost {
	return schemeCost{"T4", func(d int) *big.Rat { return count(4*d - 6) }, func(d int) *big.Rat {
		return total(binary(1, 2*d), scaled(binary(8, d-1), printedRing(d-1)))
	}}
}

func ourC64() schemeCost {
	return schemeCost{"C64", func(d int) *big.Rat { return count(8*d - 15) }, printedC64}
}

// A speed claims that the transmission of a scheme over that of another tends to a limit.
type speed struct {
	name  string
	above func(d int) *big.Rat
	below func(d int) *big.Rat
	limit *big.Rat
	shown string // as a decimal, with the digits printed; empty if none are
	slow  bool   // startups: the ratio is off by a multiple of 1/d
}

// tends reports whether a ratio is within d^2/2^(d-4) of its limit, or 8/d if it is slow,
// for all d from 8 to 60.
func (r speed) tends() bool {
	for d := 8; d <= 60; d++ {
		off := new(big.Rat).Quo(r.above(d), r.below(d))
		off.Sub(off, r.limit).Abs(off)
		room := binary(int64(d*d), 4-d)
		if r.slow {
			room = big.NewRat(8, int64(d))
		}
		if off.Cmp(room) > 0 {
			return false
		}
	}
	return true
}

// limits checks ratios, and the decimals that are printed for their limits.
func limits(list []speed, note string) func(context.Context, Limits) Finding {
	return func(context.Context, Limits) Finding {
		var s survey
		for _, r := range list {
			s.add(r.tends(), differs(r.name, "tends to "+r.limit.RatString(), "another limit"))
			if r.shown != "" {
				s.add(decimal(r.limit, r.shown) == r.shown, differs(r.name, r.shown, decimal(r.limit, r.shown)))
			}
		}
		return s.finding("d = 8 to 60: within d^2/2^(d-4) of the limit, startups within 8/d", note)
	}
}

// decimal rounds x to as many digits after the point as shown has.
func decimal(x *big.Rat, shown string) string {
	for i, c := range shown {
		if c == '.' {
			return x.FloatString(len(shown) - i - 1)
		}
	}
	return x.FloatString(0)
}

// lowerBlocks is n^3/8 or n^4/8.
func lowerBlocks(axes int) func(d int) *big.Rat {
	return func(d int) *big.Rat { return binary(1, (axes+1)*d-3) }
}

func multiples() []speed {
	var list []speed
	for i, limit := range []*big.Rat{big.NewRat(9, 2), count(3), count(2)} {
		list = append(list, speed{planeRows()[i].name, planeRows()[i].transmission, lowerBlocks(2), limit, "", false})
	}
	for i, limit := range []*big.Rat{count(10), count(3), count(2)} {
		list = append(list, speed{cubeRows()[i].name, cubeRows()[i].transmission, lowerBlocks(3), limit, "", false})
	}
	return append(list, speed{"T4", ourT4().transmission, lowerBlocks(2), big.NewRat(65, 48), "1.35", false},
		speed{"C64", ourC64().transmission, lowerBlocks(3), big.NewRat(65, 48), "1.35", false})
}

func table5() []speed {
	var list []speed
	for i, c := range []struct {
		limit *big.Rat
		shown string
	}{{big.NewRat(216, 65), "3.32"}, {big.NewRat(144, 65), "2.22"}, {big.NewRat(96, 65), "1.48"}} {
		list = append(list, speed{planeRows()[i].name + "/T4", planeRows()[i].transmission, ourT4().transmission, c.limit, c.shown, false})
	}
	for i, c := range []struct {
		limit *big.Rat
		shown string
	}{{big.NewRat(480, 65), "7.38"}, {big.NewRat(144, 65), "2.22"}, {big.NewRat(96, 65), "1.48"}} {
		list = append(list, speed{cubeRows()[i].name + "/C64", cubeRows()[i].transmission, ourC64().transmission, c.limit, c.shown, false})
	}
	return list
}

// startupLimits checks the conclusion: 2 and 8/3 times lg N startups.
func startupLimits() []speed {
	lg := func(axes int) func(d int) *big.Rat {
		return func(d int) *big.Rat { return count(axes * d) }
	}
	return []speed{{"T4", ourT4().startups, lg(2), count(2), "", true}, {"C64", ourC64().startups, lg(3), big.NewRat(8, 3), "", true}}
}

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
