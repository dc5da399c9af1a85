package wormhole

import (
	"errors"
	"leeway/core/coretest"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core"
)

func machine(startup, perBlock int64) Machine {
	return Machine{big.NewRat(startup, 1), big.NewRat(perBlock, 1)}
}

func planned(s Ranked) bool { return s.Plan != nil }

func label(s Ranked) string { return strings.TrimSpace(s.Name + " " + s.Variant()) }

// TestCrossoversAgainstTrial tries ratios one by one: at each, the scheme of the last crossover at or below it must
// be as fast as any.
func TestCrossoversAgainstTrial(t *testing.T) {
	for _, sides := range [][]int{{16, 16}, {8, 8}, {32, 32}, {12, 20}, {6, 6}, {16, 16, 16}, {8, 8, 8}, {30},
		{3, 4, 5, 2}} {
		tor := core.MustTorus(sides...)
		for ratio := int64(0); ratio < 3000; ratio += 1 + ratio/7 {
			r := coretest.Must(Rank(tor, machine(ratio*3, 3)))
			at := big.NewRat(ratio, 1)
			var now Crossover
			for i, c := range r.Crossovers {
				if i > 0 && c.From.Cmp(r.Crossovers[i-1].From) <= 0 {
					t.Fatalf("%v: crossovers %d and %d do not ascend", sides, i-1, i)
				}
				if c.From.Cmp(at) <= 0 {
					now = c
				}
			}
			if now.Best.Latency.Cmp(r.Best(planned).Latency) != 0 {
				t.Errorf("%v, ratio %d: %s at %v, but the best is %s at %v", sides, ratio, label(now.Best),
					now.Best.Latency, label(r.Best(planned)), r.Best(planned).Latency)
			}
			if !slices.IsSortedFunc(r.Schemes, func(a, b Ranked) int { return a.Latency.Cmp(b.Latency) }) {
				t.Errorf("%v, ratio %d: not ranked", sides, ratio)
			}
		}
	}
}

// TestRankOnSquare checks one latency by hand: T4 on 16x16 has 10 startups and 1152 blocks, so 10*100 + 1152*2*5.
func TestRankOnSquare(t *testing.T) {
	r := coretest.Must(Rank(core.MustTorus(16, 16), machine(100, 10)))
	found := map[string]*big.Rat{}
	for _, s := range r.Schemes {
		found[label(s)] = s.Latency
		if (s.Plan == nil) != slices.Contains([]string{"t-2d1", "t-2d2", "dp-2d"}, s.Name) {
			t.Errorf("%s: plan %v", s.Name, s.Plan)
		}
	}
	if len(found) != 7 || found["t4 published"] == nil || found["t4 published"].Cmp(big.NewRat(12520, 1)) != 0 {
		t.Errorf("latencies %v", found)
	}
	if label(r.Best(planned)) != "t4 balanced" {
		t.Errorf("the best is %s", label(r.Best(planned)))
	}
	if len(r.Refused) != 1 || r.Refused[0].Name != "c64" {
		t.Errorf("refused: %v", r.Refused)
	}
}

func TestRankErrors(t *testing.T) {
	var e *core.InputError
	if _, err := Rank(core.MustTorus(4099), machine(1, 1)); !errors.As(err, &e) {
		t.Errorf("a ring of 4099: error %v", err)
	}
}

// TestAmong plays plans for whole tori with the blocks of random processors only: all must arrive, and no phase is
// without a send.
func TestAmong(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 0))
	for _, c := range [][2]string{{"t4", "8x8"}, {"t1", "5x6"}, {"c1", "3x4x2"}, {"c64", "4x4x4"}, {"t4", "4x12"}} {
		for _, v := range []Variant{Published, Balanced} {
			plan := planOf(t, c[0], c[1], v).Schedule()
			tor := torusOf(plan)
			for range 4 {
				nodes := core.MustPlacement(tor, random.Perm(tor.N())[:2+random.IntN(9)]).Nodes()
				got, err := simulate(Restrict(plan, nodes))
				if err != nil || slices.Contains(got.sizes, 0) {
					t.Errorf("%v among %v: sizes %v, %v", c, nodes, got.sizes, err)
				}
			}
		}
	}
}

