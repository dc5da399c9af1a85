package check

import (
	"fmt"

	"leeway/core"
	"leeway/core/symmetry"
)

// checkOptima checks a list of all optimal placements: each is one, no two lie
// in one orbit under the group that preserves E_max, the orbits add up to the
// labelled count, and a count of this package finds as many orbits.
func (c *checker) checkOptima() {
	r := c.record
	if r.Optima == nil && r.Orbits == nil && r.Labelled == nil {
		return
	}
	switch {
	case r.Optima == nil || r.Orbits == nil || r.Labelled == nil:
		c.fault("optima, orbits and labelled_count belong together")
	case c.proof != Verified:
		c.fault("optima are listed, but it is not verified that they are optimal")
	case *r.Orbits != len(*r.Optima):
		c.fault("orbits is %d, but %d optima are listed", *r.Orbits, len(*r.Optima))
	case c.routing.DependsOnPlacement() || c.torus.N() > maxOrbitNodes:
		c.fault("optima are counted again up to %d nodes, where the routing does not depend on the placement", maxOrbitNodes)
	default:
		if problem := c.optimaProblem(); problem != "" {
			c.fault("optima: %s", problem)
		}
	}
}

// optimaProblem says what is wrong with the list, "" if nothing is.
func (c *checker) optimaProblem() string {
	group, err := symmetry.Of(c.routing)
	if err != nil {
		return err.Error()
	}
	labelled, forms := int64(0), map[string]bool{}
	for _, coords := range *c.record.Optima {
		p, err := core.PlacementFromCoords(c.torus, coords)
		if err != nil {
			return err.Error()
		}
		if p.Size() != c.record.Size {
			return fmt.Sprintf("%v has %d processors", coords, p.Size())
		}
		most, _, err := maxLoad(c.routing, p)
		if err != nil {
			return err.Error()
		}
		if most.Cmp(c.maxLoad) != 0 {
			return fmt.Sprintf("%v has E_max %s", coords, most.RatString())
		}
		form, stabilizer := group.Canonical(p.Nodes())
		if forms[fmt.Sprint(form)] {
			return fmt.Sprintf("%v lies in the orbit of another", coords)
		}
		forms[fmt.Sprint(form)] = true
		labelled += int64(group.Order() / stabilizer)
	}
	if labelled != *c.record.Labelled {
		return fmt.Sprintf("the orbits hold %d placements, not %d", labelled, *c.record.Labelled)
	}
	orbits, err := orbitsWithin(c.verifier.ctx, c.routing, c.record.Size, c.maxLoad, c.verifier.options.Workers)
	switch {
	case err != nil:
		return err.Error()
	case orbits != int64(len(*c.record.Optima)):
		return fmt.Sprintf("%d orbits are counted here, %d are listed", orbits, len(*c.record.Optima))
	}
	if own, _ := group.Canonical(c.placement.Nodes()); !forms[fmt.Sprint(own)] {
		return "the placement of the record is none of them"
	}
	return ""
}
