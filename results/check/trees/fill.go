package trees

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// What the walks of the trees margin and levels share. Both list counts of
// processors first and fill them then.

// maxFillSide is the longest side of a torus whose tree margin or levels is walked.
const maxFillSide = 16

// fillQuestion returns what the tree of the given name needs to know of the
// routing, or a *core.InputError that says why the tree is not defined for n
// processors under it. The shape says which tori the tree is defined for, if that
// of the routing is none of them, else "".
func fillQuestion(m *meter.Meter, tree, shape string, r routing.Routing, n int) (*routing.Orders, *symmetry.Group, error) {
	t := r.Torus()
	undefined := func(text, domain string) error {
		return &core.InputError{Text: text, Problem: fmt.Sprintf("the tree %s is defined for %s", tree, domain)}
	}
	orders, ok := r.(*routing.Orders)
	switch {
	case !ok:
		return nil, nil, undefined(r.String(), "odr, udr and orders only")
	case shape != "":
		return nil, nil, undefined(t.String(), shape)
	case slices.Max(t.Dims()) > maxFillSide:
		return nil, nil, undefined(t.String(), fmt.Sprintf("sides up to %d", maxFillSide))
	case n < 0 || n > t.N():
		return nil, nil, &core.InputError{Text: strconv.Itoa(n), Problem: fmt.Sprintf("the size lies outside 0..%d, the nodes of torus %s", t.N(), t)}
	}
	group, err := m.SymmetryOf(r)
	return orders, group, err
}

// limitBelow returns the largest multiple of 1/d below a value, in units of which
// a message has so many, rounded down; -1 if it is negative, and most if it is more.
func limitBelow(value *big.Rat, d, units, most *big.Int) int64 {
	limit := shares.Ceil(new(big.Rat).Mul(value, new(big.Rat).SetInt(d)))
	limit.Sub(limit, big.NewInt(1))
	limit.Mul(limit, units)
	switch limit.Div(limit, d); {
	case limit.Sign() < 0:
		return -1
	case limit.Cmp(most) > 0:
		return most.Int64()
	}
	return limit.Int64()
}

// A filling is one pass through a tree, under way.
type filling struct {
	Tally
	meter *meter.Meter
	most  int64 // nodes
}

// meet counts a node with the given hash.
func (f *filling) meet(h uint64) {
	f.Nodes++
	f.Sum += h
	if f.Nodes > f.most {
		f.Ended = true
	}
}

// spend charges steps and reports whether the pass goes on.
func (f *filling) spend(steps int) bool {
	if f.meter.Spend(int64(steps)) != nil {
		f.Ended = true
	}
	return !f.Ended
}

// stopped reports whether there is no more to be done.
func (f *filling) stopped() bool { return f.Ended || f.Found != nil }

// through opens the prefixes from..to-1 in turn and returns what was met.
func (f *filling) through(from, to int, open func(prefix int)) Tally {
	for i := from; i < to && !f.stopped(); i++ {
		if f.Ended = f.meter.Err() != nil; !f.Ended {
			open(i)
		}
	}
	return f.Tally
}
