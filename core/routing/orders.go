package routing

import (
	"fmt"
	"iter"
	"math/big"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"leeway/core"
)

// Orders is a dimension-ordered routing: a pair corrects the dimensions in
// which it differs one after the other, each in full, in any of the orders that
// the allowed dimension orders induce on them; the distinct paths are taken
// uniformly.
//
// One order is ODR, all orders are UDR (seed 000, sections 6 and 7; with ties
// both, UDR in two dimensions is Algorithm 2.1 of seed 001).
type Orders struct {
	base
	orders [][]int // distinct, ascending; nil means all
	once   sync.Once
	common int64 // OrderDenominator once known
}

// maxExplicitDims is the most dimensions that several explicit orders may have:
// the orders that they induce on every subset of the dimensions are counted.
const maxExplicitDims = 12

// NewODR returns ordered dimensional routing in the given order of the
// dimensions, in index order if order is nil.
func NewODR(t *core.Torus, order []int, tie Tie) (*Orders, error) {
	if order == nil {
		order = core.Range(t.D())
	}
	return NewOrders(t, [][]int{order}, tie)
}

// NewUDR returns unordered dimensional routing: every order is allowed.
func NewUDR(t *core.Torus, tie Tie) *Orders {
	return &Orders{base: base{t, tie}}
}

// NewOrders returns the routing restricted to the given dimension orders, in any
// sequence, duplicates ignored. Each must be a permutation of 0..d-1; otherwise
// the error is an *core.InputError.
func NewOrders(t *core.Torus, orders [][]int, tie Tie) (*Orders, error) {
	if len(orders) == 0 {
		return nil, core.Invalid("orders", "at least one dimension order is needed").Hinted("write for instance orders:01+10")
	}
	r := &Orders{base: base{t, tie}}
	for _, o := range orders {
		if problem := orderProblem(o, t.D()); problem != "" {
			return nil, core.Invalid(formatOrder(o), "%s", problem).Hinted("write orders as in orders:01+10")
		}
		r.orders = append(r.orders, slices.Clone(o))
	}
	slices.SortFunc(r.orders, slices.Compare)
	r.orders = slices.CompactFunc(r.orders, slices.Equal)
	if len(r.orders) > 1 && t.D() > maxExplicitDims {
		return nil, core.Invalid(t.String(), "several explicit orders are supported up to %d dimensions", maxExplicitDims).
			Hinted("use odr or udr")
	}
	if d := t.D(); d > 1 && d <= maxExplicitDims && int64(len(r.orders)) == factorial(d) {
		r.orders = nil
	}
	return r, nil
}

// orderProblem says why order is not a permutation of 0..d-1, "" if it is one.
func orderProblem(order []int, d int) string {
	if len(order) != d {
		return fmt.Sprintf("the order names %d dimensions, the torus has %d", len(order), d)
	}
	seen := make([]bool, d)
	for _, j := range order {
		if j < 0 || j >= d || seen[j] {
			return fmt.Sprintf("not an order of the dimensions 0..%d: each stands once", d-1)
		}
		seen[j] = true
	}
	return ""
}

// All reports whether every order is allowed (UDR).
func (r *Orders) All() bool { return r.orders == nil }

// Unordered returns All.
func (r *Orders) Unordered() bool { return r.All() }

// List returns a copy of the allowed orders, ascending, or nil if all are.
func (r *Orders) List() [][]int {
	if r.orders == nil {
		return nil
	}
	list := make([][]int, len(r.orders))
	for i, o := range r.orders {
		list[i] = slices.Clone(o)
	}
	return list
}

// String returns the canonical form: odr for one order, udr for all of them,
// orders otherwise, always with the tie rule.
func (r *Orders) String() string {
	tie := ":tie=" + r.tie.String()
	switch {
	case r.orders == nil:
		return "udr" + tie
	case len(r.orders) > 1:
		return "orders:" + formatOrders(r.orders) + tie
	case slices.Equal(r.orders[0], core.Range(r.torus.D())):
		return "odr" + tie
	default:
		return "odr:order=" + core.JoinInts(r.orders[0], ",") + tie
	}
}

// induced returns the distinct orders that the allowed ones induce on dims.
func (r *Orders) induced(dims []int) [][]int {
	if r.orders == nil {
		return slices.Collect(permutations(dims))
	}
	in := make([]bool, r.torus.D())
	for _, j := range dims {
		in[j] = true
	}
	list := make([][]int, len(r.orders))
	for i, order := range r.orders {
		for _, j := range order {
			if in[j] {
				list[i] = append(list[i], j)
			}
		}
	}
	slices.SortFunc(list, slices.Compare)
	return slices.CompactFunc(list, slices.Equal)
}

