package bound

import (
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/linkname"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bisect"
	"leeway/objective/fast"
	"leeway/objective/lowerbound"
	"leeway/objective/margin"
)

// A conditioned derives bounds that hold for every placement of n processors that has the fixed nodes and, beyond
// these, only free ones. Each is at least the bound without conditions.
type conditioned struct {
	t           *core.Torus
	n, left     int // left of the free nodes carry a processor
	fixed, free []int
	closest     [][]int // by dimension: slab counts with the least total distance
}

// newConditioned returns the conditions of a problem with a size. Where there are as many processors as nodes that are
// not forbidden, all of these are fixed; where there are as many as fixed nodes, no other is free.
func newConditioned(p objective.Problem) *conditioned {
	c := &conditioned{t: p.Torus(), n: p.Size, fixed: p.Fixed.Nodes(), free: p.Candidates()}
	if p.Size == len(c.fixed)+len(c.free) {
		c.fixed = append(c.fixed, c.free...)
		slices.Sort(c.fixed)
	}
	if c.left = c.n - len(c.fixed); c.left == 0 {
		c.free = nil
	}
	for j := range c.t.D() {
		c.closest = append(c.closest, c.closestSlabs(j))
	}
	return c
}

// bounds returns the bounds that hold under every minimal routing.
func (c *conditioned) bounds() []lowerbound.Bound {
	return []lowerbound.Bound{c.degree(), c.mean(), c.dimensionMean(), band(c.t, c.n), c.separator(), c.slab()}
}

// degree is sizeDegree with the capacities of the nodes that may carry a processor: at most that of every fixed node,
// and of the free ones at most the left-th largest.
func (c *conditioned) degree() lowerbound.Bound {
	if c.n < 2 || c.t.Closed() {
		return sizeDegree(c.t, c.n)
	}
	more := func(a, b int) int { return c.t.CapacityAt(b) - c.t.CapacityAt(a) }
	var nodes []int
	if len(c.fixed) > 0 {
		nodes = append(nodes, slices.MaxFunc(c.fixed, more))
	}
	if c.left > 0 {
		nodes = append(nodes, slices.SortedStableFunc(slices.Values(c.free), more)[c.left-1])
	}
	return degreeAt(c.t, c.n, slices.MaxFunc(nodes, more))
}

// mean is sizeMean with the larger of its sums and of the same under the conditions.
func (c *conditioned) mean() lowerbound.Bound {
	most, slabs := leastDistance(c.t, c.n), new(big.Int)
	for j := range c.t.D() {
		slabs.Add(slabs, slabDistance(c.t, j, c.closest[j]))
	}
	for _, sum := range []*big.Int{slabs, c.nearest()} {
		if sum.Cmp(most) > 0 {
			most = sum
		}
	}
	return meanBound(c.t, most)
}

// maxNearestWork bounds the work of nearest: pairs of nodes times dimensions.
const maxNearestWork = 1 << 22

// nearest bounds the total Lee distance from below by the sum over the fixed nodes, and over the left free ones with
// the least, of the distance to all fixed nodes and to the nearest of the free ones that make n processors with these.
// It is 0 beyond maxNearestWork. Cost O(d N^2).
func (c *conditioned) nearest() *big.Int {
	if n := c.t.N(); n > maxNearestWork || n*n > maxNearestWork/c.t.D() {
		return new(big.Int)
	}
	from := func(v int) (sum int) {
		count, others := make([]int, c.t.N()), c.n-1 // by distance: free nodes
		for _, u := range c.fixed {
			if u != v {
				sum += c.t.LeeDistance(v, u)
				others--
			}
		}
		for _, u := range c.free {
			if u != v {
				count[c.t.LeeDistance(v, u)]++
			}
		}
		for distance := 1; others > 0; distance++ {
			take := min(others, count[distance])
			sum += take * distance
			others -= take
		}
		return sum
	}
	total, sums := 0, []int(nil)
	for _, v := range c.fixed {
		total += from(v)
	}
	for _, v := range c.free {
		sums = append(sums, from(v))
	}
	slices.Sort(sums)
	for _, sum := range sums[:c.left] {
		total += sum
	}
	return big.NewInt(int64(total))
}

