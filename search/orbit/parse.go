package orbit

import (
	"fmt"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
)

const subgroupHint = "write generators such as t=2,4, -1, or p=1,0:s=+-:t=0,1, joined by ;"

// Parse reads a subgroup of the group that preserves E_max under r from its
// generators, joined by semicolons, each as symmetry.ReadElement says.
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
	whole := core.Text{Whole: text, Hint: subgroupHint}
	var gens []symmetry.Element
	for _, part := range (core.Part{Text: text}).Split(";") {
		e, err := symmetry.ReadElement(g.torus, whole, part)
		if err != nil {
			return nil, err
		}
		if !g.has(e) {
			return nil, whole.Fail(part, "the generator does not preserve the loads of "+g.routing)
		}
		gens = append(gens, e)
	}
	s, ok := newSubgroup(g.torus, gens)
	if !ok {
		return nil, whole.FailWhole(fmt.Sprintf("the subgroup has more than %d elements", maxOrder))
	}
	return s, nil
}
