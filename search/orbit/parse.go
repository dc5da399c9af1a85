package orbit

import (
	"fmt"
	"strings"

	"leeway/core"
	"leeway/core/routing"
)

const subgroupHint = "write generators such as t=2,4, -1, or p=1,0:s=+-:t=0,1, joined by ;"

// Parse reads a subgroup of the group that preserves E_max under r from its
// generators, joined by semicolons. A generator sends a node x to the node that
// its parts, joined by colons, say:
//
//	-1      all coordinates are negated
//	s=+-    those with a - are negated
//	p=1,0   then coordinate j becomes coordinate p[j]
//	t=0,1   then this is added, modulo the sides
//
// Errors are *core.InputError and name the part that is wrong or the generator
// that does not preserve the loads, and those of symmetry.Of.
func Parse(r routing.Routing, text string) (*Subgroup, error) {
	if n := r.Torus().N(); n > maxNodes {
		return nil, &core.InputError{Text: r.Torus().String(), Problem: fmt.Sprintf("the torus has %d nodes, subgroups are read up to %d", n, maxNodes)}
	}
	whole, err := groupOf(r)
	if err != nil {
		return nil, err
	}
	return whole.parse(text)
}

// parse reads generators and looks them up in the whole group.
func (g *group) parse(text string) (*Subgroup, error) {
	p := &parser{Text: core.Text{Whole: text, Hint: subgroupHint}, torus: g.torus}
	var gens []element
	for _, part := range (core.Part{Text: text}).Split(";") {
		e, err := p.generator(part)
		if err != nil {
			return nil, err
		}
		if !g.has(e) {
			return nil, p.Fail(part, "the generator does not preserve the loads of "+g.routing)
		}
		gens = append(gens, e)
	}
	s, ok := newSubgroup(g.torus, gens)
	if !ok {
		return nil, p.FailWhole(fmt.Sprintf("the subgroup has more than %d elements", maxOrder))
	}
	return s, nil
}

// A parser reads generators on one torus.
type parser struct {
	core.Text
	torus *core.Torus
}

// generator reads the parts of one generator, each at most once.
func (p *parser) generator(text core.Part) (element, error) {
	e := pureShift(p.torus, 0)
	seen := map[string]bool{}
	for _, part := range text.Split(":") {
		key, value, _ := strings.Cut(part.Text, "=")
		if key == "-1" {
			key = "s" // both say which coordinates are negated
		}
		if seen[key] {
			return e, p.Fail(part, "the part stands twice in a generator")
		}
		seen[key] = true
		at := core.Part{Text: value, Offset: part.Offset + len("p=")}
		var err error
		switch {
		case part.Text == "-1":
			e.Flip = p.allFlipped()
		case strings.HasPrefix(part.Text, "p="):
			err = p.permutation(at, e)
		case strings.HasPrefix(part.Text, "s="):
			err = p.signs(at, e)
		case strings.HasPrefix(part.Text, "t="):
			e.shift, err = p.shift(at)
		default:
			err = p.Fail(part, "not a part of a generator")
		}
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

// allFlipped reflects the sides that a reflection moves.
func (p *parser) allFlipped() []bool {
	flip := make([]bool, p.torus.D())
	for j := range flip {
		flip[j] = p.torus.Side(j) > 2
	}
	return flip
}

// ints reads one number for each dimension.
func (p *parser) ints(at core.Part) ([]int, error) {
	list, err := p.Ints(at, ",")
	if err == nil && len(list) != p.torus.D() {
		err = p.Fail(at, fmt.Sprintf("%d numbers for the %d dimensions of %s", len(list), p.torus.D(), p.torus))
	}
	return list, err
}

func (p *parser) permutation(at core.Part, e element) error {
	list, err := p.ints(at)
	if err != nil {
		return err
	}
	seen := make([]bool, len(list))
	for j, to := range list {
		if to < 0 || to >= len(list) || seen[to] {
			return p.Fail(at, "not a permutation of the dimensions")
		}
		if p.torus.Side(j) != p.torus.Side(to) {
			return p.Fail(at, fmt.Sprintf("sides %d and %d of %s differ", j, to, p.torus))
		}
		seen[to] = true
		e.Perm[j] = to
	}
	return nil
}

// signs reads the signs; one on a side of 2 does nothing and is dropped.
func (p *parser) signs(at core.Part, e element) error {
	if len(at.Text) != p.torus.D() || strings.Trim(at.Text, "+-") != "" {
		return p.Fail(at, fmt.Sprintf("not %d signs + or -", p.torus.D()))
	}
	for j := range e.Flip {
		e.Flip[j] = at.Text[j] == '-' && p.torus.Side(j) > 2
	}
	return nil
}

func (p *parser) shift(at core.Part) (int, error) {
	list, err := p.ints(at)
	if err != nil {
		return 0, err
	}
	node := 0
	for j, by := range list {
		node = p.torus.Shift(node, j, by%p.torus.Side(j))
	}
	return node, nil
}
