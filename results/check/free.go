package check

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results"
	"leeway/results/check/bounds"
	"leeway/results/check/meter"
)

// readChoice reads from which restrictions the table of the record was chosen, if it
// was, and reports whether that can be read.
func (c *checker) readChoice() bool {
	if c.record.RoutingChoice == "" {
		return true
	}
	f, free, err := routing.ParseFree(c.record.RoutingChoice)
	_, table := c.routing.(*routing.Table)
	switch {
	case err != nil:
		c.fault("routing_choice: %v", err)
	case !free:
		c.fault("routing_choice %q is no free routing", c.record.RoutingChoice)
	case !table:
		c.fault("routing_choice is %q, but the routing is no table", c.record.RoutingChoice)
	default:
		if c.record.Optima != nil || c.record.Orbits != nil || c.record.Labelled != nil {
			c.fault("optima, orbits and labelled_count are counted for a given routing only")
		}
		c.free = &f
		return true
	}
	return false
}

// checkChoice sees that the table leaves every ordered pair of processors as many
// paths as it must.
func (c *checker) checkChoice() {
	table, ok := c.routing.(*routing.Table)
	if c.free == nil || !ok || c.uncovered(table) {
		return // checkLoad says which pair has no paths
	}
	all := routing.NewUDR(c.torus, routing.TieBoth)
	available := map[int]int{} // by displacement
	for _, from := range c.placement.Nodes() {
		c.meter.Charge(int64(c.placement.Size()))
		for _, to := range c.placement.Nodes() {
			if from == to {
				continue
			}
			v := c.torus.Displacement(from, to)
			if available[v] == 0 {
				for range c.meter.Paths(all, 0, v, nil) {
					available[v]++
				}
			}
			if have := len(table.Choices(from, to)); !c.free.Allows(have, available[v]) {
				c.fault("the pair %v to %v has %d of %d paths, against routing_choice %s", c.torus.Coords(from), c.torus.Coords(to), have, available[v], c.free)
				return
			}
		}
	}
}

// freeProblem says why a proof does not show that no placement has E_max below the
// value under any restriction, "" if it does.
func freeProblem(m *meter.Meter, t *core.Torus, f routing.Free, n int, value *big.Rat, p *results.Proof) string {
	own, ok := bounds.DeriveFree(m, t, f).At(n)[p.Bound]
	switch foreign := foreignField(p); {
	case foreign != "":
		return foreign
	case p.Kind != results.ProofBound:
		return fmt.Sprintf("a proof of kind %q is about one routing and says nothing of a free one", p.Kind)
	case !ok:
		return fmt.Sprintf("there is no checker for the bound %q of a free routing", p.Bound)
	case own.Cmp(value) < 0:
		return fmt.Sprintf("the bound %s of a free routing is %s, not %s", p.Bound, own.RatString(), value.RatString())
	}
	return ""
}

// uncovered reports whether a table misses a pair of processors.
func (c *checker) uncovered(table *routing.Table) bool {
	c.meter.ChargeAll(c.placement.Size(), c.placement.Size())
	return routing.Covers(table, c.placement) != nil
}
