package margin

import (
	"math/bits"
	"slices"
)

// A trie knows which prefixes of a line can be completed to one of a list: bit
// 1<<i|p is set if the i-bit prefix p can. Prefixes are read in the order in
// which the crossing lines are filled, the first in the highest bit.
type trie []uint64

// has reports whether the prefix with its leading 1 can be completed.
func (t trie) has(prefix uint32) bool { return t[prefix>>6]>>(prefix&63)&1 != 0 }

// add puts a line in.
func (t trie) add(mask uint16, order []int) {
	prefix := uint32(1)
	for _, x := range order {
		prefix = prefix<<1 | uint32(mask>>x&1)
		t[prefix>>6] |= 1 << (prefix & 63)
	}
	t[0] |= 2
}

// tries returns, by number of processors, the tries of the lines under margin c
// of ring d. They are built for the numbers in wanted.
func (d *ring) tries(c []int, limit int64, wanted uint32, order []int) []trie {
	tries := make([]trie, d.k+1)
	d.list(c, limit, func(l line) {
		n := bits.OnesCount16(l.mask)
		if wanted>>n&1 == 0 {
			return
		}
		if tries[n] == nil {
			tries[n] = make(trie, (2<<d.k+63)/64)
		}
		tries[n].add(l.mask, order)
	})
	return tries
}

// fillingOrder returns the slabs with the fullest first: they leave the fewest
// choices to the others.
func fillingOrder(c []int) []int {
	order := make([]int, len(c))
	for x := range order {
		order[x] = x
	}
	slices.SortStableFunc(order, func(a, b int) int { return c[b] - c[a] })
	return order
}
