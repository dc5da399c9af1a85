package check

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
)

// boundsOf returns, by name, lower bounds on the E_max of every placement of n
// processors under r, derived from the definitions.
//
//   - degree: a processor sends n-1 units over its out-links (seed 001, Lemma
//     2.1).
//   - mean: the loads of all links add up to the total Lee distance.
//   - dimension-mean: the same for the links along one dimension.
//   - granularity: loads are multiples of 1/D, so the best of these rounds up.
//     It is left out where D is not found in reasonable time.
func boundsOf(r routing.Routing, n int) map[string]*big.Rat {
	t := r.Torus()
	bounds := map[string]*big.Rat{"degree": new(big.Rat), "mean": new(big.Rat), "dimension-mean": new(big.Rat)}
	if n >= 2 {
		bounds["degree"] = big.NewRat(int64(n-1), int64(t.Degree()))
		bounds["mean"] = meanBound(t, n)
		bounds["dimension-mean"] = dimensionBound(t, n)
	}
	best := new(big.Rat)
	for _, v := range bounds {
		if v.Cmp(best) > 0 {
			best = v
		}
	}
	if d := denominator(r); d != nil {
		units := ceil(new(big.Rat).Mul(best, new(big.Rat).SetInt(d)))
		bounds["granularity"] = new(big.Rat).SetFrac(units, d)
	}
	return bounds
}

// meanBound divides by M the larger of two bounds on the total Lee distance of
// any n nodes: n times the n-1 least distances from one node, and the sum of the
// least distances in the single dimensions.
func meanBound(t *core.Torus, n int) *big.Rat {
	near := new(big.Int).Mul(big.NewInt(int64(n)), nearest(t, n-1))
	apart := new(big.Int)
	for j := range t.D() {
		apart.Add(apart, leastSlabDistance(t.Side(j), t.N()/t.Side(j), n))
	}
	if apart.Cmp(near) > 0 {
		near = apart
	}
	return new(big.Rat).SetFrac(near, big.NewInt(int64(t.M())))
}

// nearest returns the sum of the count least Lee distances from node 0 to other
// nodes.
func nearest(t *core.Torus, count int) *big.Int {
	at := map[int]int{} // nodes by their distance
	for v := 1; v < t.N(); v++ {
		at[t.LeeDistance(0, v)]++
	}
	sum := new(big.Int)
	for distance := 1; count > 0; distance++ {
		nodes := min(count, at[distance])
		sum.Add(sum, big.NewInt(int64(distance)*int64(nodes)))
		count -= nodes
	}
	return sum
}

// dimensionBound is the best over the dimensions of the least total distance in
// it over the number of links along it.
func dimensionBound(t *core.Torus, n int) *big.Rat {
	best := new(big.Rat)
	for j := range t.D() {
		k := t.Side(j)
		links := int64(2 * t.N())
		if k == 2 {
			links /= 2
		}
		if v := new(big.Rat).SetFrac(leastSlabDistance(k, t.N()/k, n), big.NewInt(links)); v.Cmp(best) > 0 {
			best = v
		}
	}
	return best
}

// ceil returns the least whole number that is not below v.
func ceil(v *big.Rat) *big.Int {
	q, m := new(big.Int).DivMod(v.Num(), v.Denom(), new(big.Int))
	if m.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

func lcm(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(g.Div(a, g), b)
}
