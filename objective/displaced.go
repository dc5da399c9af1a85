package objective

import "leeway/core/routing"

// displaced evaluates any routing whose flows depend on the displacement only:
// it adds up the joint flow of every unordered pair from a table that grows as
// displacements occur. Cost: n^2/2 flows of a pair.
type displaced struct {
	routing routing.Routing
	den     int64
	table   *flowTable
	load    []int64
}

func newDisplaced(r routing.Routing, den int64) *displaced {
	return &displaced{routing: r, den: den, table: emptyFlowTable(r.Torus()), load: make([]int64, r.Torus().M())}
}

func (e *displaced) loads() []int64 { return e.load }

// dimension does nothing: fill does all dimensions, since a flow has links in
// several.
func (e *displaced) dimension(int) {}

func (e *displaced) fill(nodes []int) {
	clear(e.load)
	for i, p := range nodes {
		for _, q := range nodes[:i] {
			e.table.need(e.routing, e.den, p, q)
			e.table.each(p, q, func(l int, w int64) { e.load[l] += w })
		}
	}
}
