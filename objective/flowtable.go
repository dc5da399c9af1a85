package objective

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
)

// A flowTable holds the joint flow of every pair of nodes, by displacement, for
// routings whose flows depend on nothing else.
type flowTable struct {
	torus *core.Torus
	flows [][]offsetFlow // by displacement d: what nodes 0 and d send each other
	delta [][]int32      // by node p, q: the displacement q - p; nil on large tori
	sums  [][]int32      // by node p, x: the node p + x; nil on large tori
}

// An offsetFlow is the flow on one link, which leaves node from by port.
type offsetFlow struct {
	from   int32
	port   int32
	weight int64
}

// maxSumTable is the most nodes for which node additions are tabled.
const maxSumTable = 2048

// newFlowTable computes all joint flows in units of 1/den. Cost: two flows per
// node.
func newFlowTable(r routing.Routing, den int64) *flowTable {
	f := emptyFlowTable(r.Torus())
	for q := 1; q < r.Torus().N(); q++ {
		f.need(r, den, 0, q)
	}
	return f
}

// emptyFlowTable returns a table without flows.
func emptyFlowTable(t *core.Torus) *flowTable {
	f := &flowTable{torus: t, flows: make([][]offsetFlow, t.N())}
	if t.N() <= maxSumTable {
		f.delta, f.sums = make([][]int32, t.N()), make([][]int32, t.N())
		for p := range t.N() {
			f.delta[p], f.sums[p] = make([]int32, t.N()), make([]int32, t.N())
		}
		for p := range t.N() {
			for x := range t.N() {
				d := t.Displacement(p, x)
				f.delta[p][x] = int32(d)
				f.sums[p][d] = int32(x)
			}
		}
	}
	return f
}

// need computes the joint flow of the pair p, q unless it is there.
func (f *flowTable) need(r routing.Routing, den int64, p, q int) {
	d := f.displacement(p, q)
	if f.flows[d] == nil && d != 0 {
		f.flows[d] = jointFlow(r, d, den)
	}
}

func (f *flowTable) displacement(p, q int) int {
	if f.delta != nil {
		return int(f.delta[p][q])
	}
	return f.torus.Displacement(p, q)
}

// jointFlow returns what nodes 0 and q send each other, in units of 1/den.
func jointFlow(r routing.Routing, q int, den int64) []offsetFlow {
	t := r.Torus()
	var list []offsetFlow
	at := map[core.Link]int{}
	for _, f := range []routing.Flow{r.Flow(0, q, nil), r.Flow(q, 0, nil)} {
		unit := new(big.Int).Div(big.NewInt(den), f.Den).Int64()
		for _, s := range f.Shares {
			i, ok := at[s.Link]
			if !ok {
				i, at[s.Link] = len(list), len(list)
				list = append(list, offsetFlow{from: int32(int(s.Link) % t.N()), port: int32(int(s.Link) / t.N())})
			}
			list[i].weight += s.Num.Int64() * unit
		}
	}
	return list
}

// each calls f for every link that the pair p, q loads, with the load. The
// pair of a node with itself loads none.
func (f *flowTable) each(p, q int, do func(link int, load int64)) {
	n := f.torus.N()
	if f.sums == nil {
		origin := f.torus.Displacement(p, 0)
		for _, o := range f.flows[f.torus.Displacement(p, q)] {
			do(int(o.port)*n+f.torus.Displacement(origin, int(o.from)), o.weight)
		}
		return
	}
	row := f.sums[p]
	for _, o := range f.flows[f.delta[p][q]] {
		do(int(o.port)*n+int(row[o.from]), o.weight)
	}
}

// addTo adds the joint flow of a pair to packed loads.
func (f *flowTable) addTo(l lanes, words []uint64, p, q int) {
	n, row := f.torus.N(), f.sums[p]
	for i, list := 0, f.flows[f.delta[p][q]]; i < len(list); i++ {
		o := &list[i]
		l.add(words, int(o.port)*n+int(row[o.from]), uint64(o.weight))
	}
}

// takeFrom takes the joint flow of a pair off packed loads.
func (f *flowTable) takeFrom(l lanes, words []uint64, p, q int) {
	n, row := f.torus.N(), f.sums[p]
	for i, list := 0, f.flows[f.delta[p][q]]; i < len(list); i++ {
		o := &list[i]
		l.subtract(words, int(o.port)*n+int(row[o.from]), uint64(o.weight))
	}
}
