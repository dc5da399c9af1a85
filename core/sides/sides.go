// Package sides tells tori that are the same graph with other sides.
package sides

import (
	"cmp"
	"slices"

	"leeway/core"
)

// SameGraph returns, for each node of a torus, that of another one, so that linked nodes stay linked: the sides may be
// in another order, and a ring of 4 is 2x2. It returns nil where the tori are not the same graph in this way, and for
// networks that are not plain tori.
func SameGraph(t, u *core.Torus) []int {
	if t.N() != u.N() || !t.Plain() || !u.Plain() {
		return nil
	}
	sides, numbers := rings(t)
	others, theirs := rings(u)
	if !slices.Equal(sides, others) {
		return nil
	}
	at, image := make([]int, u.N()), make([]int, t.N())
	for v, x := range theirs {
		at[x] = v
	}
	for v, x := range numbers {
		image[v] = at[x]
	}
	return image
}

// rings returns the sides of a torus in ascending order, 2 and 2 for each ring of 4, and for each node its number by
// coordinates along these; 0, 1, 2, 3 on a ring of 4 are 00, 01, 11, 10.
func rings(t *core.Torus) (sides, numbers []int) {
	type axis struct {
		side  int
		along func(v int) int
	}
	var axes []axis
	for j, k := range t.Dims() {
		if k != 4 {
			axes = append(axes, axis{k, func(v int) int { return t.Coord(v, j) }})
			continue
		}
		axes = append(axes, axis{2, func(v int) int { return t.Coord(v, j) / 2 }},
			axis{2, func(v int) int { return (t.Coord(v, j) + 1) / 2 % 2 }})
	}
	slices.SortStableFunc(axes, func(a, b axis) int { return cmp.Compare(a.side, b.side) })
	numbers = make([]int, t.N())
	for _, a := range axes {
		sides = append(sides, a.side)
		for v := range numbers {
			numbers[v] = numbers[v]*a.side + a.along(v)
		}
	}
	return sides, numbers
}
