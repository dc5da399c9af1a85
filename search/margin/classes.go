package margin

import (
	"slices"

	"leeway/core/routing"
	"leeway/core/symmetry"
)

// A turn is what a symmetry of the routing that fixes node 0 does to a pair of
// margins, up to rotation of each.
type turn struct {
	swap  bool
	flips [2]bool // by dimension, before the swap
}

// turnsOf returns the turns of the verified group of r.
func turnsOf(r *routing.Orders) ([]turn, error) {
	g, err := symmetry.Of(r)
	if err != nil {
		return nil, err
	}
	t := r.Torus()
	var list []turn
	for i := range g.Points() {
		var u turn
		image := g.Images(i, 0)
		for s := range 2 {
			to := image[t.Stride(s)]
			along := s
			if t.Coord(to, s) == 0 {
				along, u.swap = 1-s, true
			}
			u.flips[s] = t.Coord(to, along) != 1
		}
		list = append(list, u)
	}
	return list, nil
}

// number returns the number of the greatest rotation of margin c, reversed first if
// flip, among the margins listed, or -1.
func (s *side) number(c margin, flip bool) int32 {
	if flip {
		slices.Reverse(c[:s.k])
	}
	c = greatest(c, s.k)
	i, found := slices.BinarySearchFunc(s.frames, frame{counts: c, squares: c.squares()}, order)
	if !found {
		return -1
	}
	return int32(i)
}

// greatest returns the greatest rotation of the first k numbers of c.
func greatest(c margin, k int) margin {
	best := c
	for s := 1; s < k; s++ {
		var turned margin
		copy(turned[copy(turned[:], c[s:k]):], c[:s])
		if slices.Compare(turned[:], best[:]) > 0 {
			best = turned
		}
	}
	return best
}

// A reducer tells which classes stand for their orbit under the turns.
type reducer struct {
	turns  []turn
	images [][2][]int32 // by turn: number of the image of a column margin, then of a row margin
}

// newReducer finds the images of the margins that are in a class, given by bits;
// columns and rows are those of dimension 1 and 0.
func newReducer(turns []turn, columns, rows *side, inColumns, inRows []bool) *reducer {
	r := &reducer{turns: turns}
	for _, u := range turns {
		c, w := columns, rows
		if u.swap {
			c, w = rows, columns
		}
		r.images = append(r.images, [2][]int32{images(c, columns, inColumns, u.flips[1]), images(w, rows, inRows, u.flips[0])})
	}
	return r
}

// images returns the numbers in s of the margins of t that are wanted, reversed
// first if flip.
func images(s, t *side, wanted []bool, flip bool) []int32 {
	list := make([]int32, len(t.frames))
	for i, f := range t.frames {
		if wanted[i] {
			list[i] = s.number(f.counts, flip)
		}
	}
	return list
}

// first reports whether no image of the class of column margin i and row margin
// j comes earlier. An image that is not listed has no placement, and so has
// none the class; it counts as later, which is always safe.
func (r *reducer) first(i, j int32) bool {
	for u, image := range r.images {
		ci, cj := image[0][i], image[1][j]
		if r.turns[u].swap {
			ci, cj = cj, ci
		}
		if ci >= 0 && cj >= 0 && (ci < i || ci == i && cj < j) {
			return false
		}
	}
	return true
}
