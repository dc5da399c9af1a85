package orbit

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
)

// Limits of what is tabled: nodes of the torus, bits of the largest load, and
// loads of pairs of orbits.
const (
	maxNodes    = 1024
	maxLoadBits = 29
	maxEntries  = 1 << 24
)

// Name is the word by which records and flags call the method.
const Name = "orbit"

// Supports returns nil for routings whose loads grow with processors and depend
// on displacements only, on tori within the limits of the tables, otherwise an
// *search.UnsupportedError.
func Supports(p objective.Problem) error {
	den, n := p.Routing.Denominator(), big.NewInt(int64(p.Size))
	switch {
	case p.Routing.DependsOnPlacement():
		return unsupported(p, "its loads can fall when a processor is added")
	case !routing.Invariant(p.Routing):
		return unsupported(p, "translations change the paths of a table by pair")
	case p.Torus().N() > maxNodes:
		return unsupported(p, "the torus has %d nodes, the tables stop at %d", p.Torus().N(), maxNodes)
	case den == nil || n.Mul(n, n).Mul(n, den).BitLen() > maxLoadBits:
		return unsupported(p, "its loads over their denominator pass %d bits", maxLoadBits)
	}
	return nil
}

func unsupported(p objective.Problem, why string, args ...any) error {
	return &search.UnsupportedError{Method: Name, Problem: p.String(), Why: fmt.Sprintf(why, args...)}
}

// flows holds what pairs of nodes send each other, by displacement, in units of
// 1/den.
type flows struct {
	torus *core.Torus
	den   int64
	joint [][]linkLoad // by displacement d: what nodes 0 and d send each other
	sum   [][]int32    // by nodes v, w: the node v+w
	diff  [][]int32    // by nodes v, w: the node w-v
}

// A linkLoad is a load on the link that leaves a node by a port.
type linkLoad struct {
	port, from int
	load       int32
}

// newFlows tables the joint flows. The problem must be supported. Cost: two flows
// per node, and N^2.
func newFlows(p objective.Problem) *flows {
	t := p.Torus()
	f := &flows{torus: t, den: p.Routing.Denominator().Int64(), joint: make([][]linkLoad, t.N()),
		sum: make([][]int32, t.N()), diff: make([][]int32, t.N())}
	for v := range t.N() {
		f.sum[v], f.diff[v] = make([]int32, t.N()), make([]int32, t.N())
		for w := range t.N() {
			d := t.Displacement(v, w)
			f.diff[v][w] = int32(d)
			f.sum[v][d] = int32(w)
		}
		if v > 0 {
			f.joint[v] = append(f.oneWay(p.Routing.Flow(0, v, nil)), f.oneWay(p.Routing.Flow(v, 0, nil))...)
		}
	}
	return f
}

// oneWay returns the loads of one flow.
func (f *flows) oneWay(flow routing.Flow) []linkLoad {
	unit := f.den / flow.Den.Int64()
	list := make([]linkLoad, len(flow.Shares))
	for i, s := range flow.Shares {
		list[i] = linkLoad{port: int(s.Link) / f.torus.N(), from: int(s.Link) % f.torus.N(), load: int32(s.Num.Int64() * unit)}
	}
	return list
}

// add adds what nodes p and q send each other to the loads of links.
func (f *flows) add(loads []int32, p, q int) {
	n, row := len(f.sum), f.sum[p]
	for _, l := range f.joint[f.diff[p][q]] {
		loads[l.port*n+int(row[l.from])] += l.load
	}
}
