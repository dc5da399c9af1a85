package orders

import (
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
)

// allOrders evaluates UDR, and with a net flow some of the orders. The weights v(T,U) of UDR are symmetric in T and U,
// so without ties the two links of an edge carry the same load, and with
// D(X)[c] = ahead(X)[c] - behind(X)[c] over windows of distances below k/2
//
//	L[c] = L[c-1] + sum over unordered pairs {T,U} of v (M_T[c] D(M_U)[c] + M_U[c] D(M_T)[c]).
//
// On an open dimension, where there are no ties, the windows reach to its ends.
//
// The term of {0,0} cancels: the load is linear in what stands on the ring, x =
// M_0, given the marginals around it. With G the weighted sum of the M_U that
// meet x, a step is x D(G) + D(x) G plus the pairs without x. Pairs at distance
// k/2 put the same load on every edge of their ring.
//
// So two links cost one step, and a step a few multiplications.
type allOrders struct {
	torus *core.Torus
	plan  *marginalPlan
	dims  []udrDim
	load  []int64
}

// A udrDim is what one dimension of allOrders needs.
type udrDim struct {
	s, k, w  int // dimension, side, largest distance below k/2
	open     bool
	full     int64
	tieBoth  int64       // weight of a tie on either link, folded into kappa
	tiePlus  int64       // weight of a tie on the + link alone
	meets    []udrTerm   // G: the M_U that meet x, with their weights
	pairs    []udrPair   // the pairs without x
	arrays   []*udrArray // those of meets and pairs, each once
	vectors  []int       // the arrays that vary along a row
	step     []int64     // D(x)
	walk     *blockWalk  // views are x, then arrays, with a net flow the sums of all these along s
	net      *netFlow    // nil for UDR
	g, dg, r []int64     // rows for the general case
	base     []int64     // load on the edge 0 -> 1, by place of a row
	tie      []int64     // load of the ties, by place of a row
	rows     [2][]int64  // the load on the edge before and on this one
}

// A udrTerm is a marginal with a weight; array counts in udrDim.arrays.
type udrTerm struct {
	array  int
	weight int64
}

// A udrPair is an unordered pair of marginals with a weight. If only one of them
// varies along a row it is a.
type udrPair struct {
	a, b   int
	weight int64
}

// A udrArray is a marginal with what is derived from it along s.
type udrArray struct {
	*marginal
	mask   uint    // the dimensions added up
	vector bool    // varies along a row
	d      []int64 // D
	kappa  []int64 // what a unit at a place gives the edge 0 -> 1 together with the array
	across []int64 // the array moved on by k/2
}

// newAllOrders prepares the evaluation of all or some orders, in units of 1/2 more if halves.
func newAllOrders(r *routing.Orders, halves bool) *allOrders {
	t := r.Torus()
	e := &allOrders{torus: t, plan: newMarginalPlan(t), load: make([]int64, t.M())}
	step := make([]int64, t.N())
	for s := range t.D() {
		rule := newRingRule(r, s, halves)
		d := udrDim{s: s, k: rule.k, w: (rule.k - 1) / 2, open: rule.open, full: rule.full, step: step}
		switch {
		case rule.k%2 == 1 || rule.open:
		case rule.tieMin == 0:
			d.tiePlus = rule.tiePlus
		default:
			d.tieBoth = rule.tiePlus
		}
		e.addTerms(&d, r)
		e.dims = append(e.dims, d)
	}
	return e
}

