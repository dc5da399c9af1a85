package objective

import "leeway/core"

// sparseRing is up to how many occupied places of a ring its loads are added up
// from tabled responses instead of swept.
const sparseRing = 4

// A ringLine does the rings along the last dimension one by one, both directions
// at once. Places are contiguous there, and the other array is short.
//
// The first direction is the one that the vector's pairs start in, the second
// the one that they end in:
//
//	first:  L[c] = L[c-1] + v[c] s1[c] - s[c] behind(v)[c]
//	second: L[c] = L[c-1] + s[c] ahead(v)[c] - v[c] s2[c]
type ringLine struct {
	behind, ahead windowRule
	wrapped       []int64 // the line three times
	// unit responses by place, where all rings share the scalar line
	table1, table2 []int64
	unit           []int64
}

func newRingLine(plus, minus windowRule, vectorStarts bool) *ringLine {
	k := plus.k
	r := &ringLine{behind: plus, ahead: minus, wrapped: make([]int64, 3*k)}
	if !vectorStarts {
		r.behind, r.ahead = minus, plus
	}
	return r
}

// A ringScalars is the scalar line of a ring with its windows and first-edge
// weights in both directions, and the shifts of their links.
type ringScalars struct {
	s, window1, window2, first1, first2 []int64
	shift1, shift2                      int
}

// lines does all rings along the last dimension. The error is that of the watch.
func (e *oneOrder) lines(d *orderedDim, w *core.Watch) error {
	walk := d.walk // next leaves it at the start again
	k, n := d.plus.k, e.torus.N()
	up, down := e.load[e.torus.PortIndex(d.s, core.Plus)*n:], e.load[e.torus.PortIndex(d.s, core.Minus)*n:]
	if k == 2 { // one link each way: what goes minus has no link of its own and no weight
		down = make([]int64, n)
	}
	if len(d.scalar.values) == k { // one scalar line, and a vector of all nodes
		tabled := k*k <= n // with fewer rings than places sweeps are cheaper, and the table is no larger than the loads
		if tabled {
			d.line.tabulate(d.scalars(0))
		}
		for base := 0; base < n; base += k {
			if err := w.Err(k); err != nil {
				return err
			}
			out1, out2 := up[base:][:k], down[base:][:k]
			if !d.vectorStarts {
				out1, out2 = out2, out1
			}
			if v := d.vector.values[base:][:k]; !tabled || !d.line.sparse(v, out1, out2) {
				d.line.sweep(v, d.scalars(0), out1, out2)
			}
		}
		return nil
	}
	for more := true; more; more = walk.next() {
		if err := w.Err(k); err != nil {
			walk.reset()
			return err
		}
		out1, out2 := up[walk.base:][:k], down[walk.base:][:k]
		if !d.vectorStarts {
			out1, out2 = out2, out1
		}
		d.line.sweep(d.vector.values[walk.offsets[0]:][:k], d.scalars(walk.offsets[1]), out1, out2)
	}
	return nil
}

// scalars returns the scalar line at an offset of its array.
func (d *orderedDim) scalars(at int) ringScalars {
	k := d.plus.k
	cut := func(a []int64) []int64 { return a[at:][:k] }
	if d.vectorStarts {
		return ringScalars{s: cut(d.scalar.values), window1: cut(d.scalarPlus), window2: cut(d.scalarMinus),
			first1: cut(d.firstPlus), first2: cut(d.firstMinus), shift2: 1}
	}
	return ringScalars{s: cut(d.scalar.values), window1: cut(d.scalarMinus), window2: cut(d.scalarPlus),
		first1: cut(d.firstMinus), first2: cut(d.firstPlus), shift1: 1}
}

// sweep fills out1 and out2 with the loads of one ring.
func (r *ringLine) sweep(v []int64, s ringScalars, out1, out2 []int64) {
	k := len(v)
	copy(r.wrapped, v)
	copy(r.wrapped[k:], v)
	copy(r.wrapped[2*k:], v)
	w := r.wrapped
	reach1, last1 := r.behind.split()
	reach2, last2 := r.ahead.split()
	full, far := r.behind.full, r.behind.far
	var load1, load2, near1, near2 int64
	for c, x := range v {
		load1 += x * s.first1[c]
		load2 += x * s.first2[c]
	}
	for i := 1; i < reach1; i++ {
		near1 += w[k-i]
	}
	for i := 1; i < reach2; i++ {
		near2 += w[k+i]
	}
	out1, out2 = out1[:k], out2[:k]
	out1[0], out2[0] = load1, load2
	// All of these have length k and are read at c: the line one back, what
	// leaves and enters the windows, and what is farthest.
	back, gone1, in2 := w[k-1:][:k], w[k-reach1:][:k], w[k+reach2-1:][:k]
	far1, far2 := w[k-far:][:k], w[k+far:][:k]
	v, scalar, window1, window2 := v[:k], s.s[:k], s.window1[:k], s.window2[:k]
	for c := 1; c < k; c++ {
		x, y := v[c], scalar[c]
		near1 += back[c] - gone1[c]
		near2 += in2[c] - x
		load1 += x*window1[c] - y*(full*near1+last1*far1[c])
		load2 += y*(full*near2+last2*far2[c]) - x*window2[c]
		out1[c], out2[c] = load1, load2
	}
	turn(out1, s.shift1)
	turn(out2, s.shift2)
}

// turn moves the entries of a ring on by a shift of 0 or 1.
func turn(ring []int64, shift int) {
	if shift == 1 {
		last := ring[len(ring)-1]
		copy(ring[1:], ring)
		ring[0] = last
	}
}

// tabulate computes the response of every place to a unit there.
func (r *ringLine) tabulate(s ringScalars) {
	k := len(s.s)
	if r.unit == nil {
		r.table1, r.table2, r.unit = make([]int64, k*k), make([]int64, k*k), make([]int64, k)
	}
	for y := range k {
		r.unit[y] = 1
		r.sweep(r.unit, s, r.table1[y*k:][:k], r.table2[y*k:][:k])
		r.unit[y] = 0
	}
}

// sparse fills out1 and out2 from the table and returns true, unless too many
// places are occupied.
func (r *ringLine) sparse(v, out1, out2 []int64) bool {
	k := len(v)
	var places [sparseRing]int
	n := 0
	for c, x := range v {
		if x != 0 {
			if n == sparseRing {
				return false
			}
			places[n] = c
			n++
		}
	}
	if n == 0 {
		clear(out1)
		clear(out2)
		return true
	}
	for i, c := range places[:n] {
		t1, t2 := r.table1[c*k:][:k], r.table2[c*k:][:k]
		if i == 0 && v[c] == 1 {
			copy(out1, t1)
			copy(out2, t2)
			continue
		}
		if i == 0 {
			clear(out1)
			clear(out2)
		}
		addRow(out1, t1, v[c])
		addRow(out2, t2, v[c])
	}
	return true
}
