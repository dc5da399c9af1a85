package objective

import (
	"math/big"
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
)

// marginals evaluates dimension-ordered routings in time linear in the number
// of links, without looking at pairs.
//
// Fix a dimension s and a ring along it through the other coordinates i_j. A
// pair uses that ring after correcting some set T of dimensions and before
// correcting U, and then p_s = x, q_s = y, p_j = i_j outside T, q_j = i_j
// outside U, with p_j != i_j in T and q_j != i_j in U. With M_T[x] the number of
// processors that agree with the ring outside T (their coordinates in T are
// free), counting with "!=" is inclusion and exclusion over subsets, so the
// load on the ring is
//
//	sum over disjoint T, U of v(s,T,U) ring(M_T, M_U)
//
// where v are the weights of routing.Orders folded by inclusion and exclusion
// and ring is ringRule.add. For ODR one term per dimension is left: T all
// dimensions before s, U all behind it.
type marginals struct {
	routing *routing.Orders
	torus   *core.Torus
	den     int64
	halves  bool
	terms   [][]term // by dimension s
}

// A term is the part sum over U of weight ring(M_T, M_U) of the load along one
// dimension.
type term struct {
	before  uint
	after   []uint
	weights []int64
}

// newMarginals folds the weights of r. Cost O(d 5^(d-1)).
func newMarginals(r *routing.Orders) *marginals {
	t := r.Torus()
	m := &marginals{routing: r, torus: t, den: r.Denominator().Int64(), terms: make([][]term, t.D())}
	orderDen := r.OrderDenominator()
	m.halves = m.den != orderDen
	for s := range t.D() {
		m.terms[s] = foldTerms(r, s, orderDen)
	}
	return m
}

func foldTerms(r *routing.Orders, s int, den int64) []term {
	d := r.Torus().D()
	others := (uint(1)<<d - 1) &^ (1 << s)
	if list := r.List(); len(list) == 1 { // ODR: only the full sets are left
		before := routing.Before(list[0], s)
		return []term{{before: before, after: []uint{others &^ before}, weights: []int64{den}}}
	}
	folded := map[[2]uint]int64{}
	for before := range subsets(others) {
		for after := range subsets(others &^ before) {
			num, wd := r.Weight(s, before, after)
			w := num * (den / wd)
			for b := range subsets(before) {
				for a := range subsets(after) {
					left := bits.OnesCount(before&^b) + bits.OnesCount(after&^a)
					folded[[2]uint{b, a}] += w * int64(1-2*(left&1))
				}
			}
		}
	}
	var terms []term
	for before := range subsets(others) {
		t := term{before: before}
		for after := range subsets(others &^ before) {
			if w := folded[[2]uint{before, after}]; w != 0 {
				t.after = append(t.after, after)
				t.weights = append(t.weights, w)
			}
		}
		if len(t.after) > 0 {
			terms = append(terms, t)
		}
	}
	return terms
}

// subsets yields the subsets of mask in ascending order.
func subsets(mask uint) func(yield func(uint) bool) {
	return func(yield func(uint) bool) {
		for sub := uint(0); ; sub = (sub - mask) & mask {
			if !yield(sub) || sub == mask {
				return
			}
		}
	}
}

// loads evaluates a placement. Cost O(M) times the number of terms.
func (m *marginals) loads(p core.Placement) *Loads {
	counts := newCounts(p)
	out := &Loads{torus: m.torus, den: big.NewInt(m.den), small: make([]int64, m.torus.M())}
	for s := range m.torus.D() {
		m.dimension(s, counts, out.small)
	}
	return out
}

