package meter

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
)

// MaxLinks is the most links of a torus of which anything is recomputed.
const MaxLinks = 1 << 21

// Apart returns what decides how many paths a pair has and how long they are, as the node that node 0 stands for it
// with: its displacement, in open dimensions the distance.
func Apart(t *core.Torus, from, to int) int {
	if t.Closed() {
		return t.Displacement(from, to)
	}
	v := 0
	for j := range t.D() {
		a, b := t.Coord(from, j), t.Coord(to, j)
		if t.Open(j) {
			v += t.Distance(j, a, b) * t.Stride(j)
		} else {
			v += core.Mod(b-a, t.Side(j)) * t.Stride(j)
		}
	}
	return v
}

// PathSteps returns, for a displacement as Apart gives it, an upper estimate of the number of its paths times their
// length.
func PathSteps(r routing.Routing) func(int) int64 {
	t := r.Torus()
	if table, ok := r.(*routing.Table); ok {
		return func(v int) int64 { return int64(table.MostPaths()) * int64(t.LeeDistance(0, v)) }
	}
	return func(v int) int64 {
		paths := new(big.Int)
		if _, ok := r.(*routing.Minimal); ok {
			paths.Set(LatticePaths(Distances(t, v)))
		} else {
			paths.MulRange(1, int64(differing(t, v)))
			if orders, ok := r.(*routing.Orders); ok && !orders.All() {
				paths.SetInt64(min(saturate(paths), int64(len(orders.List()))))
			}
		}
		paths.Mul(paths, big.NewInt(int64(t.LeeDistance(0, v))))
		return saturate(paths.Lsh(paths, uint(Ties(r, v))))
	}
}

// FlowSteps returns, for a displacement as Apart gives it, the work that a flow takes: the volume of the box between
// the ends, or the segments between corners.
func FlowSteps(r routing.Routing) func(int) int64 {
	t := r.Torus()
	return func(v int) int64 {
		work := big.NewInt(int64(t.D()))
		if _, ok := r.(*routing.Minimal); ok {
			for _, d := range Distances(t, v) {
				work.Mul(work, big.NewInt(int64(d+1)))
			}
			return saturate(work.Lsh(work, uint(Ties(r, v))))
		}
		work.SetInt64(2 * int64(t.LeeDistance(0, v)))
		return saturate(work.Lsh(work, uint(differing(t, v))))
	}
}

// saturate returns v, or a value above every limit here if v is large.
func saturate(v *big.Int) int64 {
	if v.BitLen() > 40 {
		return 1 << 40
	}
	return v.Int64()
}

// Distances returns the distance from node 0 to another in every dimension.
func Distances(t *core.Torus, v int) []int {
	list := make([]int, t.D())
	for j := range list {
		list[j] = t.Distance(j, 0, t.Coord(v, j))
	}
	return list
}

// differing returns in how many dimensions a displacement is not 0.
func differing(t *core.Torus, v int) int {
	count := 0
	for _, d := range Distances(t, v) {
		if d > 0 {
			count++
		}
	}
	return count
}

// Ties returns in how many dimensions of a displacement both ways are taken.
func Ties(r routing.Routing, v int) int {
	count := 0
	for j, d := range Distances(r.Torus(), v) {
		if k := r.Torus().Side(j); r.Tie() == routing.TieBoth && k > 2 && 2*d == k && !r.Torus().Open(j) {
			count++
		}
	}
	return count
}

// LatticePaths returns the number of ways to interleave the given steps: their multinomial coefficient, as a product of
// binomials.
func LatticePaths(steps []int) *big.Int {
	product, sum := big.NewInt(1), 0
	for _, s := range steps {
		sum += s
		product.Mul(product, new(big.Int).Binomial(int64(sum), int64(s)))
	}
	return product
}
