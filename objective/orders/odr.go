package orders

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
	open         bool
	plus, minus  windowRule
	vector       *marginal // the array that varies along a row
	scalar       *marginal // the array that is constant along a row
	vectorStarts bool      // the vector is a, where pairs start; otherwise b
	sign         int       // 1 if so, else -1
	spare        []int64   // stands for the links of the - way on a side of 2
	// windows of the vector and of the scalar array for plus and for minus; on an open
	// dimension the sums up to a place and beyond it, of the vector for one row only
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
	order := core.Range(t.D()) // there is one order only
	if list := r.List(); list != nil {
		order = list[0]
	}
	for s := range t.D() {
		rule := newRingRule(r, s, halves)
		before := routing.Before(order, s)
		all := uint(1)<<t.D() - 1
		e.dims = append(e.dims, e.newDim(s, before, all&^before&^(1<<s), rule))
	}
	return e
}

func (e *oneOrder) newDim(s int, before, after uint, rule ringRule) orderedDim {
	t := e.torus
	a, b := e.plan.of(before), e.plan.of(after)
	d := orderedDim{s: s, open: rule.open, plus: plusRule(rule), minus: minusRule(rule), row: 1}
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
	d.vector, d.scalar, d.sign = b, a, -1
	if d.vectorStarts {
		d.vector, d.scalar, d.sign = a, b, 1
	}
	if d.plus.k == 2 {
		d.spare = make([]int64, t.N())
	}
	d.walk = newBlockWalk(t, outer, d.vector, d.scalar)
	scalars := len(d.scalar.values)
	d.scalarPlus, d.scalarMinus = make([]int64, scalars), make([]int64, scalars)
	d.firstPlus, d.firstMinus = make([]int64, scalars), make([]int64, scalars)
	switch {
	case d.open:
		d.vectorPlus, d.vectorMinus = make([]int64, d.row), make([]int64, d.row)
	case d.row == 1:
		d.line = newRingLine(d.plus, d.minus, d.vectorStarts)
	default:
		d.vectorPlus, d.vectorMinus = make([]int64, len(d.vector.values)), make([]int64, len(d.vector.values))
	}
	return d
}

func (e *oneOrder) loads(nodes []int, w *core.Watch) ([]int64, error) {
	err := e.plan.fill(nodes, w)
	for s := 0; s < len(e.dims) && err == nil; s++ {
		err = e.dimension(&e.dims[s], w)
	}
	return e.load, err
}

// windows fills in the windows of both arrays of a dimension. Plus looks behind
// where pairs start and ahead where they end, minus the other way round.
func (d *orderedDim) windows(w *core.Watch) error {
	if d.row > 1 {
		slideAll(d.vector, d.s, d.vectorPlus, d.plus, -d.sign, w)
		slideAll(d.vector, d.s, d.vectorMinus, d.minus, d.sign, w)
	}
	slideAll(d.scalar, d.s, d.scalarPlus, d.plus, d.sign, w)
	slideAll(d.scalar, d.s, d.scalarMinus, d.minus, -d.sign, w)
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

// slideAll fills dst with the windows of an array along s, ahead for sign 1 and behind for -1, unless the watch has
// ended.
func slideAll(m *marginal, s int, dst []int64, rule windowRule, sign int, w *core.Watch) {
	inner := m.strides[s]
	block := inner * rule.k
	if w.Err(len(m.values)) != nil {
		return
	}
	for o := 0; o < len(m.values); o += block {
		rule.slide(m.values[o:o+block], dst[o:o+block], inner, inner, sign)
	}
}

// sums fills plus with the sums of an array along dimension s up to every place, and minus with those
// beyond it.
func sums(m *marginal, s, k int, plus, minus []int64) {
	inner := m.strides[s]
	block := inner * k
	for o := 0; o < len(m.values); o += block {
		row := func(a []int64, c int) []int64 { return a[o+c*inner:][:inner] }
		copy(row(plus, 0), row(m.values, 0))
		clear(row(minus, k-1))
		for c := 1; c < k; c++ {
			addTo(row(plus, c), row(plus, c-1), row(m.values, c))
			addTo(row(minus, k-1-c), row(minus, k-c), row(m.values, k-c))
		}
	}
}

// addTo puts a + b into to.
func addTo(to, a, b []int64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = a[i] + b[i]
	}
}

