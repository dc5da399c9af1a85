package assigned

import (
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/results/check/meter"
)

const (
	// weightings is how many weights of the links the bound by weights tries.
	weightings = 64
	// weightBits is how many bits all weights have together.
	weightBits = 20
	// shareUnit is what shares of paths are in parts of, rounded down, which no bound minds.
	shareUnit = 1 << 16
)

// weightsBound returns a lower bound on E_max, in units of the matrix, where no task sends to more than one other or
// receives from more than one, and a node has one task, as with the patterns of the textbooks; else nil. Demands are
// between pairs of nodes then, each node first of one and second of one at most. Where E_max is below the value V of
// the pair of nodes of whose messages a link carries most, such pairs have no demand. Of the others the least sum of
// weights of links, each times what the link carries, that so many pairs have, an assignment problem, over the weights
// of all links times their bandwidths, is at most E_max, whatever the weights. They begin alike, and then grow on links
// that carry more than that, by steps that fall (Arora, Hazan and Kale, The multiplicative weights update method,
// 2012).
// V itself is the bound where the others are more.
func weightsBound(m *meter.Meter, p objective.Problem) *big.Rat {
	t, matrix := p.Torus(), p.Traffic.Matrix
	n, demands := t.N(), len(matrix.Demands)
	size := 2*n - demands // of the assignment problem: a row for every node, and for every node that receives nothing
	if p.Traffic.Room() > 1 || t.Capacity() >= 1<<(weightBits-1) || demands == 0 || demands > n ||
		weightings*size*size*size > maxLinkWork { // so that all numbers here are below 2^62
		return nil
	}
	sends, receives := core.NewSet(matrix.Tasks), core.NewSet(matrix.Tasks)
	amount := matrix.Demands[0].Amount // the least
	for _, d := range matrix.Demands {
		if sends.Has(d.From) || receives.Has(d.To) {
			return nil
		}
		sends.Add(d.From)
		receives.Add(d.To)
		amount = min(amount, d.Amount)
	}
	flows, greatest := flowsOf(m, p, big.NewInt(shareUnit)), int64(0)
	most := func(flow []share) (units int64) {
		for _, s := range flow {
			units = max(units, s.units)
		}
		return units
	}
	for _, flow := range flows {
		greatest = max(greatest, most(flow))
	}
	value := func(num, den int64) *big.Rat {
		r := big.NewRat(num, den)
		return r.Mul(r, big.NewRat(amount, shareUnit))
	}
	limit, best, weights := value(greatest, 1), new(big.Rat), make([]int64, t.M())
	for l := range t.EachLink() {
		weights[l] = 1
	}
	over := func() (total int64) {
		for l := range t.EachLink() {
			total += weights[l] * int64(t.LinkBandwidth(l))
		}
		return total
	}
	for step := int64(1); step <= weightings && best.Cmp(limit) < 0; step++ {
		before := over()
		for l := range t.EachLink() { // as many bits as ever
			weights[l] = max(1, weights[l]<<(weightBits-1)/before)
		}
		total := over()
		never := total*greatest*int64(n) + 1 // more than all pairs together
		m.ChargeAll(1, size, size, size)
		costs := make([][]int64, size)
		for i := range costs {
			costs[i] = make([]int64, size)
			for j := range costs[i] {
				switch {
				case i >= n && j >= n:
					costs[i][j] = never
				case i < n && j < n:
					flow := flows[i*n+j]
					if i == j || most(flow) == greatest || !p.MayHave(i) || !p.MayHave(j) {
						costs[i][j] = never
						continue
					}
					m.Charge(int64(len(flow)))
					for _, s := range flow {
						costs[i][j] += weights[s.link] * s.units
					}
				}
			}
		}
		sum, row := atLeast(costs)
		if sum >= never {
			return limit
		}
		if v := value(sum, total); v.Cmp(best) > 0 {
			best = v
		}
		loads, high := make([]int64, t.M()), int64(1)
		for j, i := range row[:n] {
			if i < n {
				for _, s := range flows[i*n+j] {
					loads[s.link] += s.units
					high = max(high, loads[s.link])
				}
			}
		}
		fall := new(big.Int).Sqrt(big.NewInt(step << 12)).Int64() // 64 times the root of the step
		for l := range t.EachLink() {
			rate := (loads[l]/int64(t.LinkBandwidth(l)) - sum/total) * 64 / fall * 256 / high
			weights[l] = max(1, weights[l]+weights[l]*rate/256)
		}
	}
	if limit.Cmp(best) < 0 {
		return limit
	}
	return best
}
