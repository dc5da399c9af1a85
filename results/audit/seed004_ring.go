package audit

import (
	"context"
	"fmt"
	"slices"
)

// Sections 2.1 and 2.2 of seed 004: the gather-scatter tree and what it reaches.

// ringExponent returns the largest d for which rings of 2^d places are checked: up to 16
// times the largest side.
func ringExponent(l Limits) int {
	d := 2
	for 2<<d <= 16*l.MaxK {
		d++
	}
	return d
}

// overRings says so, from the least d.
func overRings(least int, l Limits) string {
	return fmt.Sprintf("rings of 2^d places, d = %d to %d", least, ringExponent(l))
}

// onRings makes a check of a statement about the tree on 2^d places, for each d from
// least on.
func onRings(least int, note string, each func(s *survey, d int)) func(context.Context, Limits) Finding {
	return func(ctx context.Context, l Limits) Finding {
		var s survey
		for d := least; d <= ringExponent(l) && ctx.Err() == nil; d++ {
			each(&s, d)
		}
		return s.finding(overRings(least, l), note)
	}
}

// differs is a counterexample without a command.
func differs(where, claimed, truth string) func() Counterexample {
	return func() Counterexample { return Counterexample{Case: where, Claimed: claimed, True: truth} }
}

// inV and inHat report whether v_i is in V_l and in \hat V_l (Definition 2).
func inV(d, l, i int) bool { return l >= 0 && l <= d-2 && i%(1<<l) == 0 }

func inHat(d, l, i int) bool {
	if l == d-1 {
		return inV(d, d-2, i)
	}
	return l >= 1 && inV(d, l-1, i) && !inV(d, l, i)
}

func negativeDistance(s *survey, d int) {
	n := 1 << d
	for i := range n {
		for j := range n {
			links := 0
			for at := i; at != j; at = (at + n - 1) % n {
				links++
			}
			s.equal(fmt.Sprintf("n = %d, dist^-(v_%d, v_%d)", n, i, j), count(n-ahead(n, i, j)), count(links), "")
		}
	}
}

// clashes counts the ports and links that sends of one phase want more than once; dir is
// +1 or -1 for each send.
func clashes(n int, sends [][3]int) int {
	ports, links := map[[2]int]int{}, map[[2]int]int{}
	for _, s := range sends {
		from, to, dir := s[0], s[1], s[2]
		ports[[2]int{0, from}]++
		ports[[2]int{1, to}]++
		for at := from; at != to; at = (at + dir + n) % n {
			links[[2]int{at, dir}]++
		}
	}
	twice := 0
	for _, m := range []map[[2]int]int{ports, links} {
		for _, uses := range m {
			if uses > 1 {
				twice++
			}
		}
	}
	return twice
}

// positiveSends is GP_l^+, and negativeSends GP_l^- moved by a shift.
func positiveSends(d, l int) [][3]int {
	var list [][3]int
	for i := 0; i < 1<<d; i += 1 << l {
		list = append(list, [3]int{i, (i + 1<<l) % (1 << d), 1})
	}
	return list
}

func negativeSends(d, l, shift int) [][3]int {
	var list [][3]int
	n := 1 << d
	for i := 0; i < n; i += 1 << l {
		list = append(list, [3]int{(i + shift) % n, (i + shift - 1<<l + n) % n, -1})
	}
	return list
}

func definition1Of004(s *survey, d int) {
	for l := 0; l <= d-2; l++ {
		for _, sends := range [][][3]int{positiveSends(d, l), negativeSends(d, l, 0)} {
			twice := clashes(1<<d, sends)
			s.add(twice == 0, differs(fmt.Sprintf("n = %d, l = %d", 1<<d, l), "no port or link twice", fmt.Sprint(twice)))
		}
	}
}

// routes counts the ways from s to t that take some of the phases GP_0 to GP_{d-2},
// SP_{d-2} to SP_0 in order, without going past t.
func routes(d, s, t int) int {
	n := 1 << d
	var count func(phase, at int) int
	count = func(phase, at int) int {
		if at == t {
			return 1
		}
		if phase == 2*d-2 {
			return 0
		}
		ways := count(phase+1, at)
		l := min(phase, 2*d-3-phase)
		if at%(1<<l) == 0 && ahead(n, at, t) >= 1<<l {
			ways += count(phase+1, (at+1<<l)%n)
		}
		return ways
	}
	return count(0, s)
}

func figure1Of004(_ context.Context, _ Limits) Finding {
	var s survey
	s.equal("n = 16: routes from v_2 to v_4", count(3), count(routes(4, 2, 4)), "")
	phases, _ := runTree(4, 8, appendixReading)
	s.equal("n = 16: height, the gathering phases", count(3), count(len(phases)/2), "")
	return s.finding("the printed example", "")
}

func definition2Of004(s *survey, d int) {
	for i := range 1 << d {
		for l := 0; l <= d-2; l++ {
			busy := false // in a phase above level l
			for above := l + 1; above <= d-2; above++ {
				for _, send := range positiveSends(d, above) {
					busy = busy || send[0] == i || send[1] == i
				}
			}
			if !inHat(d, l+1, i) {
				continue
			}
			joins := i%(1<<l) == 0
			s.add(joins && !busy, differs(fmt.Sprintf("n = %d, v_%d, l = %d", 1<<d, i, l), "joins GP_l and nothing above", fmt.Sprintf("joins: %v, busy above: %v", joins, busy)))
		}
	}
}

