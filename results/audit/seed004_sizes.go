package audit

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/objective/exchange/wormhole"
)

// Section 5 of seed 004, rings of any length, and what the abstract and the introduction
// say about paths and cuts.

// anyHops returns the hops of level l on a ring of n places: from the multiples of 2^l to
// the next, or to v_0 where there is none.
func anyHops(n, l int) map[int]int {
	hops := map[int]int{}
	for i := 0; i < n; i += 1 << l {
		hops[i] = 0
		if i+1<<l < n {
			hops[i] = i + 1<<l
		}
	}
	return hops
}

// anyReach reports whether the phases on a ring of n places lead from one place to
// another that is ahead of it, never past it.
func anyReach(n, from, to int) bool {
	d, span := bits.Len(uint(n-1)), ahead(n, from, to)
	at := make([]bool, span+1) // by how far the block can have come
	at[0] = true
	for phase := range 2*d - 2 {
		l := min(phase, 2*d-3-phase)
		after := slices.Clone(at)
		for gone, here := range at {
			v := (from + gone) % n
			if by := min(1<<l, n-v); here && v%(1<<l) == 0 && gone+by <= span {
				after[gone+by] = true
			}
		}
		at = after
	}
	return at[span]
}

func reachAnySize(ctx context.Context, l Limits) Finding {
	var s survey
	for n := 3; n <= 4*l.MaxK && ctx.Err() == nil; n++ {
		for from := range n {
			for j := 1; 2*j <= n; j++ {
				to := (from + j) % n
				s.add(anyReach(n, from, to), func() Counterexample {
					return Counterexample{Case: fmt.Sprintf("n = %d, v_%d to v_%d", n, from, to), Claimed: "a path", True: "none"}
				})
			}
		}
	}
	return s.finding(fmt.Sprintf("rings of 3 to %d places", 4*l.MaxK), "a ring of two has no phases at all, as in Lemma 1")
}

func figure8Of004(_ context.Context, _ Limits) Finding {
	var s survey
	back := map[int]bool{0: true} // who gathers to v_0 on 10 places by the levels 0 to 2
	for l := 2; l >= 0; l-- {
		after := maps.Clone(back) // a place does not pass on what comes in the same phase
		for v, w := range anyHops(10, l) {
			if back[w] {
				after[v] = true
			}
		}
		back = after
	}
	s.add(slices.Equal(slices.Sorted(maps.Keys(back)), []int{0, 5, 6, 7, 8, 9}), differs("n = 10", "GC_3(v_0) = v_0, v_9 to v_5", fmt.Sprint(slices.Sorted(maps.Keys(back)))))
	forward := map[int]bool{12: true}
	for l := 2; l >= 0; l-- {
		for v := range maps.Clone(forward) {
			if w, sends := anyHops(13, l)[v]; sends {
				forward[w] = true
			}
		}
	}
	s.add(slices.Equal(slices.Sorted(maps.Keys(forward)), []int{0, 1, 2, 3, 12}), differs("n = 13", "SC_3(v_12) = v_12, v_0 to v_3", fmt.Sprint(slices.Sorted(maps.Keys(forward)))))
	return s.finding("both printed sets", "")
}

