package bound

import (
	"math/big"

	"leeway/core"
	"leeway/objective/lowerbound"
)

// mean divides the total Lee distance over ordered pairs of processors, which is
// what all links carry together, by their capacity: the number of links where
// bandwidths are 1.
func mean(p core.Placement) lowerbound.Bound {
	total := new(big.Int)
	if t := p.Torus(); !t.Separable() {
		for _, u := range p.Nodes() {
			for _, v := range p.Nodes() {
				total.Add(total, big.NewInt(int64(t.LeeDistance(u, v))))
			}
		}
		return meanBound(t, total)
	}
	for j := range p.Torus().D() {
		total.Add(total, slabDistance(p.Torus(), j, p.SlabCounts(j)))
	}
	return meanBound(p.Torus(), total)
}

func meanBound(t *core.Torus, total *big.Int) lowerbound.Bound {
	b := lowerbound.Bound{Name: lowerbound.Mean, Value: ratio(total, t.Capacity()),
		Witness: lowerbound.Witness{Distance: total.String()}}
	shareOf(t, &b.Witness, t.Links(), t.Capacity())
	return b
}

// dimensionMean divides the total distance in one dimension by the capacity of the
// links along it, for the dimension where that is most.
func dimensionMean(p core.Placement) lowerbound.Bound {
	var best lowerbound.Bound
	for j := range p.Torus().D() {
		best = larger(best, dimensionBound(p.Torus(), j, slabDistance(p.Torus(), j, p.SlabCounts(j)), nil))
	}
	return best
}

func dimensionBound(t *core.Torus, j int, total *big.Int, slabs []int) lowerbound.Bound {
	links := t.LinksAlong(j)
	capacity := int64(links) * int64(t.Bandwidth(j))
	b := lowerbound.Bound{Name: lowerbound.DimensionMean, Value: ratio(total, capacity),
		Witness: lowerbound.Witness{Dim: &j, Distance: total.String(), SlabCounts: slabs}}
	shareOf(t, &b.Witness, links, capacity)
	return b
}

func larger(a, b lowerbound.Bound) lowerbound.Bound {
	if a.Value == nil || b.Value.Cmp(a.Value) > 0 {
		return b
	}
	return a
}

// sizeDimensionMean is dimensionMean for the slab counts of n processors with
// the least distance.
func sizeDimensionMean(t *core.Torus, n int) lowerbound.Bound {
	var best lowerbound.Bound
	for j := range t.D() {
		slabs := closestSlabs(t, j, n)
		best = larger(best, dimensionBound(t, j, slabDistance(t, j, slabs), slabs))
	}
	return best
}

// closestSlabs returns the slab counts of n processors across dimension j with
// the least total distance: neighbouring slabs full, the last with the rest.
//
// Moving processors between two slabs that are neither full nor empty changes
// the total by a concave function of how many move, so a least one has at most
// one such slab; and rearranging counts on a ring into symmetrically decreasing
// order does not increase their total distance (Riesz's inequality on the cycle,
// Pruss 1998). Across an open dimension gaps only add to it, and a slab of r among
// full ones of m, a of them on one side and b on the other, would bring r m a b less
// than at the end but part the full ones by m m a b more.
func closestSlabs(t *core.Torus, j, n int) []int {
	return closest(t.Slabs(j), t.N()/t.Slabs(j), n)
}

// sizeMean bounds the total Lee distance of any n processors from below, by the
// larger of two sums: the least totals of all dimensions, and n times the least
// distance of one processor to n-1 others, the nearest nodes of the torus.
func sizeMean(t *core.Torus, n int) lowerbound.Bound { return meanBound(t, leastDistance(t, n)) }

// leastDistance returns the sum that sizeMean takes; without dimensions that of each of n nodes, those with the least,
// to the n-1 others nearest to it.
func leastDistance(t *core.Torus, n int) *big.Int {
	if !t.HasDimensions() {
		c := conditioned{t: t, n: n, left: n, free: core.Range(t.N())}
		return c.nearest()
	}
	slabs := new(big.Int)
	for j := range t.D() {
		slabs.Add(slabs, slabDistance(t, j, closestSlabs(t, j, n)))
	}
	ball := new(big.Int).Mul(big.NewInt(int64(n)), nearest(t, n-1))
	if ball.Cmp(slabs) < 0 {
		ball = slabs
	}
	return ball
}

// nearest returns the sum of the Lee distances from a node to the count nodes
// nearest to it.
func nearest(t *core.Torus, count int) *big.Int {
	sum := new(big.Int)
	for distance, nodes := range spheres(t) {
		if distance == 0 {
			continue
		}
		take := min(count, nodes)
		sum.Add(sum, big.NewInt(int64(distance)*int64(take)))
		if count -= take; count <= 0 {
			break
		}
	}
	return sum
}

// spheres returns how many nodes lie at Lee distance 0, 1, ... from a node in the middle
// of all open dimensions: no node has as many within any distance.
func spheres(t *core.Torus) []int {
	if !t.Separable() {
		counts := make([]int, t.N())
		for v := range counts {
			counts[t.LeeDistance(0, v)]++
		}
		return counts
	}
	counts := []int{1}
	for j := range t.D() {
		k := t.Side(j)
		next := make([]int, len(counts)+k/2)
		for c := range k {
			step := t.Distance(j, (k-1)/2, c)
			for d, nodes := range counts {
				next[d+step] += nodes
			}
		}
		counts = next
	}
	return counts
}

// slabDistance returns the sum over ordered pairs of the distances along dimension j of
// processors that stand counts[c] each at coordinate c. Cost O(k).
func slabDistance(t *core.Torus, j int, counts []int) *big.Int {
	if !t.Open(j) {
		return ringDistance(counts)
	}
	n := 0
	for _, count := range counts {
		n += count
	}
	sum, before := new(big.Int), 0 // every boundary is passed by the pairs that it parts, both ways
	for _, count := range counts {
		before += count
		sum.Add(sum, pairs(before, n))
	}
	return sum.Lsh(sum, 1)
}

// ringDistance returns the sum over ordered pairs of the cyclic distances of
// processors that stand counts[c] each at place c of a ring. Cost O(k).
func ringDistance(counts []int) *big.Int {
	k := len(counts)
	from := 0 // distance from the current place to all processors
	ahead := 0
	total := 0
	for c, n := range counts {
		from += core.CyclicDistance(0, c, k) * n
		total += n
		if c >= 1 && c <= k/2 {
			ahead += n
		}
	}
	sum := new(big.Int)
	for c, n := range counts {
		sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(n)), big.NewInt(int64(from))))
		// One step on, processors up to k/2 ahead come nearer, those at the two
		// middle places of an odd ring stay as far, the others get farther.
		still := 0
		if k%2 == 1 {
			still = counts[(c+k/2+1)%k]
		}
		from += total - 2*ahead - still
		ahead += counts[(c+k/2+1)%k] - counts[(c+1)%k]
	}
	return sum
}