// reached returns by place whether it is reached from i by the scattering phases of the
// levels below top; gathering phases backwards if dir is -1.
func reached(d, top, i, dir int) []bool {
	n := 1 << d
	at := make([]bool, n)
	at[i] = true
	for l := top - 1; l >= 0; l-- {
		after := slices.Clone(at)
		for v := 0; v < n; v += 1 << l { // v sends to v + 2^l
			if w := (v + 1<<l) % n; dir > 0 && at[v] {
				after[w] = true
			} else if dir < 0 && at[w] {
				after[v] = true
			}
		}
		at = after
	}
	return at
}

func coverage(s *survey, d int) {
	n := 1 << d
	for l := 0; l <= d-1; l++ {
		for i := range n {
			if !inV(d, l, i) && !inHat(d, l, i) {
				continue
			}
			forward, back := reached(d, l, i, 1), reached(d, l, i, -1)
			same := true
			for v := range n {
				same = same && forward[v] == covers(n, l, i, v) && back[v] == (ahead(n, v, i) < 1<<l)
			}
			s.add(same, differs(fmt.Sprintf("n = %d, l = %d, v_%d", n, l, i), "2^l places", fmt.Sprint(forward, back)))
		}
	}
}

func lemma1Of004(s *survey, d int) {
	n := 1 << d
	for from := range n {
		for j := 1; j <= n/2; j++ {
			to := (from + j) % n
			path, meet := pathExists(d, from, to), false
			for h := 0; h <= d-1 && !meet; h++ {
				for gone := 0; gone <= j && gone < 1<<h && !meet; gone++ {
					m := (from + gone) % n
					meet = (inV(d, h, m) || inHat(d, h, m)) && covers(n, h, m, to)
				}
			}
			s.add(path && meet, differs(fmt.Sprintf("n = %d, v_%d to v_%d", n, from, to), "a path, through a v_m as in the proof",
				fmt.Sprintf("path: %v, v_m: %v; there are %d phases", path, meet, 2*d-2)))
		}
	}
}

// pathExists reports whether some way through the phases leads from one place to another
// without passing it.
func pathExists(d, from, to int) bool {
	n, span := 1<<d, ahead(1<<d, from, to)
	at := make([]bool, span+1) // by how far the block can have come
	at[0] = true
	for phase := range 2*d - 2 {
		l := min(phase, 2*d-3-phase)
		after := slices.Clone(at)
		for gone, here := range at {
			if here && (from+gone)%n%(1<<l) == 0 && gone+1<<l <= span {
				after[gone+1<<l] = true
			}
		}
		at = after
	}
	return at[span]
}

func lemma1Negative(s *survey, d int) {
	n := 1 << d
	for from := range n {
		for j := 1; j <= n/2; j++ {
			to := (from - j + n) % n
			path := pathExists(d, (n-from)%n, (n-to)%n) // Definition 3 mirrors Definition 1 under i -> -i
			s.add(path, differs(fmt.Sprintf("n = %d, v_%d to v_%d", n, from, to), "a path", "none"))
		}
	}
}

func split(s *survey, d int) {
	n := 1 << d
	for i := range n {
		seen := map[int]int{}
		for j := i + 1; j <= i+n/2; j++ {
			seen[j%n]++
		}
		for j := i - 1; j >= i-(n/2-1); j-- {
			seen[(j+n)%n]++
		}
		s.add(len(seen) == n-1 && seen[i] == 0, differs(fmt.Sprintf("n = %d, v_%d", n, i), fmt.Sprintf("%d destinations, once each", n-1), fmt.Sprint(seen)))
	}
}

// traffic returns by place how many blocks it sends and receives on the positive tree.
func traffic(d int) []int {
	phases, _ := runTree(d, 1<<(d-1), appendixReading)
	sum := make([]int, 1<<d)
	for _, p := range phases {
		for _, m := range p.moves {
			sum[m.from] += len(m.blocks)
			sum[m.to] += len(m.blocks)
		}
	}
	return sum
}

func observation1(s *survey, d int) {
	sum := traffic(d)
	for h := 1; h <= d-2; h++ {
		least, most := -1, 0
		for i, blocks := range sum {
			if inV(d, h, i) && (least < 0 || blocks < least) {
				least = blocks
			}
			if inHat(d, h, i) {
				most = max(most, blocks)
			}
		}
		s.add(least > most, differs(fmt.Sprintf("n = %d, h = %d", 1<<d, h), "V_h is busier", fmt.Sprintf("some v_i in V_h handles %d blocks, some v_j in \\hat V_h %d", least, most)))
	}
}

func caseFacts(s *survey, d int) {
	n := 1 << d
	for l := 0; l <= d-2; l++ {
		for i := 0; i < n; i += 1 << l {
			next := (i + 1<<l) % n
			where := fmt.Sprintf("n = %d, l = %d, v_%d", n, l, i)
			switch {
			case inHat(d, l+1, i): // Case 1
				s.add(inV(d, l+1, next), differs(where, fmt.Sprintf("v_%d is in V_%d, the busier of the two", next, l+1),
					fmt.Sprintf("it is not: in V_%d: %v, in \\hat V_%d: %v", l+1, inV(d, l+1, next), l+1, inHat(d, l+1, next))))
			case inV(d, l+1, i): // Case 2
				s.add(inHat(d, l+1, next), differs(where, fmt.Sprintf("v_%d is in \\hat V_%d", next, l+1), "it is not"))
			}
			for j := range n {
				t := (i + j) % n
				inner := covers(n, l, i, t) == (j < 1<<l)
				both := (covers(n, l+1, i, t) && covers(n, l+1, next, t)) == (1<<l <= j && j < 2<<l)
				reach := covers(n, l+1, next, t) == (1<<l <= j && j < 3<<l)
				s.add(inner && both && reach, differs(where+fmt.Sprintf(", distance %d", j), "coverage as in the three items of both cases", "another"))
			}
		}
	}
}
