package bounds

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	engine "leeway/objective/margin"
	"leeway/results/check/meter"
)

// margins returns the margin bound that a search would write down.
func margins(t *testing.T, r routing.Routing, n int, effort int64) lowerbound.Bound {
	t.Helper()
	result, err := engine.LowerBound(context.Background(), r, n, effort)
	if err != nil {
		t.Fatal(err)
	}
	b := lowerbound.Bound{Name: lowerbound.Margin, Value: result.Value}
	if result.Refuted != nil {
		b.Witness = lowerbound.Witness{Refuted: result.Refuted.RatString(), Denominator: result.Denominator.String()}
	}
	return b
}

// denominator returns the D whose multiples of 1/D margins refute under r.
func denominator(r routing.Routing) *big.Int {
	result, err := engine.LowerBound(context.Background(), r, 1, 0)
	if err != nil {
		panic(err)
	}
	return result.Denominator
}

// step returns b with its claim moved by a number of multiples of 1/D.
func step(r routing.Routing, b lowerbound.Bound, by int64) lowerbound.Bound {
	move := new(big.Rat).SetFrac(big.NewInt(by), denominator(r))
	limit := new(big.Rat).Sub(b.Value, new(big.Rat).SetFrac(big.NewInt(1), denominator(r)))
	return lowerbound.Bound{Name: b.Name, Value: new(big.Rat).Add(b.Value, move),
		Witness: lowerbound.Witness{Refuted: limit.Add(limit, move).RatString(), Denominator: denominator(r).String()}}
}

// TestMarginIsConfirmedExactly compares the two programs: what the one proves is confirmed, and the next limit, for
// which margins exist, is not.
func TestMarginIsConfirmedExactly(t *testing.T) {
	cases := 600
	if testing.Short() {
		cases = 120
	}
	above := 0
	for i := range cases {
		rng := coretest.Rng(41, i)
		torus := coretest.Torus(rng, 40)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		r := coretest.Routing(rng, torus)
		n := 1 + rng.IntN(torus.N())
		result, err := engine.LowerBound(context.Background(), r, n, 1e7)
		if err != nil {
			t.Fatal(err)
		}
		b := margins(t, r, n, 1e7)
		if problem := marginProblem(meter.Unlimited(context.Background()), r, n, nil, b); problem != "" {
			t.Errorf("%s %s n=%d: %s is not confirmed: %s", torus, r, n, b.Value.RatString(), problem)
		}
		if b.Value.Sign() > 0 {
			above++
		}
		if next := step(r, b, 1); result.Complete &&
			marginProblem(meter.Unlimited(context.Background()), r, n, nil, next) == "" {
			t.Errorf("%s %s n=%d: %s is confirmed, but margins exist below it", torus, r, n, next.Value.RatString())
		}
	}
	if above < cases/2 {
		t.Errorf("only %d of %d bounds are above 0", above, cases)
	}
}

// TestMarginsAgainstAll compares both programs with the statement of docs/margin-bound.md, gone through without any
// thought: all margins, and all patterns of each.
func TestMarginsAgainstAll(t *testing.T) {
	cases, refuted, pairs := 300, 0, 0
	if testing.Short() {
		cases = 60
	}
	for i := range cases {
		rng := coretest.Rng(44, i)
		torus := coretest.Torus(rng, 25)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		r, n := coretest.Orders(rng, torus), 2+rng.IntN(min(torus.N()-1, 14))
		result, err := engine.LowerBound(t.Context(), r, n, 1e7)
		if err != nil {
			t.Fatal(err)
		}
		den := denominator(r)
		units := new(big.Rat).Mul(result.Value, new(big.Rat).SetInt(den)).Num().Int64()
		for _, limit := range []int64{units - 2, units - 1, units, units + int64(rng.IntN(3))} {
			limit := big.NewRat(max(0, limit), den.Int64())
			want, paired := plainlyRefuted(r, n, limit)
			if have := refuteWithin(meter.Unlimited(t.Context()), r, n, nil, limit) == ""; have != want {
				t.Fatalf("%s %s n=%d: the checker says %v of %s, want %v", torus, r, n, have, limit, want)
			}
			if have := engine.Refutes(t.Context(), r, n, nil, limit, 1e7); have != want {
				t.Fatalf("%s %s n=%d: the engine says %v of %s, want %v", torus, r, n, have, limit, want)
			}
			if want {
				refuted++
			}
			if paired {
				pairs++
			}
		}
	}
	if refuted < cases/2 || refuted > 7*cases/2 || pairs < cases/8 {
		t.Errorf("%d of %d limits are refuted, %d by patterns", refuted, 4*cases, pairs)
	}
}

