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
	unit      int64       // loads are multiples of 1/unit
	most      int64       // the largest load of a pair on a link
	columns   int         // distinct links
	column    []int       // by link
	between   [][]colLoad // by pair p*n+q: what p and q send each other
}

// A colLoad is a load on one column.
type colLoad struct {
	column int
	load   int64
}

// newFlows tables the joint loads of all pairs. Cost O(N^2) flows of pairs.
func newFlows(p objective.Problem) *flows {
	t, den := p.Torus(), p.Routing.Denominator()
	first := displaced(p, den)
	divisor := new(big.Int).Set(den)
	for _, list := range first {
		for _, load := range list {
			divisor.GCD(nil, nil, divisor, big.NewInt(load))
		}
	}
	f := &flows{n: t.N(), degree: t.Degree(), unit: new(big.Int).Div(den, divisor).Int64()}
	for _, list := range first {
		for l := range list {
			list[l] /= divisor.Int64()
			f.most = max(f.most, list[l])
		}
	}
	f.merge(t, first)
	f.translate(t, first)
	return f
}

// displaced returns, for every displacement d, what nodes 0 and d send each other
// in units of 1/den, by link.
func displaced(p objective.Problem, den *big.Int) []map[core.Link]int64 {
	list := make([]map[core.Link]int64, p.Torus().N())
	for d := 1; d < len(list); d++ {
		list[d] = map[core.Link]int64{}
		for _, pair := range [][2]int{{0, d}, {d, 0}} {
			flow := p.Routing.Flow(pair[0], pair[1], nil)
			unit := new(big.Int).Div(den, flow.Den).Int64()
			for _, s := range flow.Shares {
				list[d][s.Link] += s.Num.Int64() * unit
			}
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
			if _, port := t.LinkFrom(l); same[port.Dim] && list[reverse(t, l)] != load {
				same[port.Dim] = false
			}
		}
	}
	f.column = make([]int, t.M())
	for l := range f.column {
		_, port := t.LinkFrom(core.Link(l))
		if same[port.Dim] && port.Dir == core.Minus {
			f.column[l] = f.column[reverse(t, core.Link(l))] // a Plus link, numbered before
			continue
		}
		f.column[l] = f.columns
		f.columns++
	}
}

// reverse returns the other link of the edge, on a side above 2.
func reverse(t *core.Torus, l core.Link) core.Link {
	_, to := t.LinkEnds(l)
	_, port := t.LinkFrom(l)
	return t.Link(to, port.Dim, -port.Dir)
}

// translate fills the table of all pairs.
func (f *flows) translate(t *core.Torus, first []map[core.Link]int64) {
	f.between = make([][]colLoad, f.n*f.n)
	for p := range f.n {
		back := t.Displacement(p, 0)
		for d := 1; d < f.n; d++ {
			at := p*f.n + t.Displacement(back, d)
			loads := make(map[int]int64, len(first[d]))
			for l, load := range first[d] {
				from := int(l) % f.n
				loads[f.column[int(l)-from+t.Displacement(back, from)]] = load
			}
			for c, load := range loads {
				f.between[at] = append(f.between[at], colLoad{c, load})
			}
		}
	}
}

// unsupported refuses a problem.
func unsupported(p objective.Problem, why string, args ...any) error {
	return &search.UnsupportedError{Method: Name, Problem: p.String(), Why: fmt.Sprintf(why, args...)}
}
