package fast

import (
	"math/big"

	"leeway/core"
)

// Distances returns the number of links of shortest ways from all nodes to node v, added up. Cost O(d), O(N) on a
// twisted torus.
func Distances(t *core.Torus, v int) int64 {
	total := int64(0)
	if !t.Separable() {
		for u := range t.N() {
			total += int64(t.LeeDistance(u, v))
		}
		return total
	}
	for j := range t.D() {
		k, c := int64(t.Side(j)), int64(t.Coord(v, j))
		line := k * k / 4
		if t.Open(j) {
			line = c*(c+1)/2 + (k-1-c)*(k-c)/2
		}
		total += line * (int64(t.N()) / k)
	}
	return total
}

// MeanDistance returns the mean number of links of a shortest way between a processor and another node, its client, nil
// without processors. Cost O(n d).
func MeanDistance(s core.Placement) *big.Rat {
	t := s.Torus()
	total := new(big.Int)
	for _, v := range s.Nodes() {
		total.Add(total, big.NewInt(Distances(t, v)))
	}
	if s.Size() == 0 {
		return nil
	}
	pairs := new(big.Int).Mul(big.NewInt(int64(s.Size())), big.NewInt(int64(t.N()-1)))
	return new(big.Rat).SetFrac(total, pairs)
}
