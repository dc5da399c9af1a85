package shares

import (
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/meter"
)

// Limits of the search for a denominator.
const (
	maxListedSteps   = 20_000_000 // steps of listed paths
	maxAvoidPaths    = 4096       // paths of a pair under avoid
	maxDisplacements = 1 << 17    // of minimal, up to symmetry
)

// Denominator returns a D such that every load under r is a multiple of 1/D, nil if that would take too long: that of
// the parts of messages that links carry, times the common multiple of the bandwidths.
func Denominator(m *meter.Meter, r routing.Routing) *big.Int {
	return perBandwidth(r, PartDenominator(m, r))
}

// perBandwidth returns d times the common multiple of the bandwidths, nil if d is.
func perBandwidth(r routing.Routing, d *big.Int) *big.Int {
	if d == nil {
		return nil
	}
	return new(big.Int).Mul(d, big.NewInt(int64(r.Torus().CommonBandwidth())))
}

// PartDenominator is Denominator without bandwidths.
func PartDenominator(m *meter.Meter, r routing.Routing) *big.Int {
	switch r := r.(type) {
	case *routing.Minimal:
		return minimalDenominator(m, r)
	case *routing.Avoid:
		return avoidDenominator(r)
	case *routing.Orders:
		return ordersDenominator(m, r)
	case *routing.Weighted:
		return weightedDenominator(m, r)
	case *routing.Table:
		return tableDenominator(m, r)
	case *routing.Legs:
		return legsDenominator(m, r)
	}
	return nil
}

// ordersDenominator lists the paths of one displacement of every kind. What part of a pair's traffic a link carries
// depends only on which coordinates differ and which of these are ties: 0, 1 and half a side stand for all. On a
// twisted torus it lists the paths of all displacements.
func ordersDenominator(m *meter.Meter, r *routing.Orders) *big.Int {
	t := r.Torus()
	kinds := []int{0}
	if t.Twisted() {
		kinds = core.Range(t.N())
	}
	for j := 0; j < t.D() && !t.Twisted(); j++ {
		var next []int
		for _, v := range kinds {
			next = append(next, v, v+t.Stride(j))
			if k := t.Side(j); k%2 == 0 && k > 2 && !t.Open(j) {
				next = append(next, v+k/2*t.Stride(j))
			}
		}
		m.ChargeAll(8, len(next))
		if kinds = next; len(kinds) > maxListedSteps {
			return nil
		}
	}
	work := int64(0)
	for _, v := range kinds {
		m.Charge(64)
		if work += meter.PathSteps(r)(v); work > maxListedSteps {
			return r.Denominator() // core derives it from the counts of orders
		}
	}
	d := big.NewInt(1)
	for _, v := range kinds[1:] {
		d = LCM(d, pairDenominator(m, r, 0, v))
	}
	return d
}

// legsDenominator lists the paths of all pairs that differ by more than translations.
func legsDenominator(m *meter.Meter, r *routing.Legs) *big.Int {
	t, work, d := r.Torus(), int64(0), big.NewInt(1)
	for _, p := range t.Bases() {
		for q := range t.N() {
			if work += r.Listed(p, q); work > maxListedSteps {
				return nil
			}
			if p != q {
				d = LCM(d, pairDenominator(m, r, p, q))
			}
		}
	}
	return d
}

// pairDenominator returns the common denominator of the shares that the links have in the traffic between two nodes; on
// a twisted torus the number of paths, a multiple of it.
func pairDenominator(m *meter.Meter, r routing.Routing, from, to int) *big.Int {
	uses := map[core.Link]int64{}
	paths := int64(0)
	for path, weight := range m.Paths(r, from, to, nil) {
		paths += weight
		m.ChargeAll(8, len(path))
		for _, l := range path {
			uses[l] += weight
		}
	}
	d := big.NewInt(1)
	if r.Torus().Twisted() {
		return big.NewInt(paths)
	}
	for _, n := range uses {
		d = LCM(d, big.NewRat(n, paths).Denom())
	}
	return d
}

