package bounds

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/results/check/meter"
)

// cutProblem says what is wrong with a bound for placement p whose witness is a
// set S of nodes (degree, separator, slab, bisection), "" if nothing is.
//
// Under any routing by paths, each message from a processor in S to one outside
// uses a link that leaves S, so E_max is at least |P in S| |P not in S| / out(S).
// The nodes are read again, the links out of S are counted one by one and the
// fraction is recomputed. The names promise more: one processor for degree, half
// of the processors for bisection, neighbouring slabs for slab. The value 0 needs
// no witness. Cost O(M).
func cutProblem(m *meter.Meter, t *core.Torus, p core.Placement, b objective.Bound) string {
	if b.Value == nil {
		return b.Name + " has no value"
	}
	if b.Value.Sign() == 0 && b.Witness.Set == nil && b.Witness.Links == 0 && b.Witness.Dim == nil {
		return ""
	}
	m.Charge(4 * int64(t.M()))
	set, problem := cutSet(t, b.Witness.Set)
	if problem != "" {
		return fmt.Sprintf("the set of %s: %s", b.Name, problem)
	}
	if out := linksOut(t, set); out != b.Witness.Links {
		return fmt.Sprintf("%d links leave the set of %s, not %d", out, b.Name, b.Witness.Links)
	}
	if b.Witness.Links == 0 {
		return fmt.Sprintf("no link leaves the set of %s", b.Name)
	}
	in := 0
	for _, v := range p.Nodes() {
		if set.Has(v) {
			in++
		}
	}
	value := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(int64(in)), big.NewInt(int64(p.Size()-in))), big.NewInt(int64(b.Witness.Links)))
	if value.Cmp(b.Value) != 0 {
		return fmt.Sprintf("the set of %s gives %s, not %s", b.Name, value.RatString(), b.Value.RatString())
	}
	return shapeProblem(t, set, in, p.Size(), b)
}

// cutSet reads a set of nodes and says what is wrong with it.
func cutSet(t *core.Torus, coords [][]int) (core.Set, string) {
	set := core.NewSet(t.N())
	for _, c := range coords {
		v, err := t.Node(c...)
		if err != nil {
			return nil, err.Error()
		}
		if set.Has(v) {
			return nil, fmt.Sprintf("node %v stands twice", c)
		}
		set.Add(v)
	}
	return set, ""
}

// linksOut counts the directed links from nodes in the set to nodes outside.
func linksOut(t *core.Torus, set core.Set) int {
	count := 0
	for l := range t.M() {
		if from, to := t.LinkEnds(core.Link(l)); set.Has(from) && !set.Has(to) {
			count++
		}
	}
	return count
}

// shapeProblem says in how far a set is not what the name of the bound promises.
func shapeProblem(t *core.Torus, set core.Set, in, n int, b objective.Bound) string {
	switch b.Name {
	case objective.BoundDegree:
		if in != 1 || set.Count() != 1 {
			return "the set of degree is not one processor"
		}
	case objective.BoundBisection:
		if d := 2*in - n; d < -1 || d > 1 {
			return fmt.Sprintf("the set of bisection holds %d of %d processors", in, n)
		}
	case objective.BoundSlab:
		return bandProblem(t, set, b.Witness.Dim)
	}
	return ""
}

// bandProblem says why a set is not a band of neighbouring slabs across dim.
func bandProblem(t *core.Torus, set core.Set, dim *int) string {
	if dim == nil || *dim < 0 || *dim >= t.D() {
		return "slab names no dimension of the torus"
	}
	k := t.Side(*dim)
	counts := make([]int, k)
	for _, v := range set.Nodes() {
		counts[t.Coord(v, *dim)]++
	}
	ends := 0 // places where the band begins or ends on the ring
	for i, c := range counts {
		if c != 0 && c != t.N()/k {
			return fmt.Sprintf("the set of slab holds only a part of slab %d across dimension %d", i, *dim)
		}
		if (c == 0) != (counts[(i+1)%k] == 0) {
			ends++
		}
	}
	if ends != 2 {
		return fmt.Sprintf("the set of slab is not between two cuts across dimension %d", *dim)
	}
	return ""
}
