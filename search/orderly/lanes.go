package orderly

import "math/bits"

// A layout says how loads lie side by side in words. The top bit of a lane is set
// by a load above the limit once bias is added to it.
type layout struct {
	width uint   // bits of a lane
	per   int    // lanes in a word
	shift uint   // logarithm of per
	limit int64  // the largest load allowed
	bias  uint64 // in every lane 2^(width-1) - 1 - limit
	tops  uint64 // the top bit of every lane
}

// newLayout returns the narrowest lanes for a limit, and false where even 64 bits
// are too narrow. The largest sum that occurs is 2 limit + most, most being the
// largest load that one pair brings to a link: a candidate within the limit
// receives one more pair, on top of a load within the limit. With the bias it must
// stay below 2^width.
func newLayout(limit, most int64) (layout, bool) {
	for _, width := range []uint{8, 16, 32, 63} {
		if limit > 1<<(width-1)-most {
			continue
		}
		width += width & 1 // 63 stands for a whole word, with a bit to spare for this arithmetic
		l := layout{width: width, per: int(64 / width), shift: uint(bits.TrailingZeros64(uint64(64 / width))), limit: limit}
		for i := range l.per {
			l.tops |= 1 << (uint(i)*width + width - 1)
			l.bias |= (1<<(width-1) - 1 - uint64(limit)) << (uint(i) * width)
		}
		return l, true
	}
	return layout{}, false
}

// words returns how many words hold n lanes.
func (l layout) words(n int) int { return (n + l.per - 1) / l.per }

// add adds v to lane i.
func (l layout) add(words []uint64, i int, v int64) {
	words[i>>l.shift] += uint64(v) << (uint(i&(l.per-1)) * l.width)
}

// at returns lane i.
func (l layout) at(words []uint64, i int) int64 {
	return int64(words[i>>l.shift] >> (uint(i&(l.per-1)) * l.width & 63) & (1<<((l.width-1)&63)<<1 - 1))
}

// largest returns the largest of n lanes.
func (l layout) largest(words []uint64, n int) int64 {
	most := int64(0)
	for i := range n {
		most = max(most, l.at(words, i))
	}
	return most
}

// exceeds reports whether a lane of a+b passes the limit, where b has the bias.
func (l layout) exceeds(a, biased []uint64) bool {
	over := uint64(0)
	for i, w := range a {
		over |= w + biased[i]
	}
	return over&l.tops != 0
}

// addExceeds writes a+b to sum and reports whether a lane of sum plus biased
// passes the limit. It is the inner loop of the engine.
func (l layout) addExceeds(sum, a, b, biased []uint64) bool {
	a, b, biased = a[:len(sum)], b[:len(sum)], biased[:len(sum)]
	over := uint64(0)
	for i := range sum {
		w := a[i] + b[i]
		sum[i] = w
		over |= w + biased[i]
	}
	return over&l.tops != 0
}

// A bitset is a set of nodes; words beyond the last node are empty.
type bitset []uint64

func (s bitset) has(v int) bool { return s[v>>6]>>(v&63)&1 != 0 }
func (s bitset) add(v int)      { s[v>>6] |= 1 << (v & 63) }

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
