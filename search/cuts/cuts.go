// Package cuts proves that no placement of a size has E_max below a value where the links of one cut have to carry too
// much together: those around a node, for every node that may have a processor, or all links, or those along one
// dimension. It writes the proof as steps (docs/steps.md), a few for every node at most, for networks of any size.
package cuts

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/search"
)

// Name is that of the engine.
const Name = "cuts"

// mostNodes bounds the distances that are looked at, between all nodes.
const mostNodes = 1 << 12

// ErrOpen says that no cut shows it.
var ErrOpen = errors.New("cuts: the links of no cut have to carry too much")

// Refutes returns nil for problems that Refute takes, else an *search.UnsupportedError: all up to 4,096 nodes.
func Refutes(p objective.Problem) error {
	if n := p.Torus().N(); n > mostNodes {
		return search.Unsupported(Name, p, "the network has %d nodes; the most is %d", n, mostNodes)
	}
	return nil
}

// Refute writes, as steps, that no placement of a problem has E_max below a value, whatever paths a free routing uses.
// Errors are *search.UnsupportedError, ErrOpen, those of writing and the context's. Cost: the distances between all
// nodes.
func Refute(ctx context.Context, p objective.Problem, below *big.Rat, to *steps.Writer) error {
	if err := Refutes(p); err != nil {
		return err
	}
	r := &refuter{Problem: p, below: below, unit: unitOf(p), to: to, torus: p.Torus()}
	r.around[0], r.around[1] = r.torus.LinksAround()
	if r.nodes() {
		return to.Flush()
	}
	for dim := -1; dim < r.torus.D() && (dim < 0 || r.torus.Separable()); dim++ {
		if along, err := r.refuteDim(ctx, dim); along || err != nil {
			return errors.Join(err, to.Flush())
		}
	}
	return ErrOpen
}

// unitOf returns a number of which, over 1, all loads are multiples, nil where paths are chosen by what there is.
func unitOf(p objective.Problem) *big.Int {
	switch {
	case p.Free != nil && p.Free.Single:
		return big.NewInt(1)
	case p.Free != nil || p.Routing.DependsOnPlacement():
		return nil
	}
	return p.Denominator()
}

// A refuter writes one proof.
type refuter struct {
	objective.Problem
	below  *big.Rat
	unit   *big.Int
	to     *steps.Writer
	torus  *core.Torus
	around [2][][]core.Link // by node: the links out of it, and into it
}

// overloaded reports whether links have to carry too much if they carry a given number of messages together.
func (r *refuter) overloaded(links []core.Link, messages int64) bool {
	room := new(big.Rat)
	for _, l := range links {
		most := new(big.Rat).Mul(r.below, big.NewRat(int64(r.torus.LinkBandwidth(l)), 1))
		if r.unit != nil {
			most = objective.MultipleBelow(most, r.unit)
		}
		room.Add(room, most)
	}
	least := room.Cmp(big.NewRat(messages, 1))
	return least < 0 || least == 0 && r.unit == nil && len(links) > 0 // each carries less than its most
}

// evenly defines the weighting of links, each with weight 1.
func (r *refuter) evenly(links []core.Link) steps.Weighting {
	return r.to.Weighting(steps.Evenly(links...))
}

// nodes writes the proof if the links out of a node, or into it, carry too much wherever a processor is: for this many
// nodes that too few others are left.
func (r *refuter) nodes() bool {
	out, in := int64(r.Size-1), int64(r.Size-1) // messages of a processor
	if n, t := int64(r.torus.N()), r.Traffic; t.Clients() {
		out, in = (n-1)*int64(t.Reply)+out*int64(t.Request), (n-1)*int64(t.Request)+in*int64(t.Reply)
	}
	full := map[int][]core.Link{} // by node
	may := 0
	for v := range r.torus.N() {
		if r.MayHave(v) {
			may++
		}
		for side, messages := range [2]int64{out, in} {
			if links := r.around[side][v]; r.MayHave(v) && r.overloaded(links, messages) {
				full[v] = links
			}
		}
	}
	fixed := slices.IndexFunc(core.Range(r.torus.N()), func(v int) bool { return r.MustHave(v) && full[v] != nil })
	if fixed < 0 && may-len(full) >= r.Size {
		return false
	}
	all := []steps.Set{steps.All}
	view := steps.View(0)
	if r.Traffic.Clients() {
		view = r.to.View(all, nil)
	} else {
		view = r.to.View(nil, all) // the other takes the kernel longer
	}
	if fixed >= 0 {
		r.to.Weigh(r.evenly(full[fixed]), steps.Identity, view)
		return true
	}
	for v := 0; may >= r.Size; v++ {
		if full[v] != nil {
			r.to.Split(steps.Node(v), 1)
			r.to.Weigh(r.evenly(full[v]), steps.Identity, view)
			may--
		}
	}
	r.to.Crossed()
	return true
}

// refuteDim writes the proof if the links along a dimension, or all for -1, carry too much: every message takes as many
// of them as its ends are apart there, and no processor has more neighbours at any distance than there are nodes.
func (r *refuter) refuteDim(ctx context.Context, dim int) (bool, error) {
	t := r.torus
	var heads []int // by node: what a processor there puts on the links, at least
	for v := range t.N() {
		if err := ctx.Err(); err != nil || !r.MayHave(v) {
			if err != nil {
				return false, err
			}
			continue
		}
		var costs []int
		for x := range t.N() {
			if x != v && (r.MayHave(x) || r.Traffic.Clients()) {
				costs = append(costs, apart(t, v, x, dim))
			}
		}
		if !r.Traffic.Clients() {
			slices.Sort(costs)
			costs = costs[:min(r.Size-1, len(costs))]
		}
		heads = append(heads, sum(costs))
	}
	slices.Sort(heads)
	messages := int64(sum(heads[:min(r.Size, len(heads))]))
	view := [2][]steps.Set{{steps.All}, {steps.All}}
	if r.Traffic.Clients() {
		messages *= int64(r.Traffic.Request) + int64(r.Traffic.Reply)
		view[1] = nil
	}
	var links []core.Link
	for l := range t.EachLink() {
		if _, port := t.LinkFrom(l); dim < 0 || port.Dim == dim {
			links = append(links, l)
		}
	}
	if !r.overloaded(links, messages) {
		return false, nil
	}
	r.to.Weigh(r.evenly(links), steps.Identity, r.to.View(view[0], view[1]))
	return true, nil
}

// apart returns how many links along a dimension a shortest path has, -1: along all.
func apart(t *core.Torus, u, v, dim int) int {
	if dim < 0 {
		return t.LeeDistance(u, v)
	}
	a, b := t.Coord(u, dim), t.Coord(v, dim)
	if t.Open(dim) {
		return max(a-b, b-a)
	}
	return core.CyclicDistance(a, b, t.Side(dim))
}

func sum(list []int) (total int) {
	for _, x := range list {
		total += x
	}
	return total
}