// addTerms sorts the folded weights into meets and pairs.
func (e *allOrders) addTerms(d *udrDim, r *routing.Orders) {
	t := e.torus
	last := t.D() - 1
	index := map[uint]int{}
	array := func(mask uint) int {
		i, ok := index[mask]
		if !ok {
			i, index[mask] = len(d.arrays), len(d.arrays)
			m := e.plan.of(mask)
			n := len(m.values)
			a := &udrArray{marginal: m, mask: mask, vector: mask>>last&1 == 0,
				d: make([]int64, n), kappa: make([]int64, n), across: make([]int64, n)}
			d.arrays = append(d.arrays, a)
			if a.vector {
				d.vectors = append(d.vectors, i)
			}
		}
		return i
	}
	folded := foldTerms(r, d.s, r.OrderDenominator())
	var net []netTerm
	for _, term := range folded {
		if term.net == 0 {
			continue
		}
		from := 0
		if term.a != 0 {
			from = 1 + array(term.a)
		}
		net = append(net, netTerm{from, 1 + array(term.b), term.net})
	}
	for _, term := range folded {
		weight := term.both
		if net == nil { // both orders of every two sets weigh the same
			weight /= 2
		}
		switch {
		case weight == 0:
		case term.a == 0:
			d.meets = append(d.meets, udrTerm{array(term.b), weight})
		case bits.Len(term.b) > last: // the higher mask is the one with the last dimension, if any
			d.pairs = append(d.pairs, udrPair{array(term.a), array(term.b), weight})
		default:
			d.pairs = append(d.pairs, udrPair{array(term.b), array(term.a), weight})
		}
	}
	row := t.Side(last)
	d.g, d.dg, d.r = make([]int64, row), make([]int64, row), make([]int64, row)
	d.base, d.tie = make([]int64, row), make([]int64, row)
	d.rows = [2][]int64{make([]int64, row), make([]int64, row)}
	views := []*marginal{e.plan.of(0)}
	for _, a := range d.arrays {
		views = append(views, a.marginal)
	}
	if net != nil {
		views = append(views, e.plan.of(1<<d.s))
		for _, a := range d.arrays {
			views = append(views, e.plan.of(a.mask|1<<d.s))
		}
		d.net = newNetFlow(d, net, row, d.s == last)
	}
	var outer []int
	for j := range t.D() {
		if j != d.s && j != last {
			outer = append(outer, j)
		}
	}
	d.walk = newBlockWalk(t, outer, views...)
}

func (e *allOrders) loads(nodes []int, w *core.Watch) ([]int64, error) {
	err := e.plan.fill(nodes, w)
	for s := 0; s < len(e.dims) && err == nil; s++ {
		err = e.dimension(&e.dims[s], w)
	}
	return e.load, err
}

// dimension fills in the loads of all links along one dimension.
func (e *allOrders) dimension(d *udrDim, w *core.Watch) error {
	if err := e.derive(d, w); err != nil {
		return err
	}
	terms := len(d.meets) + len(d.pairs)
	for more := true; more; more = d.walk.next() {
		last, links := d.s == e.torus.D()-1, d.k
		if !last {
			links *= len(d.base)
		}
		if err := w.Err(links * terms); err != nil {
			return err
		}
		if last {
			e.ring(d)
		} else {
			e.block(d)
		}
		switch {
		case d.net == nil:
		case last:
			e.addNetRing(d)
		default:
			e.addNet(d)
		}
	}
	return nil
}

// derive computes D, kappa and the array across for every array, and D(x). The error is
// that of the watch.
func (e *allOrders) derive(d *udrDim, w *core.Watch) error {
	for _, a := range d.arrays {
		inner := a.strides[d.s]
		block := inner * d.k
		for o := 0; o < len(a.values); o += block {
			if err := w.Err(3 * block); err != nil {
				return err
			}
			d.differences(a.values[o:o+block], a.d[o:o+block], inner)
			d.responses(a.values[o:o+block], a.kappa[o:o+block], a.across[o:o+block], inner)
		}
	}
	x := d.walk.views[0]
	inner := x.strides[d.s]
	block := inner * d.k
	for o := 0; o < len(x.values); o += block {
		if err := w.Err(block); err != nil {
			return err
		}
		d.differences(x.values[o:o+block], d.step[o:o+block], inner)
	}
	return nil
}

