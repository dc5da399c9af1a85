package bisect

import (
	"fmt"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
)

// guarantee returns the width that the appendix of seed 000 promises: 2 d N/k
// pairs of neighbours in the array, k the longest side, and N/k_j around
// dimension j, each joined both ways. On equal sides it is 6 d k^(d-1).
func guarantee(t *core.Torus) int {
	longest, around := 0, 0
	for j := range t.D() {
		longest = max(longest, t.Side(j))
		around += t.N() / t.Side(j)
	}
	return 2 * (2*t.D()*t.N()/longest + around)
}

// TestProposition1 tests the guarantee of the hyperplane sweep (seed 000,
// Proposition 1 and Corollary 1) on random placements, and that each step brings
// one node, which the proof rests on.
func TestProposition1(t *testing.T) {
	if got := guarantee(core.MustTorus(5, 5, 5)); got != 6*3*25 {
		t.Fatalf("6 d k^(d-1) is 450 for 5x5x5, not %d", got)
	}
	for i := range 400 {
		rng := coretest.Rng(35, i)
		torus := coretest.Torus(rng, 300)
		p := coretest.Placement(rng, torus)
		q := Half(p)
		set := Sweep(q)
		if !q.fits(processorsInside(p, set)) || 2*CapacityOut(torus, set) > guarantee(torus) {
			t.Fatalf("case %d, %s, nodes %v: %d processors in S, width %d, guarantee %d", i, torus, p.Nodes(),
				processorsInside(p, set), 2*CapacityOut(torus, set), guarantee(torus))
		}
	}
}

// TestOrdersArePermutations: every order has every node once, from any origin.
func TestOrdersArePermutations(t *testing.T) {
	for i := range 100 {
		rng := coretest.Rng(36, i)
		torus := coretest.AnyNetwork(rng, 100)
		origin := rng.IntN(torus.N())
		for _, order := range append(levelOrders(torus), hyperplane(torus, 0)) {
			order = rotated(torus, order, origin)
			if order[0] != origin {
				t.Fatalf("%s from %d: begins at %d", torus, origin, order[0])
			}
			if _, err := core.NewPlacement(torus, order); err != nil || len(order) != torus.N() {
				t.Fatalf("%s from %d: %v: %v", torus, origin, order, err)
			}
		}
	}
}

// TestPrefixesCountAnew counts the processors and links of every prefix anew.
func TestPrefixesCountAnew(t *testing.T) {
	for i := range 50 {
		rng := coretest.Rng(39, i)
		torus := coretest.Torus(rng, 40)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		p := coretest.Placement(rng, torus)
		order := rng.Perm(torus.N())
		newGraph(torus).prefixes(order, p.Set(), func(length, count, out int) {
			set := core.NewSet(torus.N())
			for _, v := range order[:length] {
				set.Add(v)
			}
			if count != processorsInside(p, set) || out != CapacityOut(torus, set) {
				t.Fatalf("case %d, %s, nodes %v: %d processors, %d links, counted %d and %d", i, torus, set.Nodes(),
					count, out, processorsInside(p, set), CapacityOut(torus, set))
			}
		})
	}
}

// TestTheorem1 tests the two slab cuts of seed 000, Theorem 1, on uniform
// placements with an even side: the width is at most 4 k^(d-1).
func TestTheorem1(t *testing.T) {
	for _, c := range []struct{ torus, placement string }{{"4x4", "linear"}, {"8x8", "spaced:t=3"}, {"6^3", "linear"},
		{"4^4", "full"}, {"2^5", "full"}} {
		torus := coretest.Must(core.ParseTorus(c.torus))
		p := coretest.Must(family.Parse(torus, c.placement))
		set, ok := bandCut(Half(p))
		if !ok || 2*processorsInside(p, set) != p.Size() || 2*CapacityOut(torus, set) > 4*torus.N()/torus.Side(0) {
			t.Errorf("%s %s: %v, %d of %d processors, width %d", c.torus, c.placement, ok, processorsInside(p, set), p.Size(),
				2*CapacityOut(torus, set))
		}
	}
}

// TestMiddleAgainstAllBands looks at all bands of slabs.
func TestMiddleAgainstAllBands(t *testing.T) {
	for i := range 300 {
		rng := coretest.Rng(37, i)
		torus := coretest.Torus(rng, 60)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		p := coretest.Placement(rng, torus)
		for j := range torus.D() {
			counts := p.SlabCounts(j)
			want := p.Size()
			for start := range counts {
				count := 0
				for length := 1; length < len(counts); length++ {
					count += counts[(start+length-1)%len(counts)]
					want = min(want, abs(2*count-p.Size()))
				}
			}
			b := Middle(p, j)
			set := b.Set(torus)
			if torus.Open(j) {
				if in := processorsInside(p, set); !bestBand(p, j, in*(p.Size()-in), CapacityOut(torus, set)) ||
					b.CapacityOut(torus) != CapacityOut(torus, set) {
					t.Fatalf("case %d, %s, nodes %v: %+v is not the best band", i, torus, p.Nodes(), b)
				}
				continue
			}
			if got := abs(2*processorsInside(p, set) - p.Size()); got != want || b.Count != processorsInside(p, set) ||
				b.CapacityOut(torus) != CapacityOut(torus, set) {
				t.Fatalf("case %d, %s, nodes %v: %+v is %d off the middle, want %d", i, torus, p.Nodes(), b, got, want)
			}
		}
	}
}

