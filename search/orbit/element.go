package orbit

import (
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/symmetry"
)

// An element is an automorphism of the torus: first the point, which fixes node 0,
// then the translation by the node shift.
type element struct {
	symmetry.Point
	shift int
}

// pureShift returns the translation by a node.
func pureShift(t *core.Torus, shift int) element {
	e := element{Point: symmetry.Point{Perm: make([]int, t.D()), Flip: make([]bool, t.D())}, shift: shift}
	for j := range e.Perm {
		e.Perm[j] = j
	}
	return e
}

// at returns the image of node v.
func (e element) at(t *core.Torus, v int) int { return plus(t, e.Node(t, v), e.shift) }

// plus returns the node v+w.
func plus(t *core.Torus, v, w int) int { return t.Displacement(t.Displacement(w, 0), v) }

// after returns the element that does h first, then e.
func (e element) after(t *core.Torus, h element) element {
	c := element{Point: symmetry.Point{Perm: make([]int, t.D()), Flip: make([]bool, t.D())}, shift: e.at(t, h.shift)}
	for j := range c.Perm {
		c.Perm[j] = e.Perm[h.Perm[j]]
		c.Flip[j] = h.Flip[j] != e.Flip[h.Perm[j]]
	}
	return c
}

// inverse returns the element that takes back what a point does.
func (e element) inverse(t *core.Torus) element {
	c := pureShift(t, 0)
	for j, to := range e.Perm {
		c.Perm[to], c.Flip[to] = j, e.Flip[j]
	}
	return c
}

// turns reports whether the point permutes dimensions, and reflects.
func (e element) turns() (permutes, reflects bool) {
	return !slices.IsSorted(e.Perm), slices.Contains(e.Flip, true)
}

// text spells the element in the form that Parse reads, without parts that do
// nothing.
func (e element) text(t *core.Torus) string {
	var parts []string
	permutes, reflects := e.turns()
	switch {
	case !permutes && reflects && e.negates(t):
		parts = append(parts, "-1")
	default:
		if permutes {
			parts = append(parts, "p="+joinInts(e.Perm))
		}
		if reflects {
			parts = append(parts, "s="+signs(e.Flip))
		}
	}
	if e.shift != 0 || len(parts) == 0 {
		parts = append(parts, "t="+joinInts(t.Coords(e.shift)))
	}
	return strings.Join(parts, ":")
}

// negates reports whether every side above 2 is reflected.
func (e element) negates(t *core.Torus) bool {
	for j, flip := range e.Flip {
		if !flip && t.Side(j) > 2 {
			return false
		}
	}
	return true
}

func signs(flip []bool) string {
	b := make([]byte, len(flip))
	for j, f := range flip {
		b[j] = '+'
		if f {
			b[j] = '-'
		}
	}
	return string(b)
}

func joinInts(list []int) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = strconv.Itoa(v)
	}
	return strings.Join(words, ",")
}