// TestRankAmong: each scheme costs what a run of it shows; without turns the packing is the fastest where startups
// cost nothing, a plan where they cost much, with turns the direct packing where they cost nothing.
func TestRankAmong(t *testing.T) {
	_, _, k := packed("8x8", "spaced:t=2", "udr")
	relayed := k.Relayed()
	for _, c := range []struct {
		startup int64
		turning bool
		want    string
	}{{0, false, "pack"}, {1000, false, "t1"}, {0, true, "direct"}, {1000, true, "t1"}} {
		r := k.RankAmong(relayed, machine(c.startup, 1), c.turning)
		first := slices.IndexFunc(r.Schemes, func(s Ranked) bool { return c.turning || s.Name != RankedDirect })
		if best := r.Schemes[first]; best.Name != c.want || r.Crossovers[0].From.Sign() != 0 ||
			r.Crossovers[len(r.Crossovers)-1].Best.Name != "t1" {
			t.Errorf("%+v: the best is %s; crossovers %v", c, label(best), r.Crossovers)
		}
		for _, s := range r.Schemes {
			if s.Plan == nil {
				continue
			}
			got, err := simulate(Restrict(s.Plan.Schedule(), k.processors))
			if err != nil || s.Startups.Cmp(big.NewInt(int64(len(got.sizes)))) != 0 ||
				s.Transmission.Cmp(big.NewInt(int64(total(got.sizes)))) != 0 {
				t.Errorf("%s: %v startups, %v blocks, a run has %v: %v", label(s), s.Startups, s.Transmission,
					got.sizes, err)
			}
		}
	}
}

// TestAmongOfLarge: tori of more than 1024 nodes have no plans in the ranking, and say why.
func TestAmongOfLarge(t *testing.T) {
	_, _, k := packed("36x36", "nodes:0,0+3,4", "odr")
	r := k.RankAmong(k.Relayed(), machine(1, 1), false)
	if len(r.Schemes) != 2 || !slices.ContainsFunc(r.Refused, func(f Refusal) bool { return f.Name == "plans" }) {
		t.Errorf("%+v", r)
	}
}

// ringForm returns the startups and the transmission of the published exchange on a ring of 2^d places (seed 004,
// Lemma 6 and Theorem 1; below 8 places docs/exchange.md, R5): with n = 2^d, (31/96) n^2/2 + n/8 - 1/3 for d <= 5,
// above it (65/192) n^2/2 - n/4 - 1/3, and 3 more (d = 3) or 2 for the shared ports.
func ringForm(d int) (startups, transmission *big.Int) {
	startups = big.NewInt(int64(max(d, 2*d-2)))
	switch {
	case d <= 2:
		return startups, big.NewInt([]int64{0, 1, 4}[d])
	case d <= 5:
		v := sum(times(31, 2*d-1), sum(times(96, d-3), big.NewInt(-32)))
		return startups, sum(v.Quo(v, big.NewInt(96)), big.NewInt([]int64{3, 2, 2}[d-3]))
	}
	v := sum(times(65, 2*d-1), sum(times(-192, d-2), big.NewInt(-64)))
	return startups, sum(v.Quo(v, big.NewInt(192)), big.NewInt(2))
}

// published are the closed forms of the plans on sides 2^d (seed 004, sections 2 to 4).
var published = []formula{
	{"ring", 1, 1, ringForm},
	{"t1", 2, 1, func(d int) (*big.Int, *big.Int) { s, b := ringForm(d); return product(2, 0, s), product(2, d, b) }},
	{"t4", 2, 2, func(d int) (*big.Int, *big.Int) {
		s, b := ringForm(d - 1)
		return sum(big.NewInt(2), product(2, 0, s)), sum(times(1, 2*d), product(8, d-1, b))
	}},
	{"c1", 3, 1, func(d int) (*big.Int, *big.Int) { s, b := ringForm(d); return product(3, 0, s), product(3, 2*d, b) }},
	{"c64", 3, 3, func(d int) (*big.Int, *big.Int) {
		s, b := ringForm(d - 2)
		return sum(big.NewInt(9), product(4, 0, s)), sum(times(9, 3*d-1), product(256, 2*(d-2), b))
	}},
}

func product(factor, shift int, x *big.Int) *big.Int {
	return new(big.Int).Mul(times(factor, shift), x)
}

