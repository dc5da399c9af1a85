package orderly

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
)

// Limits of what is tabled: nodes, bits of the unit of loads, loads of all pairs of
// nodes, and words of the node sets below an edge.
const (
	maxNodes      = 256
	maxUnitBits   = 40
	maxPairLoads  = 1 << 25
	maxImageWords = 1 << 25
)

// flows are the joint loads of pairs of nodes. Links that carry the same under
// every placement share a column (under udr both directions of an edge do).
type flows struct {
	n, degree int
	unit      int64        // loads are multiples of 1/unit
	most      int64        // the largest load of a pair on a link
	columns   int          // distinct links
	column    []int        // by link
	first     [][]linkLoad // by node d: what 0 and d send each other, once for every column
	sums      core.NodeTable
}

// A linkLoad is a load on one link, in units.
type linkLoad struct {
	link core.Link
	load int64
}

// newFlows tables the joint loads of all pairs with node 0, of which the others
// are translations. Cost O(N) flows of pairs and O(N^2) steps.
func newFlows(p objective.Problem) *flows {
	t, den := p.Torus(), p.Routing.Denominator()
	first := displaced(p, den)
	divisor := new(big.Int).Set(den)
	for _, list := range first {
		for _, load := range list {
			divisor.GCD(nil, nil, divisor, big.NewInt(load))
		}
	}
	f := &flows{n: t.N(), degree: t.Degree(), unit: new(big.Int).Div(den, divisor).Int64(), first: make([][]linkLoad, t.N())}
	f.merge(t, first)
	for d, list := range first {
		for l := range core.Link(t.M()) {
			if load := list[l] / divisor.Int64(); load > 0 && f.own(t, l) {
				f.first[d] = append(f.first[d], linkLoad{l, load})
				f.most = max(f.most, load)
			}
		}
	}
	f.sums = core.Sums(t)
	return f
}

// displaced returns, for every displacement d, what nodes 0 and d send each other
// in units of 1/den, by link.
func displaced(p objective.Problem, den *big.Int) []map[core.Link]int64 {
	list := make([]map[core.Link]int64, p.Torus().N())
	for d := 1; d < len(list); d++ {
		list[d] = map[core.Link]int64{}
		for _, l := range objective.Exchanged(p.Routing, 0, d, den.Int64()) {
			list[d][l.Link(p.Torus())] = l.Load
		}
	}
	return list
}

// merge gives links that carry the same of every pair one column. Only the two
// links of an edge are compared. By translation it is enough to compare, for every
// displacement d and port, all edges under the pair 0, d.
func (f *flows) merge(t *core.Torus, first []map[core.Link]int64) {
	same := make([]bool, t.D())
	for j := range same {
		same[j] = t.Side(j) > 2
	}
	for _, list := range first {
		for l, load := range list {
			if _, port := t.LinkFrom(l); same[port.Dim] && list[t.Reverse(l)] != load {
				same[port.Dim] = false
			}
		}
	}
	f.column, f.columns = t.LinkClasses(same)
}

// own reports whether a link is the first of its column.
func (f *flows) own(t *core.Torus, l core.Link) bool {
	_, port := t.LinkFrom(l)
	return port.Dir == core.Plus || f.column[l] != f.column[t.Reverse(l)]
}

// translated returns the column that link l has when node 0 becomes node p.
func (f *flows) translated(l core.Link, p int) int {
	from := int(l) % f.n
	return f.column[int(l)-from+f.sums.At(p, from)]
}

// unsupported refuses a problem.
func unsupported(p objective.Problem, why string, args ...any) error {
	return &search.UnsupportedError{Method: Name, Problem: p.String(), Why: fmt.Sprintf(why, args...)}
}
