package orders

import (
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
)

// A pairTerm is what two sets of dimensions a < b contribute to the loads along a dimension s.
//
// A pair uses a ring along s, through the other coordinates i_j, after correcting some set T of dimensions and before
// correcting U, and then p_s = x, q_s = y, p_j = i_j outside T, q_j = i_j outside U, with p_j != i_j in T and q_j !=
// i_j in U. With M_T[x] the number of processors that agree with the ring outside T (their coordinates in T are
// free), counting with "!=" is inclusion and exclusion over subsets, so the load on the ring is
//
//	sum over disjoint T, U of v(T,U) ring(M_T, M_U)
//
// where v are the weights of routing.Orders folded by inclusion and exclusion, and ring(a, b) is what a[x] b[y] units
// from every place x to every y != x put on its links. That v(0,0) vanishes where there are other dimensions: it is the
// sum of 1 with alternating sign over all sets, and so is v(T,U) + v(U,T) added up over all T, U of one union but the
// whole.
type pairTerm struct {
	a, b uint
	both int64 // v(a,b) + v(b,a)
	net  int64 // v(a,b) - v(b,a)
}

// foldTerms returns the terms of dimension s that do not vanish, for weights in units of 1/den.
// Cost O(5^(d-1)).
func foldTerms(r *routing.Orders, s int, den int64) []pairTerm {
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
	var terms []pairTerm
	for a := range subsets(others) {
		for b := range subsets(others &^ a) {
			there, back := folded[[2]uint{a, b}], folded[[2]uint{b, a}]
			if a < b && (there != 0 || back != 0) {
				terms = append(terms, pairTerm{a, b, there + back, there - back})
			}
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
