package bounds

import (
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// Conditions are what is known of the nodes of a placement of n processors: must have one, may have one. They raise
// bounds: every processor, set of nodes or slab has at least what the first give it and at most what both do.
//
//   - degree: the processors have at most the capacity of every node that must have one, and of the others at most the
//     largest ones.
//   - mean, dimension-mean: slab counts lie in ranges, and the nearest processors are nodes that may have one.
//   - slab, separator: of a set of nodes the number of processors lies in a range, and the messages that must leave it
//     are fewest at an end of that. The sets are bands between two cuts, or boxes.
//   - fixed: what nodes that must have a processor send each other loads links, and the least that the others add by
//     messages with them.
type conditions struct {
	meter     *meter.Meter
	t         *core.Torus
	n         int
	must, may []int
}

// conditioned returns the conditions of n processors, nil without any.
func (d *Derivation) conditioned(n int) *conditions {
	return newConditions(d.meter, d.torus, n, d.fixed, d.forbidden)
}

// newConditions returns the conditions of n processors, nil without any. Of the nodes that may have a processor all
// must if n needs them all.
func newConditions(m *meter.Meter, t *core.Torus, n int, fixed, forbidden core.Set) *conditions {
	if fixed == nil && forbidden == nil {
		return nil
	}
	c := &conditions{meter: m, t: t, n: n}
	m.ChargeAll(4, t.N())
	for v := range t.N() {
		switch {
		case fixed != nil && fixed.Has(v):
			c.must = append(c.must, v)
		case forbidden == nil || !forbidden.Has(v):
			c.may = append(c.may, v)
		}
	}
	if len(c.must)+len(c.may) == n {
		c.must, c.may = append(c.must, c.may...), nil
	}
	if len(c.must) == n {
		c.may = nil
	}
	return c
}

// raise puts the bounds under the conditions in the place of smaller ones; fixed says whether that of the fixed nodes
// is one of them, which lists paths.
func (c *conditions) raise(bounds map[string]*big.Rat, d *Derivation, fixed bool) {
	if c.n < 2 {
		return
	}
	set := func(name string, v *big.Rat) {
		if have := bounds[name]; have == nil || v.Cmp(have) > 0 {
			bounds[name] = v
		}
	}
	set(objective.BoundDegree, big.NewRat(int64(c.n-1), c.leastCapacity()))
	set(objective.BoundMean, new(big.Rat).SetFrac(c.leastDistance(), big.NewInt(d.capacity())))
	for j, capacity := range d.along {
		set(objective.BoundDimensionMean, new(big.Rat).SetFrac(c.leastAlong(j), big.NewInt(capacity)))
	}
	set(objective.BoundSlab, c.bands())
	set(objective.BoundSeparator, c.boxes())
	if d.routing != nil && fixed {
		_, most := c.mustLoads(d.routing)
		set(objective.BoundFixed, most)
	}
}

// leastCapacity returns the most that the capacity out of the processor with least can be.
func (c *conditions) leastCapacity() int64 {
	c.meter.ChargeAll(32, c.t.N(), c.t.Degree())
	capacity := func(v int) int64 {
		one := int64(0)
		for i := range c.t.Degree() {
			if l := core.Link(i*c.t.N() + v); c.t.HasLink(l) {
				one += int64(c.t.Bandwidth(c.t.Port(i).Dim))
			}
		}
		return one
	}
	var all, some []int64
	for _, v := range c.must {
		all = append(all, capacity(v))
	}
	for _, v := range c.may {
		some = append(some, capacity(v))
	}
	slices.Sort(some)
	return slices.Min(append(all, some[len(some)-(c.n-len(c.must)):]...))
}

// leastDistance returns the larger of two sums: over the processors, of the distances to the nearest n-1 others that
// there can be; and over the dimensions, of the least distance along each.
func (c *conditions) leastDistance() *big.Int {
	apart := new(big.Int)
	for j := range c.t.D() {
		apart.Add(apart, c.leastAlong(j))
	}
	if n := int64(c.t.N()); n > maxNearest || int64(c.t.D())*n*n > maxNearest {
		return apart
	}
	c.meter.ChargeAll(16, len(c.must)+len(c.may), len(c.must)+len(c.may), c.t.D())
	near := func(v int) int64 {
		sum, others := int64(0), []int(nil)
		for _, u := range c.must {
			sum += int64(c.t.LeeDistance(u, v)) // 0 to itself
		}
		for _, u := range c.may {
			if u != v {
				others = append(others, c.t.LeeDistance(u, v))
			}
		}
		slices.Sort(others)
		wanted := c.n - len(c.must)
		if slices.Contains(c.may, v) {
			wanted--
		}
		for _, distance := range others[:wanted] {
			sum += int64(distance)
		}
		return sum
	}
	total, some := int64(0), []int64(nil)
	for _, v := range c.must {
		total += near(v)
	}
	for _, v := range c.may {
		some = append(some, near(v))
	}
	slices.Sort(some)
	for _, sum := range some[:c.n-len(c.must)] {
		total += sum
	}
	if sum := big.NewInt(total); sum.Cmp(apart) > 0 {
		return sum
	}
	return apart
}

// maxNearest is the most pairs of nodes, times dimensions, whose distances are looked at.
const maxNearest = 1 << 22

// counts returns how many nodes of a list lie in each slab across dimension j.
func (c *conditions) counts(j int, nodes []int) []int {
	list := make([]int, c.t.Slabs(j))
	c.meter.ChargeAll(2, len(nodes))
	for _, v := range nodes {
		list[c.t.Slab(v, j)]++
	}
	return list
}

// leastAlong returns the least total distance along dimension j with the slab counts in their ranges; on long sides
// they may be any. The total is concave in the counts, so it is least where all but one are at an end of the range.
func (c *conditions) leastAlong(j int) *big.Int {
	k := c.t.Slabs(j)
	if k > maxCornerSides {
		return leastAlong(c.t, j, c.n)
	}
	low, more := c.counts(j, c.must), c.counts(j, c.may)
	c.meter.ChargeAll(8, k, k, 1<<(k-1))
	var least *big.Int
	for rest := range k {
		for set := range uint(1) << k {
			counts, left := slices.Clone(low), c.n-len(c.must)
			for z := range k {
				if set>>z&1 != 0 {
					counts[z] += more[z]
					left -= more[z]
				}
			}
			if set>>rest&1 != 0 || left < 0 || left > more[rest] {
				continue
			}
			counts[rest] += left
			if v := along(c.t, j, counts, c.n); least == nil || v.Cmp(least) < 0 {
				least = v
			}
		}
	}
	return least
}

// inRange reports what is wrong with slab counts across dimension j, "" if nothing is.
func (c *conditions) inRange(j int, counts []int) bool {
	low, more := c.counts(j, c.must), c.counts(j, c.may)
	for z, count := range counts {
		if len(counts) <= maxCornerSides && (count < low[z] || count > low[z]+more[z]) {
			return false
		}
	}
	return true
}

// leaving returns the fewest messages that leave a set with so many nodes that must, and that may, have a processor.
func (c *conditions) leaving(must, may int) *big.Int {
	wanted := c.n - len(c.must) // of those that may
	var fewest *big.Int
	for _, some := range []int{max(0, wanted-(len(c.may)-may)), min(may, wanted)} {
		in := int64(must + some)
		if v := new(big.Int).Mul(big.NewInt(in), big.NewInt(int64(c.n)-in)); fewest == nil || v.Cmp(fewest) < 0 {
			fewest = v
		}
	}
	return fewest
}

// ends returns how many of the ends of a band across dimension j, of neighbouring slabs from a on, links pass.
func (c *conditions) ends(j, a, length int) int {
	switch k := c.t.Slabs(j); {
	case length == k:
		return 0
	case !c.t.BothWays(j):
		return 1
	case c.t.Open(j) && (a == 0 || a+length == k):
		return 1
	default:
		return 2
	}
}

// maxBands is the longest side all of whose bands are looked at.
const maxBands = 1024

// bands returns the best bound of a set between two cuts.
func (c *conditions) bands() *big.Rat {
	best := new(big.Rat)
	for j := range c.t.D() {
		k := c.t.Slabs(j)
		if k > maxBands {
			continue
		}
		must, may := c.counts(j, c.must), c.counts(j, c.may)
		c.meter.ChargeAll(64, k, k)
		for a := range k {
			in, some := 0, 0
			for length := 1; length < k && (!c.t.Open(j) || a+length <= k); length++ {
				z := (a + length - 1) % k
				in, some = in+must[z], some+may[z]
				out := int64(c.ends(j, a, length)) * int64(c.t.Bandwidth(j)) * int64(c.t.N()/k)
				best = Larger(best, new(big.Rat).SetFrac(c.leaving(in, some), big.NewInt(out)))
			}
		}
	}
	return best
}

// maxBoxes bounds the products of bands in all dimensions but the last, times the nodes and the bands of that by slabs.
const maxBoxes = 1 << 23

// boxes returns the best bound of a product of bands, 0 where these are too many, and on twisted tori.
func (c *conditions) boxes() *big.Rat {
	best, many := new(big.Rat), big.NewInt(1)
	if c.t.Twisted() {
		return best
	}
	for j := range c.t.D() {
		k := int64(c.t.Side(j))
		bands := k*(k-1) + 1
		if c.t.Open(j) {
			bands = k * (k + 1) / 2
		}
		if j == c.t.D()-1 {
			bands = int64(c.t.N()) + k*bands
		}
		many.Mul(many, big.NewInt(bands))
	}
	if many.Cmp(big.NewInt(maxBoxes)) > 0 {
		return best
	}
	var choose func(j int, from, length, must, may []int)
	choose = func(j int, from, length, must, may []int) {
		c.meter.ChargeAll(8, len(must)+len(may)+8)
		if j == c.t.D() {
			out, volume := int64(0), int64(1)
			for _, l := range length {
				volume *= int64(l)
			}
			for i, l := range length {
				out += int64(c.ends(i, from[i], l)) * int64(c.t.Bandwidth(i)) * (volume / int64(l))
			}
			if messages := c.leaving(len(must), len(may)); out > 0 && messages.Sign() > 0 {
				best = Larger(best, new(big.Rat).SetFrac(messages, big.NewInt(out)))
			}
			return
		}
		k := c.t.Side(j)
		for a := range k {
			for l := 1; l <= k; l++ {
				if l == k && a > 0 || c.t.Open(j) && a+l > k {
					continue
				}
				within := func(nodes []int) (list []int) {
					for _, v := range nodes {
						if core.Mod(c.t.Coord(v, j)-a, k) < l {
							list = append(list, v)
						}
					}
					return list
				}
				choose(j+1, append(from, a), append(length, l), within(must), within(may))
			}
		}
	}
	choose(0, nil, nil, c.must, c.may)
	return best
}

// Limits of the nodes that must have a processor with all that may, and of links with the latter.
const (
	maxMustPairs = 1 << 14
	maxMustLoads = 1 << 20
)

// mustLoads returns, by link, the load that the nodes that must have a processor bring by messages among themselves and
// with the others, wherever these are, and the largest; 0 where paths depend on the placement, where a table leaves out
// pairs, and beyond the limits.
func (c *conditions) mustLoads(r routing.Routing) (loads []*big.Rat, most *big.Rat) {
	most = new(big.Rat)
	if r.DependsOnPlacement() || routing.Complete(r) != nil || len(c.must)*(len(c.must)+len(c.may)) > maxMustPairs ||
		c.t.M()*(len(c.may)+1) > maxMustLoads {
		return nil, most
	}
	wanted := c.n - len(c.must)
	limit, cost := min(c.meter.Left(), meter.None/8), meter.PathSteps(r)
	c.meter.Need(c.meter.Between(c.t, c.must, c.must, limit, cost) + 2*c.meter.Between(c.t, c.must, c.may, limit/2, cost))
	c.meter.ChargeAll(8, c.t.M(), len(c.may)+1)
	loads = make([]*big.Rat, c.t.M())
	with := make([][]*big.Rat, c.t.M()) // what each of the others exchanges with them, where that is anything
	for l := range loads {
		loads[l] = new(big.Rat)
	}
	for i, u := range c.must {
		for _, v := range c.must[:i] {
			for l, part := range shares.Between(c.meter, r, u, v) {
				loads[l].Add(loads[l], part)
			}
		}
	}
	for _, v := range c.may {
		sums := map[core.Link]*big.Rat{}
		for _, u := range c.must {
			for l, part := range shares.Between(c.meter, r, u, v) {
				if sums[l] == nil {
					sums[l] = new(big.Rat)
				}
				sums[l].Add(sums[l], part)
			}
		}
		for l, sum := range sums {
			with[l] = append(with[l], sum)
		}
	}
	for l := range loads {
		none := len(c.may) - len(with[l]) // of the others bring nothing
		slices.SortFunc(with[l], (*big.Rat).Cmp)
		for i := range max(0, wanted-none) {
			loads[l].Add(loads[l], with[l][i])
		}
		_, port := c.t.LinkFrom(core.Link(l))
		loads[l].Quo(loads[l], big.NewRat(int64(c.t.Bandwidth(port.Dim)), 1))
		most = Larger(most, loads[l])
	}
	return loads, most
}