// EveryOrder returns all orders of d dimensions, ascending.
func EveryOrder(d int) [][]int { return slices.Collect(permutations(core.Range(d))) }

// permutations yields the orders of some ascending numbers, in lexicographic sequence,
// each in a slice of its own.
func permutations(items []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for p := slices.Clone(items); yield(p); {
			i := len(p) - 2
			for i >= 0 && p[i] > p[i+1] {
				i--
			}
			if i < 0 {
				return
			}
			p = slices.Clone(p)
			j := len(p) - 1
			for p[j] < p[i] {
				j--
			}
			p[i], p[j] = p[j], p[i]
			slices.Reverse(p[i+1:])
		}
	}
}

// Paths yields the paths vector by vector, each order by order.
func (r *Orders) Paths(p, q int, _ core.Set) iter.Seq2[[]core.Link, int64] {
	return func(yield func([]core.Link, int64) bool) {
		var path []core.Link
		for _, v := range r.torus.Vectors(p, q, r.tie == TieBoth) {
			orders := permutations(moved(v)) // one at a time: there may be too many to keep
			if !r.All() {
				orders = slices.Values(r.induced(moved(v)))
			}
			for order := range orders {
				path = path[:0]
				node := p
				for _, j := range order {
					path, node = appendSegment(r.torus, path, node, j, v[j])
				}
				if !yield(path, 1) {
					return
				}
			}
		}
	}
}

// moved returns the dimensions in which a vector moves, ascending.
func moved(v []int) []int {
	var dims []int
	for j, x := range v {
		if x != 0 {
			dims = append(dims, j)
		}
	}
	return dims
}

// formatOrder writes an order as digits where each dimension is one digit, with
// commas otherwise.
func formatOrder(order []int) string {
	for _, j := range order {
		if j < 0 || j > 9 {
			return core.JoinInts(order, ",")
		}
	}
	return core.JoinInts(order, "")
}

func formatOrders(orders [][]int) string {
	parts := make([]string, len(orders))
	for i, o := range orders {
		parts[i] = formatOrder(o)
	}
	return strings.Join(parts, "+")
}

// Flow adds up, for every dimension s in which the pair differs and every set of
// dimensions corrected before s, the weight of that split on the straight
// segment that it leads to. Cost: |S| 2^(|S|-1) segments for |S| differing
// dimensions. On a twisted torus it adds up the paths.
func (r *Orders) Flow(p, q int, _ core.Set) Flow {
	f, _ := r.flow(p, q, nil) // no watch, no error
	return f
}

// flow is Flow until the watch ends.
func (r *Orders) flow(p, q int, w *core.Watch) (Flow, error) {
	t := r.torus
	if !t.Separable() {
		return listedFlow(r.Paths(p, q, nil), w)
	}
	dims := differing(t, p, q)
	var all uint
	for _, j := range dims {
		all |= 1 << j
	}
	den := r.Denominator()
	shares := map[core.Link]*big.Int{}
	var path []core.Link
	for _, s := range dims {
		rest := all &^ (1 << s)
		for before := rest; ; before = (before - 1) & rest {
			if err := w.Err(stepsOfSplit); err != nil {
				return Flow{}, err
			}
			num, d := r.Weight(s, before, rest&^before)
			if num > 0 {
				corner := p
				for _, j := range maskDims(before) {
					corner = t.Shift(corner, j, t.Coord(q, j)-t.Coord(p, j))
				}
				a, b := t.Coord(p, s), t.Coord(q, s)
				dirs := t.Ways(s, a, b, r.tie == TieBoth)
				share := new(big.Int).Div(new(big.Int).Mul(den, big.NewInt(num)), big.NewInt(d*int64(len(dirs))))
				for _, dir := range dirs {
					path, _ = appendSegment(t, path[:0], corner, s, int(dir)*t.Distance(s, a, b))
					addShares(shares, path, share)
					if err := w.Err(len(path) * stepsOfShare); err != nil {
						return Flow{}, err
					}
				}
			}
			if before == 0 {
				break
			}
		}
	}
	return flowOf(den, shares), nil
}

