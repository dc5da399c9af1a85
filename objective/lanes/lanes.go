// Package lanes packs non-negative numbers, as the loads of all links, side by side
// into words of 64 bits, and computes with all of a word at once.
//
// The top bit of a lane is free. To compare, it is set in the greater before a subtraction and stays set exactly where
// that is not the smaller (Covers, Lower, and the maxima).
//
// The kernels are the inner loops of engines and evaluators. Each takes
// whole vectors, all of as many words, and treats words one by one in ascending order,
// so sums may be written over what they are made of. Lanes beyond the last number of a
// vector are 0 and change nothing. What does not fit a lane is a bug of the
// caller, who bounds the numbers by the choice of the layout.
//
// The loops in this file define the kernels. Where the processor has vector instructions
// for them (AVX2 on amd64, unless built with the tag purego), those take the whole blocks of a vector and
// the loops the rest.
//
// The checker of records has packed loads of its own, by intent: a fault here cannot
// hide there.
package lanes

import (
	"math/bits"
)

// A Layout says how numbers lie in words.
type Layout struct {
	Width uint   // bits of a lane, the free one included
	Per   int    // lanes in a word
	Tops  uint64 // the free bit of every lane
}

// New returns the layout with lanes of a given number of bits, 1 to 64.
func New(width uint) Layout {
	l := Layout{Width: width, Per: int(64 / width)}
	l.Tops = l.Every(1 << (width - 1))
	return l
}

// Narrowest returns the layout with the narrowest lanes for numbers from 0 to most, which is
// below 2^63.
func Narrowest(most int64) Layout { return New(uint(bits.Len64(uint64(most))) + 1) }

// Max returns the largest number that leaves the top bit of a lane free.
func (l Layout) Max() int64 { return 1<<(l.Width-1) - 1 }

// Every returns the word with v in every lane.
func (l Layout) Every(v uint64) uint64 {
	word := uint64(0)
	for i := range l.Per {
		word |= v << (uint(i) * l.Width)
	}
	return word
}

// Words returns how many words hold n lanes.
func (l Layout) Words(n int) int { return (n + l.Per - 1) / l.Per }

// A Place is where a lane lies: its word, and its lowest bit there.
type Place struct{ Word, Shift int32 }

// Place returns where lane i lies.
func (l Layout) Place(i int) Place { return Place{int32(i / l.Per), int32(i % l.Per * int(l.Width))} }

// Places returns where the first n lanes lie, for loops that have no time to divide.
func (l Layout) Places(n int) []Place {
	list := make([]Place, n)
	for i := range list {
		list[i] = l.Place(i)
	}
	return list
}

// Get returns the number at a place.
func (l Layout) Get(words []uint64, at Place) int64 {
	return int64(words[at.Word] >> (at.Shift & 63) & (2<<((l.Width-1)&63) - 1))
}

// Add adds v, which may be below 0, to the number at a place.
func Add(words []uint64, at Place, v int64) { words[at.Word] += uint64(v) << (at.Shift & 63) }

// Pack returns the numbers of(0) to of(n-1) in words.
func (l Layout) Pack(n int, of func(i int) int64) []uint64 {
	words := make([]uint64, l.Words(n))
	for i := range n {
		Add(words, l.Place(i), of(i))
	}
	return words
}

// Row returns vector number i of a list of vectors of a given number of words, one after the other.
func Row(list []uint64, i, words int) []uint64 { return list[i*words:][:words:words] }

// vectors are the kernels of this processor; nil if it has none.
var vectors *kernels

// Vectors reports whether there are vector instructions for the kernels.
func Vectors() bool { return vectors != nil }

// kernels are loops over whole blocks of 32 bytes, by vector instructions.
type kernels struct {
	addDifference    func(to, plus, minus []uint64)
	excess           func(load, out, in []int32, limit int32) int64
	lanes16, lanes32 maxima

	product, productRowwise func(sum, out, v, vw, f, fw, first *int64, step, vStep, fStep, at, firsts, places, row int,
		last, add bool)
	slides    func(numbers *int64, list []int32)
	transpose func(to, from *int64, rows, columns int)
	most      func(values []int64) (most int64, count int)
}

// maxima are the kernels that depend on the width of lanes.
type maxima struct {
	peak     func(words []uint64) uint64
	exchange func(after, load, out, in, joint []uint64) uint64
	count    func(words []uint64, pattern uint64) int
}

// stride is how many words a block has.
const stride = 4

// blocks returns how many words whole blocks take of a vector.
func blocks(words []uint64) int {
	if vectors == nil {
		return 0
	}
	return len(words) &^ (stride - 1)
}

