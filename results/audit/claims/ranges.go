package claims

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"

	"leeway/core"
	"leeway/results/audit/model"
)

// linkOf names a link of a setting.
func linkOf(s model.Setting, l core.Link) text {
	from, port := s.Torus().LinkFrom(l)
	return say("%s, link from %s along axis %d, %s", s, point(s.Torus(), from), port.Dim, port.Dir)
}

// point is the coordinates of a node, "(0,1)".
func point(t *core.Torus, v int) later {
	return func() string { return "(" + core.JoinInts(t.Coords(v), ",") + ")" }
}

// fromTo names a pair of nodes.
func fromTo(t *core.Torus, p, q int) text {
	return say("torus %s, from %s to %s", t, point(t, p), point(t, q))
}

// fromZero names a pair of nodes up to translation.
func fromZero(t *core.Torus, q int) text { return say("torus %s, from node 0 to %s", t, point(t, q)) }

// axes are the numbers of axes of the tori of a check.
type axes []int

// cubes yields the tori with the given numbers of axes and equal sides from least to what the limits allow: axes
// first, then sides ascending; they are k and d in formulas. It ends with the context.
func cubes(s *survey, least int, list ...int) iter.Seq2[int, int] {
	return func(yield func(k, d int) bool) {
		for _, d := range list {
			for k := least; k <= side(s, d); k++ {
				if s.letters = let("k d", k, d); s.done() || !yield(k, d) {
					return
				}
			}
		}
	}
}

// side returns the largest side for tori with d axes: MaxK for one or two axes, then MaxK/(d-1), at least 2. The
// default gives 16, 16, 8, 5, 4, 3.
func side(s *survey, d int) int {
	if d <= 2 {
		return s.MaxK
	}
	return max(2, s.MaxK/(d-1))
}

// span describes the tori that cubes yields: "sides 3 to 16 on 2 axes, 3 to 8 on 3 axes".
func span(s *survey, least int, list ...int) string {
	var parts []string
	for _, d := range list {
		on := fmt.Sprintf("%d axes", d)
		if d == 1 {
			on = "rings"
		}
		if side(s, d) >= least {
			parts = append(parts, fmt.Sprintf("%d to %d on %s", least, side(s, d), on))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return "sides " + strings.Join(parts, ", ")
}

// onCubes is a check of each torus that cubes yields. The range stands at the %s of over.
func onCubes(least int, list axes, over, note string, each func(s *survey, k, d int)) check {
	return func(s *survey) {
		for k, d := range cubes(s, least, list...) {
			each(s, k, d)
		}
		s.end(fmt.Sprintf(over, span(s, least, list...)), note)
	}
}

// ringExponent returns the largest d for which rings of 2^d places are checked: up to 16 times the largest side.
func ringExponent(s *survey) int { return max(2, bits.Len(uint(16*s.MaxK))-1) }

// planeExponent returns the largest d for which every block of a torus with two sides 2^d is followed: up to twice
// the largest side, from 4 to 6.
func planeExponent(s *survey) int { return min(6, max(4, bits.Len(uint(2*s.MaxK))-1)) }

// numbers yields first to last, d in formulas, and ends with the context.
func numbers(s *survey, first, last int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for d := first; d <= last && !s.done(); d++ {
			if s.letters = let("d", d); !yield(d) {
				return
			}
		}
	}
}

// overRings is the range of rings of 2^d places.
func overRings(first, last int) string {
	return fmt.Sprintf("rings of 2^d places, d = %d to %d", first, last)
}

// onRings is a check of a statement about 2^d places, for each d from first on.
func onRings(first int, over, note string, each func(s *survey, d int)) check {
	return func(s *survey) {
		for d := range numbers(s, first, ringExponent(s)) {
			each(s, d)
		}
		s.end(overRings(first, ringExponent(s))+over, note)
	}
}
