package trees

import (
	"slices"

	"leeway/core/symmetry"
)

// A marginTurn is an automorphism that fixes node 0: coordinate j of a node,
// negated if flip[j], becomes the other coordinate if swap says so.
type marginTurn struct {
	swap bool
	flip [2]bool
}

// goal returns the coordinate that coordinate s becomes, and 1 if it is negated.
func (t marginTurn) goal(s int) (to, flip int) {
	if to = s; t.swap {
		to = 1 - s
	}
	if t.flip[s] {
		flip = 1
	}
	return to, flip
}

// turnsOf lists the turns of a group on a torus of two dimensions, read off the
// images of the nodes next to node 0.
func turnsOf(group *symmetry.Group) []marginTurn {
	t := group.Torus()
	var list []marginTurn
	for i := range group.Points() {
		image := group.Images(i, 0)
		var turn marginTurn
		turn.swap = t.Coord(image[t.Stride(0)], 0) == 0
		for j := range 2 {
			to, _ := turn.goal(j)
			turn.flip[j] = t.Side(j) > 2 && t.Coord(image[t.Stride(j)], to) != 1
		}
		list = append(list, turn)
	}
	return list
}

// rankMargins looks up the images of all margins that some turn asks for.
func (w *marginWalk) rankMargins() {
	var numbers [2]map[necklace]int32
	for s, side := range w.sides {
		numbers[s] = make(map[necklace]int32, len(side.margins))
		for i, m := range side.margins {
			numbers[s][m.counts] = int32(i)
		}
	}
	for _, turn := range w.turns {
		for s, side := range w.sides {
			to, flip := turn.goal(s)
			if w.ranks[s][to][flip] != nil {
				continue
			}
			list := make([]int32, len(side.margins))
			for i := range list {
				list[i] = -1
				counts := side.margins[i].counts
				if number, ok := numbers[to][greatestRotation(counts, side.places, turn.flip[s])]; ok {
					list[i] = number
				}
			}
			w.ranks[s][to][flip] = list
		}
	}
}

// image returns the margins that a turn takes column margin c and row margin r
// to, -1 for one that is not listed.
func (w *marginWalk) image(turn marginTurn, c, r int) (column, row int32) {
	rank := func(s, margin int) int32 {
		to, flip := turn.goal(s)
		return w.ranks[s][to][flip][margin]
	}
	if turn.swap {
		return rank(0, r), rank(1, c)
	}
	return rank(1, c), rank(0, r)
}

// first reports whether no turn takes the margins to earlier ones.
func (w *marginWalk) first(c, r int) bool {
	for _, turn := range w.turns {
		column, row := w.image(turn, c, r)
		if column < 0 || row < 0 {
			continue
		}
		if int(column) < c || int(column) == c && int(row) < r {
			return false
		}
	}
	return true
}

// reflects reports whether some turn reverses the places of rows and nothing
// else.
func (w *marginWalk) reflects() bool {
	return slices.Contains(w.turns, marginTurn{flip: [2]bool{false, true}})
}

// A marginMap moves the places of a line.
type marginMap [maxFillSide]uint8

// mapsKeeping lists the rotations but the identity, and the reflections if asked,
// that leave the counts as they are.
func mapsKeeping(counts []uint8, reflect bool) []marginMap {
	k := len(counts)
	var list []marginMap
	try := func(image func(x int) int) {
		var m marginMap
		for x, v := range counts {
			if m[x] = uint8(image(x)); counts[m[x]] != v {
				return
			}
		}
		list = append(list, m)
	}
	for s := range k {
		if s > 0 {
			try(func(x int) int { return (x + s) % k })
		}
		if reflect {
			try(func(x int) int { return (s + k - x) % k })
		}
	}
	return list
}
