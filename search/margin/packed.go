package margin

import "math/bits"

// Loads of the forms of a ring are packed side by side into words, in lanes just
// wide enough. The highest bit of a lane is free: set in the greater before a
// subtraction, it stays set exactly where that is not the smaller.
type lanes struct {
	count int // numbers packed
	bits  int // of a lane
	per   int // lanes in a word
	words int
	high  uint64 // the free bits of a word
}

// newLanes returns lanes for so many numbers from 0 to most.
func newLanes(count int, most int64) lanes {
	l := lanes{count: count, bits: bits.Len64(uint64(most)) + 1}
	l.per = 64 / l.bits
	l.words = (count + l.per - 1) / l.per
	for i := range l.per {
		l.high |= 1 << (i*l.bits + l.bits - 1)
	}
	return l
}

// pack puts the numbers of(0), of(1), ... into words.
func (l lanes) pack(of func(i int) int64) []uint64 {
	p := make([]uint64, l.words)
	for i := range l.count {
		p[i/l.per] |= uint64(of(i)) << (i % l.per * l.bits)
	}
	return p
}

// at returns number i of packed words.
func (l lanes) at(p []uint64, i int) int64 {
	return int64(p[i/l.per] >> (i % l.per * l.bits) & (1<<l.bits - 1))
}

// subtract puts a-b into out and reports whether no lane of b is above that of
// a. Otherwise out holds nothing of use.
func (l lanes) subtract(out, a, b []uint64) bool {
	all := l.high
	out, b = out[:len(a)], b[:len(a)]
	for i, v := range a {
		rest := (v | l.high) - b[i]
		all &= rest
		out[i] = rest &^ l.high
	}
	return all == l.high
}

// covers reports whether no lane of b is above that of a.
func (l lanes) covers(a, b []uint64) bool {
	all := l.high
	for i, v := range a {
		all &= (v | l.high) - b[i]
	}
	return all&l.high == l.high
}

// lower puts the smaller of a and b, lane by lane, into out.
func (l lanes) lower(out, a, b []uint64) {
	for i, v := range a {
		above := ((v | l.high) - b[i]) & l.high
		above -= above >> (l.bits - 1) // all ones where a is not below b
		out[i] = b[i]&above | v&^above
	}
}

// plus puts a + times*b into out.
func plus(out, a []uint64, times int, b []uint64) {
	for i, v := range a {
		out[i] = v + uint64(times)*b[i]
	}
}