// differences fills dst with D of k rows of the given length.
func (d *udrDim) differences(src, dst []int64, length int) {
	k, w := d.k, d.w
	if w == 0 { // a side of 2: every pair is a tie
		clear(dst[:k*length])
		return
	}
	if d.open {
		d.differencesOpen(src, dst, length)
		return
	}
	if length == 1 {
		d.differencesLine(src, dst)
		return
	}
	first := dst[:length]
	clear(first)
	for i := 1; i <= w; i++ {
		subtract(first, src[i*length:], src[(k-i)*length:])
	}
	for c := 1; c < k; c++ {
		from, to := dst[(c-1)*length:][:length], dst[c*length:][:length]
		in, mid := src[(c+w)%k*length:][:length], src[c*length:][:length]
		old, gone := src[(c-1)*length:][:length], src[(c-1-w+k)%k*length:][:length]
		for i := range to {
			to[i] = from[i] + in[i] - mid[i] - old[i] + gone[i]
		}
	}
}

// differencesOpen is differences for an open dimension.
func (d *udrDim) differencesOpen(src, dst []int64, length int) {
	first := dst[:length]
	clear(first)
	for c := 1; c < d.k; c++ {
		addRow(first, src[c*length:], 1)
	}
	for c := 1; c < d.k; c++ {
		from, to := dst[(c-1)*length:][:length], dst[c*length:][:length]
		mid, old := src[c*length:][:length], src[(c-1)*length:][:length]
		for i := range to {
			to[i] = from[i] - mid[i] - old[i]
		}
	}
}

// differencesLine is differences for rows of one.
func (d *udrDim) differencesLine(src, dst []int64) {
	k, w := d.k, d.w
	src, dst = src[:k], dst[:k]
	sum := int64(0)
	for i := 1; i <= w; i++ {
		sum += src[i] - src[k-i]
	}
	dst[0] = sum
	in, gone := 1+w, k-w
	if in == k {
		in = 0
	}
	for c := 1; c < k; c++ {
		if gone == k {
			gone = 0
		}
		sum += src[in] - src[c] - src[c-1] + src[gone]
		dst[c] = sum
		if in++; in == k {
			in = 0
		}
		gone++
	}
}

// subtract adds a - b to to.
func subtract(to, a, b []int64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] += a[i] - b[i]
	}
}

// responses fills kappa with what a unit at each place gives the edge 0 -> 1
// together with the k rows of src, both ways of every pair, and across with the
// rows moved on by k/2 where a tie loads one link only.
func (d *udrDim) responses(src, kappa, across []int64, length int) {
	k, w := d.k, d.w
	row := func(a []int64, c int) []int64 { return a[c%k*length:][:length] }
	clear(kappa)
	if d.open { // across the edge are place 0 and all others
		for c := 1; c < k; c++ {
			addRow(row(kappa, 0), row(src, c), d.full)
			addRow(row(kappa, c), row(src, 0), d.full)
		}
		return
	}
	for n := 0; n < w; n++ { // sums of n+1 rows, one longer each
		starts, ends := row(kappa, k-w+n+1), row(kappa, w-n)
		if n > 0 {
			copy(starts, row(kappa, k-w+n))
			copy(ends, row(kappa, w-n+1))
		}
		addRow(starts, row(src, n+1), d.full)
		addRow(ends, row(src, k-n), d.full)
	}
	for c := range k {
		if d.tieBoth != 0 {
			addRow(row(kappa, c), row(src, c+k/2), d.tieBoth)
		}
		if d.tiePlus != 0 {
			clear(row(across, c))
			addRow(row(across, c), row(src, c+k/2), d.tiePlus)
		}
	}
}

// block does the rings along s through the nodes of one row of the last
// dimension.
func (e *allOrders) block(d *udrDim) {
	k, row := d.k, len(d.base)
	clear(d.base)
	clear(d.tie)
	for c := range k {
		d.addFirst(d.base, c, func(a *udrArray) []int64 { return a.kappa })
		if d.tiePlus != 0 {
			d.addFirst(d.tie, c, func(a *udrArray) []int64 { return a.across })
		}
	}
	copy(d.rows[0], d.base)
	e.emit(d, 0, d.rows[0])
	for c := 1; c < k; c++ {
		before, to := d.rows[(c-1)&1], d.rows[c&1][:row]
		d.advance(c, before, to)
		e.emit(d, c, to)
	}
}