// sizeConjecture compares rings of even length with the next power of two: what the
// checker counts with Theorem 1.
func sizeConjecture(ctx context.Context, l Limits) Finding {
	var s survey
	var more []int
	odd, oddMore, most := 0, 0, max(32, 4*l.MaxK)
	worst := new(big.Rat) // blocks over those of Theorem 1
	for n := 5; n <= most && ctx.Err() == nil; n++ {
		plan, err := ringPlan(n)
		if err != nil {
			return broken(err)
		}
		d := bits.Len(uint(n - 1))
		v := judged(plan.Schedule())
		bound := printedRing(d)
		holds := v.Verdict == "valid" && v.Phases <= 2*d-2 && count(int(v.Transmission)).Cmp(bound) <= 0
		if n%2 == 1 {
			odd++
			if v.Phases > 2*d-2 {
				oddMore++
			}
			continue
		}
		if !holds {
			more = append(more, n)
		}
		worst = larger(worst, new(big.Rat).Quo(count(int(v.Transmission)), bound))
		s.add(holds, func() Counterexample {
			return Counterexample{fmt.Sprintf("n = %d", n), fmt.Sprintf("at most %d startups and %s blocks", 2*d-2, bound.RatString()),
				fmt.Sprintf("%d startups, %d blocks, %s", v.Phases, v.Transmission, v.Verdict), exchangeOn("ring", []int{n})}
		})
	}
	return s.finding(fmt.Sprintf("rings of even length, 6 to %d", most),
		fmt.Sprintf("the bound fails for n = %v, by a factor of %s at most. On odd rings, whose overlap the paper leaves open, the program's schedules take more startups for %d of %d lengths", more, worst.FloatString(3), oddMore, odd))
}

// detours counts the blocks that travel farther than they must, and all.
func detours(plan *wormhole.Plan) (farther, blocks int) {
	t := plan.Torus()
	n := t.N()
	length := make([]int, n*n)
	for phase := range plan.Schedule().Phases {
		for _, send := range phase {
			for _, b := range send.Blocks {
				length[int(b.From)*n+int(b.To)] += span(t, send)
			}
		}
	}
	for u := range n {
		for v := range n {
			distance := 0
			for j := range t.D() {
				distance += core.CyclicDistance(t.Coord(u, j), t.Coord(v, j), t.Side(j))
			}
			if length[u*n+v] > distance {
				farther++
			}
		}
	}
	return farther, n * (n - 1)
}

func shortestPaths(_ context.Context, _ Limits) Finding {
	var s survey
	for _, c := range []struct {
		name  string
		sides []int
	}{{"ring", []int{8}}, {"ring", []int{16}}, {"ring", []int{32}}, {"ring", []int{64}}, {"t1", []int{8, 8}}, {"t1", []int{16, 16}}, {"c1", []int{8, 8, 8}}, {"t4", []int{16, 16}}} {
		plan, err := torusPlan(c.name, c.sides)
		if err != nil {
			return broken(err)
		}
		farther, blocks := detours(plan)
		s.add(farther == 0, func() Counterexample {
			return Counterexample{fmt.Sprintf("%s, sides %v", c.name, c.sides), "all blocks take shortest paths",
				fmt.Sprintf("%d of %d blocks travel farther", farther, blocks), exchangeOn(c.name, c.sides)}
		})
	}
	return s.finding("rings of 8 to 64, T1 on 8x8 and 16x16, C1 on 8x8x8, T4 on 16x16", "the ring exchange, T1 and C1 keep to shortest paths; the preparation of T4 moves blocks one way only")
}

// halves returns the fewest edges between two halves of a graph, of sizes that differ by
// one at most.
func halves(g graph) int {
	best := len(g.edges)
	for side := range 1 << (g.n - 1) {
		if bits.OnesCount(uint(side)) != g.n/2 && bits.OnesCount(uint(side)) != g.n-g.n/2 {
			continue
		}
		cut := 0
		for _, e := range g.edges {
			cut += (side>>e[0] ^ side>>e[1]) & 1
		}
		best = min(best, cut)
	}
	return best
}

func twiceTheBisection(_ context.Context, _ Limits) Finding {
	var s survey
	for n := 2; n <= 4; n++ {
		mesh, torus := halves(productGraph(pathGraph(n), pathGraph(n))), halves(productGraph(ringGraph(n), ringGraph(n)))
		s.add(torus == 2*mesh, differs(fmt.Sprintf("%dx%d", n, n), fmt.Sprint(2*mesh), fmt.Sprint(torus)))
	}
	return s.finding("2x2, 3x3 and 4x4, all halves", "with one link each way on a side of two a 2x2 torus is a mesh")
}
