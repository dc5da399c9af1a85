package bisect

import (
	"cmp"
	"iter"
	"slices"

	"leeway/core"
)

// An order lists all nodes; its prefixes are sets that grow node by node, which a sweep compares.

// Sweep returns a cut for the question by sweeping a hyperplane over the torus,
// the constructive proof of Proposition 1 of seed 000: at most 2d k^(d-1)
// neighbours in the array lie on both sides and at most d k^(d-1) more around
// the torus, so the width is at most 6 d k^(d-1) directed links for any
// placement. On mixed sides k^(d-1) reads N/k for the longest side in the array,
// and N/k_j around dimension j. Cost O(M).
func Sweep(q Question) core.Set {
	t := q.Placement.Torus()
	set, _ := newGraph(t).prefix(q, hyperplane(t, 0))
	return set
}

// prefix returns the prefix of an order that fits the question with the least
// capacity out, and that. One always fits: the number of processors grows by
// steps of one; it may be empty.
func (g *graph) prefix(q Question, order []int) (core.Set, int) {
	best, length := -1, 0
	if q.fits(0) {
		best = 0
	}
	g.prefixes(order, q.Placement.Set(), func(i, count, out int) {
		if q.fits(count) && (best < 0 || out < best) {
			best, length = out, i
		}
	})
	return g.setOf(order[:length]), best
}

// bandCut returns a cut for the question between two parallel cuts across one
// dimension, Theorem 1 of seed 000, and whether there is one: uniform placements
// have it, with at most 4 k^(d-1) directed links when the side is even. Cost
// O(N + sum of sides).
func bandCut(q Question) (core.Set, bool) {
	t := q.Placement.Torus()
	n := q.Placement.Size()
	if n < 2 {
		return core.NewSet(t.N()), q.fits(0)
	}
	best := Band{}
	for j := range t.D() {
		b := Middle(q.Placement, j)
		if q.fits(b.Count) && (best.Length == 0 || b.CapacityOut(t) < best.CapacityOut(t)) {
			best = b
		}
	}
	return best.Set(t), best.Length > 0
}

// A Band is the set of Length neighbouring slabs across dimension Dim, from slab
// Start on, around the ring; past the end of an open dimension it goes on at its
// beginning. Count is the number of processors in it.
type Band struct{ Dim, Start, Length, Count int }

// CapacityOut returns the capacity of the directed links that leave the band: the bandwidth of
// those through its two cuts. Where there is one link each way both are one, and there is no link to cut
// at the ends of an open dimension.
func (b Band) CapacityOut(t *core.Torus) int {
	k := t.Slabs(b.Dim)
	return cuts(t, b.Dim, b.Start%k, b.Length) * t.Bandwidth(b.Dim) * (t.N() / k)
}

// cuts returns through how many boundaries with links the ends of an arc of length
// slabs across dimension j lie, from start on.
func cuts(t *core.Torus, j, start, length int) int {
	switch k := t.Slabs(j); {
	case length == k:
		return 0
	case !t.BothWays(j):
		return 1
	case t.Open(j) && (start == 0 || start+length == k):
		return 1
	}
	return 2
}

// Set returns the nodes of the band.
func (b Band) Set(t *core.Torus) core.Set {
	s := core.NewSet(t.N())
	if b.Length == 0 {
		return s
	}
	k := t.Slabs(b.Dim)
	for v := range t.N() {
		if (t.Slab(v, b.Dim)-b.Start+k)%k < b.Length {
			s.Add(v)
		}
	}
	return s
}

// Middle returns the band across dimension j whose number of processors is
// nearest to half. In an open dimension it begins at the end, so that it has one cut: for
// m processors between a and c others m(a+c) <= a(m+c) + c(a+m), so the better of the two
// such bands that end at its cuts has at least as many pairs for a link. Cost O(n + k).
func Middle(p core.Placement, j int) Band {
	counts := p.SlabCounts(j)
	k, n := len(counts), p.Size()
	best := Band{Dim: j, Length: 1, Count: counts[0]}
	try := func(start, length, count int) {
		if length > 0 && length < k && abs(2*count-n) < abs(2*best.Count-n) {
			best = Band{Dim: j, Start: start, Length: length, Count: count}
		}
	}
	if p.Torus().Open(j) {
		for i, count := 0, 0; i < k; i++ {
			count += counts[i]
			try(0, i+1, count)
		}
		return best
	}
	length, count := 0, 0 // the longest band from start with at most half
	for start := range k {
		for length < k && 2*(count+counts[(start+length)%k]) <= n {
			count += counts[(start+length)%k]
			length++
		}
		try(start, length, count)
		try(start, length+1, count+counts[(start+length)%k])
		if length > 0 {
			count -= counts[start]
			length--
		}
	}
	return best
}

func abs(a int) int { return max(a, -a) }

// hyperplane returns the nodes in the order in which the sweeping hyperplane of
// the appendix of seed 000 meets them, in the array that begins at the origin.
//
// The paper takes the direction (1, g, g^2, ...) with a transcendental g so that
// no two nodes are met at once, and 1 < g^(d-1) < 2. Its proof uses no more than
// that: the components differ by less than a factor of 2 and no two nodes tie. We
// take 1 plus infinitesimals of falling order, which needs no real numbers: by
// sum of coordinates, ties by the coordinates from the first on.
func hyperplane(t *core.Torus, origin int) []int {
	most := 0
	for j := range t.D() {
		most += t.Side(j) - 1
	}
	starts, sums := make([]int, most+2), coordinateSums(t)
	for _, s := range sums {
		starts[s+1]++
	}
	for i := range most + 1 {
		starts[i+1] += starts[i]
	}
	order := make([]int, t.N())
	for v := range t.N() { // ascending numbers are ascending coordinates
		i, to := sums[v], v
		if origin != 0 {
			to = t.Sum(v, origin)
		}
		order[starts[i]] = to
		starts[i]++
	}
	return order
}