// dimensionMean is sizeDimensionMean for slab counts within what the conditions leave.
func (c *conditioned) dimensionMean() (best lowerbound.Bound) {
	for j, slabs := range c.closest {
		best = larger(best, dimensionBound(c.t, j, slabDistance(c.t, j, slabs), slabs))
	}
	return best
}

// maxRangeSide is the longest side whose slab counts are kept to the conditions: all of their extremes are looked at.
const maxRangeSide = 12

// closestSlabs returns slab counts across dimension j with the least total distance: no slab has fewer processors than
// fixed nodes, nor more than nodes that are not forbidden, where the side is not longer than maxRangeSide. The total is
// concave in what is moved between two slabs, so all slabs but one are at an end of their range. Cost O(k^2 2^k).
func (c *conditioned) closestSlabs(j int) []int {
	k := c.t.Slabs(j)
	if k > maxRangeSide {
		return closestSlabs(c.t, j, c.n)
	}
	low, room := c.slabs(j, c.fixed), c.slabs(j, c.free)
	var best []int
	var least *big.Int
	counts := slices.Clone(low)
	var fill func(z, rest, left int) // slab rest takes what is left
	fill = func(z, rest, left int) {
		switch {
		case left < 0:
		case z == k && left <= room[rest]:
			counts[rest] += left
			if sum := slabDistance(c.t, j, counts); least == nil || sum.Cmp(least) < 0 {
				best, least = slices.Clone(counts), sum
			}
			counts[rest] -= left
		case z == rest:
			fill(z+1, rest, left)
		case z < k:
			fill(z+1, rest, left)
			if room[z] > 0 {
				counts[z] += room[z]
				fill(z+1, rest, left-room[z])
				counts[z] -= room[z]
			}
		}
	}
	for rest := range k {
		fill(0, rest, c.left)
	}
	return best
}

// slabRanges returns, by dimension and slab, how many processors the conditions of a problem leave to it, nil without
// conditions.
func slabRanges(p objective.Problem) [][]margin.Range {
	if !p.Conditioned() {
		return nil
	}
	c := &conditioned{t: p.Torus()}
	list := make([][]margin.Range, c.t.D())
	for j := range list {
		low, room := c.slabs(j, p.Fixed.Nodes()), c.slabs(j, p.Candidates())
		for z := range low {
			list[j] = append(list[j], margin.Range{Low: low[z], High: low[z] + room[z]})
		}
	}
	return list
}

// slabs counts nodes by their slab across dimension j.
func (c *conditioned) slabs(j int, nodes []int) []int {
	counts := make([]int, c.t.Slabs(j))
	for _, v := range nodes {
		counts[c.t.Slab(v, j)]++
	}
	return counts
}

// parted returns the least number of messages from a set with this many of the fixed and of the free nodes to the rest:
// the number of its processors lies in a range, and the product with that of the others is least at an end of it.
func (c *conditioned) parted(fixed, free int) uint64 {
	low := max(fixed, c.n-(len(c.fixed)-fixed)-(len(c.free)-free))
	high := min(fixed+free, fixed+c.left)
	return uint64(min(low*(c.n-low), high*(c.n-high)))
}

// A share is a number of messages over a capacity, 0 where the capacity is 0.
type share struct{ messages, capacity uint64 }

// exceeds reports whether a share is larger than another.
func (s share) exceeds(o share) bool {
	high, low := bits.Mul64(s.messages, max(o.capacity, 1))
	highOther, lowOther := bits.Mul64(o.messages, s.capacity)
	return s.capacity > 0 && (high > highOther || high == highOther && low > lowOther)
}

// A box is a product of arcs, one in every dimension, as bands across them.
type box []bisect.Band

// maxBandSide is the longest side all of whose bands are looked at.
const maxBandSide = 1024

