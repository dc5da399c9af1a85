package objective

import (
	"math/big"

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
	flows   map[int][]offsetFlow // by pair p*N+q: what p and q send each other
	offsets [][]offsetFlow       // by displacement d: what nodes 0 and d send each other
	delta   [][]int32            // by node p, q: the displacement q - p; nil on large tori
	sums    [][]int32            // by node p, x: the node p + x; nil on large tori
}

// An offsetFlow is the flow on one link, which leaves node from by port.
type offsetFlow struct {
	from   int32
	port   int32
	weight int64
}

// maxSumTable is the most nodes for which node additions are tabled.
const maxSumTable = 2048

// newFlowTable returns an empty table of flows in units of 1/den.
func newFlowTable(r routing.Routing, den int64) *flowTable {
	t := r.Torus()
	f := &flowTable{routing: r, torus: t, den: den, byPair: !routing.Invariant(r)}
	if f.byPair {
		f.flows = map[int][]offsetFlow{}
		return f
	}
	f.offsets = make([][]offsetFlow, t.N())
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

// fill computes the flows of all displacements. Cost: two flows per node.
func (f *flowTable) fill() *flowTable {
	for q := range f.torus.N() {
		f.between(0, q)
	}
	return f
}

// between returns the joint flow of the pair p, q; unless the table is by pair,
// as seen from p. The pair of a node with itself has none.
func (f *flowTable) between(p, q int) []offsetFlow {
	if p == q {
		return nil
	}
	if f.byPair {
		key := p*f.torus.N() + q
		list, ok := f.flows[key]
		if !ok {
			list = jointFlow(f.routing, p, q, f.den)
			f.flows[key] = list
		}
		return list
	}
	d := 0
	if f.delta != nil {
		d = int(f.delta[p][q])
	} else {
		d = f.torus.Displacement(p, q)
	}
	if f.offsets[d] == nil {
		f.offsets[d] = jointFlow(f.routing, 0, d, f.den)
	}
	return f.offsets[d]
}

// jointFlow returns what p and q send each other, in units of 1/den.
func jointFlow(r routing.Routing, p, q int, den int64) []offsetFlow {
	t := r.Torus()
	var list []offsetFlow
	at := map[core.Link]int{}
	for _, f := range []routing.Flow{r.Flow(p, q, nil), r.Flow(q, p, nil)} {
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

// each calls do for every link that the pair p, q loads, with the load.
func (f *flowTable) each(p, q int, do func(link int, load int64)) {
	n := f.torus.N()
	list := f.between(p, q)
	switch {
	case f.byPair:
		for _, o := range list {
			do(int(o.port)*n+int(o.from), o.weight)
		}
	case f.sums == nil:
		origin := f.torus.Displacement(p, 0)
		for _, o := range list {
			do(int(o.port)*n+f.torus.Displacement(origin, int(o.from)), o.weight)
		}
	default:
		row := f.sums[p]
		for _, o := range list {
			do(int(o.port)*n+int(row[o.from]), o.weight)
		}
	}
}

// addTo adds the joint flow of a pair to packed loads. The table must be by
// displacement and have node sums.
func (f *flowTable) addTo(l lanes, words []uint64, p, q int) {
	n, row := f.torus.N(), f.sums[p]
	for i, list := 0, f.between(p, q); i < len(list); i++ {
		o := &list[i]
		l.add(words, int(o.port)*n+int(row[o.from]), uint64(o.weight))
	}
}

// takeFrom takes the joint flow of a pair off packed loads, with the conditions
// of addTo.
func (f *flowTable) takeFrom(l lanes, words []uint64, p, q int) {
	n, row := f.torus.N(), f.sums[p]
	for i, list := 0, f.between(p, q); i < len(list); i++ {
		o := &list[i]
		l.subtract(words, int(o.port)*n+int(row[o.from]), uint64(o.weight))
	}
}
