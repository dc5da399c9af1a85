package check

import (
	"fmt"

	"leeway/core"
	"leeway/objective"
)

// conditions are the nodes on which a placement must have a processor, and those on which it must not; nil: none. And
// how far nodes may be from their nearest processors.
type conditions struct {
	Fixed, Forbidden core.Set
	objective.Near
}

// of returns a problem with the conditions. Errors are those of its methods WithNodes and WithNear.
func (c conditions) of(p objective.Problem) (objective.Problem, error) {
	p, err := p.WithNodes(c.Fixed.Nodes(), c.Forbidden.Nodes())
	if err != nil {
		return p, err
	}
	return p.WithNear(c.Near)
}

// any reports whether nodes are fixed or forbidden.
func (c conditions) any() bool { return c.Fixed != nil || c.Forbidden != nil }

// problem says which condition a placement does not keep to, "" if it keeps to all.
func (c conditions) problem(p core.Placement) string {
	set := p.Set()
	for _, v := range c.Fixed.Nodes() {
		if !set.Has(v) {
			return fmt.Sprintf("the fixed node %s has no processor", core.JoinInts(p.Torus().Coords(v), ","))
		}
	}
	for _, v := range c.Forbidden.Nodes() {
		if set.Has(v) {
			return fmt.Sprintf("the forbidden node %s has a processor", core.JoinInts(p.Torus().Coords(v), ","))
		}
	}
	if c.Near.Asked() {
		return c.Near.Excess(p)
	}
	return ""
}
