// Package differences numbers what one node of a network is beyond another.
package differences

import "leeway/core"

// Number returns a number for what the coordinates of q are beyond those of p: modulo the side in a closed dimension,
// with their sign in an open one. Pairs with the same number have the same paths, moved; it is 0 where p is q, below
// Count, and Displacement where no dimension is open.
func Number(t *core.Torus, p, q int) int {
	if t.Twisted() {
		return t.Displacement(p, q)
	}
	number := 0
	for j := range t.D() {
		side := span(t, j)
		number = number*side + (t.Coord(q, j)-t.Coord(p, j)+side)%side
	}
	return number
}

// Count returns how many numbers there are.
func Count(t *core.Torus) int {
	count := 1
	for j := range t.D() {
		count *= span(t, j)
	}
	return count
}

// Pair returns a pair of nodes with a given number: from node 0 where no dimension is open.
func Pair(t *core.Torus, difference int) (p, q int) {
	for j := t.D() - 1; j >= 0; j-- {
		side := span(t, j)
		c := difference % side
		difference /= side
		if c < t.Side(j) {
			q += c * t.Stride(j)
		} else {
			p += (side - c) * t.Stride(j)
		}
	}
	return p, q
}

// span returns how many differences two coordinates of dimension j can have.
func span(t *core.Torus, j int) int {
	if t.Open(j) {
		return 2*t.Side(j) - 1
	}
	return t.Side(j)
}
