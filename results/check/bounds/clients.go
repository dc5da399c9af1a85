package bounds

import (
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// A clientDerivation derives lower bounds on E_max under client traffic, where every node sends a requests to every
// processor and gets b replies: for all placements of a size on all fixed and no forbidden nodes. A placement has all
// its processors fixed.
//
//   - degree: a processor gets a (N-1) + b (n-1) messages and sends b (N-1) + a (n-1).
//   - mean, dimension-mean: messages take as many links as their ends are apart, along one dimension or all.
//   - slab: what neighbouring slabs and the others send each other crosses the cuts between them.
//   - dual: weights on links; see dualProblem. For a placement congestion: see weightsProblem.
//   - granularity: loads are multiples of 1/D, so the best of these rounds up; left out where D is not found.
type clientDerivation struct {
	meter   *meter.Meter
	problem objective.Problem
	torus   *core.Torus
	size    int
	must    core.Set
	may     core.Set
	far     [][]int64 // by dimension and node: to all nodes along it
	all     []int64   // by node: to all nodes
	links   []int     // by dimension
	along   []int64   // by dimension: the capacity of its links
}

func newClientDerivation(m *meter.Meter, p objective.Problem, n int, fixed, forbidden core.Set) *clientDerivation {
	t := p.Torus()
	d := &clientDerivation{meter: m, problem: p, torus: t, size: n, must: core.NewSet(t.N()), may: core.NewSet(t.N()),
		links: make([]int, t.D()), along: make([]int64, t.D())}
	m.ChargeAll(16, t.D(), t.M())
	for v := range t.N() {
		if fixed != nil && fixed.Has(v) {
			d.must.Add(v)
		}
		if forbidden == nil || !forbidden.Has(v) {
			d.may.Add(v)
		}
	}
	for j := range t.D() {
		k := t.Slabs(j)
		m.ChargeAll(2, k, k)
		sums := make([]int64, k)
		for x := range sums {
			for y := range k {
				sums[x] += int64(t.N()/k) * int64(between(t, j, x, y))
			}
		}
		far := make([]int64, t.N())
		for v := range far {
			far[v] = sums[t.Slab(v, j)]
		}
		d.far = append(d.far, far)
	}
	d.all = make([]int64, t.N())
	m.ChargeAll(4, t.D(), t.N())
	around := int64(0)
	for v := 0; t.Twisted() && v < t.N(); v++ {
		around += int64(t.LeeDistance(0, v))
	}
	for v := range d.all {
		for j := 0; !t.Twisted() && j < t.D(); j++ {
			d.all[v] += d.far[j][v]
		}
		d.all[v] += around
	}
	for l := range t.M() {
		if j := t.Port(l / t.N()).Dim; t.HasLink(core.Link(l)) {
			d.links[j]++
			d.along[j] += int64(t.Bandwidth(j))
		}
	}
	return d
}

// least returns the least that the processors can cost together.
func (d *clientDerivation) least(cost func(v int) *big.Int) *big.Int {
	total, left := new(big.Int), d.size
	var others []*big.Int
	d.meter.ChargeAll(64, d.torus.N())
	for v := range d.torus.N() {
		switch {
		case d.must.Has(v):
			total.Add(total, cost(v))
			left--
		case d.may.Has(v):
			others = append(others, cost(v))
		}
	}
	slices.SortFunc(others, (*big.Int).Cmp)
	for _, c := range others[:max(0, min(left, len(others)))] {
		total.Add(total, c)
	}
	return total
}

// bounds returns those with a closed form, by name.
func (d *clientDerivation) bounds() map[string]*big.Rat {
	own := map[string]*big.Rat{objective.BoundDegree: d.degree(), objective.BoundMean: d.apart(nil),
		objective.BoundDimensionMean: new(big.Rat), objective.BoundSlab: d.slab()}
	for j := range d.torus.D() {
		own[objective.BoundDimensionMean] = Larger(own[objective.BoundDimensionMean], d.apart(&j))
	}
	best := new(big.Rat)
	for _, v := range own {
		best = Larger(best, v)
	}
	if unit := shares.ClientsDenominator(d.meter, d.problem); unit != nil {
		own[objective.BoundGranularity] = shares.RoundedUp(best, unit)
	}
	return own
}

// degree returns the bound of the processor whose links carry least.
func (d *clientDerivation) degree() *big.Rat {
	n, a, b := int64(d.torus.N()), int64(d.problem.Traffic.Request), int64(d.problem.Traffic.Reply)
	if d.size == 0 || n == 1 {
		return new(big.Rat)
	}
	// All processors have large capacities at best; the smallest of these says it.
	smallest := int64(0)
	var others []int64
	left := d.size
	for v := range d.torus.N() {
		capacity := int64(d.torus.CapacityAt(v))
		switch {
		case d.must.Has(v):
			left--
			if smallest == 0 || capacity < smallest {
				smallest = capacity
			}
		case d.may.Has(v):
			others = append(others, capacity)
		}
	}
	slices.Sort(others)
	if left > 0 {
		if last := others[len(others)-left]; smallest == 0 || last < smallest {
			smallest = last
		}
	}
	m := int64(d.size - 1)
	return big.NewRat(max(a*(n-1)+b*m, b*(n-1)+a*m), smallest)
}

// distance returns the least sum over messages of the links that they take along a dimension, along all if it is nil.
func (d *clientDerivation) distance(dim *int) *big.Int {
	total := d.least(func(v int) *big.Int {
		if dim == nil {
			return big.NewInt(d.all[v])
		}
		return big.NewInt(d.far[*dim][v])
	})
	return total.Mul(total, big.NewInt(int64(d.problem.Traffic.Request+d.problem.Traffic.Reply)))
}

// over returns the number of the links along a dimension, or of all, and their capacity.
func (d *clientDerivation) over(dim *int) (links int, capacity int64) {
	for j := range d.torus.D() {
		if dim == nil || *dim == j {
			links, capacity = links+d.links[j], capacity+d.along[j]
		}
	}
	return links, capacity
}

// apart returns the bound of distances.
func (d *clientDerivation) apart(dim *int) *big.Rat {
	if _, capacity := d.over(dim); capacity > 0 {
		return new(big.Rat).SetFrac(d.distance(dim), big.NewInt(capacity))
	}
	return new(big.Rat)
}

// slab returns the best of the bounds of all bands of slabs.
func (d *clientDerivation) slab() *big.Rat {
	t, best := d.torus, new(big.Rat)
	for j := range t.D() {
		k := t.Slabs(j)
		must, may := make([]int, k), make([]int, k)
		for v := range t.N() {
			if x := t.Slab(v, j); d.must.Has(v) {
				must[x]++
			}
			if x := t.Slab(v, j); d.may.Has(v) {
				may[x]++
			}
		}
		d.meter.ChargeAll(4, k, k, min(d.size, t.N()/2)+8)
		for from := range k {
			for to := from + 1; to < from+k; to++ { // the slabs from..to-1
				if t.Open(j) && to > k {
					break
				}
				inMust, inMay := 0, 0
				for x := from; x < to; x++ {
					inMust, inMay = inMust+must[x%k], inMay+may[x%k]
				}
				ends := 2
				if !t.BothWays(j) || t.Open(j) && (from == 0 || to == k) {
					ends = 1
				}
				capacity := int64(ends * t.N() / k * t.Bandwidth(j))
				least := d.crossing((to-from)*(t.N()/k), max(inMust, d.size-sum(may)+inMay), min(inMay, d.size-sum(must)+inMust))
				best = Larger(best, big.NewRat(least, capacity))
			}
		}
	}
	return best
}

// crossing returns the least, over numbers of processors from low to high among so many nodes, of what these nodes and
// the others send each other, in the direction that has more.
func (d *clientDerivation) crossing(nodes, low, high int) int64 {
	a, b := int64(d.problem.Traffic.Request), int64(d.problem.Traffic.Reply)
	inside, outside := int64(nodes), int64(d.torus.N()-nodes)
	least := int64(-1)
	for in := int64(low); in <= int64(high); in++ {
		out := int64(d.size) - in
		if more := max(a*inside*out+b*in*outside, a*outside*in+b*out*inside); least < 0 || more < least {
			least = more
		}
	}
	return max(0, least)
}

// ClientsProblem says why the named bound does not show that every placement of n processors on all fixed and no
// forbidden nodes has E_max at least value under the client traffic of a problem, "" if it does.
func ClientsProblem(m *meter.Meter, p objective.Problem, n int, fixed, forbidden core.Set, name string,
	value *big.Rat) string {
	own, ok := newClientDerivation(m, p, n, fixed, forbidden).bounds()[name]
	switch {
	case !ok:
		return fmt.Sprintf("there is no checker for the bound %q of client traffic", name)
	case own.Cmp(value) < 0:
		return fmt.Sprintf("the bound %s is %s, not %s", name, own.RatString(), value.RatString())
	}
	return ""
}

// BestOfClients returns the best bound with a closed form.
func BestOfClients(m *meter.Meter, p objective.Problem, n int, fixed, forbidden core.Set) *big.Rat {
	best := new(big.Rat)
	for _, v := range newClientDerivation(m, p, n, fixed, forbidden).bounds() {
		best = Larger(best, v)
	}
	return best
}

// clientsProblem says why a bound of client traffic is not confirmed, "" if it is.
func (c *boundsChecker) clientsProblem(b objective.Bound) string {
	if c.clients == nil {
		fixed, forbidden := c.fixed, c.forbidden
		if c.placement != nil {
			fixed = c.placement.Set()
		}
		c.clients = newClientDerivation(c.meter, c.question(), c.document.Size, fixed, forbidden)
		c.derived = c.clients.bounds()
	}
	d, w := c.clients, b.Witness
	if b.Name == objective.BoundDual && c.placement == nil {
		return d.dualProblem(b)
	}
	if b.Name == objective.BoundCongestion && c.placement != nil {
		traffic := c.question().Traffic
		return weightsProblem(c.meter, c.routing.Torus(), b, core.Range(d.torus.N()), func(from, to int) (messages int64) {
			if d.must.Has(to) {
				messages += int64(traffic.Request)
			}
			if d.must.Has(from) {
				messages += int64(traffic.Reply)
			}
			return messages
		})
	}
	if b.Name == objective.BoundGranularity {
		return c.roundingProblem(b, shares.ClientsDenominator(c.meter, c.question()))
	}
	own, ok := c.derived[b.Name]
	switch {
	case !ok:
		return "there is no checker for this bound of client traffic"
	case own.Cmp(b.Value) != 0:
		return fmt.Sprintf("the value is %s, derived here it is %s", b.Value.RatString(), own.RatString())
	case b.Value.Sign() == 0 && b.Name != objective.BoundMean && b.Name != objective.BoundDimensionMean:
		return ""
	}
	t := c.routing.Torus()
	var value *big.Rat
	links, capacity := 0, int64(0)
	switch b.Name {
	case objective.BoundMean, objective.BoundDimensionMean:
		if (w.Dim == nil) != (b.Name == objective.BoundMean) || w.Dim != nil && (*w.Dim < 0 || *w.Dim >= t.D()) {
			return "the witness names no dimension"
		}
		total := d.distance(w.Dim)
		if links, capacity = d.over(w.Dim); w.Distance != total.String() {
			return fmt.Sprintf("the distances add up to %s, not %s", total, w.Distance)
		}
		if value = d.apart(w.Dim); capacity == 0 {
			return ""
		}
	default:
		set, problem := cutSet(t, w.Set)
		if problem != "" {
			return "the set: " + problem
		}
		links, capacity = linksOut(t, set)
		must, may := set.Count()-minus(set, d.must).Count(), set.Count()-minus(set, d.may).Count()
		low, high := max(must, d.size-d.may.Count()+may), min(may, d.size-d.must.Count()+must)
		if b.Name == objective.BoundDegree {
			if set.Count() != 1 || may == 0 {
				return "the set of degree is not one node that may have a processor"
			}
			low, high = 1, 1
		} else if problem := bandProblem(t, set, w.Dim); problem != "" {
			return problem
		}
		value = big.NewRat(d.crossing(set.Count(), low, high), max(1, capacity))
	}
	switch {
	case w.Links != links:
		return fmt.Sprintf("there are %d links, not %d", links, w.Links)
	case !holds(t, w, capacity):
		return fmt.Sprintf("the links have bandwidth %d, not %d", capacity, w.Capacity)
	case value.Cmp(b.Value) != 0:
		return fmt.Sprintf("the witness gives %s, not %s", value.RatString(), b.Value.RatString())
	}
	return ""
}

// minus returns the nodes of a set that are not in another.
func minus(set, other core.Set) core.Set {
	rest := core.NewSet(64 * len(set))
	for _, v := range set.Nodes() {
		if !other.Has(v) {
			rest.Add(v)
		}
	}
	return rest
}

// dualProblem says what is wrong with the witness of a bound dual. With weights w of at least 0 and bandwidths c, the
// sum over links of w c load is at most E_max times the sum of w c, and it is the sum over processors of what each
// brings: at least that of those that bring least.
func (d *clientDerivation) dualProblem(b objective.Bound) string {
	if len(b.Witness.Weights) == 0 {
		if b.Value.Sign() == 0 {
			return ""
		}
		return "there are no weights"
	}
	weights, total, problem := readWeights(d.torus, b.Witness.Weights)
	unit := shares.ClientsDenominator(d.meter, d.problem)
	switch {
	case problem != "":
		return problem
	case total.Sign() == 0:
		return "all weights are 0"
	}
	loads := shares.Clients(d.meter, d.problem, unit)
	if loads == nil {
		return "the loads are not counted in reasonable time"
	}
	d.meter.ChargeAll(8, d.torus.N(), d.torus.M())
	least := d.least(func(v int) *big.Int {
		sum := new(big.Int)
		for l, load := range loads[v] {
			if weights[l] > 0 && load > 0 {
				part := new(big.Int).Mul(big.NewInt(load), big.NewInt(weights[l]))
				sum.Add(sum, part.Mul(part, big.NewInt(int64(d.torus.Bandwidth(d.torus.Port(l/d.torus.N()).Dim)))))
			}
		}
		return sum
	})
	if value := new(big.Rat).SetFrac(least, total.Mul(total, unit)); value.Cmp(b.Value) != 0 {
		return fmt.Sprintf("the weights give %s, not %s", value.RatString(), b.Value.RatString())
	}
	return ""
}
