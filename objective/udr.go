package objective

import (
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
)

// allOrders evaluates UDR. Its weights v(s,T,U) are symmetric in T and U, so
// without ties the two links of an edge carry the same load, and with
// D(X)[c] = ahead(X)[c] - behind(X)[c] over windows of distances below k/2
//
//	L[c] = L[c-1] + sum over unordered pairs {T,U} of v (M_T[c] D(M_U)[c] + M_U[c] D(M_T)[c]).
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
	full     int64
	tieBoth  int64       // weight of a tie on either link, folded into kappa
	tiePlus  int64       // weight of a tie on the + link alone
	meets    []udrTerm   // G: the M_U that meet x, with their weights
	pairs    []udrPair   // the pairs without x
	arrays   []*udrArray // those of meets and pairs, each once
	vectors  []int       // the arrays that vary along a row
	step     []int64     // D(x)
	walk     *blockWalk  // views are x, then arrays
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
	vector bool    // varies along a row
	d      []int64 // D
	kappa  []int64 // what a unit at a place gives the edge 0 -> 1 together with the array
	across []int64 // the array moved on by k/2
}

// newAllOrders prepares the evaluation of UDR, in units of 1/2 more if halves.
func newAllOrders(r *routing.Orders, halves bool) *allOrders {
	t := r.Torus()
	e := &allOrders{torus: t, plan: newMarginalPlan(t), load: make([]int64, t.M())}
	step := make([]int64, t.N())
	for s := range t.D() {
		rule := newRingRule(t.Side(s), halves, r.Tie() == routing.TieBoth)
		d := udrDim{s: s, k: rule.k, w: (rule.k - 1) / 2, full: rule.full, step: step}
		switch {
		case rule.k%2 == 1:
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
			a := &udrArray{marginal: m, vector: mask>>last&1 == 0, d: make([]int64, n), kappa: make([]int64, n), across: make([]int64, n)}
			d.arrays = append(d.arrays, a)
			if a.vector {
				d.vectors = append(d.vectors, i)
			}
		}
		return i
	}
	for _, term := range foldTerms(r, d.s, r.OrderDenominator()) {
		for i, after := range term.after {
			switch weight := term.weights[i]; {
			case term.before > after: // the same unordered pair the other way round
			case term.before == 0:
				d.meets = append(d.meets, udrTerm{array(after), weight})
			case bits.Len(after) > last: // the higher mask is the one with the last dimension, if any
				d.pairs = append(d.pairs, udrPair{array(term.before), array(after), weight})
			default:
				d.pairs = append(d.pairs, udrPair{array(after), array(term.before), weight})
			}
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
	var outer []int
	for j := range t.D() {
		if j != d.s && j != last {
			outer = append(outer, j)
		}
	}
	d.walk = newBlockWalk(t, outer, views...)
}

func (e *allOrders) fill(nodes []int, w *core.Watch) error { return e.plan.fill(nodes, w) }
func (e *allOrders) loads() []int64                        { return e.load }

func (e *allOrders) dimension(s int, w *core.Watch) error {
	d := &e.dims[s]
	if err := e.derive(d, w); err != nil {
		return err
	}
	terms := len(d.meets) + len(d.pairs)
	for more := true; more; more = d.walk.next() {
		last, links := s == e.torus.D()-1, d.k
		if !last {
			links *= len(d.base)
		}
		if err := w.Err(links * terms); err != nil {
			d.walk.reset()
			return err
		}
		if last {
			e.ring(d)
		} else {
			e.block(d)
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
