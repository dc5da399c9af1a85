package orderly

import "math/bits"

// A bitset is a set of nodes or of points; bits beyond the last are 0.
type bitset []uint64

func (s bitset) has(v int) bool { return s[v>>6]>>(v&63)&1 != 0 }
func (s bitset) add(v int)      { s[v>>6] |= 1 << (v & 63) }

// join adds what is in another set.
func (s bitset) join(o bitset) {
	for i, w := range o[:len(s)] {
		s[i] |= w
	}
}

// firstDifference returns the smallest node in one of the two sets only and
// whether it is in s; none is -1.
func (s bitset) firstDifference(o bitset) (node int, inS bool) {
	for i, w := range s {
		if x := w ^ o[i]; x != 0 {
			b := bits.TrailingZeros64(x)
			return i<<6 + b, w>>b&1 != 0
		}
	}
	return -1, false
}
