package local

import (
	"math"
	"math/big"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/lanes"
)

// overload is a model whose cost is the sum over links of what they carry above the limit, in units of 1/den. It keeps
// the loads and, for every node v, the vector around[v] of what v exchanges with all processors. After a swap of a for
// b the loads are, link by link,
//
//	load - around[a] + around[b] - joint(a, b),
//
// so a trial is one pass over the links. Making a swap costs the joint flows of every node with a and b.
type overload struct {
	nodes, links int
	den          int64
	limit        int32
	load, none   []int32     // by link; none is 0 everywhere
	around       []int32     // row by row
	pairs        *fast.Table // nil for client traffic, where around is what each node causes, and joint is 0
}

// maxCells is the most numbers in the vectors of all nodes: 16 MiB.
const maxCells = 1 << 22

// newOverload returns the model of no processors, and whether the problem is small
// enough and its loads follow from the displacements of pairs, or from nodes alone.
func newOverload(p objective.Problem) (*overload, bool) {
	t, r := p.Torus(), p.Routing
	if p.Traffic.Clients() {
		return newClientOverload(p)
	}
	if r.DependsOnPlacement() || !routing.Invariant(r) || t.N()*t.M() > maxCells {
		return nil, false
	}
	n, den := t.N(), objective.Denominator(r)
	most := new(big.Int).Mul(den, big.NewInt(int64(p.Size+2)*int64(p.Size+2)))
	if most.Cmp(big.NewInt(math.MaxInt32)) > 0 {
		return nil, false
	}
	return &overload{nodes: n, links: t.M(), den: den.Int64(), load: make([]int32, t.M()), none: make([]int32, t.M()),
		around: make([]int32, n*t.M()), pairs: fast.NewTable(r, den.Int64()).Fill()}, true
}

// newClientOverload is newOverload for client traffic.
func newClientOverload(p objective.Problem) (*overload, bool) {
	t := p.Torus()
	if t.N()*t.M() > maxCells {
		return nil, false
	}
	nodes, err := fast.NewNodeLoads(p, nil)
	if err != nil {
		return nil, false
	}
	m := &overload{nodes: t.N(), links: t.M(), den: nodes.Den(), load: make([]int32, t.M()), none: make([]int32, t.M()),
		around: make([]int32, t.N()*t.M())}
	scratch := make([]int64, t.M())
	for v := range t.N() {
		for l, load := range nodes.Row(v, scratch) {
			if load > math.MaxInt32/int64(p.Size+2) {
				return nil, false
			}
			m.row(v)[l] = int32(load)
		}
	}
	return m, true
}

func (m *overload) row(v int) []int32 { return m.around[v*m.links:][:m.links] }

func (m *overload) unit() (int64, bool) { return m.den, true }
func (m *overload) aim(limit int64)     { m.limit = int32(limit) }

func (m *overload) reset(nodes []int) {
	clear(m.load)
	if m.pairs != nil {
		clear(m.around)
	}
	for _, v := range nodes {
		m.change(v, 1)
	}
}

func (m *overload) swap(out, in int) {
	m.change(out, -1)
	m.change(in, 1)
}

// change adds what node v exchanges, times sign, to the loads and the vectors.
func (m *overload) change(v int, sign int32) {
	for i, w := range m.row(v) {
		m.load[i] += sign * w
	}
	if m.pairs == nil {
		return
	}
	for u := range m.nodes {
		fast.Add(m.pairs, m.row(u), u, v, sign)
	}
}

func (m *overload) cost() int64 {
	return lanes.Excess(m.load, m.none, m.none, m.limit)
}

// overshoot returns what a load exceeds the limit by.
func overshoot(load, limit int32) int64 { return int64(max(load-limit, 0)) }

func (m *overload) dropCost(out int) int64 {
	return lanes.Excess(m.load, m.row(out), m.none, m.limit)
}

// Whatever the two exchange comes off last, link by link, and only where all of it could bring the sum down to enough.
func (m *overload) swapCost(out, in int, enough int64) int64 {
	va, vb := m.row(out), m.row(in)
	c := lanes.Excess(m.load, va, vb, m.limit)
	if m.pairs == nil {
		return c
	}
	j, at := m.pairs.Pair(out, in)
	if least := c - j.Total; least > enough {
		return least
	}
	for k := range j.Shares {
		s := &j.Shares[k]
		i := s.Base + at[s.From]
		w := m.load[i] - va[i] + vb[i]
		c += overshoot(w-int32(s.Load), m.limit) - overshoot(w, m.limit)
	}
	return c
}

func (m *overload) most() int64 {
	most := int32(0)
	for _, w := range m.load {
		most = max(most, w)
	}
	return int64(most)
}
