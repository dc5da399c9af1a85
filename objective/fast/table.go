package fast

import (
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// A LinkLoad is a load on the link that leaves node From by port Port.
type LinkLoad struct {
	From, Port int32
	Load       int64
}

// Link returns the number of the link.
func (l LinkLoad) Link(t *core.Torus) core.Link { return core.Link(int(l.Port)*t.N() + int(l.From)) }

// Sent returns what node p sends node q under a routing that does not depend on the
// placement, in units of 1/den, each link once; twice a message fits an int64. Loads are rounded down where den is a
// multiple of the common bandwidth, but not of Denominator. Cost: one flow.
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
	at, units := map[core.Link]int{}, big.NewInt(den)
	for _, f := range flows {
		for l, load := range f.Units(t, units) {
			i, ok := at[l]
			if !ok {
				i, at[l] = len(list), len(list)
				list = append(list, LinkLoad{From: int32(int(l) % t.N()), Port: int32(int(l) / t.N())})
			}
			list[i].Load += load
		}
	}
	return list
}

// A Table has what pairs of nodes exchange under a routing that does not depend on the placement, for evaluators and
// searches that add up loads pair by pair. It fills as pairs are needed, and is not safe for concurrent use.
type Table struct {
	routing routing.Routing
	torus   *core.Torus
	den     int64
	sent    bool           // it has what the first of two nodes sends the second instead
	ports   int32          // how many ports of a node have one share
	width   uint           // by how many bits their loads lie apart in it
	even    bool           // translations preserve what pairs exchange: it is tabled for node 0 and every other
	joint   [][]Joint      // by the two nodes, the smaller first unless sent
	sums    core.NodeTable // where even, on networks of up to maxSumTable nodes
	delta   core.NodeTable
	moved   []int32 // elsewhere the images of nodes under the translation by node by
	by      int
	full    []Joint // by displacement, once it is filled
}

// MaxPairNodes is the most nodes of a network on which every pair is tabled.
const MaxPairNodes = 256

// maxSumTable is the most nodes for which node additions are tabled.
const maxSumTable = 2048

// A Joint is what two nodes exchange: on each link, and on all together.
type Joint struct {
	Shares []Share
	Total  int64
}

// A Share is the part of an exchange on the link with number Base + at[From], at being the list beside it.
type Share struct {
	From, Base int32
	Load       int64
}

// NewTable returns an empty table in units of 1/den, in which the loads of a pair fit an int64. Cost: two flows for
// each pair that is asked for, or for each displacement where routing.Invariant holds.
func NewTable(r routing.Routing, den int64) *Table {
	t := r.Torus()
	f := &Table{routing: r, torus: t, den: den, even: routing.Invariant(r), ports: 1,
		joint: make([][]Joint, t.N())}
	if f.even && t.N() <= maxSumTable {
		f.sums, f.delta = core.Sums(t), core.Displacements(t)
		return f
	}
	for v := range t.N() {
		f.moved = append(f.moved, int32(v))
	}
	return f
}

// Fill makes the lists of all displacements, if there are tables for these, so that Pair is at its fastest.
func (f *Table) Fill() *Table {
	if f.moved == nil {
		for d := range f.torus.N() {
			f.pair(0, d)
		}
		f.full = f.joint[0]
	}
	return f
}

// Pair returns what nodes p and q exchange: a share is on link Base + at[From]. It is for inner loops; both belong to
// the table, and what is returned may change with the next call.
func (f *Table) Pair(p, q int) (j *Joint, at []int32) {
	if f.full != nil {
		return &f.full[f.delta.Node(p, q)], f.sums.Row(p)
	}
	return f.pair(p, q)
}

func (f *Table) pair(p, q int) (j *Joint, at []int32) {
	switch {
	case !f.even && f.sent:
		at = f.moved
	case !f.even:
		at, p, q = f.moved, min(p, q), max(p, q)
	case f.moved == nil:
		at, p, q = f.sums.Row(p), 0, f.delta.Node(p, q)
	default:
		if p != f.by {
			f.by = p
			for v := range f.moved {
				f.moved[v] = int32(f.torus.Sum(v, p))
			}
		}
		at, p, q = f.moved, 0, f.torus.Displacement(p, q)
	}
	if f.joint[p] == nil {
		f.joint[p] = make([]Joint, f.torus.N())
	}
	if j = &f.joint[p][q]; j.Shares == nil && p != q {
		of := Exchanged
		if f.sent {
			of = Sent
		}
		for _, l := range of(f.routing, p, q, f.den) {
			share := Share{l.From, l.Port / f.ports * int32(f.torus.N()), l.Load << (uint(l.Port%f.ports) * f.width)}
			same := func(s Share) bool { return s.From == share.From && s.Base == share.Base }
			if i := slices.IndexFunc(j.Shares, same); f.ports > 1 && i >= 0 {
				j.Shares[i].Load += share.Load
			} else {
				j.Shares = append(j.Shares, share)
			}
			j.Total += l.Load
		}
	}
	return j, at
}

// Add adds what p and q exchange, times sign, to the loads of links.
func Add[L int32 | int64](f *Table, loads []L, p, q int, sign L) {
	j, at := f.Pair(p, q)
	for i := range j.Shares {
		s := &j.Shares[i]
		loads[s.Base+at[s.From]] += sign * L(s.Load)
	}
}

// tabled returns the kernel of any routing that does not depend on the placement: it adds up what every unordered pair
// exchanges. Cost: n^2/2 flows of a pair.
func tabled(r routing.Routing, den int64) kernel {
	f, load := NewTable(r, den), make([]int64, r.Torus().M())
	return func(nodes []int, w *core.Watch) ([]int64, error) {
		clear(load)
		for i, p := range nodes {
			for _, q := range nodes[:i] {
				Add(f, load, p, q, 1)
				if j, _ := f.Pair(p, q); w.Err(len(j.Shares)) != nil {
					return nil, w.Err(0)
				}
			}
		}
		return load, nil
	}
}