// maxima returns the kernels for the width of the lanes, nil if there are none, and how many words of a
// vector they take.
func (l Layout) maxima(words []uint64) (*maxima, int) {
	n := blocks(words)
	switch {
	case n > 0 && l.Width == 16:
		return &vectors.lanes16, n
	case n > 0 && l.Width == 32:
		return &vectors.lanes32, n
	}
	return nil, 0
}

// AddDifference adds plus - minus to the words of to.
func AddDifference(to, plus, minus []uint64) {
	plus, minus = plus[:len(to)], minus[:len(to)]
	n := blocks(to)
	if n > 0 {
		vectors.addDifference(to[:n], plus, minus)
	}
	for i := n; i < len(to); i++ {
		to[i] += plus[i] - minus[i]
	}
}

// Excess returns the sum of what the numbers load - out + in are above a limit by. They
// are not packed: sums of them take any number of changes, and products.
func Excess(load, out, in []int32, limit int32) int64 {
	out, in = out[:len(load)], in[:len(load)]
	sum, n := int64(0), 0
	if vectors != nil {
		n = len(load) &^ 7
		sum = vectors.excess(load[:n], out, in, limit)
	}
	for i := n; i < len(load); i++ {
		sum += int64(max(load[i]-out[i]+in[i]-limit, 0))
	}
	return sum
}

// AddScaled writes a + times*b to sum; times may be below 0.
func AddScaled(sum, a []uint64, times int, b []uint64) {
	sum, b = sum[:len(a)], b[:len(a)]
	for i, v := range a {
		sum[i] = v + uint64(times)*b[i]
	}
}

// Covers reports whether no lane of b is above that of a.
func (l Layout) Covers(a, b []uint64) bool {
	all := l.Tops
	b = b[:len(a)]
	for i, v := range a {
		all &= (v | l.Tops) - b[i]
	}
	return all == l.Tops
}

// Lower writes the smaller of a and b, lane by lane, to least.
func (l Layout) Lower(least, a, b []uint64) {
	least, b = least[:len(a)], b[:len(a)]
	for i, v := range a {
		d := (v | l.Tops) - b[i] // the top bit stays where v is not below b, over the difference
		ge := d & l.Tops
		least[i] = v - d&(ge-ge>>((l.Width-1)&63))
	}
}

// greater returns the greater of two words, lane by lane.
func (l Layout) greater(x, y uint64) uint64 {
	d := (x | l.Tops) - y
	ge := d & l.Tops
	return y + d&(ge-ge>>((l.Width-1)&63))
}

// Peak returns the largest number in a vector and how many lanes hold it, those beyond
// the last number included.
func (l Layout) Peak(words []uint64) (most int64, lanes int) {
	var top uint64
	fast, n := l.maxima(words)
	if n > 0 {
		top = fast.peak(words[:n])
	}
	for _, w := range words[n:] {
		top = l.greater(top, w)
	}
	most = l.largest(top)
	return most, l.count(words, most)
}

// Exchange writes load - out + in - joint to after and returns what Peak returns of it:
// the loads once one processor, which brought out, has gone, and another, which brings in,
// has come, joint being what the two would send each other.
func (l Layout) Exchange(after, load, out, in, joint []uint64) (most int64, lanes int) {
	load, out, in, joint = load[:len(after)], out[:len(after)], in[:len(after)], joint[:len(after)]
	var top uint64
	fast, n := l.maxima(after)
	if n > 0 {
		top = fast.exchange(after[:n], load, out, in, joint)
	}
	for i := n; i < len(after); i++ {
		w := load[i] - out[i] + in[i] - joint[i]
		after[i] = w
		top = l.greater(top, w)
	}
	most = l.largest(top)
	return most, l.count(after, most)
}

// largest returns the largest number in a word.
func (l Layout) largest(x uint64) int64 {
	most := uint64(0)
	for range l.Per {
		most = max(most, x&(2<<((l.Width-1)&63)-1))
		x >>= l.Width & 63
	}
	return int64(most)
}

// count returns how many lanes hold v.
func (l Layout) count(words []uint64, v int64) int {
	ones := l.Tops >> ((l.Width - 1) & 63)
	pattern, up := uint64(v)*ones, l.Tops-ones
	all, others := len(words)*l.Per, 0
	if fast, n := l.maxima(words); n > 0 {
		others = n*l.Per - fast.count(words[:n], pattern)
		words = words[n:]
	}
	for _, w := range words {
		others += bits.OnesCount64(((w ^ pattern) + up) & l.Tops)
	}
	return all - others
}
