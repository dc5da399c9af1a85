package check

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
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
	case c.record.Optima != nil:
		c.fault("optima are listed for a given routing only")
	default:
		c.free = &f
		return true
	}
	return false
}

// checkChoice sees that the table leaves every ordered pair of processors as many
// paths as it must.
func (c *checker) checkChoice() {
	table, ok := c.routing.(*routing.Table)
	if c.free == nil || !ok || routing.Covers(table, c.placement) != nil {
		return // checkLoad says which pair has no paths
	}
	all := routing.NewUDR(c.torus, routing.TieBoth)
	available := map[int]int{} // by displacement
	for _, from := range c.placement.Nodes() {
		for _, to := range c.placement.Nodes() {
			if from == to {
				continue
			}
			v := c.torus.Displacement(from, to)
			if available[v] == 0 {
				for range all.Paths(0, v, nil) {
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

// freeBounds returns, by name, lower bounds on the E_max of every placement of n
// processors under every restriction: those that hold for every routing by
// shortest paths, and rounded up where single paths make loads whole numbers.
func freeBounds(t *core.Torus, f routing.Free, n int) map[string]*big.Rat {
	bounds := boundsOf(routing.NewUDR(t, routing.TieBoth), n)
	delete(bounds, objective.BoundGranularity)
	if !f.Single {
		return bounds
	}
	whole := new(big.Rat)
	for _, v := range bounds {
		if up := new(big.Rat).SetInt(ceil(v)); up.Cmp(whole) > 0 {
			whole = up
		}
	}
	bounds[objective.BoundGranularity] = whole
	return bounds
}

// freeProblem says why a proof does not show that no placement has E_max below the
// value under any restriction, "" if it does.
func freeProblem(t *core.Torus, f routing.Free, n int, value *big.Rat, p *results.Proof) string {
	own, ok := freeBounds(t, f, n)[p.Bound]
	switch {
	case p.Kind != results.ProofBound:
		return fmt.Sprintf("a proof of kind %q is about one routing and says nothing of a free one", p.Kind)
	case !ok:
		return fmt.Sprintf("there is no checker for the bound %q of a free routing", p.Bound)
	case own.Cmp(value) < 0:
		return fmt.Sprintf("the bound %s of a free routing is %s, not %s", p.Bound, own.RatString(), value.RatString())
	}
	return ""
}
