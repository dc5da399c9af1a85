package check

import (
	"fmt"

	"leeway/core"
	"leeway/results/check/trees"
)

// checkOptima checks a list of all optimal placements: each is one, no two lie
// in one orbit under the group that preserves E_max, the orbits add up to the
// labelled count, and a count of this package finds as many orbits. Where only the two
// counts stand, both are counted again.
func (c *checker) checkOptima() {
	r := c.record
	if r.Optima == nil && r.Orbits == nil && r.Labelled == nil {
		return
	}
	switch {
	case r.Orbits == nil || r.Labelled == nil:
		c.fault("orbits and labelled_count belong together, and optima to them")
	case c.verifier.partial:
		c.note("optima, orbits and labelled_count are not checked where only some slices are")
	case c.proof != Verified:
		c.fault("optima are listed, but it is not verified that they are optimal")
	case r.Optima != nil && *r.Orbits != len(*r.Optima):
		c.fault("orbits is %d, but %d optima are listed", *r.Orbits, len(*r.Optima))
	case c.routing.DependsOnPlacement() || c.torus.N() > trees.MaxOrderlyNodes:
		c.fault("optima are counted again up to %d nodes, where the routing does not depend on the placement", trees.MaxOrderlyNodes)
	case r.Optima == nil:
		if problem := c.countsProblem(); problem != "" {
			c.fault("orbits: %s", problem)
		}
	default:
		if problem := c.optimaProblem(); problem != "" {
			c.fault("optima: %s", problem)
		}
	}
}

// countsProblem says what is wrong with counts without a list, "" if nothing is.
func (c *checker) countsProblem() string {
	defer c.meter.Must()
	orbits, labelled, err := trees.OrbitsAndPlacements(c.meter, c.routing, c.record.Size, c.maxLoad, c.verifier.options.Workers)
	switch {
	case err != nil:
		return err.Error()
	case orbits != int64(*c.record.Orbits):
		return fmt.Sprintf("%d are counted here, the record says %d", orbits, *c.record.Orbits)
	case !labelled.IsInt64() || labelled.Int64() != *c.record.Labelled:
		return fmt.Sprintf("they hold %s placements, not %d", labelled, *c.record.Labelled)
	}
	return ""
}

// optimaProblem says what is wrong with the list, "" if nothing is.
func (c *checker) optimaProblem() string {
	group, err := c.meter.SymmetryOf(c.routing)
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
		most, _, err := maxLoad(c.meter, c.routing, p)
		if err != nil {
			return err.Error()
		}
		if most.Cmp(c.maxLoad) != 0 {
			return fmt.Sprintf("%v has E_max %s", coords, most.RatString())
		}
		c.meter.Charge(int64(trees.CanonicalSteps(group.Points(), p.Size())))
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
	defer c.meter.Must()
	orbits, err := trees.Orbits(c.meter, c.routing, c.record.Size, c.maxLoad, c.verifier.options.Workers, nil)
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
