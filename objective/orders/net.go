package orders

import "leeway/core"

// A netFlow is what tells the + from the - links along one dimension, for several orders that are not all.
//
// With 2v(T,U) = (v(T,U) + v(U,T)) + (v(T,U) - v(U,T)) the loads are counted in two parts. The first is symmetric, as
// all of UDR is: allOrders counts twice the loads of it. The second puts the opposite on both links of an edge but for
// ties, so that it is the net flow over the edge. From edge to edge that changes by what starts at the place between
// them less what ends there, wherever it goes to or comes from: with B_T the sum of M_T around the ring,
//
//	net[c] - net[c-1] = sum over T of M_T[c] C_T,  C_T = sum over U of (v(T,U) - v(U,T)) B_U,
//
// without windows. If ties are shared by both ways they belong to it. Otherwise they are on + links only; by what they
// change there from edge to edge, 2u[c], is antisymmetric as they are: u[c+k/2] = -u[c].
type netFlow struct {
	terms []netTerm
	sides []int     // those of terms, each once
	due   [][]int64 // C of every side: a row, on the last dimension one number
	flow  []int64   // over the edges of one place, on the last dimension what changes it from edge to edge of a ring
	ties  []int64   // what ties add to it on + links only, over the edges of one place
	steps []int64   // rows of u of the places 1 to k/2
	half  int       // k/2
}

// A netTerm is v(T,U) - v(U,T) for the marginals of two sides: 0 is x, the others count the arrays of a udrDim from 1,
// and are so its views.
type netTerm struct {
	from, to int
	weight   int64
}

// newNetFlow prepares the net flow of some terms along d, in rows of some length, or of lines on the last dimension.
func newNetFlow(d *udrDim, terms []netTerm, row int, last bool) *netFlow {
	f := &netFlow{terms: terms, due: make([][]int64, 1+len(d.arrays)), flow: make([]int64, row), half: d.k / 2}
	if last {
		row = 1
	}
	for _, t := range terms {
		for _, side := range []int{t.from, t.to} {
			if f.due[side] == nil {
				f.sides, f.due[side] = append(f.sides, side), make([]int64, row)
			}
		}
	}
	f.ties, f.steps = make([]int64, row), make([]int64, f.half*row)
	return f
}

// side returns the part of a side that belongs to place c of the current block: a row, or one number if the side does
// not vary along it.
func (d *udrDim) side(side, c int) []int64 {
	m := d.walk.views[side]
	return d.cut(side, m.values[d.walk.offsets[side]+c*m.strides[d.s]:], len(d.base))
}

// around returns the part of the sums of a side around rings that belongs to the current block.
func (d *udrDim) around(side int) []int64 {
	view := 1 + len(d.arrays) + side
	return d.cut(side, d.walk.views[view].values[d.walk.offsets[view]:], len(d.net.ties))
}

// cut returns as much of what starts with a part of a side as belongs to a row.
func (d *udrDim) cut(side int, from []int64, row int) []int64 {
	if side > 0 && !d.arrays[side-1].vector {
		return from[:1]
	}
	return from[:row]
}

// prepare fills in C of every side for the current block.
func (f *netFlow) prepare(d *udrDim) {
	for _, side := range f.sides {
		clear(f.due[side])
	}
	for _, t := range f.terms {
		addSpread(f.due[t.from], d.around(t.to), d.full*t.weight)
		addSpread(f.due[t.to], d.around(t.from), -d.full*t.weight)
	}
}

// addNet adds the net flow to the loads of the rings of one block, which count the symmetric part twice.
func (e *allOrders) addNet(d *udrDim) {
	f := d.net
	f.prepare(d)
	f.start(d)
	row, stride, n := len(f.flow), e.torus.Stride(d.s), e.torus.N()
	up := e.load[e.torus.PortIndex(d.s, core.Plus)*n+d.walk.base:]
	for c := range d.k {
		if c > 0 || d.open {
			for _, side := range f.sides {
				addProducts(f.flow, d.side(side, c), f.due[side], 1)
			}
		}
		if c > 0 && d.tiePlus != 0 {
			step, sign := f.steps[(c-1)%f.half*row:][:row], int64(1)
			if c > f.half {
				sign = -1
			}
			addRow(f.flow, step, -sign)
			addRow(f.ties, step, 2*sign)
		}
		to := up[c*stride:][:row]
		for i, v := range f.flow {
			to[i] = (to[i] + v + f.ties[i]) >> 1
		}
		if d.k > 2 {
			down := e.load[e.torus.PortIndex(d.s, core.Minus)*n+d.walk.base+step1(c, 1, d.k)*stride:][:row]
			for i, v := range f.flow {
				down[i] = (down[i] - v) >> 1
			}
		}
	}
}