// valueOf returns a closed form at d.
func valueOf(t *testing.T, name string, d int) (startups, transmission *big.Int) {
	t.Helper()
	for _, f := range slices.Concat(published, formulas) {
		if f.name == name {
			return f.cost(d)
		}
	}
	t.Fatalf("no scheme %s", name)
	return nil, nil
}

// TestFormulasAgainstPlans compares the closed forms with the plans that have them. That of the balanced ring is 2^d
// + 2 sum over l = 1..d-3 of max(2^(d+l-1) - 5 2^(2l-1) + 2^l, 7 2^(2l-2)) + 2^(2d-6) + 2^(d-2) in 2d-3 startups.
func TestFormulasAgainstPlans(t *testing.T) {
	for _, f := range published {
		for d := f.least; d*f.axes <= 20 && d <= 8; d++ {
			torus := core.MustTorus(slices.Repeat([]int{1 << d}, f.axes)...)
			p := coretest.Must(planMakers[f.name](torus, Published))
			startups, transmission := f.cost(d)
			if cost := p.Cost(); startups.Int64() != int64(cost.Startups) ||
				transmission.Int64() != int64(cost.Transmission) {
				t.Errorf("%s, d = %d: formula %v and %v, plan %+v", f.name, d, startups, transmission, cost)
			}
		}
	}
	for d := 4; d <= 8; d++ {
		want := 1<<d + 1<<(2*d-6) + 1<<(d-2)
		for l := 1; l <= d-3; l++ {
			want += 2 * max(1<<(d+l-1)-5<<(2*l-1)+1<<l, 7<<(2*l-2))
		}
		if cost := ringSchedule(1<<d, Balanced).Cost(); cost.Startups != 2*d-3 || cost.Transmission != want {
			t.Errorf("balanced ring, d = %d: formula %d and %d, plan %+v", d, 2*d-3, want, cost)
		}
	}
}

// TestReferenceFormulas evaluates tables 3 and 4 of seed 004 by hand at d = 5: T-2D1 9*2^11 + 3*2^9, T-3D1 5*2^18 +
// 8*2^14, and so on. Table 4 prints 8d-25 startups for C64; the phases of section 4 are 8d-15, which is 25.
func TestReferenceFormulas(t *testing.T) {
	for _, c := range []struct {
		name                   string
		d                      int
		startups, transmission int64
	}{
		{"t-2d1", 5, 12, 9*2048 + 3*512}, {"t-2d2", 5, 24, 3 * 4096}, {"dp-2d", 5, 18, 8192 + 1024},
		{"t-3d1", 5, 18, 5*262144 + 8*16384}, {"t-3d2", 5, 29, 3*131072 + 5*16384}, {"dp-3d", 5, 21, 262144 + 5*16384},
		{"c64", 5, 25, 376832}, {"t4", 4, 10, 1152},
	} {
		if startups, transmission := valueOf(t, c.name, c.d); startups.Int64() != c.startups ||
			transmission.Int64() != c.transmission {
			t.Errorf("%s: %v and %v, want %d and %d", c.name, startups, transmission, c.startups, c.transmission)
		}
	}
}

// TestLimits: the ratios of table 5 of seed 004, seen at d = 40.
func TestLimits(t *testing.T) {
	const d = 40
	value := func(name string) *big.Int { _, v := valueOf(t, name, d); return v }
	for _, c := range []struct {
		name       string
		above, den *big.Int
		limit      *big.Rat
	}{
		{"t-2d1/t4", value("t-2d1"), value("t4"), big.NewRat(216, 65)},
		{"t-2d2/t4", value("t-2d2"), value("t4"), big.NewRat(144, 65)},
		{"dp-2d/t4", value("dp-2d"), value("t4"), big.NewRat(96, 65)},
		{"t-3d1/c64", value("t-3d1"), value("c64"), big.NewRat(480, 65)},
		{"t4/bound", value("t4"), times(1, 3*d-3), big.NewRat(65, 48)},   // n^3/8
		{"c64/bound", value("c64"), times(1, 4*d-3), big.NewRat(65, 48)}, // n^4/8
	} {
		off := new(big.Rat).SetFrac(c.above, c.den)
		off.Sub(off, c.limit).Abs(off)
		if off.Cmp(big.NewRat(1, 1e8)) > 0 {
			t.Errorf("%s is off its limit %v by %s", c.name, c.limit, off.FloatString(12))
		}
	}
}
