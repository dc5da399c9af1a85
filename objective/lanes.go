package objective

import "math/bits"

// lanes packs non-negative numbers side by side into words. The top bit of every
// lane stays clear, so that lanes can be compared by subtraction.
type lanes struct {
	width uint   // bits of a lane
	shift uint   // logarithm of the lanes in a word
	tops  uint64 // the top bit of every lane
	ones  uint64 // the lowest bit of every lane
}

// The two widths.
var (
	lanes16 = lanes{width: 16, shift: 2, tops: 0x8000_8000_8000_8000, ones: 0x0001_0001_0001_0001}
	lanes32 = lanes{width: 32, shift: 1, tops: 0x8000_0000_8000_0000, ones: 0x0000_0001_0000_0001}
)

// perWord returns the number of lanes in a word.
func (l lanes) perWord() int { return 1 << l.shift }

// words returns how many words hold n lanes.
func (l lanes) words(n int) int { return (n + l.perWord() - 1) >> l.shift }

// place returns the word of lane i and how far the lane is shifted in it.
func (l lanes) place(i int) (word int, shift uint) {
	return i >> l.shift, uint(i&(1<<l.shift-1)) * l.width & 63
}

// add adds v to lane i.
func (l lanes) add(words []uint64, i int, v uint64) {
	w, s := l.place(i)
	words[w] += v << s
}

// subtract takes v off lane i, which must hold as much.
func (l lanes) subtract(words []uint64, i int, v uint64) {
	w, s := l.place(i)
	words[w] -= v << s
}

// max returns the larger number lane by lane.
func (l lanes) max(x, y uint64) uint64 {
	d := (x | l.tops) - y // the top bit stays where x >= y, over the difference
	ge := d & l.tops
	return y + d&(ge-ge>>((l.width-1)&63))
}

// largest returns the largest number in a word.
func (l lanes) largest(x uint64) uint64 {
	most := uint64(0)
	for ; x != 0; x >>= l.width & 63 {
		most = max(most, x&(1<<l.width-1))
	}
	return most
}

// equal returns how many lanes hold v.
func (l lanes) equal(words []uint64, v uint64) int {
	pattern, up := v*l.ones, l.tops-l.ones
	others := 0
	for _, w := range words {
		others += bits.OnesCount64(((w ^ pattern) + up) & l.tops)
	}
	return len(words)<<l.shift - others
}
