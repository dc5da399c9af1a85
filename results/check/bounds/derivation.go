package bounds

import (
	"math/big"
	"math/bits"
	"slices"
	"sort"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// A Derivation derives placement-free lower bounds on E_max, for any number of sizes.
//
//   - degree: a processor sends n-1 units over its out-links (seed 001, Lemma 2.1); one of n has at most the n-th
//     largest capacity of a node.
//   - mean: what all links carry adds up to the total Lee distance, and is at most E_max times their capacity.
//   - dimension-mean: the same for the links along one dimension.
//   - band: what neighbouring slabs and the others send each other crosses two cuts, whatever the routing.
//   - corner: under udr in two dimensions one of many processors has others in its row and in its column, which turn at
//     it (docs/laws.md, Theorem 5).
//   - granularity: loads are multiples of 1/D, so the best of these rounds up. It is left out where D is not found in
//     reasonable time.
type Derivation struct {
	meter       *meter.Meter
	torus       *core.Torus
	denominator *big.Int        // D, nil without one
	spheres     []int           // nodes at Lee distance 0, 1, ... from a node in the middle of all open dimensions
	nodes       []int           // the capacities of all nodes, the largest first; nil where all have the same
	along       []int64         // by dimension, the capacity of its links
	routing     routing.Routing // nil: any by shortest paths
	fixed       core.Set        // nodes that must have a processor, and those that must have none; nil: none
	forbidden   core.Set
}

// Derive returns the derivation of bounds that hold under r for placements on all fixed and no forbidden nodes.
func Derive(m *meter.Meter, r routing.Routing, fixed, forbidden core.Set) *Derivation {
	d := newDerivation(m, r.Torus(), shares.Denominator(m, r))
	d.routing, d.fixed, d.forbidden = r, fixed, forbidden
	return d
}

// DeriveFree returns that of bounds that hold under every restriction of a free routing: those that hold for all
// shortest paths, and whole numbers of single ones, divided by bandwidths.
func DeriveFree(m *meter.Meter, t *core.Torus, f routing.Free, fixed, forbidden core.Set) *Derivation {
	var denominator *big.Int
	if f.Single {
		denominator = big.NewInt(int64(t.CommonBandwidth()))
	}
	d := newDerivation(m, t, denominator)
	d.fixed, d.forbidden = fixed, forbidden
	return d
}

func newDerivation(m *meter.Meter, t *core.Torus, denominator *big.Int) *Derivation {
	d := &Derivation{meter: m, torus: t, denominator: denominator}
	m.ChargeAll(4+2*t.D(), t.N())
	middle := middleOf(t)
	for v := range t.N() {
		distance := t.LeeDistance(middle, v)
		d.spheres = append(d.spheres, make([]int, max(0, distance+1-len(d.spheres)))...)
		d.spheres[distance]++
	}
	d.along = make([]int64, t.D())
	if t.Plain() {
		for j := range d.along {
			d.along[j] = int64(t.LinksAlong(j))
		}
		return d
	}
	m.ChargeAll(16, t.M())
	d.nodes = make([]int, t.N())
	for l := range t.M() {
		if from, port := t.LinkFrom(core.Link(l)); t.HasLink(core.Link(l)) {
			d.along[port.Dim] += int64(t.Bandwidth(port.Dim))
			d.nodes[from] += t.Bandwidth(port.Dim)
		}
	}
	slices.SortFunc(d.nodes, func(a, b int) int { return b - a })
	return d
}

// middleOf returns a node in the middle of all open dimensions. In each of them it has, within any distance, at least
// as many places as any other has, so it has at least as many nodes within any sum of distances.
func middleOf(t *core.Torus) int {
	node := 0
	for j := range t.D() {
		if t.Open(j) {
			node += t.Side(j) / 2 * t.Stride(j)
		}
	}
	return node
}

// degree returns the capacity out of the processor that has least, the most that it can be for n processors.
func (d *Derivation) degree(n int) int {
	if d.nodes == nil {
		return d.torus.Degree()
	}
	return d.nodes[n-1]
}

// capacity returns the sum of the bandwidths of all links.
func (d *Derivation) capacity() int64 {
	sum := int64(0)
	for _, capacity := range d.along {
		sum += capacity
	}
	return sum
}

// At returns the bounds for n processors, by name.
func (d *Derivation) At(n int) map[string]*big.Rat { return d.at(n, d.conditioned(n), true) }

// at is At under conditions, nil for none; for fixed see raise.
func (d *Derivation) at(n int, c *conditions, fixed bool) map[string]*big.Rat {
	d.meter.Charge(d.steps())
	bounds := map[string]*big.Rat{"degree": new(big.Rat), "mean": new(big.Rat), "dimension-mean": new(big.Rat),
		"band": new(big.Rat)}
	if n >= 2 {
		bounds["degree"] = big.NewRat(int64(n-1), int64(d.degree(n)))
		bounds["mean"] = d.meanBound(n)
		bounds["dimension-mean"] = d.dimensionBound(n)
		bounds["band"] = d.bandBound(n)
	}
	if c != nil {
		c.raise(bounds, d, fixed)
	}
	if t := d.torus; turning(d.routing) && n > t.Side(0)+t.Side(1)-2 {
		bounds["corner"] = big.NewRat(int64(n), int64(d.degree(1)))
	}
	best := new(big.Rat)
	for _, v := range bounds {
		best = Larger(best, v)
	}
	if d.denominator != nil {
		bounds["granularity"] = shares.RoundedUp(best, d.denominator)
	}
	return bounds
}

// Best returns the largest of the bounds for n processors, or a smaller one that is enough: conditions are looked at
// only where the bounds without them are not, and paths are listed only where no other bound is.
func (d *Derivation) Best(n int, enough func(*big.Rat) bool) *big.Rat {
	best := new(big.Rat)
	reaches := func(c *conditions, fixed bool) bool {
		for _, v := range d.at(n, c, fixed) {
			best = Larger(best, v)
		}
		return enough(best)
	}
	if c := d.conditioned(n); !reaches(nil, false) && c != nil && !reaches(c, false) {
		reaches(c, true)
	}
	return best
}

// Named returns the bound of a name for n processors, or a smaller one that reaches a value; ok is false where there is
// none of that name.
func (d *Derivation) Named(n int, name string, value *big.Rat) (own *big.Rat, ok bool) {
	own, ok = d.at(n, d.conditioned(n), name == objective.BoundFixed)[name]
	if name == objective.BoundGranularity && ok && own.Cmp(value) < 0 { // the fixed nodes may raise what it rounds up
		own, ok = d.At(n)[name]
	}
	return own, ok
}

// turning reports whether a routing is udr in two dimensions, where half of what goes from a row to a column turns at
// their corner.
func turning(r routing.Routing) bool {
	orders, ok := r.(*routing.Orders)
	return ok && orders.All() && r.Torus().D() == 2 && !r.Torus().Twisted()
}

// steps returns about how many additions the bounds of one size take; those of large numbers count several times.
func (d *Derivation) steps() int64 {
	steps := 256 + int64(len(d.spheres))
	for j := range d.torus.D() {
		steps += 64 * int64(d.torus.Slabs(j))
		if k := d.torus.Slabs(j); k > maxCornerSides {
			steps += 16 * int64(k)
		} else {
			steps += 16 * int64(k) << (k - 1)
			if d.torus.Open(j) { // once more for each place of the rest
				steps += 16 * int64(k*k) << (k - 1)
			}
		}
	}
	return steps
}

// meanBound divides by the capacity of all links the least total Lee distance that n nodes can have.
func (d *Derivation) meanBound(n int) *big.Rat {
	return new(big.Rat).SetFrac(d.leastDistance(n), big.NewInt(d.capacity()))
}

// leastDistance returns the larger of two bounds on the total Lee distance of any n nodes: n times the n-1 least
// distances from one node, and the sum of the least distances in the single dimensions.
func (d *Derivation) leastDistance(n int) *big.Int {
	near := new(big.Int).Mul(big.NewInt(int64(n)), big.NewInt(d.nearest(n-1)))
	apart := new(big.Int)
	for j := range d.torus.D() {
		apart.Add(apart, leastAlong(d.torus, j, n))
	}
	if apart.Cmp(near) > 0 {
		return apart
	}
	return near
}

// nearest returns the sum of the count least Lee distances from a node to others, from where it is least.
func (d *Derivation) nearest(count int) int64 {
	sum := int64(0)
	for distance := 1; distance < len(d.spheres) && count > 0; distance++ {
		nodes := min(count, d.spheres[distance])
		sum += int64(distance) * int64(nodes)
		count -= nodes
	}
	return sum
}

// dimensionBound is the best over the dimensions of the least total distance in it over the capacity of the links along
// it.
func (d *Derivation) dimensionBound(n int) *big.Rat {
	best := new(big.Rat)
	for j, capacity := range d.along {
		best = Larger(best, new(big.Rat).SetFrac(leastAlong(d.torus, j, n), big.NewInt(capacity)))
	}
	return best
}

// bandBound is the best over the dimensions of the least that must cross the cuts of some band, over their capacity.
func (d *Derivation) bandBound(n int) *big.Rat {
	best := new(big.Rat)
	for j := range d.torus.D() {
		m := leastBand(d.torus, j, n)
		best = Larger(best, new(big.Rat).SetFrac(parted(m, n), big.NewInt(bandCapacity(d.torus, j))))
	}
	return best
}

// parted returns the messages from m of n processors to the others.
func parted(m, n int) *big.Int { return new(big.Int).Mul(big.NewInt(int64(m)), big.NewInt(int64(n-m))) }

// bandCapacity returns the capacity of the cuts of a band across dimension j: both ends of it; one on a path and where
// there is one link each way, since there a band with one end is best.
func bandCapacity(t *core.Torus, j int) int64 {
	ends := 2
	if t.Open(j) || !t.BothWays(j) {
		ends = 1
	}
	return int64(ends) * int64(t.N()/t.Slabs(j)) * int64(t.Bandwidth(j))
}

// leastBand returns the least m for which n processors can be spread over the slabs across dimension j so that every
// band has at most m of them inside or at most m outside. A spread for m is one for every larger m.
func leastBand(t *core.Torus, j, n int) int {
	k, room := t.Slabs(j), t.N()/t.Slabs(j)
	return sort.Search(n/2, func(m int) bool {
		if t.Open(j) || k == 2 {
			return pathAllows(k, room, n, m)
		}
		return ringAllows(k, room, n, m)
	})
}

// pathAllows reports whether a path allows m: one slab has all but m on either side of it, at most.
func pathAllows(k, room, n, m int) bool {
	for before := range k {
		if min(m, before*room)+room+min(m, (k-1-before)*room) >= n {
			return true
		}
	}
	return false
}

// ringAllows reports whether a ring allows m < n/2. By docs/bounds.md an odd number p of slabs are then heavy, and with
// d = n-2m there are numbers w_i >= 0 of processors in between and s_i >= 0, for i modulo p in the order of a star, of
// which w_i + s_i + s_(i-1) + d is at most the room of a slab, and all of them add up to p m - (p-1)/2 n. At most k-p
// of the w_i are above 0, best next to each other.
func ringAllows(k, room, n, m int) bool {
	for p := 1; p <= k; p += 2 {
		wanted, each := p*m-(p-1)/2*n, room-(n-2*m)
		if wanted < 0 || each < 0 {
			continue
		}
		most := p * each / 2 // every s_i stands in two sums
		if between := min(k-p, p); between > 0 {
			most = between*each + (p-between)/2*each
		}
		if wanted <= most {
			return true
		}
	}
	return false
}

// Larger returns the larger of two values.
func Larger(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// maxCornerSides is the longest side for which all corners are looked at.
const maxCornerSides = 12

// leastAlong returns the least total distance along dimension j, over ordered pairs, of n processors.
func leastAlong(t *core.Torus, j, n int) *big.Int {
	k := t.Slabs(j)
	if t.Open(j) {
		return leastPathDistance(k, t.N()/k, n)
	}
	return leastSlabDistance(k, t.N()/k, n)
}

// between returns the least number of links along dimension j on a path from slab x to slab y.
func between(t *core.Torus, j, x, y int) int {
	if t.Open(j) {
		return max(x-y, y-x)
	}
	return core.CyclicDistance(x, y, t.Slabs(j))
}

// along returns the total distance along dimension j of n processors with the given slab counts.
func along(t *core.Torus, j int, counts []int, n int) *big.Int {
	if t.Open(j) {
		return pathDistance(counts, n)
	}
	return arcDistance(counts, n)
}

// leastPathDistance is leastSlabDistance on a path. The total distance is the sum of 2 A_i (n - A_i) over the
// boundaries of the path, A_i processors lying before the i-th, and so concave in the counts too: of short paths all
// corners are looked at, with the rest anywhere. Of long ones the full places are taken to be neighbours with the rest
// beside them; the test compares both.
func leastPathDistance(k, room, n int) *big.Int {
	if k > maxCornerSides || n < 1 {
		return pathDistance(neighbours(k, room, n), n)
	}
	full := (n - 1) / room
	var least *big.Int
	counts := make([]int, k)
	for rest := range k {
		for set := range uint(1) << k {
			if set>>rest&1 != 0 || bits.OnesCount(set) != full {
				continue
			}
			for i := range k {
				counts[i] = int(set>>i&1) * room
			}
			counts[rest] = n - full*room
			if v := pathDistance(counts, n); least == nil || v.Cmp(least) < 0 {
				least = v
			}
		}
	}
	return least
}

// pathDistance returns twice the sum of A (n - A) over the boundaries of a path.
func pathDistance(counts []int, n int) *big.Int {
	total, before := new(big.Int), int64(0)
	for _, count := range counts {
		before += int64(count)
		total.Add(total, new(big.Int).Mul(big.NewInt(2*before), big.NewInt(int64(n)-before)))
	}
	return total
}

// leastSlabDistance returns the least total cyclic distance, over ordered pairs, of n processors on a ring of k places
// with room for room of them each.
//
// Let A_i be the processors on the arc of h = floor(k/2) places from i on. Of the k arcs exactly d hold x and not y,
// when d is the cyclic distance of x and y; so the total distance is the sum of A_i (n - A_i). That is concave in the
// counts, and a concave function on the counts 0 <= c <= room with sum n is least in a corner: all places full or empty
// but at most one. For short rings all corners are looked at. For long ones the full places are taken to be neighbours,
// with the rest beside them: by Riesz's rearrangement inequality on the cycle (Pruss, Duke Math. J. 91, 1998) no
// arrangement is closer; the test compares both.
func leastSlabDistance(k, room, n int) *big.Int {
	if k > maxCornerSides || n < 1 {
		return arcDistance(neighbours(k, room, n), n)
	}
	// Turned so that the place that may be neither full nor empty is place 0, a corner has full places elsewhere and
	// 1..room processors there.
	full := (n - 1) / room
	var least *big.Int
	counts := make([]int, k)
	for set := range uint(1) << (k - 1) {
		if bits.OnesCount(set) != full {
			continue
		}
		counts[0] = n - full*room
		for i := 1; i < k; i++ {
			counts[i] = int(set>>(i-1)&1) * room
		}
		if v := arcDistance(counts, n); least == nil || v.Cmp(least) < 0 {
			least = v
		}
	}
	return least
}

// neighbours fills one place after the other.
func neighbours(k, room, n int) []int {
	counts := make([]int, k)
	for i := range counts {
		counts[i] = min(n, room)
		n -= counts[i]
	}
	return counts
}

// arcDistance returns the sum of A (n - A) over the arcs of half the ring.
func arcDistance(counts []int, n int) *big.Int {
	k := len(counts)
	arc := 0
	for i := range k / 2 {
		arc += counts[i]
	}
	total, part := new(big.Int), int64(0)
	for i := range k {
		if part += int64(arc) * int64(n-arc); part > 1<<61 {
			total.Add(total, big.NewInt(part))
			part = 0
		}
		arc += counts[(i+k/2)%k] - counts[i]
	}
	return total.Add(total, big.NewInt(part))
}
