package orders

import (
	"leeway/core"
	"leeway/core/routing"
)

// ringRule says how much of the traffic over each distance goes the + and the -
// way around a ring of length k, in units that make a whole pair full. On an open
// dimension there is only one way.
type ringRule struct {
	k       int
	open    bool
	half    int   // the largest cyclic distance
	full    int64 // weight of a pair at a distance below k/2
	tiePlus int64 // weight of a pair at distance exactly k/2, the + way
	tieMin  int64 // the same, the - way
}

// newRingRule returns the rule for dimension s of the torus of a routing. With
// halves, a whole pair has weight 2 so that a tie can be split.
func newRingRule(r *routing.Orders, s int, halves bool) ringRule {
	k, both := r.Torus().Side(s), r.Tie() == routing.TieBoth
	rule := ringRule{k: k, open: r.Torus().Open(s), half: k / 2, full: 1}
	if halves {
		rule.full = 2
	}
	switch {
	case k == 2 || k%2 == 0 && !both:
		rule.tiePlus = rule.full
	case k%2 == 0:
		rule.tiePlus, rule.tieMin = rule.full/2, rule.full/2
	default: // no distance is a tie: the farthest is like the others
		rule.tiePlus, rule.tieMin = rule.full, rule.full
	}
	return rule
}

// A windowRule says how far around a ring of length k traffic goes in one
// direction: pairs at a distance below far count full, those at distance far,
// half the ring or what is nearest to it, count last.
type windowRule struct {
	k, far     int
	full, last int64
}

// plusRule and minusRule return the window rules of both directions.
func plusRule(r ringRule) windowRule {
	return windowRule{k: r.k, far: r.half, full: r.full, last: r.tiePlus}
}

func minusRule(r ringRule) windowRule {
	return windowRule{k: r.k, far: r.half, full: r.full, last: r.tieMin}
}

// split returns below which distance pairs count full, and how much those at the
// farthest distance count besides.
func (w windowRule) split() (reach int, last int64) {
	if w.last == w.full {
		return w.far + 1, 0
	}
	return w.far, w.last
}

// slide fills dst[c] with the weighted sum of src[c+1..c+far] around the ring, for sign -1 with that of
// src[c-far..c-1]. Both hold k rows of the given length, row c at c*step. It first sums the rows that count full by
// sliding, then scales and adds the last row.
func (w windowRule) slide(src, dst []int64, step, length, sign int) {
	if length == 1 {
		w.slideLine(src, dst, step, sign)
		return
	}
	reach, last := w.split()
	k := w.k
	first := dst[:length]
	clear(first)
	in := 0
	for d := 1; d < reach; d++ {
		in = step1(in, sign, k)
		addRow(first, src[in*step:], 1)
	}
	// The row of c is the one before, with one row in and one out.
	end := core.Mod(sign*w.far, k)
	scaled := w.full != 1 || last != 0
	for c, n := 0, 0; n < k; n++ {
		if next := step1(c, sign, k); n < k-1 {
			in = step1(in, sign, k)
			slideRow(dst[next*step:][:length], dst[c*step:], src[in*step:], src[next*step:])
			if scaled {
				scaleRow(dst[c*step:][:length], src[end*step:], w.full, last)
				end = step1(end, sign, k)
			}
			c = next
		} else if scaled {
			scaleRow(dst[c*step:][:length], src[end*step:], w.full, last)
		}
	}
}

// slideRow puts from + in - out into to.
func slideRow(to, from, in, out []int64) {
	from, in, out = from[:len(to)], in[:len(to)], out[:len(to)]
	for i := range to {
		to[i] = from[i] + in[i] - out[i]
	}
}

// scaleRow puts full times itself plus last times end into row.
func scaleRow(row, end []int64, full, last int64) {
	end = end[:len(row)]
	for i := range row {
		row[i] = full*row[i] + last*end[i]
	}
}

// slideLine is slide for rows of one.
func (w windowRule) slideLine(src, dst []int64, step, sign int) {
	reach, last := w.split()
	k := w.k
	near, c, in := int64(0), 0, 0
	for d := 1; d < reach; d++ {
		in = step1(in, sign, k)
		near += src[in*step]
	}
	end := core.Mod(sign*w.far, k)
	for range k {
		dst[c*step] = w.full*near + last*src[end*step]
		// Move to the place ahead: what stands there leaves the window.
		c, in, end = step1(c, sign, k), step1(in, sign, k), step1(end, sign, k)
		near += src[in*step] - src[c*step]
	}
}

// first fills h with what a unit at each place of a ring gives the edge 0 -> 1
// together with the line m. If it starts pairs, a unit at place -x, x < far,
// meets the weighted sum of m[1..far-x]; if it ends them, a unit at place y, 1
// <= y <= far, meets that of m[-(far-y)..0]. Entries are step apart.
func (w windowRule) first(m, h []int64, step int, starts bool) {
	for c := range w.k {
		h[c*step] = 0
	}
	var near int64
	for n := range w.far { // n is far-x-1, or far-y
		from, at := n+1, w.k-w.far+n+1
		if !starts {
			from, at = w.k-n, w.far-n
		}
		v := m[from%w.k*step]
		h[at%w.k*step] += w.full*near + w.last*v
		near += v
	}
}

// step1 returns the place one step from c in the direction of sign, on a ring of
// length k.
func step1(c, sign, k int) int {
	switch c += sign; {
	case c < 0:
		return k - 1
	case c == k:
		return 0
	}
	return c
}
