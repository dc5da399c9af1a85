package slabs

import (
	"bytes"
	"cmp"
	"slices"
)

// slabCounts hold the processors in every slab of a ring, zeros beyond its length. In two
// dimensions they are a margin.
type slabCounts [MaxSide]uint8

// squares returns the sum of the squares.
func (c *slabCounts) squares() (sum int32) {
	for _, v := range c {
		sum += int32(v) * int32(v)
	}
	return sum
}

// sizes returns the counts that occur in the first k slabs as bits.
func (c *slabCounts) sizes(k int) (has uint32) {
	for _, v := range c[:k] {
		has |= 1 << v
	}
	return has
}

// ints returns the first k counts as numbers.
func (c *slabCounts) ints(k int) []int {
	list := make([]int, k)
	for x := range list {
		list[x] = int(c[x])
	}
	return list
}

// greatest returns the greatest rotation of the first k counts, reversed first if flip.
func (c slabCounts) greatest(k int, flip bool) slabCounts {
	if flip {
		slices.Reverse(c[:k])
	}
	best := c
	for s := 1; s < k; s++ {
		var rotated slabCounts
		copy(rotated[copy(rotated[:], c[s:k]):], c[:s])
		if slices.Compare(rotated[:], best[:]) > 0 {
			best = rotated
		}
	}
	return best
}

// A ranked is counts with the sum of their squares, by which they are ordered.
type ranked struct {
	counts  slabCounts
	squares int32
}

func rank(c slabCounts) ranked { return ranked{c, c.squares()} }

// order compares counts in the order of the trees: by the sum of squares, least first,
// then lexicographically, greatest first.
func order(a, b *ranked) int {
	if a.squares != b.squares {
		return cmp.Compare(a.squares, b.squares)
	}
	return bytes.Compare(b.counts[:], a.counts[:])
}