// plainlyRefuted reports whether some dimension has no margins within a limit, or some pair has none that leave room
// for each other, and whether it takes a pair.
func plainlyRefuted(r routing.Routing, n int, limit *big.Rat) (refuted, paired bool) {
	t := r.Torus()
	for s := range t.D() {
		if len(plainRooms(r, s, s, n, limit)) == 0 {
			return true, false
		}
	}
	for s := range t.D() {
		for o := range s {
			if _, unit := firstPart(meter.Unlimited(context.Background()), r, s, o); unit == 0 {
				continue
			}
			goes := false
			others := plainRooms(r, o, s, n, limit)
			for p, q := range plainRooms(r, s, o, n, limit) {
				for p2, q2 := range others {
					goes = goes || p2 <= q && p <= q2
				}
			}
			if !goes {
				return true, true
			}
		}
	}
	return false, false
}

// plainRooms returns, by the largest count of a margin across s within a limit, the size of the largest pattern across
// o that such a margin has room for, 0 where s = o.
func plainRooms(r routing.Routing, s, o, n int, limit *big.Rat) map[int]int {
	t, m := r.Torus(), meter.Unlimited(context.Background())
	k := t.Side(s)
	first, unit := firstPart(m, r, s, o)
	slab := slabShares(m, r, s)
	within := func(load, links int64) bool { // of halves
		most := new(big.Rat).Mul(limit, big.NewRat(2*unit*links*int64(t.Bandwidth(s)), 1))
		return big.NewRat(load, 1).Cmp(most) <= 0
	}
	fits := func(links int, pattern, count []int) bool {
		for _, share := range slab {
			load := int64(0)
			for x := range k {
				for y := range k {
					load += share[x][y] * (first*int64(pattern[x]*count[y]) + (unit-first)*int64(count[x]*pattern[y]))
				}
			}
			if !within(load, int64(links)) {
				return false
			}
		}
		return true
	}
	rooms := map[int]int{}
	for count := range vectors(slices.Repeat([]int{t.N() / k}, k)) {
		if sum(count) != n || !fits(t.N()/k, count, count) || !halved(t, s, count, limit) {
			continue
		}
		best := 0
		if s != o {
			cell := t.N() / k / t.Side(o)
			room := make([]int, k)
			for x, v := range count {
				room[x] = min(v, cell)
			}
			for pattern := range vectors(room) {
				if size := sum(pattern); size > best && fits(cell, pattern, count) {
					best = size
				}
			}
		}
		top := slices.Max(count)
		rooms[top] = max(rooms[top], best)
	}
	return rooms
}

// halved reports whether no k/2 neighbouring slabs of a ring exchange more with the others than the links of their
// boundaries carry.
func halved(t *core.Torus, s int, count []int, limit *big.Rat) bool {
	k := t.Side(s)
	for x := range k {
		inside := 0
		for i := range k / 2 {
			inside += count[(x+i)%k]
		}
		product := int64(inside * (sum(count) - inside))
		most := new(big.Rat).Mul(limit, big.NewRat(int64(min(2, k-1)*(t.N()/k)*t.Bandwidth(s)), 1))
		if !t.Open(s) && big.NewRat(product, 1).Cmp(most) > 0 {
			return false
		}
	}
	return true
}

// vectors goes through all lists of numbers from 0 to most.
func vectors(most []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		list := make([]int, len(most))
		for {
			if !yield(list) {
				return
			}
			x := 0
			for ; x < len(list) && list[x] == most[x]; x++ {
				list[x] = 0
			}
			if x == len(list) {
				return
			}
			list[x]++
		}
	}
}

// TestFeasibleLimitsAreNotConfirmed claims of random placements that they do not exist.
func TestFeasibleLimitsAreNotConfirmed(t *testing.T) {
	for i := range 300 {
		rng := coretest.Rng(42, i)
		in := coretest.Random(rng, 30)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.Network(rng, 30))
		}
		if in.Placement.Size() < 1 {
			continue
		}
		most, _ := objective.Naive(in.Routing, in.Placement).Max()
		den := new(big.Rat).SetInt(denominator(in.Routing))
		limit := new(big.Rat).SetFrac(objective.NumeratorUp(most, den.Num()), den.Num())
		claim := lowerbound.Bound{Value: new(big.Rat).Add(limit, new(big.Rat).Inv(den)),
			Witness: lowerbound.Witness{Refuted: limit.RatString(), Denominator: den.Num().String()}}
		if marginProblem(meter.Unlimited(context.Background()), in.Routing, in.Placement.Size(), nil, claim) == "" {
			t.Errorf("%s: confirmed that E_max is above %s", in, limit.RatString())
		}
	}
}

