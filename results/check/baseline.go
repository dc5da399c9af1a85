package check

import (
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
)

// maxSureBaseline is the most nodes of a torus on which every search evaluates the papers' placement,
// however little time it has.
const maxSureBaseline = 1024

// checkBaseline recomputes the papers' placement of the same size and its E_max:
// the linear placement, or the multiple linear one, with all coefficients 1.
func (c *checker) checkBaseline() error {
	have := c.record.Baseline
	name := baselineOf(c.torus, c.record.Size)
	if name != "" && !c.covers(name) {
		name = ""
	}
	switch {
	case name == "" && have != nil:
		c.fault("baseline is %q, but the papers have no placement of %d processors on %s that the routing covers", have.Placement, c.record.Size, c.torus)
		return nil
	case name == "":
		return nil
	case have == nil && c.record.Budget.Time != nil && c.torus.N() > maxSureBaseline: // it may not have been over in time
		c.note("baseline is not there: the papers have the placement %s", name)
		return nil
	case have == nil:
		c.fault("baseline is missing: the papers have the placement %s", name)
		return nil
	case have.Placement != name:
		c.fault("baseline placement is %q, it should be %q", have.Placement, name)
		return nil
	}
	c.meter.Charge(int64(c.torus.N()))
	p, err := family.Parse(c.torus, name)
	if err != nil {
		return err
	}
	most, _, err := maxLoad(c.meter, c.routing, p)
	if err != nil {
		return err
	}
	if claimed := c.fraction("baseline max_load", have.MaxLoad); claimed != nil && claimed.Cmp(most) != 0 {
		c.fault("baseline max_load is %s, recomputed it is %s", have.MaxLoad, most.RatString())
	}
	return nil
}

// baselineOf returns the text of the papers' placement with n processors, "" if
// there is none: sides must be equal and n a multiple t k^(d-1), 1 <= t <= k.
func baselineOf(t *core.Torus, n int) string {
	k, common := t.Common()
	if !common || n < 1 || n > t.N() || n%(t.N()/k) != 0 {
		return ""
	}
	if n == t.N()/k {
		return "linear"
	}
	return fmt.Sprintf("multilinear:t=%d", n/(t.N()/k))
}

// covers reports whether the routing has paths for all pairs of a named
// placement. A table by pair may be made for one placement only; then there is
// no load of the papers' placement to compare with.
func (c *checker) covers(placement string) bool {
	c.meter.Charge(int64(c.torus.N()))
	p, err := family.Parse(c.torus, placement)
	if err == nil {
		c.meter.ChargeAll(p.Size(), p.Size())
	}
	return err == nil && routing.Covers(c.routing, p) == nil
}
