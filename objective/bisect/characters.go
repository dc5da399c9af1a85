package bisect

import (
	"slices"

	"leeway/core"
)

// characters returns the N ways to number the nodes modulo N such that every step along a dimension adds the same to
// the number: what it adds, above -N/2 and up to N/2, by dimension. The number of a node is the sum over its
// coordinates. Open dimensions are taken as closed. Cost O(d N).
func characters(t *core.Torus) [][]int {
	shifts := t.Twist()
	list := [][]int{make([]int, t.D())}
	for _, j := range slices.Backward(t.Axes()) { // those that a shift moves come first
		var next [][]int
		for _, c := range list {
			sum := 0 // k_j steps along dimension j do what the shift at its end does
			if shifts != nil {
				for i, by := range shifts[j] {
					sum += by * c[i]
				}
			}
			for turns := range t.Side(j) {
				c := slices.Clone(c)
				c[j] = core.Mod((sum+turns*t.N())/t.Side(j), t.N())
				if 2*c[j] > t.N() {
					c[j] -= t.N()
				}
				next = append(next, c)
			}
		}
		list = next
	}
	return list
}