// slab is the best over the sets between two parallel cuts, on sides of at most maxBandSide. Across an open dimension
// one cut is not always enough, as it is for a placement: the ranges of its two sides may be wide.
func (c *conditioned) slab() lowerbound.Bound {
	best, value := bisect.Band{}, share{}
	for j := range c.t.D() {
		k := c.t.Slabs(j)
		if k > maxBandSide {
			continue
		}
		fixed, free := c.slabs(j, c.fixed), c.slabs(j, c.free)
		for start := range k {
			inFixed, inFree := 0, 0
			for length := 1; length < k && !(c.t.Open(j) && start+length > k); length++ {
				inFixed += fixed[(start+length-1)%k]
				inFree += free[(start+length-1)%k]
				band := bisect.Band{Dim: j, Start: start, Length: length}
				if v := (share{c.parted(inFixed, inFree), uint64(band.CapacityOut(c.t))}); v.exceeds(value) {
					best, value = band, v
				}
			}
		}
	}
	if value.messages == 0 {
		return nothing(lowerbound.Slab)
	}
	b := c.cut(lowerbound.Slab, best.Set(c.t), value)
	b.Witness.Dim = &best.Dim
	return b
}

// arcs returns all bands across dimension j, the whole dimension as one.
func (c *conditioned) arcs(j int) (list []bisect.Band) {
	k := c.t.Slabs(j)
	for start := range k {
		for length := 1; length < k && !(c.t.Open(j) && start+length > k); length++ {
			list = append(list, bisect.Band{Dim: j, Start: start, Length: length})
		}
	}
	return append(list, bisect.Band{Dim: j, Length: k})
}

// arcSum adds up the counts of the slabs in a band.
func arcSum(counts []int, b bisect.Band) (sum int) {
	for i := range b.Length {
		sum += counts[(b.Start+i)%len(counts)]
	}
	return sum
}

// maxBoxWork is the most work that the boxes of separator may take, in nodes and pairs of bands looked at.
const maxBoxWork = 1 << 23

// separator is the best over all boxes, 0 where these are too many and on twisted tori, where bands have no common box.
func (c *conditioned) separator() lowerbound.Bound {
	if !c.t.Separable() {
		return nothing(lowerbound.Separator)
	}
	work, last := int64(1), c.t.D()-1
	for j := range last {
		if work *= int64(len(c.arcs(j))); work > maxBoxWork {
			return nothing(lowerbound.Separator)
		}
	}
	arcs := c.arcs(last)
	if k := c.t.Slabs(last); work*int64(c.t.N()+k*len(arcs)) > maxBoxWork {
		return nothing(lowerbound.Separator)
	}
	best, value := box(nil), share{}
	var extend func(prefix box, fixed, free []int)
	extend = func(prefix box, fixed, free []int) {
		if len(prefix) < last {
			for _, band := range c.arcs(len(prefix)) {
				extend(append(prefix, band), c.bandNodes(band, fixed), c.bandNodes(band, free))
			}
			return
		}
		inFixed, inFree := c.slabs(last, fixed), c.slabs(last, free)
		for _, band := range arcs {
			b := append(prefix, band)
			messages := c.parted(arcSum(inFixed, band), arcSum(inFree, band))
			if v := (share{messages, uint64(b.capacityOut(c.t))}); v.exceeds(value) { // of everything there is no link out
				best, value = slices.Clone(b), v
			}
		}
	}
	extend(nil, c.fixed, c.free)
	if best == nil {
		return nothing(lowerbound.Separator)
	}
	set := core.NewSet(c.t.N())
	for v := range c.t.N() {
		if best.has(c.t, v) {
			set.Add(v)
		}
	}
	return c.cut(lowerbound.Separator, set, value)
}

// bandNodes returns the nodes in a band.
func (c *conditioned) bandNodes(b bisect.Band, nodes []int) (list []int) {
	for _, v := range nodes {
		if (box{b}).has(c.t, v) {
			list = append(list, v)
		}
	}
	return list
}

// has reports whether a node lies in all bands.
func (b box) has(t *core.Torus, v int) bool {
	return !slices.ContainsFunc(b, func(band bisect.Band) bool {
		return core.Mod(t.Coord(v, band.Dim)-band.Start, t.Side(band.Dim)) >= band.Length
	})
}

