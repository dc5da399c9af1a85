package objective

import (
	"leeway/core"
	"leeway/core/routing"
)

// tabled evaluates any routing that does not depend on the placement: it adds up
// the joint flow of every unordered pair from a table that grows as pairs or
// displacements occur. Cost: n^2/2 flows of a pair.
type tabled struct {
	flows *flowTable
	load  []int64
}

func newTabled(r routing.Routing, den int64) *tabled {
	return &tabled{flows: newFlowTable(r, den), load: make([]int64, r.Torus().M())}
}

func (e *tabled) loads() []int64 { return e.load }

// dimension does nothing: fill does all dimensions, since a flow has links in
// several.
func (e *tabled) dimension(int, *core.Watch) error { return nil }

func (e *tabled) fill(nodes []int, watch *core.Watch) error {
	clear(e.load)
	for i, p := range nodes {
		for _, q := range nodes[:i] {
			steps := 0
			e.flows.each(p, q, func(l int, w int64) { e.load[l] += w; steps++ })
			if err := watch.Err(steps); err != nil {
				return err
			}
		}
	}
	return nil
}
