package lanes

import "math/bits"

// stride is how many words AddWithin takes at once.
const stride = 4

// AddWithin writes a+b to sum and reports whether no lane of sum passes the limit on top
// of loads that were biased with it; if one does, sum is of no use. It is the inner loop
// of the engines that keep candidates with the load that each would bring.
func (l Layout) AddWithin(sum, a, b, biased []uint64) bool {
	for len(sum) >= stride && len(a) >= stride && len(b) >= stride && len(biased) >= stride {
		s, x, y, z := (*[stride]uint64)(sum), (*[stride]uint64)(a), (*[stride]uint64)(b), (*[stride]uint64)(biased)
		w0, w1, w2, w3 := x[0]+y[0], x[1]+y[1], x[2]+y[2], x[3]+y[3]
		s[0], s[1], s[2], s[3] = w0, w1, w2, w3
		if ((w0+z[0])|(w1+z[1])|(w2+z[2])|(w3+z[3]))&l.Tops != 0 {
			return false
		}
		sum, a, b, biased = sum[stride:], a[stride:], b[stride:], biased[stride:]
	}
	over := uint64(0)
	for i := range sum {
		w := a[i] + b[i]
		sum[i] = w
		over |= w + biased[i]
	}
	return over&l.Tops == 0
}

// AddScaled writes a + times*b to sum.
func AddScaled(sum, a []uint64, times int, b []uint64) {
	sum, b = sum[:len(a)], b[:len(a)]
	for i, v := range a {
		sum[i] = v + uint64(times)*b[i]
	}
}

// Subtract writes a-b to rest and reports whether no lane of b is above that of a; if one
// is, rest is of no use.
func (l Layout) Subtract(rest, a, b []uint64) bool {
	all := l.Tops
	rest, b = rest[:len(a)], b[:len(a)]
	for i, v := range a {
		r := (v | l.Tops) - b[i]
		all &= r
		rest[i] = r &^ l.Tops
	}
	return all == l.Tops
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
	for _, w := range words {
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
	for i := range after {
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
	others := 0
	for _, w := range words {
		others += bits.OnesCount64(((w ^ pattern) + up) & l.Tops)
	}
	return len(words)*l.Per - others
}