// emit writes the loads of both links of the edges from places c to c+1.
func (e *allOrders) emit(d *udrDim, c int, edge []int64) {
	t := e.torus
	stride, n := t.Stride(d.s), t.N()
	up := e.load[t.PortIndex(d.s, core.Plus)*n+d.walk.base+c*stride:][:len(edge)]
	if d.tiePlus != 0 {
		tie := d.tie[:len(edge)]
		for i, v := range edge {
			up[i] = v + tie[i]
		}
	} else {
		copy(up, edge)
	}
	if d.k > 2 { // the - link leaves the far end of the edge
		copy(e.load[t.PortIndex(d.s, core.Minus)*n+d.walk.base+step1(c, 1, d.k)*stride:][:len(edge)], edge)
	}
}

// at returns the part of an array that belongs to place c of the current block:
// a row, or one value if the array does not vary along the row.
func (d *udrDim) at(array int, values []int64, c int) []int64 {
	a := d.arrays[array]
	from := values[d.walk.offsets[1+array]+c*a.strides[d.s]:]
	if a.vector {
		return from[:len(d.base)]
	}
	return from[:1]
}

// addFirst adds place c's part of the load on the edge 0 -> 1, or of the ties,
// to sum; pick names the responses.
func (d *udrDim) addFirst(sum []int64, c int, pick func(*udrArray) []int64) {
	for _, p := range d.pairs {
		a, b := d.at(p.a, d.arrays[p.a].values, c), d.at(p.b, pick(d.arrays[p.b]), c)
		if len(b) == 1 {
			addRow(sum, a, p.weight*b[0])
			continue
		}
		for i := range sum {
			sum[i] += p.weight * a[i] * b[i]
		}
	}
	x := d.walk.views[0]
	here := x.values[d.walk.offsets[0]+c*x.strides[d.s]:][:len(sum)]
	var flat int64
	for _, m := range d.meets {
		if a := d.arrays[m.array]; !a.vector {
			flat += m.weight * d.at(m.array, pick(a), c)[0]
		}
	}
	for i, v := range here {
		if v == 0 {
			continue
		}
		sum[i] += flat
		for _, m := range d.meets {
			if a := d.arrays[m.array]; a.vector {
				sum[i] += m.weight * d.at(m.array, pick(a), c)[i]
			}
		}
	}
}

// advance puts the loads on the edges from place c, those before it given, into
// to.
func (d *udrDim) advance(c int, before, to []int64) {
	x := d.walk.views[0]
	at := d.walk.offsets[0] + c*x.strides[d.s]
	here, moved := x.values[at:][:len(to)], d.step[at:][:len(to)]
	var g, dg, weight int64 // weight of the array that varies, if it meets x
	for _, m := range d.meets {
		if a := d.arrays[m.array]; a.vector {
			weight = d.full * m.weight
		} else {
			g += m.weight * d.at(m.array, a.values, c)[0]
			dg += m.weight * d.at(m.array, a.d, c)[0]
		}
	}
	if len(d.vectors) > 1 {
		d.advanceGeneral(c, g, dg, before, to)
		return
	}
	g, dg = d.full*g, d.full*dg
	before = before[:len(to)]
	if len(d.vectors) == 0 { // two dimensions: nothing but x varies along the row
		for i := range to {
			to[i] = before[i] + here[i]*dg + moved[i]*g
		}
		return
	}
	// Three dimensions: one array varies along the row, and meets the others.
	single := d.vectors[0]
	v, dv := d.at(single, d.arrays[single].values, c)[:len(to)], d.at(single, d.arrays[single].d, c)[:len(to)]
	var withV, withD int64
	for _, p := range d.pairs {
		withV += d.full * p.weight * d.at(p.b, d.arrays[p.b].d, c)[0]
		withD += d.full * p.weight * d.at(p.b, d.arrays[p.b].values, c)[0]
	}
	for i := range to {
		to[i] = before[i] + here[i]*(dg+weight*dv[i]) + moved[i]*(g+weight*v[i]) + withV*v[i] + withD*dv[i]
	}
}