// TestMarginTargetsAreConfirmed has the largest limits refuted that are found in about a second, and the next refused.
func TestMarginTargetsAreConfirmed(t *testing.T) {
	for _, c := range []struct {
		k, n    int
		routing string
		value   int64
	}{{8, 15, "udr:tie=both", 4}, {8, 16, "udr:tie=both", 4}, {10, 19, "udr:tie=both", 5},
		{10, 20, "udr:tie=both", 5}, {12, 24, "udr:tie=both", 6}, {9, 18, "odr", 8},
		{10, 20, "odr", 10}, {12, 24, "odr", 12}} {
		r := coretest.Must(routing.Parse(core.MustTorus(c.k, c.k), c.routing))
		claim := step(r, lowerbound.Bound{Value: big.NewRat(c.value, 1)}, 0)
		m := meter.New(t.Context(), meter.Limits{Steps: 1 << 28})
		err := m.Run(func() {
			if problem := marginProblem(m, r, c.n, nil, claim); problem != "" {
				t.Errorf("%dx%d %s n=%d: %s", c.k, c.k, r, c.n, problem)
			}
			if marginProblem(m, r, c.n, nil, step(r, claim, 1)) == "" {
				t.Errorf("%dx%d %s n=%d: more than %d is confirmed", c.k, c.k, r, c.n, c.value)
			}
		})
		if err != nil {
			t.Errorf("%dx%d %s n=%d: %v", c.k, c.k, r, c.n, err)
		}
	}
}

// marginProblem says why margins do not rule out what a bound says that they do.
func marginProblem(m *meter.Meter, r routing.Routing, n int, known *conditions, b lowerbound.Bound) string {
	if b.Value.Sign() == 0 {
		return ""
	}
	limit, ok := new(big.Rat).SetString(b.Witness.Refuted)
	if !ok || limit.Cmp(b.Value) >= 0 {
		return "it refutes nothing"
	}
	return refuteMargins(m, r, n, known, limit)
}

// named returns the bound of that name.
func named(bounds []lowerbound.Bound, name string) lowerbound.Bound {
	return bounds[slices.IndexFunc(bounds, func(b lowerbound.Bound) bool { return b.Name == name })]
}

func TestMarginBoundsAreConfirmed(t *testing.T) {
	for _, dims := range [][]int{{8}, {6, 6}, {8, 8}, {9, 9}, {4, 6}, {4, 4, 4}, {5, 5, 5}, {2, 2, 2, 2}} {
		torus := core.MustTorus(dims...)
		for _, r := range []routing.Routing{routing.NewUDR(torus, routing.TieBoth), routing.NewAvoid(torus, routing.TieBoth),
			routing.NewMinimal(torus, routing.TiePlus)} {
			n := torus.N() / torus.Side(0) * 2
			if torus.D() > 2 {
				n /= 2
			}
			claim := named(bound.SizeBounds(r, n), lowerbound.Margin)
			if problem := marginProblem(meter.Unlimited(context.Background()), r, n, nil, claim); problem != "" {
				t.Errorf("%s %s n=%d: %s: %s", torus, r, n, claim.Value.RatString(), problem)
			}
		}
	}
}

// TestMarginBoundsUnderTablesWithGaps confirms what margins say where a table by pair lists the pairs of one placement
// only, and refuses one step more; nothing needs the other pairs.
func TestMarginBoundsUnderTablesWithGaps(t *testing.T) {
	for i := range 40 {
		rng := coretest.Rng(43, i)
		torus := coretest.Torus(rng, 40)
		p := coretest.Placement(rng, torus)
		used := p.Set()
		var entries []routing.TableEntry
		for all, from := coretest.Table(rng, torus, true), 0; from < torus.N(); from++ {
			for to := range torus.N() {
				if from != to && used.Has(from) && used.Has(to) {
					entries = append(entries, routing.TableEntry{From: from, To: to, Paths: all.Choices(from, to)})
				}
			}
		}
		r, err := routing.NewTable(torus, true, entries)
		if err != nil {
			t.Fatal(err)
		}
		n := max(1, p.Size())
		result, err := engine.LowerBound(context.Background(), r, n, 1e7)
		if err != nil {
			t.Fatal(err)
		}
		b := margins(t, r, n, 1e7)
		if problem := marginProblem(meter.Unlimited(t.Context()), r, n, nil, b); problem != "" {
			t.Errorf("%s n=%d: %s is not confirmed: %s", torus, n, b.Value.RatString(), problem)
		}
		if next := step(r, b, 1); result.Complete && marginProblem(meter.Unlimited(t.Context()), r, n, nil, next) == "" {
			t.Errorf("%s n=%d: %s is confirmed, %s is the bound", torus, n, next.Value.RatString(), b.Value.RatString())
		}
	}
}

// BenchmarkConfirmMargin is what a search under odr waits for before it claims its lower bound.
func BenchmarkConfirmMargin(b *testing.B) {
	r, err := routing.Parse(core.MustTorus(8, 8), "odr")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{16, 30} {
		claim := named(bound.SizeBounds(r, n), lowerbound.Margin)
		b.Run(fmt.Sprintf("8x8 n=%d odr", n), func(b *testing.B) {
			for b.Loop() {
				if problem := marginProblem(meter.Unlimited(context.Background()), r, n, nil, claim); problem != "" {
					b.Fatal(problem)
				}
			}
		})
	}
}