// capacityOut returns the capacity of the links that leave the box: through both ends of a band, as far as the others
// reach.
func (b box) capacityOut(t *core.Torus) int {
	nodes, sum := 1, 0
	for _, band := range b {
		nodes *= band.Length
	}
	for _, band := range b {
		sum += band.CapacityOut(t) * (nodes / band.Length) / (t.N() / t.Side(band.Dim))
	}
	return sum
}

// cut returns the bound that a set gives. The witness is the set or its complement, whichever has fewer nodes.
func (c *conditioned) cut(name string, set core.Set, s share) lowerbound.Bound {
	b := lowerbound.Bound{Name: name, Value: new(big.Rat).SetFrac(new(big.Int).SetUint64(s.messages),
		new(big.Int).SetUint64(s.capacity)), Witness: lowerbound.Witness{Set: smaller(c.t, set)}}
	shareOf(c.t, &b.Witness, linksOut(c.t, set, int(s.capacity)), int64(s.capacity))
	return b
}

// Limits of what the bound of the fixed nodes takes on.
const (
	maxFixedPairs = 1 << 14 // flows both ways
	maxFixedLoads = 1 << 20 // loads of links that are kept and sorted
)

// listable reports whether paths do not depend on the placement and are few: the checker lists them.
func listable(r routing.Routing) bool {
	diameter, t := 0, r.Torus()
	for j := range t.D() {
		switch k := t.Side(j); {
		case !t.Separable():
		case t.Open(j):
			diameter += k - 1
		default:
			diameter += k / 2
		}
	}
	for v := 0; !t.Separable() && v < t.N(); v++ {
		diameter = max(diameter, t.LeeDistance(0, v))
	}
	_, minimal := r.(*routing.Minimal)
	_, legs := r.(*routing.Legs)
	return !r.DependsOnPlacement() && t.D() <= 4 && (!minimal && !legs || diameter <= 8)
}

// fixedBound is the load of the busiest link of what fixed nodes exchange, with the least that they can exchange there
// with left of the free ones. It is 0 where paths depend on the placement, and beyond the limits above. The witness
// names the link.
func (c *conditioned) fixedBound(r routing.Routing) lowerbound.Bound {
	den := objective.Denominator(r)
	links, flows := c.t.M(), len(c.fixed)*(len(c.fixed)+len(c.free))
	if c.n < 2 || len(c.fixed) == 0 || !listable(r) || den == nil || den.BitLen()+2*bits.Len(uint(c.n)) > 60 ||
		flows > maxFixedPairs || links*(len(c.free)+1) > maxFixedLoads {
		return nothing(lowerbound.Fixed)
	}
	// By link: what fixed nodes exchange, and what each free one does with them.
	among, others := make([]int64, links), make([][]int64, links)
	for _, u := range c.fixed {
		for _, v := range c.fixed {
			if u < v {
				for _, l := range fast.Exchanged(r, u, v, den.Int64()) {
					among[l.Link(c.t)] += l.Load
				}
			}
		}
	}
	for l := range others {
		others[l] = make([]int64, len(c.free))
	}
	for i, v := range c.free {
		for _, u := range c.fixed {
			for _, l := range fast.Exchanged(r, u, v, den.Int64()) {
				others[l.Link(c.t)][i] += l.Load
			}
		}
	}
	best := 0
	for l := range among {
		slices.Sort(others[l])
		for _, load := range others[l][:c.left] {
			among[l] += load
		}
		if among[l] > among[best] {
			best = l
		}
	}
	if among[best] == 0 {
		return nothing(lowerbound.Fixed)
	}
	one := []lowerbound.LinkWeight{{Name: linkname.New(c.t, core.Link(best)), Weight: "1"}}
	return lowerbound.Bound{Name: lowerbound.Fixed, Value: new(big.Rat).SetFrac(big.NewInt(among[best]), den),
		Witness: lowerbound.Witness{Weights: one}}
}