// advanceGeneral is advance for any number of arrays that vary along the row; g
// and dg hold the sums of those that do not.
func (d *udrDim) advanceGeneral(c int, g, dg int64, before, to []int64) {
	x := d.walk.views[0]
	at := d.walk.offsets[0] + c*x.strides[d.s]
	here, moved := x.values[at:][:len(to)], d.step[at:][:len(to)]
	for i := range to {
		d.g[i], d.dg[i], d.r[i] = g, dg, 0
	}
	for _, m := range d.meets {
		if a := d.arrays[m.array]; a.vector {
			addRow(d.g, d.at(m.array, a.values, c), m.weight)
			addRow(d.dg, d.at(m.array, a.d, c), m.weight)
		}
	}
	for _, p := range d.pairs {
		a, da := d.at(p.a, d.arrays[p.a].values, c), d.at(p.a, d.arrays[p.a].d, c)
		b, db := d.at(p.b, d.arrays[p.b].values, c), d.at(p.b, d.arrays[p.b].d, c)
		if len(b) == 1 {
			addRow(d.r, a, p.weight*db[0])
			addRow(d.r, da, p.weight*b[0])
			continue
		}
		for i := range d.r {
			d.r[i] += p.weight * (a[i]*db[i] + da[i]*b[i])
		}
	}
	for i := range to {
		to[i] = before[i] + d.full*(here[i]*d.dg[i]+moved[i]*d.g[i]+d.r[i])
	}
}

// ring does one ring along the last dimension, where all arrays run along it.
func (e *allOrders) ring(d *udrDim) {
	k, o := d.k, d.walk.offsets
	x, moved := d.walk.views[0].values[o[0]:][:k], d.step[o[0]:][:k]
	clear(d.g)
	clear(d.dg)
	clear(d.r)
	var base, tie int64
	for _, m := range d.meets {
		a := d.arrays[m.array]
		from := o[1+m.array]
		addRow(d.g, a.values[from:][:k], m.weight)
		addRow(d.dg, a.d[from:][:k], m.weight)
		base += m.weight * dot(x, a.kappa[from:][:k])
		if d.tiePlus != 0 {
			tie += m.weight * dot(x, a.across[from:][:k])
		}
	}
	for _, p := range d.pairs {
		a, b := d.arrays[p.a], d.arrays[p.b]
		va, da := a.values[o[1+p.a]:][:k], a.d[o[1+p.a]:][:k]
		vb, db := b.values[o[1+p.b]:][:k], b.d[o[1+p.b]:][:k]
		base += p.weight * dot(va, b.kappa[o[1+p.b]:][:k])
		if d.tiePlus != 0 {
			tie += p.weight * dot(va, b.across[o[1+p.b]:][:k])
		}
		r := d.r[:k]
		for c := range r {
			r[c] += p.weight * (va[c]*db[c] + da[c]*vb[c])
		}
	}
	n := e.torus.N()
	up := e.load[e.torus.PortIndex(d.s, core.Plus)*n+d.walk.base:][:k]
	g, dg, r := d.g[:k], d.dg[:k], d.r[:k]
	load := base + tie
	up[0] = load
	for c := 1; c < k; c++ {
		load += d.full * (x[c]*dg[c] + moved[c]*g[c] + r[c])
		up[c] = load
	}
	if k > 2 { // the - link leaves the far end of the edge, and without the ties
		down := e.load[e.torus.PortIndex(d.s, core.Minus)*n+d.walk.base:][:k]
		down[0] = up[k-1] - tie
		for c, v := range up[:k-1] {
			down[c+1] = v - tie
		}
	}
}

