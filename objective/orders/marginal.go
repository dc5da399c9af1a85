package orders

import (
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
	halves  bool
	plan    *marginalPlan
	terms   [][]term     // by dimension s
	walks   []*blockWalk // by dimension s: views are for each term before, then each after
	load    []int64
}

// A term is the part sum over U of weight ring(M_T, M_U) of the load along one
// dimension.
type term struct {
	before  uint
	after   []uint
	weights []int64
}

// newMarginals folds the weights of r, in units of 1/2 more if halves. Cost O(d
// 5^(d-1)).
func newMarginals(r *routing.Orders, halves bool) *marginals {
	t := r.Torus()
	m := &marginals{routing: r, torus: t, halves: halves, plan: newMarginalPlan(t),
		terms: make([][]term, t.D()), walks: make([]*blockWalk, t.D()), load: make([]int64, t.M())}
	for s := range t.D() {
		m.terms[s] = foldTerms(r, s, r.OrderDenominator())
		var views []*marginal
		for _, term := range m.terms[s] {
			views = append(views, m.plan.of(term.before))
			for _, after := range term.after {
				views = append(views, m.plan.of(after))
			}
		}
		m.walks[s] = newBlockWalk(t, others(t, s), views...)
	}
	return m
}

func foldTerms(r *routing.Orders, s int, den int64) []term {
	d := r.Torus().D()
	others := (uint(1)<<d - 1) &^ (1 << s)
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

func (m *marginals) loads(nodes []int, w *core.Watch) ([]int64, error) {
	err := m.plan.fill(nodes, w)
	for s := 0; s < len(m.terms) && err == nil; s++ {
		err = m.dimension(s, w)
	}
	return m.load, err
}

// dimension fills in the loads of all links along s. Cost: O(links) times the
// number of terms.
func (m *marginals) dimension(s int, w *core.Watch) error {
	t := m.torus
	k, stride := t.Side(s), t.Stride(s)
	rule := newRingRule(m.routing, s, m.halves)
	a, b := make([]int64, k), make([]int64, k)
	plus, minus := make([]int64, k), make([]int64, k)
	walk := m.walks[s]
	for more := true; more; more = walk.next() {
		if err := w.Err(k * len(m.terms[s])); err != nil {
			return err
		}
		clear(plus)
		clear(minus)
		view := 0
		for _, term := range m.terms[s] {
			walk.line(view, s, a)
			walk.mix(view+1, s, term.weights, b)
			view += 1 + len(term.after)
			rule.add(a, b, plus, rule.tiePlus)
			rule.add(b, a, minus, rule.tieMin)
		}
		up := m.load[t.PortIndex(s, core.Plus)*t.N()+walk.base:]
		for c := range k {
			up[c*stride] = plus[c]
		}
		if k > 2 { // the - link over the edge c, c+1 leaves c+1
			down := m.load[t.PortIndex(s, core.Minus)*t.N()+walk.base:]
			for c := range k {
				down[(c+1)%k*stride] = minus[c]
			}
		}
	}
	return nil
}

// others returns the dimensions but s.
func others(t *core.Torus, s int) []int {
	var dims []int
	for j := range t.D() {
		if j != s {
			dims = append(dims, j)
		}
	}
	return dims
}

// line copies the line along s of view i into dst.
func (w *blockWalk) line(i, s int, dst []int64) {
	m, at := w.views[i], w.offsets[i]
	for x := range dst {
		dst[x] = m.values[at]
		at += m.strides[s]
	}
}

// mix puts the weighted sum of the lines of the views first, first+1, ... into
// dst.
func (w *blockWalk) mix(first, s int, weights []int64, dst []int64) {
	clear(dst)
	for n, weight := range weights {
		m, at := w.views[first+n], w.offsets[first+n]
		for x := range dst {
			dst[x] += weight * m.values[at]
			at += m.strides[s]
		}
	}
}

// A marginal is the array M_T of a placement: how many processors there are for
// given coordinates in the dimensions outside T. The dimensions in T are left
// out of the array; the others keep their order, so that the last of them is
// contiguous.
type marginal struct {
	values  []int64
	strides []int // by dimension, 0 in T
}

// marginalPlan computes a fixed family of marginals again and again, each from
// another by adding up along one dimension.
type marginalPlan struct {
	torus *core.Torus
	sums  map[uint]*marginal
	steps []marginalStep
}

// A marginalStep adds up from along a dimension of length k whose stride is
// inner.
type marginalStep struct {
	from, to *marginal
	k, inner int
}

func newMarginalPlan(t *core.Torus) *marginalPlan {
	m := &marginal{values: make([]int64, t.N()), strides: make([]int, t.D())}
	for j := range t.D() {
		m.strides[j] = t.Stride(j)
	}
	return &marginalPlan{torus: t, sums: map[uint]*marginal{0: m}}
}

// of returns the marginal over a set of dimensions, planning it when it is asked
// for the first time.
func (p *marginalPlan) of(mask uint) *marginal {
	if m := p.sums[mask]; m != nil {
		return m
	}
	j := bits.TrailingZeros(mask)
	from := p.of(mask &^ (1 << j))
	k, inner := p.torus.Side(j), from.strides[j]
	to := &marginal{values: make([]int64, len(from.values)/k), strides: make([]int, len(from.strides))}
	for i, s := range from.strides {
		switch {
		case i == j:
		case s > inner:
			to.strides[i] = s / k
		default:
			to.strides[i] = s
		}
	}
	p.sums[mask] = to
	p.steps = append(p.steps, marginalStep{from: from, to: to, k: k, inner: inner})
	return to
}

// fill computes all planned marginals of the processors on the given nodes. The error is
// that of the watch.
func (p *marginalPlan) fill(nodes []int, w *core.Watch) error {
	indicator := p.sums[0].values
	clear(indicator)
	for _, v := range nodes {
		indicator[v] = 1
	}
	for _, s := range p.steps {
		if err := w.Err(len(s.from.values)); err != nil {
			return err
		}
		s.add()
	}
	return nil
}

func (s marginalStep) add() {
	src, dst := s.from.values, s.to.values
	if s.inner == 1 {
		for o := range dst {
			sum := int64(0)
			for _, v := range src[o*s.k : (o+1)*s.k] {
				sum += v
			}
			dst[o] = sum
		}
		return
	}
	for o := 0; o < len(dst); o += s.inner {
		to := dst[o : o+s.inner]
		copy(to, src[o*s.k:])
		for c := 1; c < s.k; c++ {
			from := src[o*s.k+c*s.inner:][:len(to)]
			for i, v := range from {
				to[i] += v
			}
		}
	}
}

// A blockWalk visits all values of some dimensions, the last fastest, and keeps
// the node and the places in some marginals where the others are 0.
type blockWalk struct {
	torus   *core.Torus
	outer   []int
	at      []int
	base    int
	views   []*marginal
	offsets []int
}

func newBlockWalk(t *core.Torus, outer []int, views ...*marginal) *blockWalk {
	return &blockWalk{torus: t, outer: outer, at: make([]int, len(outer)), views: views,
		offsets: make([]int, len(views))}
}

// next moves on and reports whether it did not come back to the start, as after the last.
func (w *blockWalk) next() bool {
	for i := len(w.outer) - 1; i >= 0; i-- {
		j := w.outer[i]
		step := 1
		if w.at[i]++; w.at[i] == w.torus.Side(j) {
			w.at[i], step = 0, 1-w.torus.Side(j)
		}
		w.base += step * w.torus.Stride(j)
		for n, m := range w.views {
			w.offsets[n] += step * m.strides[j]
		}
		if step == 1 {
			return true
		}
	}
	return false
}
