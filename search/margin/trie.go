package margin

import "slices"

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
}

// tries builds the tries of the lines under the margin at hand, by their number
// of processors, for the numbers in wanted.
func (l *contents) tries(out []trie, wanted, order []int) {
	l.open = 0
	for _, n := range wanted {
		l.open |= 1 << n
	}
	for n := range out {
		if l.open>>n&1 != 0 {
			if out[n] == nil {
				out[n] = make(trie, (2<<l.k+63)/64)
			}
			clear(out[n])
		}
	}
	l.each = func(mask uint16, size int, _ []uint64) { out[size].add(mask, order) }
	l.list()
}

// fillingOrder returns the slabs with the fullest first: they leave the fewest
// choices to the others.
func fillingOrder(c []uint8) []int {
	order := make([]int, len(c))
	for x := range order {
		order[x] = x
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(c[b]) - int(c[a]) })
	return order
}