// A rise is a way to number the nodes by levels around the network: a step along dimension j adds rise[j] modulo N.
type rise []int

// maxRises is how many rises of a twisted torus are swept.
const maxRises = 6

// rises returns the rises whose levels are slabs across one dimension; on a twisted torus all up to direction, first
// those where the capacity of the links that rise over a level is least.
func rises(t *core.Torus) (list []rise) {
	if t.Separable() {
		for j := range t.D() {
			list = append(list, make(rise, t.D()))
			list[j][j] = t.N() / t.Side(j)
		}
		return list
	}
	for _, r := range characters(t) {
		if first := slices.IndexFunc(r, func(by int) bool { return by != 0 }); first >= 0 && r[first] > 0 {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b rise) int { return cmp.Compare(a.capacity(t), b.capacity(t)) })
	return list
}

// capacity returns the capacity of the links that rise over a level.
func (r rise) capacity(t *core.Torus) (sum int) {
	for j, by := range r {
		sum += abs(by) * t.Bandwidth(j)
	}
	return sum
}

// steepest returns the dimension that rises most, and by how much.
func (r rise) steepest() (dim, by int) {
	for j := range r {
		if abs(r[j]) > by {
			dim, by = j, abs(r[j])
		}
	}
	return dim, by
}

// level returns the level of a node, below N.
func (r rise) level(t *core.Torus, v int) int {
	sum := 0
	for j, by := range r {
		sum += by * t.Coord(v, j)
	}
	return core.Mod(sum, t.N())
}

// order lists the nodes level by level. Those of the first levels stand in the order of their numbers, each other
// steepest rise times places behind the one that it is a steepest step from.
func (r rise) order(t *core.Torus) []int {
	dim, most := r.steepest()
	order := make([]int, 0, t.N())
	for v := range t.N() {
		if r.level(t, v) < most {
			order = append(order, v)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.level(t, a), r.level(t, b)) })
	for i := range t.N() - most {
		order = append(order, t.Shift(order[i], dim, r[dim]/most))
	}
	return order
}

// levelOrders returns the orders of the rises to be swept.
func levelOrders(t *core.Torus) (list [][]int) {
	for i, r := range rises(t) {
		if i < maxRises || t.Separable() {
			list = append(list, r.order(t))
		}
	}
	return list
}

// sweeps yields, for origins spread over a network, the order in which a hyperplane from there meets the nodes and
// those level by level, or without dimensions that of the distances alone. steps bounds the links that all these look
// at, but for those of the first origin.
func sweeps(t *core.Torus, steps int) iter.Seq2[[]int, [][]int] {
	return func(yield func(order []int, levels [][]int) bool) {
		if !t.HasDimensions() {
			for origin := 0; origin == 0 || origin < t.N() && origin*t.M() < steps; origin++ {
				order := core.Range(t.N())
				slices.SortStableFunc(order, func(u, v int) int {
					return t.LeeDistance(origin, u) - t.LeeDistance(origin, v)
				})
				if !yield(order, nil) {
					return
				}
			}
			return
		}
		levels := levelOrders(t)
		for _, origin := range origins(t, max(1, min(maxOrigins, steps/(t.M()*(t.D()+1))))) {
			var moved [][]int
			for _, order := range levels {
				moved = append(moved, rotated(t, order, origin))
			}
			if !yield(hyperplane(t, origin), moved) {
				return
			}
		}
	}
}

// rotated returns an order that begins at another node.
func rotated(t *core.Torus, order []int, origin int) []int {
	if origin == 0 {
		return order
	}
	moved := make([]int, len(order))
	for i, v := range order {
		moved[i] = t.Sum(v, origin)
	}
	return moved
}

// coordinateSums returns the sum of the coordinates of every node.
func coordinateSums(t *core.Torus) []int32 {
	list := make([]int32, 1, t.N())
	for j := t.D() - 1; j >= 0; j-- {
		below := list
		for c := range t.Side(j) - 1 {
			for _, s := range below {
				list = append(list, s+int32(c)+1)
			}
		}
	}
	return list
}

// prefixes visits the prefixes of an order, from one node up to all but one:
// their length, number of processors and capacity out. Cost O(M).
func (g *graph) prefixes(order []int, processors core.Set, visit func(length, count, out int)) {
	in := core.NewSet(g.nodes)
	count, out := 0, 0
	for i, v := range order[:len(order)-1] {
		in.Add(v)
		if processors.Has(v) {
			count++
		}
		for i, w := range g.neighbours(v) {
			switch {
			case int(w) == v:
			case in.Has(int(w)):
				out -= g.linkCapacity(v, i)
			default:
				out += g.linkCapacity(v, i)
			}
		}
		visit(i+1, count, out)
	}
}

// setOf returns the set of some nodes.
func (g *graph) setOf(nodes []int) core.Set {
	s := core.NewSet(g.nodes)
	for _, v := range nodes {
		s.Add(v)
	}
	return s
}

// origins returns up to limit nodes spread over the torus, node 0 first.
func origins(t *core.Torus, limit int) []int {
	step := max(1, (t.N()+limit-1)/limit)
	for step > 1 && core.GCD(step, t.N()) > 1 {
		step++ // else all origins could lie on one line
	}
	var list []int
	for i := range min(limit, t.N()) {
		list = append(list, i*step%t.N())
	}
	return list
}
