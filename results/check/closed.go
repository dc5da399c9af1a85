package check

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
)

// ClosedForm returns the lower bound on E_max of a problem that a proof of kind "bound" may claim. Cost O(M log N).
func ClosedForm(p objective.Problem) *big.Rat {
	m := meter.Unlimited(context.Background())
	best := new(big.Rat)
	m.Run(func() { best = closedForm(m, p, nil) })
	return best
}

// closedForm returns a lower bound on E_max that needs no steps. All to all, whatever shortest paths messages take, a
// processor sends n-1 messages over the links out of its node, and all links together carry at least the n-1 shortest
// distances of each; the larger of both is rounded up to a multiple of what all loads are multiples of. Where there is
// only one placement it is the E_max of that, unless the others are enough (nil: they are not). On networks that the
// kernel does not take there are no other bounds.
func closedForm(m *meter.Meter, q objective.Problem, enough *big.Rat) *big.Rat {
	t, n := q.Torus(), q.Size
	if t.M() > meter.MaxLinks {
		return new(big.Rat)
	}
	best := new(big.Rat)
	if n >= 2 && !q.Traffic.Clients() {
		var unit *big.Int
		best = distances(m, t, n, turning(q))
		switch {
		case q.Free == nil:
			m.Foreign(16*int64(t.N()), func() { unit = objective.Denominator(q.Routing) })
		case q.Free.Single:
			unit = big.NewInt(int64(t.CommonBandwidth()))
		}
		if unit != nil {
			best = objective.RoundUp(best, unit)
		}
	}
	if enough != nil && best.Cmp(enough) >= 0 || q.Free != nil {
		return best
	}
	if only, ok := onlyPlacement(q); ok {
		if most, _, err := MaxLoad(m, q, only); err == nil {
			return most
		}
	}
	return best
}

// onlyPlacement returns the placement of a problem that has no other, and whether that is so.
func onlyPlacement(q objective.Problem) (core.Placement, bool) {
	var nodes []int
	for v := range q.Torus().N() {
		if q.MustHave(v) || q.Size > q.Fixed.Count() && q.MayHave(v) {
			nodes = append(nodes, v)
		}
	}
	if len(nodes) != q.Size {
		return core.Placement{}, false
	}
	p, err := core.NewPlacement(q.Torus(), nodes)
	return p, err == nil
}

// distances returns the larger of the two bounds by what leaves a node and what all links carry.
func distances(m *meter.Meter, t *core.Torus, n int, turning bool) *big.Rat {
	m.ChargeAll(16, t.M())
	capacity, out := int64(0), make([]int64, t.N())
	for l := range t.EachLink() {
		from, _ := t.LinkFrom(l)
		capacity += int64(t.LinkBandwidth(l))
		out[from] += int64(t.LinkBandwidth(l))
	}
	slices.Sort(out)
	degree := big.NewRat(int64(n-1), out[t.N()-n]) // the most that the least of n nodes can have
	if turning && n > t.Side(0)+t.Side(1)-2 {
		degree = big.NewRat(int64(n), out[t.N()-1]) // some processor has others in its row and in its column
	}
	mean := new(big.Rat).SetFrac(leastDistance(m, t, n), big.NewInt(capacity))
	if degree.Cmp(mean) > 0 {
		return degree
	}
	return mean
}

// leastDistance returns a number that the shortest distances of all ordered pairs of n processors do not fall below:
// each is as far from the others as from the nodes nearest to it, and without dimensions the processors are those of
// which that is least.
func leastDistance(m *meter.Meter, t *core.Torus, n int) *big.Int {
	from := func(v int) (sum int64) {
		m.ChargeAll(4+2*t.D(), t.N())
		near := make([]int64, t.N())
		for u := range near {
			near[u] = int64(t.LeeDistance(v, u))
		}
		slices.Sort(near)
		for _, d := range near[:n] {
			sum += d
		}
		return sum
	}
	if !t.HasDimensions() {
		sums, total := make([]int64, t.N()), int64(0)
		for v := range sums {
			sums[v] = from(v)
		}
		slices.Sort(sums)
		for _, sum := range sums[:n] {
			total += sum
		}
		return big.NewInt(total)
	}
	middle := 0 // from where as many nodes as from any other are within any distance
	for j := range t.D() {
		if t.Open(j) {
			middle += t.Side(j) / 2 * t.Stride(j)
		}
	}
	return new(big.Int).Mul(big.NewInt(from(middle)), big.NewInt(int64(n)))
}

// turning reports whether the routing of a problem is udr in two dimensions, where half of what goes from a row to a
// column turns at their corner (docs/laws.md, Theorem 5).
func turning(q objective.Problem) bool {
	orders, ok := q.Routing.(*routing.Orders)
	return q.Free == nil && ok && orders.All() && q.Torus().D() == 2 && !q.Torus().Twisted()
}
