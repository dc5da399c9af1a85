package audit

import (
	"context"
	"fmt"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// Example 1 and Sections 2.3 and 2.4 of seed 004: the routing algorithm as printed.

// whereabouts returns where a block is before GP_0 and after each phase.
func whereabouts(phases []treePhase, b pair) []int {
	at := []int{b.s}
	for _, p := range phases {
		now := at[len(at)-1]
		for _, m := range p.moves {
			if m.from == at[len(at)-1] && slices.Contains(m.blocks, b) {
				now = m.to
			}
		}
		at = append(at, now)
	}
	return at
}

func example1Of004(_ context.Context, _ Limits) Finding {
	var s survey
	phases, _ := runTree(4, 8, appendixReading)
	for _, c := range []struct{ source, first, last, phase, place int }{
		{1, 2, 2, 1, 1}, {1, 3, 9, 1, 2}, // GP_0: b_1^2 stays in v_1, b_1^3..9 go to v_2
		{1, 3, 3, 2, 2}, {1, 4, 5, 2, 2}, {1, 6, 9, 2, 4}, // GP_1
		{3, 5, 11, 1, 4},                                    // GP_0: b_3^5..11 go to v_4
		{3, 5, 5, 2, 4}, {3, 6, 9, 2, 6}, {3, 10, 11, 2, 6}, // GP_1, as printed
	} {
		for t := c.first; t <= c.last; t++ {
			at := whereabouts(phases, pair{c.source, t})[c.phase]
			s.add(at == c.place, differs(fmt.Sprintf("n = 16, b_%d^%d after GP_%d", c.source, t, c.phase-1), fmt.Sprintf("in v_%d", c.place), fmt.Sprintf("in v_%d", at)))
		}
	}
	return s.finding("the printed example, block by block", "b_3^{10..11} are not sent in GP_1, as the example itself says, so they remain in v_4, where they were; it prints v_6")
}

func algorithmOf004(ctx context.Context, l Limits) Finding {
	var s survey
	repaired := 0
	for d := 2; d <= ringExponent(l) && ctx.Err() == nil; d++ {
		_, end := runTree(d, 1<<(d-1), printedReading)
		lost := astray(end)
		s.add(lost == 0, differs(fmt.Sprintf("n = %d", 1<<d), "every block arrives", fmt.Sprintf("%d of %d blocks do not", lost, len(end))))
		_, one := runTree(d, 1<<(d-1), definitionReading)
		_, two := runTree(d, 1<<(d-1), appendixReading)
		if astray(one)+astray(two) == 0 {
			repaired++
		}
	}
	return s.finding(overRings(2, l)+", positive tree",
		fmt.Sprintf("the inner test of GP_l repeats \"v_i in V_l\", so that Case 1 never applies; with V_{l+1} there, which may be a slip of the transcription, all blocks arrive for %d of %d values of d, whichever case GP_{d-2} takes",
			repaired, s.cases))
}

// gatheredAt checks where the proof of correctness says that blocks are after GP_{d-2}.
func gatheredAt(s *survey, d int) {
	n := 1 << d
	for _, how := range []reading{appendixReading, definitionReading} {
		phases, end := runTree(d, n/2, how)
		held := make([][]pair, n)
		for v := range n {
			for j := 1; j <= n/2; j++ {
				held[v] = append(held[v], pair{v, (v + j) % n})
			}
		}
		for _, p := range phases[:d-1] {
			for _, m := range p.moves {
				held[m.from] = slices.DeleteFunc(held[m.from], func(b pair) bool { return slices.Contains(m.blocks, b) })
			}
			for _, m := range p.moves {
				held[m.to] = append(held[m.to], m.blocks...)
			}
		}
		for m, blocks := range held {
			for _, b := range blocks {
				found := false
				for h := 0; h <= d-1; h++ {
					found = found || (inV(d, h, m) || inHat(d, h, m)) && covers(n, h, m, b.t)
				}
				s.add(found && end[b] == b.t, differs(fmt.Sprintf("n = %d, b_%d^%d in v_%d", n, b.s, b.t, m), "covered, and home at the end", fmt.Sprintf("covered: %v, ends in v_%d", found, end[b])))
			}
		}
	}
}

// onePortForms checks the four statements of Section 2.4 about ports.
func onePortForms(s *survey, d int) {
	n := 1 << d
	for l := 0; l <= d-2; l++ {
		where := fmt.Sprintf("n = %d, l = %d", n, l)
		plain := clashes(n, slices.Concat(positiveSends(d, l), negativeSends(d, l, 0)))
		s.add(plain > 0, differs(where, "the phases as defined clash", "they do not"))
		if l > 0 {
			shifted := clashes(n, slices.Concat(positiveSends(d, l), negativeSends(d, l, 1)))
			s.add(shifted == 0, differs(where, "shifted by one they do not clash", fmt.Sprintf("ports and links needed twice: %d", shifted)))
			continue
		}
		for shift := range n {
			moved := clashes(n, slices.Concat(positiveSends(d, 0), negativeSends(d, 0, shift)))
			s.add(moved > 0, differs(where+fmt.Sprintf(", shift %d", shift), "no shift helps", "this one does"))
		}
		for parity := range 2 { // GP_0: odd places send up, even ones down; SP_0: the other way round
			halves := slices.Concat(slices.DeleteFunc(positiveSends(d, 0), func(m [3]int) bool { return m[0]%2 == parity }),
				slices.DeleteFunc(negativeSends(d, 0, 0), func(m [3]int) bool { return m[0]%2 != parity }))
			s.add(clashes(n, halves) == 0, differs(where, "as redefined they do not clash", "they do"))
		}
	}
}

// reroutedBlocks checks that only blocks of distance 1 and 2 used what was removed.
func reroutedBlocks(s *survey, d int) {
	n := 1 << d
	phases, _ := runTree(d, n/2, appendixReading)
	for _, gather := range []bool{true, false} {
		for _, m := range phaseOf(phases, 0, gather).moves {
			if removed := (m.from%2 == 0) == gather; !removed {
				continue
			}
			for _, b := range m.blocks {
				s.add(ahead(n, b.s, b.t) <= 2, differs(fmt.Sprintf("n = %d, b_%d^%d", n, b.s, b.t), "distance at most 2", fmt.Sprint(ahead(n, b.s, b.t))))
			}
		}
	}
}

// rerouting checks the example of Section 2.4 on 16 places, and that the sends of levels
// above 1 are those of the tree before level 0 was changed.
func rerouting(ctx context.Context, l Limits) Finding {
	var s survey
	for d := 4; d <= min(7, ringExponent(l)) && ctx.Err() == nil; d++ {
		plan, err := ringPlan(1 << d)
		if err != nil {
			return broken(err)
		}
		last := 2*d - 3 // SP_0
		for _, c := range []struct{ source, target, phase int }{{0, 1, last}, {0, 2, 1}, {1, 2, 0}} {
			moves := blockPhases(plan, c.source, c.target)
			s.add(slices.Equal(moves, []int{c.phase}), differs(fmt.Sprintf("n = %d, b_%d^%d", 1<<d, c.source, c.target), fmt.Sprintf("phase %d", c.phase+1), fmt.Sprint("phases from 0: ", moves)))
		}
		tree, _ := runTree(d, 1<<(d-1), appendixReading)
		k := 0
		for phase := range plan.Schedule().Phases {
			if min(k, last-k) >= 2 {
				same := sameSends(phase, tree[k].moves)
				s.add(same, differs(fmt.Sprintf("n = %d, phase %d", 1<<d, k+1), "the same positive sends", "others"))
			}
			k++
		}
	}
	return s.finding(fmt.Sprintf("rings of 2^d places, d = 4 to %d", min(7, ringExponent(l))), "")
}

// sameSends reports whether the positive sends of a phase take the same blocks as moves.
func sameSends(phase exchange.Phase, moves []treeMove) bool {
	blocks := map[[3]int]int{} // sender and block: how often in phase, less how often in moves
	for _, send := range phase {
		for _, b := range send.Blocks {
			if send.Dir == core.Plus {
				blocks[[3]int{int(send.From), int(b.From), int(b.To)}]++
			}
		}
	}
	for _, m := range moves {
		for _, b := range m.blocks {
			blocks[[3]int{m.from, b.s, b.t}]--
		}
	}
	for _, difference := range blocks {
		if difference != 0 {
			return false
		}
	}
	return true
}

// oddOverlap checks whether the phases of Section 2.4, with the hops of Section 5, share
// ports on rings of any length. The negative ones are the mirror images under i -> 1-i,
// which on 2^d places are the shifted phases of Section 2.4.
func oddOverlap(ctx context.Context, l Limits) Finding {
	var s, even survey
	for n := 3; n <= 4*l.MaxK && ctx.Err() == nil; n++ {
		for level := 0; 2<<level < n; level++ {
			for _, gather := range []bool{true, false} {
				var sends [][3]int
				for i := 0; i < n; i += 1 << level {
					next := i + 1<<level
					if next >= n {
						next = 0
					}
					if level == 0 && (i%2 == 0) == gather {
						continue
					}
					sends = append(sends, [3]int{i, next, 1}, [3]int{(n + 1 - i) % n, (n + 1 - next) % n, -1})
				}
				twice := clashes(n, sends)
				c := differs(fmt.Sprintf("n = %d, l = %d", n, level), "no port twice", fmt.Sprintf("ports and links needed twice: %d", twice))
				s.add(twice == 0, c)
				if n%2 == 0 {
					even.add(twice == 0, c)
				}
			}
		}
	}
	return s.finding(fmt.Sprintf("rings of 3 to %d places, every phase", 4*l.MaxK),
		fmt.Sprintf("on rings of even length %d of %d phases fail; on odd ones the places at the end of the ring meet, and the program puts negative sends whose ports are taken into phases of their own: leeway exchange --torus 9 --algorithm ring",
			even.failed, even.cases))
}
