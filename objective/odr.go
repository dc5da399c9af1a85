package objective

import (
	"leeway/core"
	"leeway/core/routing"
)

// oneOrder evaluates a single dimension order. Along dimension s, with T the
// dimensions before it and U those behind, a = M_T and b = M_U, the load on a
// ring is one product,
//
//	plus:  L[c] = L[c-1] + a[c] ahead(b)[c] - b[c] behind(a)[c]
//	minus: L[c] = L[c-1] + b[c] ahead(a)[c] - a[c] behind(b)[c]
//
// with windows that count the farthest distance as the direction does, L[c] on
// the edge between c and c+1. Rings that lie side by side in memory and share
// one of the two lines are done together, row by row: that line's entries are
// the scalars of the row, the other array gives the vectors. Windows are
// computed once per array, so that a link costs two multiplications.
type oneOrder struct {
	torus *core.Torus
	plan  *marginalPlan
	dims  []orderedDim
	load  []int64
}

// An orderedDim is what one dimension of oneOrder needs.
type orderedDim struct {
	s            int
	plus, minus  windowRule
	vector       *marginal // the array that varies along a row
	scalar       *marginal // the array that is constant along a row
	vectorStarts bool      // the vector is a, where pairs start; otherwise b
	// windows of the vector and of the scalar array for plus and for minus
	vectorPlus, vectorMinus, scalarPlus, scalarMinus []int64
	// what a unit on the vector's line gives the edge 0 -> 1, by place, for
	// every place of the scalar array
	firstPlus, firstMinus []int64
	row                   int // length of a row
	walk                  *blockWalk
	line                  *ringLine // for rows of one
}

// newOneOrder prepares the evaluation of the order of r, which must be the only
// one, in units of 1/2 if halves.
func newOneOrder(r *routing.Orders, halves bool) *oneOrder {
	t := r.Torus()
	e := &oneOrder{torus: t, plan: newMarginalPlan(t), load: make([]int64, t.M())}
	order := r.List()[0]
	for s := range t.D() {
		rule := newRingRule(t.Side(s), halves, r.Tie() == routing.TieBoth)
		before := routing.Before(order, s)
		all := uint(1)<<t.D() - 1
		e.dims = append(e.dims, e.newDim(s, before, all&^before&^(1<<s), rule))
	}
	return e
}

func (e *oneOrder) newDim(s int, before, after uint, rule ringRule) orderedDim {
	t := e.torus
	a, b := e.plan.of(before), e.plan.of(after)
	d := orderedDim{s: s, plus: plusRule(rule), minus: minusRule(rule), row: 1}
	last := t.D() - 1
	d.vectorStarts = after>>last&1 != 0 || s == last && len(a.values) > len(b.values)
	// A row is as long as the trailing dimensions are all on the vector's side.
	side := before
	if d.vectorStarts {
		side = after
	}
	inRow := last
	for ; inRow > s && side>>inRow&1 != 0; inRow-- {
		d.row *= t.Side(inRow)
	}
	var outer []int
	for j := 0; j <= inRow; j++ {
		if j != s {
			outer = append(outer, j)
		}
	}
	d.vector, d.scalar = b, a
	if d.vectorStarts {
		d.vector, d.scalar = a, b
	}
	d.walk = newBlockWalk(t, outer, d.vector, d.scalar)
	scalars := len(d.scalar.values)
	d.scalarPlus, d.scalarMinus = make([]int64, scalars), make([]int64, scalars)
	d.firstPlus, d.firstMinus = make([]int64, scalars), make([]int64, scalars)
	if d.row == 1 {
		d.line = newRingLine(d.plus, d.minus, d.vectorStarts)
	} else {
		d.vectorPlus, d.vectorMinus = make([]int64, len(d.vector.values)), make([]int64, len(d.vector.values))
	}
	return d
}

func (e *oneOrder) fill(nodes []int, w *core.Watch) error { return e.plan.fill(nodes, w) }
func (e *oneOrder) loads() []int64                        { return e.load }

// windows fills in the windows of both arrays of a dimension. Plus looks behind
// where pairs start and ahead where they end, minus the other way round.
func (d *orderedDim) windows(w *core.Watch) error {
	if d.row > 1 {
		slideAll(d.vector, d.s, d.vectorPlus, d.plus, d.vectorStarts, w)
		slideAll(d.vector, d.s, d.vectorMinus, d.minus, !d.vectorStarts, w)
	}
	slideAll(d.scalar, d.s, d.scalarPlus, d.plus, !d.vectorStarts, w)
	slideAll(d.scalar, d.s, d.scalarMinus, d.minus, d.vectorStarts, w)
	inner := d.scalar.strides[d.s]
	if err := w.Err(len(d.scalar.values)); err != nil {
		return err
	}
	for o := 0; o < len(d.scalar.values); o += inner * d.plus.k {
		for i := o; i < o+inner; i++ {
			d.plus.first(d.scalar.values[i:], d.firstPlus[i:], inner, d.vectorStarts)
			d.minus.first(d.scalar.values[i:], d.firstMinus[i:], inner, !d.vectorStarts)
		}
	}
	return nil
}