// dimension fills in the loads of all links along s.
func (m *marginals) dimension(s int, counts *counts, out []int64) {
	t := m.torus
	k := t.Side(s)
	rule := newRingRule(k, m.halves, m.routing.Tie() == routing.TieBoth)
	walk := newRingWalk(t, s)
	lines := make([][2]int, len(m.terms[s])) // by term: its view, its first view of after
	for i, term := range m.terms[s] {
		lines[i][0] = walk.view(counts.of(term.before))
		for n, after := range term.after {
			if v := walk.view(counts.of(after)); n == 0 {
				lines[i][1] = v
			}
		}
	}
	a, b := make([]int64, k), make([]int64, k)
	plus, minus := make([]int64, k), make([]int64, k)
	up, down := t.PortIndex(s, core.Plus)*t.N(), t.PortIndex(s, core.Minus)*t.N()
	stride := t.Stride(s)
	for walk.next() {
		clear(plus)
		clear(minus)
		for i, term := range m.terms[s] {
			walk.line(lines[i][0], a)
			walk.mix(lines[i][1], term.weights, b)
			rule.add(a, b, plus, rule.tiePlus)
			if k > 2 {
				rule.add(b, a, minus, rule.tieMin)
			}
		}
		for c := range k {
			out[up+walk.base+c*stride] = plus[c]
		}
		if k > 2 { // the - link over the edge c, c+1 leaves c+1
			for c := range k {
				out[down+walk.base+(c+1)%k*stride] = minus[c]
			}
		}
	}
}

// counts holds the marginals M_T of a placement, each computed when first asked
// for, with the dimensions in T left out of the array.
type counts struct {
	torus *core.Torus
	sums  map[uint]*marginal
}

// A marginal is the array M_T with the stride of every dimension, 0 in T.
type marginal struct {
	values  []int64
	strides []int
}

func newCounts(p core.Placement) *counts {
	t := p.Torus()
	m := &marginal{values: make([]int64, t.N()), strides: make([]int, t.D())}
	for j := range t.D() {
		m.strides[j] = t.Stride(j)
	}
	for _, v := range p.Nodes() {
		m.values[v] = 1
	}
	return &counts{torus: t, sums: map[uint]*marginal{0: m}}
}

// of returns M_T, from the marginal with the lowest dimension of T put back.
func (c *counts) of(mask uint) *marginal {
	if m := c.sums[mask]; m != nil {
		return m
	}
	j := bits.TrailingZeros(mask)
	from := c.of(mask &^ (1 << j))
	inner := from.strides[j]
	k := c.torus.Side(j)
	m := &marginal{values: make([]int64, len(from.values)/k), strides: make([]int, len(from.strides))}
	for i, s := range from.strides {
		switch {
		case i == j:
		case s > inner:
			m.strides[i] = s / k
		default:
			m.strides[i] = s
		}
	}
	for i, v := range from.values {
		m.values[i/(inner*k)*inner+i%inner] += v
	}
	c.sums[mask] = m
	return m
}

// A ringWalk visits all rings along one dimension and keeps the place where each
// ring starts in several marginals.
type ringWalk struct {
	torus   *core.Torus
	along   int
	at      []int
	base    int // node with coordinate 0 on the current ring
	views   []*marginal
	offsets []int
	started bool
}

func newRingWalk(t *core.Torus, along int) *ringWalk {
	return &ringWalk{torus: t, along: along, at: make([]int, t.D())}
}

// view registers a marginal and returns its number.
func (w *ringWalk) view(m *marginal) int {
	w.views = append(w.views, m)
	w.offsets = append(w.offsets, 0)
	return len(w.views) - 1
}

// next moves to the next ring, the last coordinate fastest, and reports whether
// there is one.
func (w *ringWalk) next() bool {
	if !w.started {
		w.started = true
		return true
	}
	for j := w.torus.D() - 1; j >= 0; j-- {
		if j == w.along {
			continue
		}
		step := 1
		if w.at[j]++; w.at[j] == w.torus.Side(j) {
			w.at[j], step = 0, 1-w.torus.Side(j)
		}
		w.base += step * w.torus.Stride(j)
		for i, m := range w.views {
			w.offsets[i] += step * m.strides[j]
		}
		if step == 1 {
			return true
		}
	}
	return false
}

// line copies the current ring of view i into dst.
func (w *ringWalk) line(i int, dst []int64) {
	m, at := w.views[i], w.offsets[i]
	for x := range dst {
		dst[x] = m.values[at]
		at += m.strides[w.along]
	}
}

// mix puts the weighted sum of the views first, first+1, ... into dst.
func (w *ringWalk) mix(first int, weights []int64, dst []int64) {
	clear(dst)
	for n, weight := range weights {
		m, at := w.views[first+n], w.offsets[first+n]
		for x := range dst {
			dst[x] += weight * m.values[at]
			at += m.strides[w.along]
		}
	}
}
