package bounds

import (
	"math/big"
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// A Derivation derives placement-free lower bounds on E_max, for any number of sizes.
//
//   - degree: a processor sends n-1 units over its out-links (seed 001, Lemma 2.1).
//   - mean: the loads of all links add up to the total Lee distance.
//   - dimension-mean: the same for the links along one dimension.
//   - granularity: loads are multiples of 1/D, so the best of these rounds up. It is left out where D is not found in
//     reasonable time.
type Derivation struct {
	meter       *meter.Meter
	torus       *core.Torus
	denominator *big.Int // D, nil without one
	spheres     []int    // nodes at Lee distance 0, 1, ... from node 0
}

// Derive returns the derivation of bounds that hold under r.
func Derive(m *meter.Meter, r routing.Routing) *Derivation {
	return newDerivation(m, r.Torus(), shares.Denominator(m, r))
}

// DeriveFree returns that of bounds that hold under every restriction of a free routing: those that hold for all
// shortest paths, and whole numbers of single ones.
func DeriveFree(m *meter.Meter, t *core.Torus, f routing.Free) *Derivation {
	if f.Single {
		return newDerivation(m, t, big.NewInt(1))
	}
	return newDerivation(m, t, nil)
}

func newDerivation(m *meter.Meter, t *core.Torus, denominator *big.Int) *Derivation {
	d := &Derivation{meter: m, torus: t, denominator: denominator, spheres: make([]int, 1)}
	for j := range t.D() {
		d.spheres = append(d.spheres, make([]int, t.Side(j)/2)...)
	}
	m.ChargeAll(4+2*t.D(), t.N())
	for v := range t.N() {
		d.spheres[t.LeeDistance(0, v)]++
	}
	return d
}

// At returns the bounds for n processors, by name.
func (d *Derivation) At(n int) map[string]*big.Rat {
	d.meter.Charge(d.steps())
	bounds := map[string]*big.Rat{"degree": new(big.Rat), "mean": new(big.Rat), "dimension-mean": new(big.Rat)}
	if n >= 2 {
		bounds["degree"] = big.NewRat(int64(n-1), int64(d.torus.Degree()))
		bounds["mean"] = d.meanBound(n)
		bounds["dimension-mean"] = dimensionBound(d.torus, n)
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

// Best returns the largest of the bounds for n processors.
func (d *Derivation) Best(n int) *big.Rat {
	best := new(big.Rat)
	for _, v := range d.At(n) {
		best = Larger(best, v)
	}
	return best
}

// steps returns about how many additions the bounds of one size take; those of large numbers count several times.
func (d *Derivation) steps() int64 {
	steps := 256 + int64(len(d.spheres))
	for j := range d.torus.D() {
		if k := d.torus.Side(j); k > maxCornerSides {
			steps += 16 * int64(k)
		} else {
			steps += 16 * int64(k) << (k - 1)
		}
	}
	return steps
}

// meanBound divides by M the least total Lee distance that n nodes can have.
func (d *Derivation) meanBound(n int) *big.Rat {
	return new(big.Rat).SetFrac(d.leastDistance(n), big.NewInt(int64(d.torus.M())))
}

// leastDistance returns the larger of two bounds on the total Lee distance of any n nodes: n times the n-1 least
// distances from one node, and the sum of the least distances in the single dimensions.
func (d *Derivation) leastDistance(n int) *big.Int {
	near := new(big.Int).Mul(big.NewInt(int64(n)), big.NewInt(d.nearest(n-1)))
	apart := new(big.Int)
	for j := range d.torus.D() {
		apart.Add(apart, leastSlabDistance(d.torus.Side(j), d.torus.N()/d.torus.Side(j), n))
	}
	if apart.Cmp(near) > 0 {
		return apart
	}
	return near
}

// nearest returns the sum of the count least Lee distances from node 0 to other nodes.
func (d *Derivation) nearest(count int) int64 {
	sum := int64(0)
	for distance := 1; distance < len(d.spheres) && count > 0; distance++ {
		nodes := min(count, d.spheres[distance])
		sum += int64(distance) * int64(nodes)
		count -= nodes
	}
	return sum
}

// dimensionBound is the best over the dimensions of the least total distance in it over the number of links along it.
func dimensionBound(t *core.Torus, n int) *big.Rat {
	best := new(big.Rat)
	for j := range t.D() {
		k := t.Side(j)
		links := int64(2 * t.N())
		if k == 2 {
			links /= 2
		}
		if v := new(big.Rat).SetFrac(leastSlabDistance(k, t.N()/k, n), big.NewInt(links)); v.Cmp(best) > 0 {
			best = v
		}
	}
	return best
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
