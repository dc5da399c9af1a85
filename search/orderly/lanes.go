package orderly

import "math/bits"

// A layout says how loads lie side by side in words. The top bit of a lane is set
// by a load above the limit once bias is added to it.
type layout struct {
	width uint   // bits of a lane
	per   int    // lanes in a word
	limit int64  // the largest load allowed
	bias  uint64 // in every lane free
	free  int64  // 2^(width-1) - 1 - limit
	tops  uint64 // the top bit of every lane
}

// stride is how many words the inner loop treats at once.
const stride = 4

// newLayout returns the narrowest lanes for a limit. The largest sum that occurs
// is 2 limit + most, most being the largest load that one pair brings to a link: a
// candidate within the limit receives one more pair, on top of a load within the
// limit. With the bias it must stay below 2^width. Limit and most together must be
// at least 1 and at most 2^62, which maxUnitBits and maxNodes take care of.
func newLayout(limit, most int64) layout {
	l := layout{width: uint(bits.Len64(uint64(limit+most-1))) + 1, limit: limit}
	l.per = int(64 / l.width)
	l.free = 1<<(l.width-1) - 1 - limit
	for i := range l.per {
		l.tops |= 1 << (uint(i)*l.width + l.width - 1)
		l.bias |= uint64(l.free) << (uint(i) * l.width)
	}
	return l
}

// words returns how many words hold n lanes, a multiple of stride.
func (l layout) words(n int) int {
	return ((n+l.per-1)/l.per + stride - 1) / stride * stride
}

// A place is where a lane lies: its word, and its lowest bit there.
type place struct {
	word  int
	shift uint
}

// place returns where lane i lies.
func (l layout) place(i int) place { return place{i / l.per, uint(i%l.per) * l.width} }

// add adds v to a lane.
func (l layout) add(words []uint64, at place, v int64) { words[at.word] += uint64(v) << at.shift }

// sum returns the sum of some lanes, which must stay below 2^64.
func (l layout) sum(words []uint64, lanes []place) uint64 {
	sum, mask := uint64(0), uint64(2)<<((l.width-1)&63)-1
	for _, at := range lanes {
		sum += words[at.word] >> (at.shift & 63) & mask
	}
	return sum
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
// passes the limit; sum is then of no use. All have the same multiple of stride
// words. It is the inner loop of the engine.
func (l layout) addExceeds(sum, a, b, biased []uint64) bool {
	for len(sum) >= stride && len(a) >= stride && len(b) >= stride && len(biased) >= stride {
		s, x, y, z := (*[stride]uint64)(sum), (*[stride]uint64)(a), (*[stride]uint64)(b), (*[stride]uint64)(biased)
		w0, w1, w2, w3 := x[0]+y[0], x[1]+y[1], x[2]+y[2], x[3]+y[3]
		s[0], s[1], s[2], s[3] = w0, w1, w2, w3
		if ((w0+z[0])|(w1+z[1])|(w2+z[2])|(w3+z[3]))&l.tops != 0 {
			return true
		}
		sum, a, b, biased = sum[stride:], a[stride:], b[stride:], biased[stride:]
	}
	return false
}

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
