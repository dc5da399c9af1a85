package bounds

import (
	"leeway/core"
	"leeway/results/check/meter"
)

// Conditions are what is known of the nodes of a placement of n processors: must have one, may have one. They bound the
// numbers of processors in slabs.
type conditions struct {
	meter     *meter.Meter
	t         *core.Torus
	n         int
	must, may []int
}

// newConditions returns the conditions of n processors, nil without any. Of the nodes that may have a processor all
// must if n needs them all.
func newConditions(m *meter.Meter, t *core.Torus, n int, fixed, forbidden core.Set) *conditions {
	if fixed == nil && forbidden == nil {
		return nil
	}
	c := &conditions{meter: m, t: t, n: n}
	m.ChargeAll(4, t.N())
	for v := range t.N() {
		switch {
		case fixed != nil && fixed.Has(v):
			c.must = append(c.must, v)
		case forbidden == nil || !forbidden.Has(v):
			c.may = append(c.may, v)
		}
	}
	if len(c.must)+len(c.may) == n {
		c.must, c.may = append(c.must, c.may...), nil
	}
	if len(c.must) == n {
		c.may = nil
	}
	return c
}

// counts returns how many nodes of a list lie in each slab across dimension j.
func (c *conditions) counts(j int, nodes []int) []int {
	list := make([]int, c.t.Slabs(j))
	c.meter.ChargeAll(2, len(nodes))
	for _, v := range nodes {
		list[c.t.Slab(v, j)]++
	}
	return list
}
