package bound

import (
	"math/big"

	"leeway/core"
	"leeway/objective"
)

// mean divides the total Lee distance over ordered pairs of processors, which is
// the sum of all loads, by the number of links.
func mean(p core.Placement) objective.Bound {
	total := new(big.Int)
	for j := range p.Torus().D() {
		total.Add(total, ringDistance(p.SlabCounts(j)))
	}
	return meanBound(p.Torus(), total)
}

func meanBound(t *core.Torus, total *big.Int) objective.Bound {
	return objective.Bound{Name: objective.BoundMean, Value: ratio(total, t.M()),
		Witness: objective.Witness{Distance: total.String(), Links: t.M()}}
}

// dimensionMean divides the total cyclic distance in one dimension by the number
// of links along it, for the dimension where that is most.
func dimensionMean(p core.Placement) objective.Bound {
	var best objective.Bound
	for j := range p.Torus().D() {
		best = larger(best, dimensionBound(p.Torus(), j, ringDistance(p.SlabCounts(j)), nil))
	}
	return best
}

func dimensionBound(t *core.Torus, j int, total *big.Int, slabs []int) objective.Bound {
	links := 2 * t.N()
	if t.Side(j) == 2 {
		links = t.N()
	}
	return objective.Bound{Name: objective.BoundDimensionMean, Value: ratio(total, links),
		Witness: objective.Witness{Dim: &j, Distance: total.String(), Links: links, SlabCounts: slabs}}
}

func larger(a, b objective.Bound) objective.Bound {
	if a.Value == nil || b.Value.Cmp(a.Value) > 0 {
		return b
	}
	return a
}

// sizeDimensionMean is dimensionMean for the slab counts of n processors with
// the least distance.
func sizeDimensionMean(t *core.Torus, n int) objective.Bound {
	var best objective.Bound
	for j := range t.D() {
		slabs := closestSlabs(t, j, n)
		best = larger(best, dimensionBound(t, j, ringDistance(slabs), slabs))
	}
	return best
}

// closestSlabs returns the slab counts of n processors across dimension j with
// the least total cyclic distance: neighbouring slabs full, the last with the
// rest.
//
// Moving processors between two slabs that are neither full nor empty changes
// the total by a concave function of how many move, so a least one has at most
// one such slab; and rearranging counts on a ring into symmetrically decreasing
// order does not increase their total distance (Riesz's inequality on the cycle,
// Pruss 1998).
func closestSlabs(t *core.Torus, j, n int) []int {
	slabs := make([]int, t.Side(j))
	room := t.N() / t.Side(j)
	for i := range slabs {
		slabs[i] = min(n, room)
		n -= slabs[i]
	}
	return slabs
}

// sizeMean bounds the total Lee distance of any n processors from below, by the
// larger of two sums: the least totals of all dimensions, and n times the least
// distance of one processor to n-1 others, the nearest nodes of the torus.
func sizeMean(t *core.Torus, n int) objective.Bound {
	slabs := new(big.Int)
	for j := range t.D() {
		slabs.Add(slabs, ringDistance(closestSlabs(t, j, n)))
	}
	ball := new(big.Int).Mul(big.NewInt(int64(n)), nearest(t, n-1))
	if ball.Cmp(slabs) < 0 {
		ball = slabs
	}
	return meanBound(t, ball)
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

// spheres returns how many nodes lie at Lee distance 0, 1, ... from a node.
func spheres(t *core.Torus) []int {
	counts := []int{1}
	for j := range t.D() {
		k := t.Side(j)
		next := make([]int, len(counts)+k/2)
		for c := range k {
			step := core.CyclicDistance(0, c, k)
			for d, nodes := range counts {
				next[d+step] += nodes
			}
		}
		counts = next
	}
	return counts
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