// path fills in the loads of all links along an open dimension: over the edge behind a place goes
// what starts up to there times what ends beyond, and back the other way round.
func (e *oneOrder) path(d *orderedDim, w *core.Watch) error {
	k, row, stride := d.plus.k, d.row, e.torus.Stride(d.s)
	if err := w.Err(len(d.scalar.values)); err != nil {
		return err
	}
	sums(d.scalar, d.s, k, d.scalarPlus, d.scalarMinus)
	vs, ss := d.vector.strides[d.s], d.scalar.strides[d.s]
	links, back := e.links(d)
	before, beyond := d.vectorPlus[:row], d.vectorMinus[:row]
	walk := d.walk
	for more := true; more; more = walk.next() {
		if err := w.Err(row * k); err != nil {
			return err
		}
		vector, scalarAt := d.vector.values[walk.offsets[0]:], walk.offsets[1]
		clear(before)
		clear(beyond)
		for c := range k {
			addRow(beyond, vector[c*vs:], d.plus.full)
		}
		up, down := links[walk.base:], back[walk.base:]
		clear(up[(k-1)*stride:][:row])
		clear(down[:row])
		for c := range k - 1 {
			out, in, v := up[c*stride:][:row], down[(c+1)*stride:][:row], vector[c*vs:][:row]
			if !d.vectorStarts {
				out, in = in, out
			}
			there, here := d.scalarMinus[scalarAt+c*ss], d.scalarPlus[scalarAt+c*ss]
			for i, x := range v {
				x *= d.plus.full
				before[i] += x
				beyond[i] -= x
				out[i] = before[i] * there
				in[i] = beyond[i] * here
			}
		}
	}
	return nil
}

// pathLines is path for rows of one.
func (e *oneOrder) pathLines(d *orderedDim, w *core.Watch) error {
	k := d.plus.k
	if err := w.Err(len(d.scalar.values)); err != nil {
		return err
	}
	sums(d.scalar, d.s, k, d.scalarPlus, d.scalarMinus)
	links, back := e.links(d)
	walk := d.walk
	for more := true; more; more = walk.next() {
		if err := w.Err(k); err != nil {
			return err
		}
		v := d.vector.values[walk.offsets[0]:][:k]
		there, here := d.scalarMinus[walk.offsets[1]:][:k], d.scalarPlus[walk.offsets[1]:][:k]
		var before, beyond int64
		for _, x := range v {
			beyond += x
		}
		out, in := links[walk.base:][:k], back[walk.base:][:k]
		shift := 0 // of the links that the vector's pairs start on: those of the - way leave the far end of the edge
		if !d.vectorStarts {
			out, in, shift = in, out, 1
		}
		if beyond == 0 {
			clear(out)
			clear(in)
			continue
		}
		out[(k-1)*(1-shift)], in[(k-1)*shift] = 0, 0
		before, beyond = 0, beyond*d.plus.full
		to, from := out[shift:][:k-1], in[1-shift:][:k-1]
		for c := range to {
			x := v[c] * d.plus.full
			before += x
			beyond -= x
			to[c], from[c] = before*there[c], beyond*here[c]
		}
	}
	return nil
}

// dimension fills in the loads of all links along one dimension.
func (e *oneOrder) dimension(d *orderedDim, w *core.Watch) error {
	switch {
	case d.open && d.row == 1:
		return e.pathLines(d, w)
	case d.open:
		return e.path(d, w)
	}
	if err := d.windows(w); err != nil {
		return err
	}
	if d.row == 1 {
		return e.lines(d, w)
	}
	walk := d.walk
	up, down := e.links(d)
	for more := true; more; more = walk.next() {
		if err := w.Err(d.row * d.plus.k); err != nil {
			return err
		}
		if d.spare != nil {
			e.sweepPlus(d, up[walk.base:], walk.offsets[0], walk.offsets[1])
			continue
		}
		e.sweep(d, up[walk.base:], down[walk.base:], walk.offsets[0], walk.offsets[1])
	}
	return nil
}

// links returns the loads of the links along a dimension, of the + and the - way. On a side of 2 there is one link each
// way: what goes minus has no link of its own and no weight.
func (e *oneOrder) links(d *orderedDim) (up, down []int64) {
	n := e.torus.N()
	up = e.load[e.torus.PortIndex(d.s, core.Plus)*n:][:n]
	if d.spare != nil {
		return up, d.spare
	}
	return up, e.load[e.torus.PortIndex(d.s, core.Minus)*n:][:n]
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
	sign := int64(d.sign)
	for c := 1; c < k; c++ {
		x := sign * scalar[c*ss]
		toPlus, toMinus := up[c*stride:][:row], down[step1(c, 1, k)*stride:][:row]
		v, wp, wm := vector[c*vs:][:row], windowPlus[c*vs:][:row], windowMinus[c*vs:][:row]
		xp, xm := sign*scalarPlus[c*ss], sign*scalarMinus[c*ss]
		for i := range toPlus {
			toPlus[i] = plus[i] + xp*v[i] - x*wp[i]
			toMinus[i] = minus[i] + x*wm[i] - xm*v[i]
		}
		plus, minus = toPlus, toMinus
	}
}

// sweepPlus is sweep for a side of 2, where it saves the half that is not used.
func (e *oneOrder) sweepPlus(d *orderedDim, up []int64, vectorAt, scalarAt int) {
	row, stride, sign := d.row, e.torus.Stride(d.s), int64(d.sign)
	vs, ss := d.vector.strides[d.s], d.scalar.strides[d.s]
	vector, scalar := d.vector.values[vectorAt:], d.scalar.values[scalarAt:]
	plus, to := up[:row], up[stride:][:row]
	addAll(plus, vector, d.firstPlus[scalarAt:], vs, ss, 2)
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
	walk := d.walk
	k, n := d.plus.k, e.torus.N()
	up, down := e.links(d)
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
