package audit

import (
	"context"
	"fmt"
	"slices"
)

// What the gather-scatter tree of seed 004 reaches: Figure 1, Definition 2, Lemma 1.

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
