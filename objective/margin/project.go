package margin

import (
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// maxSide is the longest side that is reasoned about: the tables of a side take
// memory with the third power of it.
const maxSide = 64

// maxMixedDims is the most dimensions for which the shares of several listed
// orders are compared: all subsets of the dimensions are looked at.
const maxMixedDims = 6

// A projection is a pair of dimensions with all others summed up: a torus of two
// dimensions with several processors in a cell. With only one side the patterns
// are left out and the boundaries remain.
type projection struct {
	first, second *side
	alike         bool // both sides ask the same
}

// A scope is what holds for some routings: projections that say what a limit admits under all of them, and a
// denominator of limits that are worth refuting there. What holds for more routings comes first, and is the same for
// all of them, the effort included: it is never missing for fewer.
type scope struct {
	sides []question
	den   *big.Int
}

// A question is whether margins exist within a limit.
type question interface {
	exist(limit *big.Rat, b *budget) verdict
}

// scopes returns those that r lies in: all routings by shortest paths, which may split ties as they like; those that
// split them as r does, where that is known; and the ordered ones.
func scopes(r routing.Routing, n int, ranges [][]Range) []scope {
	t := r.Torus()
	// The sums that a limit L is compared with are multiples of 1/4, at most N of them in a comparison with L times a
	// divisor of N: between two multiples of 1/(4N) no comparison changes. A bandwidth multiplies L first.
	step := big.NewInt(4 * int64(t.N()) * int64(t.CommonBandwidth()))
	every := make([]bool, t.D()) // none is left out
	list := []scope{{alone(t, n, unknown, ranges, every), step}}
	tied := func(j int) bool { return t.Side(j)%2 == 0 && t.Side(j) > 2 && !t.Open(j) }
	if ties := splitOf(r); ties != unknown && slices.ContainsFunc(core.Range(t.D()), tied) {
		list = append(list, scope{alone(t, n, ties, ranges, every), step})
	}
	if pairs, paired := paired(r, n, ranges); len(pairs) > 0 {
		list = append(list, scope{append(pairs, alone(t, n, splitOf(r), ranges, paired)...), objective.Denominator(r)})
	}
	return list
}

// dimRanges returns the ranges of one dimension.
func dimRanges(ranges [][]Range, s int) []Range {
	if ranges == nil {
		return nil
	}
	return ranges[s]
}

// paired returns the pairs of dimensions that can be reasoned about together, one of each shape, or all where slab
// counts have ranges, and which dimensions stand in one: not where the routing is not ordered or mixes the two in
// varying shares.
func paired(r routing.Routing, n int, ranges [][]Range) (list []question, paired []bool) {
	t := r.Torus()
	type shape struct { // of a projection: what it asks depends on this alone
		side, bandwidth [2]int
		open            [2]bool
		first           weight
	}
	seen := map[shape]bool{}
	paired = make([]bool, t.D())
	for s := range t.D() {
		for o := s + 1; o < t.D(); o++ {
			a, b := t.Side(s), t.Side(o)
			w, ok := firstShare(r, s, o)
			if !ok || a > maxSide || b > maxSide {
				continue
			}
			paired[s], paired[o] = true, true
			key := shape{[2]int{a, b}, [2]int{t.Bandwidth(s), t.Bandwidth(o)}, [2]bool{t.Open(s), t.Open(o)}, w}
			if !seen[key] || ranges != nil {
				seen[key] = true
				depth := t.N() / a / b
				list = append(list, projection{
					first:  newSide(t, s, n, depth, splitOf(r), w, dimRanges(ranges, s)),
					second: newSide(t, o, n, depth, splitOf(r), weight{w.den - w.num, w.den}, dimRanges(ranges, o)),
					alike:  t.SameAxis(s, o) && 2*w.num == w.den && ranges == nil,
				})
			}
		}
	}
	return list, paired
}

// alone returns the dimensions but those left out, each alone, one of each shape, or all where slab counts have ranges.
func alone(t *core.Torus, n int, ties split, ranges [][]Range, without []bool) (list []question) {
	type shape struct {
		side, bandwidth int
		open            bool
	}
	seen := map[shape]bool{}
	for s := range t.D() {
		key := shape{t.Side(s), t.Bandwidth(s), t.Open(s)}
		if !without[s] && t.Side(s) <= maxSide && (!seen[key] || ranges != nil) {
			seen[key] = true
			list = append(list, projection{first: newSide(t, s, n, 0, ties, weight{1, 2}, dimRanges(ranges, s))})
		}
	}
	return list
}

// firstShare returns which part of a pair's traffic corrects s before o, for
// pairs that differ in both, and whether that is the same whatever the other
// dimensions in which they differ.
func firstShare(r routing.Routing, s, o int) (weight, bool) {
	orders, ok := r.(*routing.Orders)
	switch {
	case !ok:
		return weight{}, false
	case orders.All(): // reversing an order exchanges the two
		return weight{1, 2}, true
	case len(orders.List()) == 1:
		if routing.EarlierDims(orders.List()[0], o)>>s&1 != 0 {
			return weight{1, 1}, true
		}
		return weight{0, 1}, true
	}
	if r.Torus().D() > maxMixedDims {
		return weight{}, false
	}
	others := (uint(1)<<r.Torus().D() - 1) &^ (1<<s | 1<<o)
	share, same := sharedOrders(orders, s, o, 0), true
	for rest := others; rest != 0 && same; rest = (rest - 1) & others {
		next := sharedOrders(orders, s, o, rest)
		same = next.num*share.den == share.num*next.den
	}
	return share, same
}

// sharedOrders returns the share of the orders of s, o and the dimensions in
// rest in which s stands before o.
func sharedOrders(r *routing.Orders, s, o int, rest uint) weight {
	var w weight
	for before := rest; ; before = (before - 1) & rest {
		num, den := r.Weight(s, before, rest&^before|1<<o)
		w.num, w.den = w.num+num, den
		if bits.OnesCount(before) == 0 {
			return w
		}
	}
}

// A split says how the traffic over half an even ring is divided.
type split int

const (
	plusWay split = iota // all of it goes the + way
	halves               // each way carries half of every pair
	unknown              // pair by pair as the routing likes
)

// splitOf returns how r divides ties. Avoid with ties both decides by the
// processors inside, and nothing is assumed of routings that are not known
// here.
func splitOf(r routing.Routing) split {
	switch r.(type) {
	case *routing.Orders, *routing.Minimal:
		if r.Tie() == routing.TieBoth {
			return halves
		}
		return plusWay
	case *routing.Avoid:
		if r.Tie() == routing.TiePlus {
			return plusWay
		}
	}
	return unknown
}

// A crossing is a class of parallel links along a ring of slabs: those of one
// direction in one boundary, or of two boundaries together.
type crossing struct {
	share [][]int64 // share[x][y]: halves of a pair from slab x to slab y that cross
	links int64     // links of the class on each line along the dimension
}

// pathCrossings returns the classes of a path of k slabs: in every boundary those of
// direction + and those of direction -. All pairs that it parts cross it.
func pathCrossings(k int) []crossing {
	var list []crossing
	for b := range k - 1 {
		plus, minus := newCrossing(k, 1), newCrossing(k, 1)
		for x := range b + 1 {
			for y := b + 1; y < k; y++ {
				plus.share[x][y], minus.share[y][x] = 2, 2
			}
		}
		list = append(list, plus, minus)
	}
	return list
}

// crossings returns the classes of a ring of k slabs. Where ties split in an
// unknown way, the single boundaries leave them out and count in classes of two
// instead: what goes from half the ring to the rest leaves by its + end or by
// its - end, whatever the split.
func crossings(k int, s split) []crossing {
	plus, minus := boundaries(k, s)
	if k == 2 {
		return plus
	}
	list := append(plus, minus...)
	if s == unknown && k%2 == 0 {
		list = append(list, intervals(k, false)...)
	}
	return list
}

// intervals returns what leaves any k/2 neighbouring slabs of a ring or a path by the links at both of their ends,
// whatever the split of ties, and what comes into them, where these are not the same. On a ring of 2 and at the ends of
// a path there is one end, whose boundary says as much.
func intervals(k int, open bool) (list []crossing) {
	first, starts := 0, k
	if open {
		first, starts = 1, k-k/2
	}
	for start := first; start < starts && k > 2; start++ {
		out := half(k, start)
		list = append(list, out)
		if open || k%2 != 0 {
			in := newCrossing(k, 2)
			for x := range k {
				for y := range k {
					in.share[x][y] = out.share[y][x]
				}
			}
			list = append(list, in)
		}
	}
	return list
}

// boundaries returns, for every edge from slab b to b+1, the pairs that cross it
// in direction + and in direction -.
func boundaries(k int, s split) (plus, minus []crossing) {
	for range k {
		plus = append(plus, newCrossing(k, 1))
		minus = append(minus, newCrossing(k, 1))
	}
	for x := range k {
		for y := range k {
			up, down := ways(k, (y-x+k)%k, s)
			for b := x; b != y; b = (b + 1) % k {
				plus[b].share[x][y] = up
			}
			for b := y; b != x; b = (b + 1) % k {
				minus[b].share[x][y] = down
			}
		}
	}
	return plus, minus
}

// ways returns the halves of a pair at forward distance f that go + and -.
func ways(k, f int, s split) (up, down int64) {
	switch {
	case k == 2 || 2*f < k:
		return 2, 0
	case 2*f > k:
		return 0, 2
	case s == plusWay:
		return 2, 0
	case s == halves:
		return 1, 1
	}
	return 0, 0
}

// half returns the class of the links that leave the k/2 slabs from start on.
func half(k, start int) crossing {
	c := newCrossing(k, 2)
	for i := range k / 2 {
		for j := k / 2; j < k; j++ {
			c.share[(start+i)%k][(start+j)%k] = 2
		}
	}
	return c
}

func newCrossing(k int, links int64) crossing {
	c := crossing{share: make([][]int64, k), links: links}
	for x := range c.share {
		c.share[x] = make([]int64, k)
	}
	return c
}