// bestBand reports whether no slabs between two cuts across dimension j have more pairs for the
// capacity out of them.
func bestBand(p core.Placement, j, pairs, out int) bool {
	t := p.Torus()
	for from := range t.Side(j) {
		for to := from; to < t.Side(j); to++ {
			set := core.NewSet(t.N())
			for v := range t.N() {
				if c := t.Coord(v, j); from <= c && c <= to {
					set.Add(v)
				}
			}
			if in := processorsInside(p, set); in*(p.Size()-in)*out > pairs*CapacityOut(t, set) {
				return false
			}
		}
	}
	return true
}

// TestRefineKeepsCount: local moves never widen a cut, and the links that they
// say leave do.
func TestRefineKeepsCount(t *testing.T) {
	for i := range 200 {
		rng := coretest.Rng(38, i)
		torus := coretest.Torus(rng, 100)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		p := coretest.Placement(rng, torus)
		q := Half(p)
		start := Sweep(q)
		set, out := newGraph(torus).refine(q, start)
		if out != CapacityOut(torus, set) || out > CapacityOut(torus, start) || !q.fits(processorsInside(p, set)) {
			t.Fatalf("case %d, %s, nodes %v: %d links out, said to be %d, from %d", i, torus, p.Nodes(),
				CapacityOut(torus, set), out, CapacityOut(torus, start))
		}
	}
}

func TestShareRefusesBadAlpha(t *testing.T) {
	p := family.Random(core.MustTorus(3, 3), 5, 1)
	for _, c := range []struct {
		num, den int64
		least    int
	}{{1, 3, 2}, {1, 2, 2}, {1, 5, 1}, {1, 1000, 1}, {0, 1, -1}, {-1, 3, -1}, {2, 3, -1}} {
		q, err := Share(p, big.NewRat(c.num, c.den))
		if (err != nil) != (c.least < 0) || err == nil && q.Least != c.least {
			t.Errorf("alpha %d/%d of 5: at least %d, %v; want %d", c.num, c.den, q.Least, err, c.least)
		}
	}
}

// TestSparsestAgainstAllSets compares with every set on small tori, also when the
// exact engine gets no help but a single processor.
func TestSparsestAgainstAllSets(t *testing.T) {
	cases, nodes := 200, 18
	if testing.Short() {
		cases, nodes = 120, 13
	}
	for i := range cases {
		rng := coretest.Rng(33, i)
		torus := coretest.Torus(rng, nodes)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		p := coretest.Placement(rng, torus)
		set, exact := Sparsest(t.Context(), p)
		if p.Size() < 2 {
			if set != nil || !exact {
				t.Fatalf("case %d: a cut %v for %d processors", i, set, p.Size())
			}
			continue
		}
		alone := &sparse{graph: newGraph(torus), placement: p, processors: p.Set()}
		alone.take(alone.setOf([]int{Corner(p)}))
		if !exact || !alone.exact(t.Context()) {
			t.Fatalf("case %d, %s, nodes %v: not exact", i, torus, p.Nodes())
		}
		for _, got := range []core.Set{set, alone.set} {
			if problem := notSparsest(p, got); problem != "" {
				t.Fatalf("case %d, %s, nodes %v: %s", i, torus, p.Nodes(), problem)
			}
		}
	}
}

// notSparsest says why a set is not the sparsest of all, "" if it is.
func notSparsest(p core.Placement, set core.Set) string {
	n, count, out := p.Size(), processorsInside(p, set), CapacityOut(p.Torus(), set)
	reached := false
	for c, least := range narrowest(p) {
		if least == 0 { // the empty set or all nodes
			continue
		}
		switch sign := c*(n-c)*out - count*(n-count)*least; {
		case sign > 0:
			return fmt.Sprintf("%d|%d by %d links, but %d|%d by %d is sparser", count, n-count, out, c, n-c, least)
		case sign == 0:
			reached = true
		}
	}
	if !reached {
		return fmt.Sprintf("%d|%d by %d links is sparser than any set", count, n-count, out)
	}
	return ""
}

// TestBoxes counts processors and links of the best box anew.
func TestBoxes(t *testing.T) {
	for i := range 100 {
		rng := coretest.Rng(34, i)
		torus := coretest.Torus(rng, 60)
		if i%2 == 1 {
			torus = coretest.Opened(rng, torus)
		}
		p := coretest.Placement(rng, torus)
		if p.Size() < 2 {
			continue
		}
		s := &sparse{graph: newGraph(torus), placement: p, processors: p.Set()}
		s.boxes()
		if processorsInside(p, s.set) != s.count || CapacityOut(torus, s.set) != s.out {
			t.Fatalf("case %d, %s, nodes %v: box %v has %d processors and %d links, said to have %d and %d",
				i, torus, p.Nodes(), s.set.Nodes(), processorsInside(p, s.set), CapacityOut(torus, s.set), s.count, s.out)
		}
	}
}

// TestSparsestBlock has two blocks of 2x2 processors far apart: one block leaves by
// 8 links, and no set of fewer links holds two processors or more.
func TestSparsestBlock(t *testing.T) {
	torus := core.MustTorus(12, 12)
	p := coretest.Must(core.PlacementFromCoords(torus, [][]int{{3, 3}, {3, 4}, {4, 3}, {4, 4}, {9, 9}, {9, 10}, {10, 9},
		{10, 10}}))
	set, _ := Sparsest(t.Context(), p)
	if got := 8 * processorsInside(p, set) * (8 - processorsInside(p, set)); got != 16*CapacityOut(torus, set) {
		t.Errorf("%d processors by %d links, want 4 by 8", processorsInside(p, set), CapacityOut(torus, set))
	}
}