// minimalDenominator is the common multiple of the numbers of shortest paths of all displacements; on a torus that is
// not twisted the number depends on the distances in the dimensions, in any order.
func minimalDenominator(m *meter.Meter, r *routing.Minimal) *big.Int {
	t := r.Torus()
	count, d := 1, big.NewInt(1)
	if !t.HasDimensions() {
		return countedDenominator(m, t)
	}
	add := func(v int) {
		m.Charge(64*int64(t.D()) + int64(d.BitLen()+t.LeeDistance(0, v)))
		paths := new(big.Int)
		for _, steps := range meter.Ways(r, v) {
			paths.Add(paths, meter.LatticePaths(steps))
		}
		d = LCM(d, paths)
	}
	if t.Twisted() {
		for v := 1; v < t.N(); v++ {
			add(v)
		}
		return d
	}
	for j := range t.D() {
		if count *= farthest(t, j) + 1; count > maxDisplacements {
			return nil
		}
	}
	var visit func(j, v int)
	visit = func(j, v int) {
		if j == t.D() {
			add(v)
			return
		}
		for step := 0; step <= farthest(t, j); step++ {
			visit(j+1, v+step*t.Stride(j))
		}
	}
	visit(0, 0)
	return d
}

// countedDenominator is minimalDenominator without dimensions: the common multiple of the numbers of shortest paths of
// all pairs, nil if one is too large to count or there are too many pairs.
func countedDenominator(m *meter.Meter, t *core.Network) *big.Int {
	d, seen := big.NewInt(1), map[int64]bool{}
	if t.N()*t.N() > maxListedSteps {
		return nil
	}
	for from := range t.N() {
		m.ChargeAll(4, t.M())
		for _, paths := range meter.PathCounts(t, from) {
			if paths == 1<<62 {
				return nil
			}
			if !seen[paths] {
				seen[paths] = true
				m.Charge(int64(64 + d.BitLen()))
				d = LCM(d, big.NewInt(paths))
			}
		}
	}
	return d
}

// farthest returns the largest distance along dimension j.
func farthest(t *core.Torus, j int) int {
	if t.Open(j) {
		return t.Side(j) - 1
	}
	return t.Side(j) / 2
}

// avoidDenominator is the common multiple of all numbers up to the most paths of a pair: how many of them have the
// fewest processors inside depends on the placement.
func avoidDenominator(r *routing.Avoid) *big.Int {
	t := r.Torus()
	if t.D() > 7 { // 8! is above the limit
		return nil
	}
	paths := new(big.Int).MulRange(1, int64(t.D())).Int64()
	if t.Twisted() {
		paths = 0
		for v := 1; v < t.N(); v++ {
			paths = max(paths, avoidPaths(r, v))
		}
	}
	for j := 0; j < t.D() && !t.Twisted(); j++ {
		if k := t.Side(j); r.Tie() == routing.TieBoth && k%2 == 0 && k > 2 && !t.Open(j) {
			paths *= 2
		}
	}
	if paths > maxAvoidPaths {
		return nil
	}
	d := big.NewInt(1)
	for n := int64(2); n <= paths; n++ {
		d = LCM(d, big.NewInt(n))
	}
	return d
}

// avoidPaths returns how many paths avoid chooses from between node 0 and another.
func avoidPaths(r *routing.Avoid, v int) (paths int64) {
	for _, steps := range meter.Ways(r, v) {
		moving := len(slices.DeleteFunc(steps, func(d int) bool { return d == 0 }))
		paths += new(big.Int).MulRange(1, int64(moving)).Int64()
	}
	return paths
}

// weightedDenominator is tableDenominator of a table of weighted paths.
func weightedDenominator(m *meter.Meter, r *routing.Weighted) *big.Int {
	d, work := big.NewInt(1), int64(0)
	for from := range r.Torus().N() {
		for to := range r.Torus().N() {
			if m.Charge(4); !r.Has(from, to) {
				continue
			}
			if work += r.MostLinks(); work > maxListedSteps {
				return nil
			}
			d = LCM(d, pairDenominator(m, r, from, to))
		}
	}
	return d
}

// tableDenominator is the common denominator of the shares that the paths of each entry give to links, nil if there are
// too many paths to list.
func tableDenominator(m *meter.Meter, r *routing.Table) *big.Int {
	t := r.Torus()
	starts := 1
	if r.ByPair() {
		starts = t.N()
	}
	d, work := big.NewInt(1), 0
	for from := range starts {
		for to := range t.N() {
			m.Charge(4)
			choices := r.Choices(from, to)
			if len(choices) == 0 {
				continue
			}
			if work += len(choices) * t.LeeDistance(from, to); work > maxListedSteps {
				return nil
			}
			d = LCM(d, pairDenominator(m, r, from, to))
		}
	}
	return d
}
