package trees

import "slices"

// A necklace is a list of counts by place of a ring that grows at its end and is
// to be the greatest of its rotations. It is exactly if no count is above the one
// period places before, where the period, 1 at first, grows with every count that
// is below, and if the period divides the number of places in the end
// (Fredricksen, Kessler and Maiorana).
type necklace [maxFillSide]uint8

// least returns the least count of place z of so many with which the places after
// it, none above the first, can take what is left.
func (c *necklace) least(z, places, left int) int {
	if z == 0 {
		return (left + places - 1) / places
	}
	return max(0, left-(places-z-1)*int(c[0]))
}

// most returns the greatest count of place z: at most the limit.
func (c *necklace) most(z, period, limit int) int {
	if z == 0 {
		return limit
	}
	return min(limit, int(c[z-period]))
}

// period returns the period with the count of place z, given that without it.
func (c *necklace) period(z, before int) int {
	if z == 0 || c[z] < c[z-before] {
		return z + 1
	}
	return before
}

// greatestRotation returns the greatest rotation of the first k counts, reversed
// first if asked.
func greatestRotation(counts necklace, k int, reverse bool) (greatest necklace) {
	if reverse {
		slices.Reverse(counts[:k])
	}
	for range k {
		if slices.Compare(counts[:k], greatest[:k]) > 0 {
			greatest = counts
		}
		first := counts[0]
		copy(counts[:], counts[1:k])
		counts[k-1] = first
	}
	return greatest
}
