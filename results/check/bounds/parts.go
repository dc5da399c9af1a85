package bounds

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
)

// stepOf returns the denominator of the limits that are told apart: that of the loads or, where it is not known, 4N,
// since the sums that are compared with a limit times N/k are multiples of 1/4; times the common multiple of the
// bandwidths, by one of which the limit is multiplied first.
func stepOf(r routing.Routing) *big.Int {
	if step := objective.Denominator(r); step != nil {
		return step
	}
	return big.NewInt(4 * int64(r.Torus().N()) * int64(r.Torus().CommonBandwidth()))
}

// maxMarginDims is the most dimensions in which the shares of orders are counted from listed paths.
const maxMarginDims = 6

// slabShares returns, for every boundary across s and each direction, in halves, what part of the traffic from slab x
// to slab y crosses it. They are counted on the paths between two nodes of one ring; what a pair does in other
// dimensions changes nothing. Where a tie is split as the processors have it the pair is left out, which makes loads
// smaller; a pair without a tie has one shortest path on its ring under every routing, also under a table that does not
// list the pair.
func slabShares(m *meter.Meter, r routing.Routing, s int) [][][]int64 {
	t, known := r.Torus(), knownTies(r)
	if !known {
		r = routing.NewUDR(t, r.Tie())
	}
	k := t.Side(s)
	m.ChargeAll(16, k, k, k)
	m.Charge(int64(t.N() / 8))
	list := make([][][]int64, 2*k)
	empty := core.NewSet(t.N())
	for i := range list {
		list[i] = newRows(k, k)
	}
	for x := range k {
		for y := range k {
			if x == y || 2*core.CyclicDistance(x, y, k) == k && k > 2 && !t.Open(s) && !known {
				continue
			}
			from, to := x*t.Stride(s), y*t.Stride(s)
			paths := int64(0)
			for range m.Paths(r, from, to, empty) {
				paths++
			}
			for path := range m.Paths(r, from, to, empty) {
				for _, l := range path {
					node, port := t.LinkFrom(l)
					side := 0
					if port.Dir == core.Minus {
						side = k
					}
					list[side+t.Coord(node, s)][x][y] += 2 / paths
				}
			}
		}
	}
	return list
}

// knownTies reports whether the routing splits every tie in the same way, wherever the processors are.
func knownTies(r routing.Routing) bool {
	switch r.(type) {
	case *routing.Orders, *routing.Minimal:
		return true
	case *routing.Avoid:
		return r.Tie() == routing.TiePlus
	}
	return false
}

// firstPart returns first/unit, the part of a pair's traffic that corrects s before o. It is counted on the paths of
// neighbours, for every set of other dimensions in which the pair may differ; unit is 0 if these disagree or the
// routing is not ordered. With s = o it is 1/1.
func firstPart(m *meter.Meter, r routing.Routing, s, o int) (first, unit int64) {
	t := r.Torus()
	if s == o {
		return 1, 1
	}
	if _, ok := r.(*routing.Orders); !ok || t.D() > maxMarginDims {
		return 0, 0
	}
	for set := range uint(1) << t.D() {
		if set>>s&1 == 0 || set>>o&1 == 0 {
			continue
		}
		num, den := int64(0), int64(0)
		to := 0
		for j := range t.D() {
			to += int(set>>j&1) * t.Stride(j)
		}
		for path := range m.Paths(r, 0, to, nil) {
			den++
			if before(t, path, s, o) {
				num++
			}
		}
		switch {
		case unit == 0:
			first, unit = num, den
		case num*unit != first*den:
			return 0, 0
		}
	}
	return first, unit
}

// endParts returns, for every dimension, the least part of the traffic of a pair in different slabs across it that
// corrects it first, and last, over all pairs that differ in two or more dimensions. It is counted on the paths of
// neighbours, on a twisted torus on those of all nodes.
func endParts(m *meter.Meter, r routing.Routing) (first, last []*big.Rat) {
	t := r.Torus()
	for range t.D() {
		first, last = append(first, big.NewRat(1, 1)), append(last, big.NewRat(1, 1))
	}
	pairs := 1 << t.D()
	if t.Twisted() {
		pairs = t.N()
	}
	for i := 1; i < pairs; i++ {
		to := i
		if !t.Twisted() {
			to = 0
			for j := range t.D() {
				to += i >> j & 1 * t.Stride(j)
			}
		}
		paths, starts, ends := int64(0), make([]int64, t.D()), make([]int64, t.D())
		for path := range m.Paths(r, 0, to, nil) {
			paths++
			_, out := t.LinkFrom(path[0])
			_, in := t.LinkFrom(path[len(path)-1])
			starts[out.Dim]++
			ends[in.Dim]++
		}
		for s := range t.D() {
			if t.Slab(to, s) != 0 {
				first[s] = lesser(first[s], big.NewRat(starts[s], paths))
				last[s] = lesser(last[s], big.NewRat(ends[s], paths))
			}
		}
	}
	return first, last
}

func lesser(a, b *big.Rat) *big.Rat {
	if b.Cmp(a) < 0 {
		return b
	}
	return a
}

// before reports whether a path corrects s before o.
func before(t *core.Torus, path []core.Link, s, o int) bool {
	for _, l := range path {
		switch _, port := t.LinkFrom(l); port.Dim {
		case s:
			return true
		case o:
			return false
		}
	}
	return false
}

// newRows returns rows of zeros.
func newRows(rows, length int) [][]int64 {
	t := make([][]int64, rows)
	for x := range t {
		t[x] = make([]int64, length)
	}
	return t
}
