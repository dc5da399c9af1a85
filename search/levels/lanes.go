package levels

import "math/bits"

// A layout says how loads lie side by side in words. The top bit of a lane is set
// by a load above the limit once the bias is added to it.
type layout struct {
	limit int64
	width int    // bits of a lane
	per   int    // lanes in a word
	bias  uint64 // 2^(width-1) - 1 - limit in every lane
	tops  uint64 // the top bit of every lane
}

// newLayout returns the narrowest lanes for a limit. A candidate within the limit
// meets a list within the limit and one more rest, at most most: the sum with the
// bias must stay below 2^width.
func newLayout(limit, most int64) layout {
	l := layout{limit: limit, width: bits.Len64(uint64(limit+most-1)) + 1}
	l.per = 64 / l.width
	for i := range l.per {
		l.tops |= 1 << (i*l.width + l.width - 1)
		l.bias |= uint64(1<<(l.width-1)-1-limit) << (i * l.width)
	}
	return l
}

// A place is where a lane lies.
type place struct{ word, shift int }

func (l layout) place(lane int) place { return place{lane / l.per, lane % l.per * l.width} }

// set puts a load into a lane; setting the same load again changes nothing.
func (l layout) set(words []uint64, at place, load int64) {
	mask := uint64(2)<<(l.width-1) - 1
	words[at.word] = words[at.word]&^(mask<<at.shift) | uint64(load)<<at.shift
}

// join writes a+b to sum and reports whether all lanes of it stay within the limit
// on top of the biased loads; otherwise sum is of no use. All have as many words.
func (l layout) join(sum, a, b, biased []uint64) bool {
	a, b, biased = a[:len(sum)], b[:len(sum)], biased[:len(sum)]
	for i := range sum {
		w := a[i] + b[i]
		sum[i] = w
		if (w+biased[i])&l.tops != 0 {
			return false
		}
	}
	return true
}
