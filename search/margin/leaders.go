package margin

import "slices"

// flipsColumns reports whether the order of the columns may be turned around
// while the rows stay where they are.
func flipsColumns(turns []turn) bool {
	return slices.Contains(turns, turn{flips: [2]bool{false, true}})
}

// stabiliser returns the turns of a ring, its reflections if flip, that leave the
// margin c of its k slabs as it is, by the images of its places.
func stabiliser(c margin, k int, flip bool) [][]int {
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

// leads reports whether the content of a row comes first among its images under
// the moves. They act on all rows alike: some image of any placement of a class
// begins with a content that leads.
func leads(mask uint16, moves [][]int) bool {
	for _, to := range moves {
		image := uint16(0)
		for x, y := range to {
			image |= mask >> x & 1 << y
		}
		if image < mask {
			return false
		}
	}
	return true
}
