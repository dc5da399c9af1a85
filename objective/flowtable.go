package objective

import (
	"leeway/core"
	"leeway/core/routing"
)

// A flowTable holds the joint flows of pairs of nodes for a routing that does not
// depend on the placement: by displacement where nothing else matters, else by
// pair. It fills as pairs are needed.
type flowTable struct {
	routing routing.Routing
	torus   *core.Torus
	den     int64
	byPair  bool
	flows   map[int][]LinkLoad // by pair p*N+q: what p and q send each other
	offsets [][]LinkLoad       // by displacement d: what nodes 0 and d send each other
	tabled  bool               // sums and delta are, on small tori
	sums    core.NodeTable
	delta   core.NodeTable
}

// maxSumTable is the most nodes for which node additions are tabled.
const maxSumTable = 2048

// newFlowTable returns an empty table of flows in units of 1/den.
func newFlowTable(r routing.Routing, den int64) *flowTable {
	t := r.Torus()
	f := &flowTable{routing: r, torus: t, den: den, byPair: !routing.Invariant(r)}
	if f.byPair {
		f.flows = map[int][]LinkLoad{}
		return f
	}
	f.offsets = make([][]LinkLoad, t.N())
	if t.N() <= maxSumTable {
		f.tabled, f.sums, f.delta = true, core.Sums(t), core.Displacements(t)
	}
	return f
}

// between returns the joint flow of the pair p, q; unless the table is by pair,
// as seen from p. The pair of a node with itself has none.
func (f *flowTable) between(p, q int) []LinkLoad {
	if p == q {
		return nil
	}
	if f.byPair {
		key := p*f.torus.N() + q
		list, ok := f.flows[key]
		if !ok {
			list = Exchanged(f.routing, p, q, f.den)
			f.flows[key] = list
		}
		return list
	}
	d := 0
	if f.tabled {
		d = f.delta.At(p, q)
	} else {
		d = f.torus.Displacement(p, q)
	}
	if f.offsets[d] == nil {
		f.offsets[d] = Exchanged(f.routing, 0, d, f.den)
	}
	return f.offsets[d]
}

// each calls do for every link that the pair p, q loads, with the load.
func (f *flowTable) each(p, q int, do func(link int, load int64)) {
	n := f.torus.N()
	list := f.between(p, q)
	switch {
	case f.byPair:
		for _, o := range list {
			do(int(o.Port)*n+int(o.From), o.Load)
		}
	case !f.tabled:
		origin := f.torus.Displacement(p, 0)
		for _, o := range list {
			do(int(o.Port)*n+f.torus.Displacement(origin, int(o.From)), o.Load)
		}
	default:
		row := f.sums.Row(p)
		for _, o := range list {
			do(int(o.Port)*n+int(row[o.From]), o.Load)
		}
	}
}

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

func (e *tabled) loads(nodes []int, watch *core.Watch) ([]int64, error) {
	clear(e.load)
	for i, p := range nodes {
		for _, q := range nodes[:i] {
			steps := 0
			e.flows.each(p, q, func(l int, w int64) { e.load[l] += w; steps++ })
			if err := watch.Err(steps); err != nil {
				return nil, err
			}
		}
	}
	return e.load, nil
}
