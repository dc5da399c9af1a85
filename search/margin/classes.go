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

// An index finds the number of a margin among the listed ones, turned to the
// rotation that is listed.
type index map[string]int

func newIndex(margins [][]int) index {
	at := index{}
	for i, c := range margins {
		at[key(c)] = i
	}
	return at
}

// of returns the number of margin c, flipped if asked, or -1.
func (at index) of(c []int, flip bool) int {
	c = slices.Clone(c)
	if flip {
		slices.Reverse(c)
	}
	if i, ok := at[key(greatest(c))]; ok {
		return i
	}
	return -1
}

func key(c []int) string {
	b := make([]byte, len(c))
	for x, v := range c {
		b[x] = byte(v)
	}
	return string(b)
}

// greatest returns the greatest rotation of c.
func greatest(c []int) []int {
	best := c
	for s := 1; s < len(c); s++ {
		if turned := slices.Concat(c[s:], c[:s]); slices.Compare(turned, best) > 0 {
			best = turned
		}
	}
	return best
}

// A reducer tells which classes stand for their orbit under the turns.
type reducer struct {
	turns  []turn
	images [][2][]int // by turn: number of the image of a column margin, then of a row margin
}

// newReducer finds the images of all margins; columns and rows are those of
// dimension 1 and 0.
func newReducer(turns []turn, columns, rows [][]int) *reducer {
	r := &reducer{turns: turns}
	inColumns, inRows := newIndex(columns), newIndex(rows)
	for _, u := range turns {
		c, w := inColumns, inRows
		if u.swap {
			c, w = inRows, inColumns
		}
		var image [2][]int
		for _, m := range columns {
			image[0] = append(image[0], c.of(m, u.flips[1]))
		}
		for _, m := range rows {
			image[1] = append(image[1], w.of(m, u.flips[0]))
		}
		r.images = append(r.images, image)
	}
	return r
}

// first reports whether no image of the class of column margin i and row margin
// j comes earlier. An image that is not listed has no placement, and so has
// none the class; it counts as later, which is always safe.
func (r *reducer) first(i, j int) bool {
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

// flipsColumns reports whether the order of the columns may be turned around
// while the rows stay where they are.
func flipsColumns(turns []turn) bool {
	return slices.Contains(turns, turn{flips: [2]bool{false, true}})
}

// leaders marks the contents of a row that come first among their images under
// the rotations, and reflections if flip, that leave the column counts c as they
// are. They act on all rows alike: some image of any placement of a class begins
// with a leader.
func leaders(c []int, flip bool) []bool {
	k := len(c)
	first := make([]bool, 1<<k)
	moves := stabiliser(c, flip)
	for mask := range first {
		first[mask] = true
		for _, to := range moves {
			image := 0
			for x, y := range to {
				image |= mask >> x & 1 << y
			}
			if image < mask {
				first[mask] = false
				break
			}
		}
	}
	return first
}

// stabiliser returns the turns of a ring that leave c as it is, by the images of
// its places.
func stabiliser(c []int, flip bool) [][]int {
	k := len(c)
	var moves [][]int
	for shift := range k {
		for _, sign := range []int{1, -1} {
			to, fixes := make([]int, k), true
			for x := range k {
				to[x] = (sign*x + shift + k) % k
				fixes = fixes && c[to[x]] == c[x]
			}
			if fixes && (sign == 1 && shift > 0 || sign == -1 && flip) {
				moves = append(moves, to)
			}
		}
	}
	return moves
}
