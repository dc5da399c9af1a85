package audit

import (
	"context"
	"fmt"
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
