package fast

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// A LinkLoad is a load on the link that leaves node From by port Port.
type LinkLoad struct {
	From, Port int32
	Load       int64
}

// Link returns the number of the link.
func (l LinkLoad) Link(t *core.Torus) core.Link { return core.Link(int(l.Port)*t.N() + int(l.From)) }

// Sent returns what node p sends node q under a routing that does not depend on the
// placement, in units of 1/den, each link once. The unit is a multiple of Denominator, in
// which twice a message fits an int64. Cost: one flow.
func Sent(r routing.Routing, p, q int, den int64) []LinkLoad {
	return gather(r.Torus(), den, r.Flow(p, q, nil))
}

// Exchanged returns what nodes p and q send each other, in the terms of Sent.
func Exchanged(r routing.Routing, p, q int, den int64) []LinkLoad {
	return gather(r.Torus(), den, r.Flow(p, q, nil), r.Flow(q, p, nil))
}

// gather adds flows up, divided by the bandwidths of the links, links in the sequence in which
// they first occur.
func gather(t *core.Torus, den int64, flows ...routing.Flow) []LinkLoad {
	var list []LinkLoad
	at := map[core.Link]int{}
	for _, f := range flows {
		unit := new(big.Int).Div(big.NewInt(den/int64(t.CommonBandwidth())), f.Den).Int64()
		for _, s := range f.Shares {
			i, ok := at[s.Link]
			from, port := int(s.Link)%t.N(), int(s.Link)/t.N()
			if !ok {
				i, at[s.Link] = len(list), len(list)
				list = append(list, LinkLoad{From: int32(from), Port: int32(port)})
			}
			list[i].Load += s.Num.Int64() * unit * int64(t.LinkScale(s.Link))
		}
	}
	return list
}

// PairLoads tables what pairs of nodes exchange, for searches that add up loads pair by
// pair.
type PairLoads struct {
	links  int
	den    int64
	joint  [][]Share // what nodes 0 and d exchange, by displacement d; what p and q do, by pair p*N+q
	totals []int64   // the sum of each
	sums   core.NodeTable
	delta  core.NodeTable
	same   []int32 // by node: itself; nil where joint is by displacement
}

// MaxPairNodes is the most nodes for which NewPairLoads tables every pair.
const MaxPairNodes = 256

// A Share is the part of an exchange on the link with number Base + from, which leaves
// node from. As the table has it, for the pair of 0 and d, from is From.
type Share struct{ From, Base, Load int32 }

// NewPairLoads tables a routing that does not depend on the placement: by displacement if
// routing.Invariant holds, else by pair, for up to MaxPairNodes nodes. All loads fit an int32.
// Cost: two flows for every node and 8 bytes for every pair of nodes, or two flows for every pair.
func NewPairLoads(r routing.Routing) *PairLoads {
	t := r.Torus()
	f := &PairLoads{links: t.M(), den: objective.Denominator(r).Int64()}
	defer f.addUp()
	if routing.Invariant(r) {
		f.sums, f.delta = core.Sums(t), core.Displacements(t)
		for d := range t.N() {
			f.joint = append(f.joint, f.shares(r, 0, d))
		}
		return f
	}
	for p := range t.N() {
		f.same = append(f.same, int32(p))
		for q := range t.N() {
			if q < p {
				f.joint = append(f.joint, f.joint[q*t.N()+p])
			} else {
				f.joint = append(f.joint, f.shares(r, p, q))
			}
		}
	}
	return f
}

// addUp fills totals.
func (f *PairLoads) addUp() {
	f.totals = make([]int64, len(f.joint))
	for i, shares := range f.joint {
		for _, s := range shares {
			f.totals[i] += int64(s.Load)
		}
	}
}

// shares returns what two nodes exchange.
func (f *PairLoads) shares(r routing.Routing, p, q int) []Share {
	if p == q {
		return nil
	}
	list := Exchanged(r, p, q, f.den)
	shares := make([]Share, len(list))
	for i, l := range list {
		shares[i] = Share{From: l.From, Base: l.Port * int32(r.Torus().N()), Load: int32(l.Load)}
	}
	return shares
}

// Links returns the number of links of the torus.
func (f *PairLoads) Links() int { return f.links }

// Den returns the denominator: loads are in units of 1/Den.
func (f *PairLoads) Den() int64 { return f.den }

// Displaced returns the node p + d. It is for tables by displacement.
func (f *PairLoads) Displaced(p, d int) int { return f.sums.Node(p, d) }

// Pair returns what nodes p and q exchange: a share is on link Base + at[From]. It
// is for inner loops; both lists belong to the table.
func (f *PairLoads) Pair(p, q int) (shares []Share, at []int32) {
	if f.same != nil {
		return f.joint[p*len(f.same)+q], f.same
	}
	return f.joint[f.delta.Node(p, q)], f.sums.Row(p)
}

// Total returns what nodes p and q exchange on all links together.
func (f *PairLoads) Total(p, q int) int64 {
	if f.same != nil {
		return f.totals[p*len(f.same)+q]
	}
	return f.totals[f.delta.Node(p, q)]
}

// Add adds what p and q exchange, times sign, to the loads of links.
func (f *PairLoads) Add(loads []int32, p, q int, sign int32) {
	shares, at := f.Pair(p, q)
	for i := range shares {
		s := &shares[i]
		loads[s.Base+at[s.From]] += sign * s.Load
	}
}

// A flowTable holds the joint flows of pairs of nodes for a routing that does not
// depend on the placement: by displacement where nothing else matters, else by
// pair. It fills as pairs are needed.
type flowTable struct {
	routing routing.Routing
	torus   *core.Torus
	den     int64
	of      func(r routing.Routing, p, q int, den int64) []LinkLoad // what is tabled of a pair, Exchanged or Sent
	byPair  bool
	flows   map[int][]LinkLoad // by pair p*N+q
	offsets [][]LinkLoad       // by displacement d, of nodes 0 and d
	tabled  bool               // sums and delta are, on small tori
	sums    core.NodeTable
	delta   core.NodeTable
}

// maxSumTable is the most nodes for which node additions are tabled.
const maxSumTable = 2048

// newFlowTable returns an empty table of flows in units of 1/den.
func newFlowTable(r routing.Routing, den int64) *flowTable {
	t := r.Torus()
	f := &flowTable{routing: r, torus: t, den: den, of: Exchanged, byPair: !routing.Invariant(r)}
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

// pair returns the joint flow of the pair p, q; unless the table is by pair,
// as seen from p. The pair of a node with itself has none.
func (f *flowTable) pair(p, q int) []LinkLoad {
	if p == q {
		return nil
	}
	if f.byPair {
		key := p*f.torus.N() + q
		list, ok := f.flows[key]
		if !ok {
			list = f.of(f.routing, p, q, f.den)
			f.flows[key] = list
		}
		return list
	}
	d := 0
	if f.tabled {
		d = f.delta.Node(p, q)
	} else {
		d = f.torus.Displacement(p, q)
	}
	if f.offsets[d] == nil {
		f.offsets[d] = f.of(f.routing, 0, d, f.den)
	}
	return f.offsets[d]
}

// each calls do for every link that the pair p, q loads, with the load.
func (f *flowTable) each(p, q int, do func(link int, load int64)) {
	n := f.torus.N()
	list := f.pair(p, q)
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