// slideAll fills dst with the windows of an array along s, behind or ahead, unless the
// watch has ended.
func slideAll(m *marginal, s int, dst []int64, rule windowRule, behind bool, w *core.Watch) {
	inner := m.strides[s]
	block := inner * rule.k
	if w.Err(len(m.values)) != nil {
		return
	}
	for o := 0; o < len(m.values); o += block {
		if behind {
			rule.behind(m.values[o:o+block], dst[o:o+block], inner, inner)
		} else {
			rule.ahead(m.values[o:o+block], dst[o:o+block], inner, inner)
		}
	}
}

func (e *oneOrder) dimension(s int, w *core.Watch) error {
	d := &e.dims[s]
	if err := d.windows(w); err != nil {
		return err
	}
	if d.row == 1 {
		return e.lines(d, w)
	}
	walk := d.walk // next leaves it at the start again
	n := e.torus.N()
	up, down := e.torus.PortIndex(d.s, core.Plus)*n, e.torus.PortIndex(d.s, core.Minus)*n
	for more := true; more; more = walk.next() {
		if err := w.Err(d.row * d.plus.k); err != nil {
			walk.reset()
			return err
		}
		if d.plus.k == 2 { // one link each way: nothing goes minus
			e.sweepPlus(d, e.load[up+walk.base:], walk.offsets[0], walk.offsets[1])
			continue
		}
		e.sweep(d, e.load[up+walk.base:], e.load[down+walk.base:], walk.offsets[0], walk.offsets[1])
	}
	return nil
}

// sweep does the rings that start at the nodes of one row: the edge 0 -> 1 in
// full, then from edge to edge, both directions at once.
func (e *oneOrder) sweep(d *orderedDim, up, down []int64, vectorAt, scalarAt int) {
	k, row, stride := d.plus.k, d.row, e.torus.Stride(d.s)
	vs, ss := d.vector.strides[d.s], d.scalar.strides[d.s]
	vector, scalar := d.vector.values[vectorAt:], d.scalar.values[scalarAt:]
	windowPlus, windowMinus := d.vectorPlus[vectorAt:], d.vectorMinus[vectorAt:]
	scalarPlus, scalarMinus := d.scalarPlus[scalarAt:], d.scalarMinus[scalarAt:]
	plus, minus := up[:row], down[stride:][:row] // the - link leaves the far end of the edge
	addAll(plus, vector, d.firstPlus[scalarAt:], vs, ss, k)
	addAll(minus, vector, d.firstMinus[scalarAt:], vs, ss, k)
	// Where the vector's processors start pairs, a step on adds what they send
	// plus and takes off what reaches them minus; else the other way round.
	sign := int64(-1)
	if d.vectorStarts {
		sign = 1
	}
	for c := 1; c < k; c++ {
		x := sign * scalar[c*ss]
		toPlus, toMinus := up[c*stride:][:row], down[step1n(c, 1, k)*stride:][:row]
		v, wp, wm := vector[c*vs:][:row], windowPlus[c*vs:][:row], windowMinus[c*vs:][:row]
		xp, xm := sign*scalarPlus[c*ss], sign*scalarMinus[c*ss]
		for i := range toPlus {
			toPlus[i] = plus[i] + xp*v[i] - x*wp[i]
			toMinus[i] = minus[i] + x*wm[i] - xm*v[i]
		}
		plus, minus = toPlus, toMinus
	}
}

// sweepPlus is sweep for a side of 2.
func (e *oneOrder) sweepPlus(d *orderedDim, up []int64, vectorAt, scalarAt int) {
	row, stride := d.row, e.torus.Stride(d.s)
	vs, ss := d.vector.strides[d.s], d.scalar.strides[d.s]
	vector, scalar := d.vector.values[vectorAt:], d.scalar.values[scalarAt:]
	plus, to := up[:row], up[stride:][:row]
	addAll(plus, vector, d.firstPlus[scalarAt:], vs, ss, 2)
	sign := int64(-1)
	if d.vectorStarts {
		sign = 1
	}
	v, w := vector[vs:][:row], d.vectorPlus[vectorAt+vs:][:row]
	x, window := sign*scalar[ss], sign*d.scalarPlus[scalarAt+ss]
	for i := range to {
		to[i] = plus[i] + window*v[i] - x*w[i]
	}
}

// addAll puts the sum of k rows into to, each with its weight.
func addAll(to, rows, weights []int64, rowStep, weightStep, k int) {
	clear(to)
	for c := range k {
		if w := weights[c*weightStep]; w != 0 {
			addRow(to, rows[c*rowStep:], w)
		}
	}
}

// step1n returns c+shift on a ring of length k, for a shift of 0 or 1.
func step1n(c, shift, k int) int {
	if c += shift; c == k {
		return 0
	}
	return c
}

// addRow adds x times the start of row to to.
func addRow(to, row []int64, x int64) {
	if x == 0 {
		return
	}
	row = row[:len(to)]
	for i, v := range row {
		to[i] += x * v
	}
}
