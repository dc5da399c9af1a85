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
