package check

import (
	"fmt"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
)

// Setting returns a problem with traffic and conditions of a document, or says what is wrong with them.
func Setting(p objective.Problem, s results.Setting) (objective.Problem, string) {
	p, err := s.Listed(p)
	if err != nil {
		return p, err.Error()
	}
	if p.Traffic.Matrix != nil {
		if err := p.CheckRoom(); err != nil {
			return p, err.Error()
		}
		return p, ""
	}
	least, most := p.Fixed.Count(), p.Torus().N()-p.Forbidden.Count()
	if p.Conditioned() && (p.Size < least || p.Size > most) {
		return p, fmt.Sprintf("the size %d lies outside %d..%d, which fixed and forbidden leave", p.Size, least, most)
	}
	return p, ""
}

// Broken says which condition a placement does not keep to, "" if it keeps to all.
func Broken(c objective.Terms, p core.Placement) string {
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
