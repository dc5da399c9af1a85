package model

import (
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
)

// MostSpread returns the size of a largest set of nodes of a tiny array without three on a line along an axis, by
// looking at every set.
func MostSpread(t *core.Torus) int {
	var lines []uint
	for v := range t.N() {
		for j := range t.D() {
			if t.Coord(v, j) == 0 {
				line := uint(0)
				for i := range t.Side(j) {
					line |= 1 << t.Shift(v, j, i)
				}
				lines = append(lines, line)
			}
		}
	}
	most := 0
	for set := range uint(1) << t.N() {
		crowded := func(line uint) bool { return bits.OnesCount(line&set) > 2 }
		if n := bits.OnesCount(set); n > most && !slices.ContainsFunc(lines, crowded) {
			most = n
		}
	}
	return most
}

// Sweep returns the most nodes within the last component below the hyperplane of a direction, and the most edges
// that it crosses, over all positions between nodes.
func Sweep(t *core.Torus, eta []*big.Rat) (nodes, edges int) {
	scale := big.NewInt(1)
	for _, x := range eta {
		scale.Mul(scale, x.Denom())
	}
	w := make([]int64, len(eta))
	for j, x := range eta {
		w[j] = new(big.Int).Div(new(big.Int).Mul(x.Num(), scale), x.Denom()).Int64()
	}
	var at, below, starts, ends []int64
	for v := range t.N() {
		x := int64(0)
		for j := range t.D() {
			x += w[j] * int64(t.Coord(v, j))
		}
		for j := range t.D() {
			if t.Coord(v, j) < t.Side(j)-1 {
				starts, ends = append(starts, x), append(ends, x+w[j])
			}
		}
		at, below = append(at, x), append(below, x+w[len(w)-1])
	}
	return overlap(at, below), overlap(starts, ends)
}

// overlap returns the most of the open intervals that share a point. It sorts both lists.
func overlap(starts, ends []int64) int {
	slices.Sort(starts)
	slices.Sort(ends)
	most, j := 0, 0
	for i, x := range starts {
		for j < len(ends) && ends[j] <= x {
			j++
		}
		most = max(most, i+1-j)
	}
	return most
}