func dot(a, b []int64) int64 {
	b = b[:len(a)]
	sum := int64(0)
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// wordOrders is allOrders for tori of two dimensions with at most 64 nodes,
// where a placement is one word: slab counts and the windows of a ring are
// popcounts, and nothing is stored per node but the loads.
type wordOrders struct {
	*allOrders
	word          uint64
	slabs         [][]uint64 // by dimension and coordinate: the nodes of the slab
	ahead, behind [][]uint64 // by dimension and node: the nodes up to w places on, and back
}

// wordNodes is the most nodes of a placement that is one word.
const wordNodes = 64

func newWordOrders(r *routing.Orders, halves bool) *wordOrders {
	t := r.Torus()
	e := &wordOrders{allOrders: newAllOrders(r, halves)}
	for s := range t.D() {
		slabs, ahead, behind := make([]uint64, t.Side(s)), make([]uint64, t.N()), make([]uint64, t.N())
		for v := range t.N() {
			slabs[t.Coord(v, s)] |= 1 << v
			reach, back := e.dims[s].w, e.dims[s].w
			if t.Open(s) {
				reach, back = t.Side(s)-1-t.Coord(v, s), t.Coord(v, s)
			}
			for i := 1; i <= reach; i++ {
				ahead[v] |= 1 << t.Shift(v, s, i)
			}
			for i := 1; i <= back; i++ {
				behind[v] |= 1 << t.Shift(v, s, -i)
			}
		}
		e.slabs, e.ahead, e.behind = append(e.slabs, slabs), append(e.ahead, ahead), append(e.behind, behind)
	}
	return e
}

func (e *wordOrders) loads(nodes []int, _ *core.Watch) ([]int64, error) {
	e.word = 0
	for _, v := range nodes {
		e.word |= 1 << v
	}
	for s := range e.dims {
		e.dimension(s)
	}
	return e.load, nil
}

// dimension computes the loads of the links along s. In two dimensions G is the
// slab counts across s with one weight, the same for every ring.
func (e *wordOrders) dimension(s int) {
	d := &e.dims[s]
	counts, weight := d.arrays[0], d.meets[0].weight
	for c, slab := range e.slabs[s] {
		counts.values[c] = int64(bits.OnesCount64(e.word & slab))
	}
	d.differences(counts.values, counts.d, 1)
	d.responses(counts.values, counts.kappa, counts.across, 1)
	other := 1 - s
	for ring := range e.torus.Side(other) {
		e.ringOf(d, ring*e.torus.Stride(other), weight)
	}
}

// ringOf does the ring along one dimension that starts at node base.
func (e *wordOrders) ringOf(d *udrDim, base int, weight int64) {
	t := e.torus
	k, stride, n := d.k, t.Stride(d.s), t.N()
	counts := d.arrays[0]
	var load, tie int64
	for c, v := 0, base; c < k; c, v = c+1, v+stride {
		if e.word>>(v&63)&1 != 0 {
			load += weight * counts.kappa[c]
			if d.tiePlus != 0 {
				tie += weight * counts.across[c]
			}
		}
	}
	weight *= d.full
	up := e.load[t.PortIndex(d.s, core.Plus)*n:][:n]
	down := e.load[t.PortIndex(d.s, core.Minus)*n:][:n]
	ahead, behind := e.ahead[d.s], e.behind[d.s]
	for c, v := 0, base; c < k; c, v = c+1, v+stride {
		if c > 0 {
			moved := int64(bits.OnesCount64(e.word&ahead[v]) - bits.OnesCount64(e.word&behind[v]))
			load += weight * (moved*counts.values[c] + int64(e.word>>(v&63)&1)*counts.d[c])
		}
		if k > 2 { // the - link over the edge leaves its far end
			down[base+step1(c, 1, k)*stride] = load
		}
		up[v] = load + tie
	}
}
