package congestion

import (
	"leeway/core"
	"leeway/core/symmetry"
)

// maxPointWork bounds the points that are tried times the processors that each
// is tried on. Past it fewer points are tried: a smaller group is always sound.
const maxPointWork = 1 << 22

// points returns the automorphisms that fix node 0 and may be tried: all
// permutations of equal sides with all reflections, or reflections only, or the
// identity only. The identity stands first.
func points(t *core.Torus, work int) []symmetry.Point {
	perms, flips := permutations(t, work), reflections(t, work)
	if len(perms) > work/len(flips) {
		perms = perms[:1]
	}
	var list []symmetry.Point
	for _, perm := range perms {
		for _, flip := range flips {
			list = append(list, symmetry.Point{Perm: perm, Flip: flip})
		}
	}
	return list
}

// permutations lists those that move dimensions among equal sides, the identity
// first and alone if there are more than work.
func permutations(t *core.Torus, work int) [][]int {
	list := [][]int{{}}
	for j := range t.D() {
		var longer [][]int
		for _, old := range list {
			for i := j; i >= 0; i-- { // dimension j in place i, that in i to place j
				perm := append(append([]int(nil), old...), j)
				perm[i], perm[j] = perm[j], perm[i]
				if i == j || t.Side(perm[i]) == t.Side(perm[j]) {
					longer = append(longer, perm)
				}
			}
		}
		if len(longer) > max(work, 1) {
			return [][]int{identity(t.D())}
		}
		list = longer
	}
	return list
}

// identity returns 0, 1, ..., d-1.
func identity(d int) []int {
	perm := make([]int, d)
	for j := range perm {
		perm[j] = j
	}
	return perm
}

// reflections lists the subsets of the sides above 2, the empty one first and
// alone if there are more than work.
func reflections(t *core.Torus, work int) [][]bool {
	list := [][]bool{make([]bool, t.D())}
	for j := range t.D() {
		if t.Side(j) == 2 {
			continue
		}
		for _, f := range list {
			g := append([]bool(nil), f...)
			g[j] = true
			list = append(list, g)
		}
		if len(list) > work {
			return list[:1]
		}
	}
	return list
}
