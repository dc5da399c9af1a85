// Package lanes packs non-negative numbers, as the loads of all links, side by side
// into words of 64 bits, and computes with all of a word at once.
//
// The top bit of a lane is free. Two uses are made of it:
//
//   - To compare, it is set in the greater before a subtraction and stays set exactly
//     where that is not the smaller (Subtract, Covers, Lower, and the maxima).
//   - To hold a limit, a bias is added, with which exactly the numbers above the limit
//     reach the top bit (Bias, AddWithin). So loads kept with the bias are compared with
//     their limit by the addition itself.
//
// The kernels in kernels.go are the inner loops of engines and evaluators. Each takes
// whole vectors, all of as many words, and treats words one by one in ascending order,
// so sums may be written over what they are made of. Lanes beyond the last number of a
// vector are 0 (or the bias) and change nothing. What does not fit a lane is a bug of the
// caller, who bounds the numbers by the choice of the layout.
//
// The checker of records has packed loads of its own, by intent: a fault here cannot
// hide there.
package lanes

import "math/bits"

// A Layout says how numbers lie in words.
type Layout struct {
	Width uint   // bits of a lane, the free one included
	Per   int    // lanes in a word
	Tops  uint64 // the free bit of every lane
}

// New returns the layout with lanes of so many bits, 1 to 64.
func New(width uint) Layout {
	l := Layout{Width: width, Per: int(64 / width)}
	l.Tops = l.Every(1 << (width - 1))
	return l
}

// For returns the layout with the narrowest lanes for numbers from 0 to most, which is
// below 2^63.
func For(most int64) Layout { return New(uint(bits.Len64(uint64(most))) + 1) }

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

// Bias returns the word to be added so that numbers above a limit from -1 to Max reach
// the top bit of their lane.
func (l Layout) Bias(limit int64) uint64 { return l.Every(uint64(l.Max() - limit)) }

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

// At returns the number in lane i.
func (l Layout) At(words []uint64, i int) int64 { return l.Get(words, l.Place(i)) }

// Get returns the number at a place.
func (l Layout) Get(words []uint64, at Place) int64 {
	return int64(words[at.Word] >> (at.Shift & 63) & (2<<((l.Width-1)&63) - 1))
}

// Set puts a number at a place.
func (l Layout) Set(words []uint64, at Place, v int64) {
	mask := uint64(2<<((l.Width-1)&63)-1) << (at.Shift & 63)
	words[at.Word] = words[at.Word]&^mask | uint64(v)<<(at.Shift&63)
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

// Row returns vector number i of a list of vectors of so many words, one after the other.
func Row(list []uint64, i, words int) []uint64 { return list[i*words:][:words:words] }
