// Package elements has single automorphisms of networks: their text form, those that map a placement to itself, and
// groups that are found on the loads of nodes.
package elements

import (
	"fmt"
	"strings"

	"leeway/core"
	"leeway/core/symmetry"
)

// An Element is an automorphism of a torus: first the point, then the translation by the node
// Shift, which is 0 in all open dimensions.
type Element struct {
	symmetry.Point
	Shift int
}

// Translation returns the translation by a node of t.
func Translation(t *core.Torus, shift int) Element { return Element{symmetry.IdentityOf(t), shift} }

// Image returns the image of node v.
func (e Element) Image(t *core.Torus, v int) int { return t.Sum(e.Node(t, v), e.Shift) }

// Link returns the image of a link.
func (e Element) Link(t *core.Torus, l core.Link) core.Link {
	if !t.HasDimensions() {
		return e.Edge(t, l, false)
	}
	from, port := t.LinkFrom(l)
	dir := port.Dir
	if e.Flip[port.Dim] {
		dir = -dir
	}
	return t.Link(e.Image(t, from), e.Perm[port.Dim], dir)
}

// Images returns the image of every node.
func (e Element) Images(t *core.Torus) []int {
	images := make([]int, t.N())
	for v := range images {
		images[v] = e.Image(t, v)
	}
	return images
}

// Compose returns the element that does h first, then e.
func (e Element) Compose(t *core.Torus, h Element) Element {
	return Element{e.Point.Compose(h.Point), t.ClosedPart(e.Image(t, h.Shift))}
}

// Inverse returns the element that takes back what e does.
func (e Element) Inverse(t *core.Torus) Element {
	p := symmetry.IdentityOf(t)
	for j, to := range e.Perm {
		p.Perm[to], p.Flip[to] = j, e.Flip[j]
	}
	return Element{p, t.ClosedPart(p.Node(t, t.Displacement(e.Shift, 0)))}
}

// Text spells the element in the form that Read reads, without parts that do
// nothing.
func (e Element) Text(t *core.Torus) string {
	var parts []string
	permutes, reflects := e.Permutes(), e.Reflects()
	switch {
	case !permutes && reflects && negates(e, t):
		parts = append(parts, "-1")
	default:
		if permutes {
			parts = append(parts, "p="+core.JoinInts(e.Perm, ","))
		}
		if reflects {
			parts = append(parts, "s="+signs(e.Flip))
		}
	}
	if e.Shift != 0 || len(parts) == 0 {
		parts = append(parts, "t="+core.JoinInts(t.Coords(e.Shift), ","))
	}
	return strings.Join(parts, ":")
}

// negates reports whether every dimension that a reflection moves is reflected.
func negates(g Element, t *core.Torus) bool {
	for j, flip := range g.Flip {
		if !flip && t.BothWays(j) {
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

// Read reads one element of t, a part of a text. It sends a node x to the node that
// its own parts, joined by colons and each there at most once, say:
//
//	-1      all coordinates are negated; c becomes k-1-c in an open dimension
//	s=+-    those with a - are
//	p=1,0   then coordinate j becomes coordinate p[j]
//	t=0,1   then this is added, modulo the sides; 0 in open dimensions
//
// Errors are those of the text, *core.InputError, and name the part that is wrong.
func Read(t *core.Torus, text core.Text, element core.Part) (Element, error) {
	r := &reader{Text: text, torus: t}
	if !t.HasDimensions() {
		return Element{}, r.Fail(element, "automorphisms of a network from a list of links have no text")
	}
	e := Translation(t, 0)
	seen := map[string]bool{}
	for _, part := range element.Split(":") {
		key, value, _ := strings.Cut(part.Text, "=")
		if key == "-1" {
			key = "s" // both say which coordinates are negated
		}
		if seen[key] {
			return e, r.Fail(part, "the part is repeated in a generator")
		}
		seen[key] = true
		at := core.Part{Text: value, Offset: part.Offset + len("p=")}
		var err error
		switch {
		case part.Text == "-1":
			e.Flip = r.allFlipped()
		case strings.HasPrefix(part.Text, "p="):
			err = r.permutation(at, e)
		case strings.HasPrefix(part.Text, "s="):
			err = r.signs(at, e)
		case strings.HasPrefix(part.Text, "t="):
			e.Shift, err = r.shift(at)
		default:
			err = r.Fail(part, "not a part of a generator")
		}
		if err != nil {
			return e, err
		}
	}
	if !e.Fits(t) {
		return e, r.Fail(element, fmt.Sprintf("%s is not mapped to itself: its shifts are others then", t))
	}
	return e, nil
}

// A reader reads the parts of an element of one torus.
type reader struct {
	core.Text
	torus *core.Torus
}

// allFlipped reflects the sides that a reflection moves.
func (r *reader) allFlipped() []bool {
	flip := make([]bool, r.torus.D())
	for j := range flip {
		flip[j] = r.torus.BothWays(j)
	}
	return flip
}

// ints reads one number for each dimension.
func (r *reader) ints(at core.Part) ([]int, error) {
	list, err := r.Ints(at, ",")
	if err == nil && len(list) != r.torus.D() {
		err = r.Fail(at, fmt.Sprintf("%d numbers for the %d dimensions of %s", len(list), r.torus.D(), r.torus))
	}
	return list, err
}

func (r *reader) permutation(at core.Part, e Element) error {
	list, err := r.ints(at)
	if err != nil {
		return err
	}
	seen := make([]bool, len(list))
	for j, to := range list {
		if to < 0 || to >= len(list) || seen[to] {
			return r.Fail(at, "not a permutation of the dimensions")
		}
		if !r.torus.SameAxis(j, to) {
			return r.Fail(at, fmt.Sprintf("dimensions %d and %d of %s differ", j, to, r.torus))
		}
		seen[to] = true
		e.Perm[j] = to
	}
	return nil
}

// signs reads the signs; one where there is one link each way does nothing and is dropped.
func (r *reader) signs(at core.Part, e Element) error {
	if len(at.Text) != r.torus.D() || strings.Trim(at.Text, "+-") != "" {
		return r.Fail(at, fmt.Sprintf("not %d signs + or -", r.torus.D()))
	}
	for j := range e.Flip {
		e.Flip[j] = at.Text[j] == '-' && r.torus.BothWays(j)
	}
	return nil
}

func (r *reader) shift(at core.Part) (int, error) {
	list, err := r.ints(at)
	if err != nil {
		return 0, err
	}
	node := 0
	for j, by := range list {
		switch {
		case by != 0 && r.torus.Open(j):
			return 0, r.Fail(at, fmt.Sprintf("dimension %d of %s is open: there is no translation", j, r.torus))
		case by < -core.MaxNodes || by > core.MaxNodes:
			return 0, r.Fail(at, fmt.Sprintf("a translation by %d is too far", by))
		}
		node = r.torus.Shift(node, j, by)
	}
	return node, nil
}