// start fills in the net flow over the edges 0 -> 1 of a block, that of the ties there, and u.
func (f *netFlow) start(d *udrDim) {
	clear(f.flow)
	clear(f.ties)
	if d.open { // nothing comes from before place 0
		return
	}
	row := len(f.flow)
	for c := range d.k {
		ends := c > 0 && c <= f.half // the + way over this edge ends at c, or the - way starts
		for _, t := range f.terms {
			weight := t.weight
			if ends {
				weight = -weight
			}
			addProducts(f.flow, d.side(t.from, c), d.at(t.to-1, d.arrays[t.to-1].kappa, c), weight)
		}
		if d.tiePlus != 0 && ends {
			step := f.steps[(c-1)*row:][:row]
			clear(step)
			across := (c + f.half) % d.k
			for _, t := range f.terms {
				addProducts(step, d.side(t.from, c), d.side(t.to, across), d.full*t.weight)
				addProducts(step, d.side(t.from, across), d.side(t.to, c), -d.full*t.weight)
			}
			addRow(f.ties, step, -1)
		}
	}
}

// addNetRing is addNet for one ring along the last dimension.
func (e *allOrders) addNetRing(d *udrDim) {
	f, k := d.net, d.k
	f.prepare(d)
	clear(f.flow)
	for _, side := range f.sides {
		addRow(f.flow, d.line(side), f.due[side][0])
	}
	var first, tie int64
	if !d.open {
		for _, t := range f.terms {
			from, kappa := d.line(t.from), d.arrays[t.to-1].kappa[d.walk.offsets[t.to]:][:k]
			ends := dot(from[1:f.half+1], kappa[1:])
			first += t.weight * (dot(from, kappa) - 2*ends)
		}
		f.flow[0] = first
	}
	if d.tiePlus != 0 {
		clear(f.steps)
		for _, t := range f.terms {
			from, to := d.line(t.from), d.line(t.to)
			weight := d.full * t.weight
			for c := range f.steps {
				here, across := c+1, step1(c+f.half, 1, k)
				f.steps[c] += weight * (from[here]*to[across] - from[across]*to[here])
			}
		}
		for _, u := range f.steps {
			tie -= u
		}
	}
	n := e.torus.N()
	up := e.load[e.torus.PortIndex(d.s, core.Plus)*n+d.walk.base:][:k]
	down := e.load[e.torus.PortIndex(d.s, core.Minus)*n+d.walk.base:]
	var flow int64
	for c, v := range f.flow {
		flow += v
		if d.tiePlus != 0 && c > 0 {
			step := f.steps[(c-1)%f.half]
			if c > f.half {
				step = -step
			}
			flow, tie = flow-step, tie+2*step
		}
		if k > 2 {
			at := step1(c, 1, k)
			down[at] = (down[at] - flow) >> 1
		}
		up[c] = (up[c] + flow + tie) >> 1
	}
}

// line returns a side on the ring of the current block, where the dimension is the last.
func (d *udrDim) line(side int) []int64 {
	return d.walk.views[side].values[d.walk.offsets[side]:][:d.k]
}

// addProducts adds the products of a and b, of which either may be one number for all, times x to to.
func addProducts(to, a, b []int64, x int64) {
	switch {
	case len(a) < len(to):
		addRow(to, b, x*a[0])
	case len(b) < len(to):
		addRow(to, a, x*b[0])
	default:
		a, b = a[:len(to)], b[:len(to)]
		for i := range to {
			to[i] += x * a[i] * b[i]
		}
	}
}

// addSpread adds x times a, which may be one number for all, to to.
func addSpread(to, a []int64, x int64) {
	if len(a) == len(to) {
		addRow(to, a, x)
		return
	}
	for i := range to {
		to[i] += x * a[0]
	}
}