// listedFlow adds up some paths by their weights until the watch ends.
func listedFlow(paths iter.Seq2[[]core.Link, int64], w *core.Watch) (Flow, error) {
	shares := map[core.Link]*big.Int{}
	total := int64(0)
	for path, weight := range paths {
		total += weight
		addShares(shares, path, big.NewInt(weight))
		if w.Err(len(path)*stepsOfShare) != nil {
			break
		}
	}
	if err := w.Err(0); err != nil {
		return Flow{}, err
	}
	return flowOf(big.NewInt(total), shares), nil
}

// listedDenominator returns the least common multiple of the numbers of paths of all pairs where no dimension is open,
// of which paths says how many a vector has.
func listedDenominator(t *core.Torus, tie Tie, paths func(v []int) *big.Int) *big.Int {
	den := big.NewInt(1)
	for q := 1; q < t.N(); q++ {
		count := new(big.Int)
		for _, v := range t.Vectors(0, q, tie == TieBoth) {
			count.Add(count, paths(v))
		}
		core.FoldLCM(den, count)
	}
	return den
}

// How many steps of a watch a split of the dimensions, and adding up a share, are.
const (
	stepsOfSplit = 64
	stepsOfShare = 16
)

func addShares(shares map[core.Link]*big.Int, links []core.Link, share *big.Int) {
	for _, l := range links {
		if have := shares[l]; have != nil {
			have.Add(have, share)
		} else {
			shares[l] = new(big.Int).Set(share)
		}
	}
}

func sortedLinks(shares map[core.Link]*big.Int) []core.Link {
	links := make([]core.Link, 0, len(shares))
	for l := range shares {
		links = append(links, l)
	}
	slices.Sort(links)
	return links
}

// Weight returns, as a fraction, the share of the allowed orders of the
// dimensions before + {s} + after in which exactly those in before come ahead of
// s. The sets are bit masks over dimensions, disjoint and without s.
func (r *Orders) Weight(s int, before, after uint) (num, den int64) {
	if r.orders == nil {
		a, b := bits.OnesCount(before), bits.OnesCount(after)
		return 1, int64(a+b+1) * binomial(a+b, a)
	}
	if len(r.orders) == 1 {
		if EarlierDims(r.orders[0], s)&(before|after) == before {
			return 1, 1
		}
		return 0, 1
	}
	list := r.induced(maskDims(before | after | 1<<s))
	for _, order := range list {
		if EarlierDims(order, s) == before {
			num++
		}
	}
	return num, int64(len(list))
}

// EarlierDims returns the dimensions that stand ahead of s in order, as a bit mask.
func EarlierDims(order []int, s int) uint {
	var m uint
	for _, j := range order {
		if j == s {
			break
		}
		m |= 1 << j
	}
	return m
}

func maskDims(mask uint) []int {
	var dims []int
	for ; mask != 0; mask &= mask - 1 {
		dims = append(dims, bits.TrailingZeros(mask))
	}
	return dims
}

func binomial(n, k int) int64 {
	b := int64(1)
	for i := 1; i <= k; i++ {
		b = b * int64(n-k+i) / int64(i)
	}
	return b
}

func factorial(n int) int64 {
	f := int64(1)
	for i := 2; i <= n; i++ {
		f *= int64(i)
	}
	return f
}

// OrderDenominator returns a common denominator of all weights. Cost O(2^d) for several explicit orders, once.
func (r *Orders) OrderDenominator() int64 {
	r.once.Do(func() { r.common = r.orderDenominator() })
	return r.common
}

func (r *Orders) orderDenominator() int64 {
	d := r.torus.D()
	lcm := int64(1)
	fold := func(v int64) { lcm = lcm / core.GCD(lcm, v) * v }
	switch {
	case r.orders == nil: // the denominators are those of the Leibniz triangle
		for v := 2; v <= d; v++ {
			fold(int64(v))
		}
	case len(r.orders) > 1:
		for mask := uint(1); mask < 1<<d; mask++ {
			fold(int64(len(r.induced(maskDims(mask)))))
		}
	}
	return lcm
}

// Denominator returns the common denominator of the weights, twice that when
// ties split a pair's traffic; on a twisted torus the least common multiple of the
// numbers of paths.
func (r *Orders) Denominator() *big.Int {
	if !r.torus.Separable() {
		return listedDenominator(r.torus, r.tie, func(v []int) *big.Int {
			return big.NewInt(int64(len(r.induced(moved(v)))))
		})
	}
	d := r.OrderDenominator()
	if r.tie == TieBoth && r.torus.HasTies() {
		d *= 2
	}
	return big.NewInt(d)
}
