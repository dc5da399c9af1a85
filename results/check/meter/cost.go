package meter

import (
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// MaxLinks is the most links of a torus of which anything is recomputed.
const MaxLinks = 1 << 21

// Apart returns what decides how many paths a pair has and how long they are, as the node that node 0 stands for it
// with: its displacement, in open dimensions the distance. Without dimensions it is the pair, from*N + to, and 0 for a
// node with itself.
func Apart(t *core.Torus, from, to int) int {
	if !t.HasDimensions() {
		if from == to {
			return 0
		}
		return from*t.N() + to
	}
	if t.Closed() {
		return t.Displacement(from, to)
	}
	v := 0
	for j := range t.D() {
		a, b := t.Coord(from, j), t.Coord(to, j)
		if t.Open(j) {
			v += t.Distance(j, a, b) * t.Stride(j)
		} else {
			v += core.Mod(b-a, t.Side(j)) * t.Stride(j)
		}
	}
	return v
}

// PathSteps returns, for a displacement as Apart gives it, an upper estimate of the number of its paths times their
// length.
func PathSteps(r routing.Routing) func(int) int64 {
	t := r.Torus()
	if table, ok := r.(*routing.Weighted); ok {
		return func(int) int64 { return table.MostLinks() }
	}
	if !t.HasDimensions() {
		return pairSteps(t)
	}
	if table, ok := r.(*routing.Table); ok {
		return func(v int) int64 { return int64(table.MostPaths()) * int64(t.LeeDistance(0, v)) }
	}
	if legs, ok := r.(*routing.Legs); ok {
		return func(v int) int64 { return 2 * min(legs.Listed(0, v), math.MaxInt64/4) } // twice: v stands for others
	}
	return func(v int) int64 {
		_, minimal := r.(*routing.Minimal)
		orders, ordered := r.(*routing.Orders)
		sum := new(big.Int)
		for _, steps := range Ways(r, v) {
			paths := LatticePaths(steps)
			if !minimal {
				paths.MulRange(1, int64(moving(steps)))
			}
			if ordered && !orders.All() {
				paths.SetInt64(min(saturate(paths), int64(len(orders.List()))))
			}
			sum.Add(sum, paths)
		}
		return saturate(sum.Mul(sum, big.NewInt(int64(t.LeeDistance(0, v)))))
	}
}

// pairSteps is PathSteps of all shortest paths without dimensions.
func pairSteps(t *core.Network) func(int) int64 {
	last, paths := -1, []int64(nil)
	return func(v int) int64 {
		from, to := v/t.N(), v%t.N()
		if from != last {
			last, paths = from, PathCounts(t, from)
		}
		return min(paths[to], 1<<40) * int64(t.LeeDistance(from, to))
	}
}

// PathCounts returns, by node, the number of shortest paths to it from one, 2^62 where there are more. Cost O(M).
func PathCounts(t *core.Network, from int) []int64 {
	paths, distance, order := make([]int64, t.N()), make([]int, t.N()), []int{from}
	paths[from], distance[from] = 1, 1
	for i := 0; i < len(order); i++ { // it grows, the nearest nodes first
		v := order[i]
		for l := range t.LinksFrom(v) {
			_, to := t.LinkEnds(l)
			if distance[to] == 0 {
				distance[to], order = distance[v]+1, append(order, to)
			}
			if distance[to] == distance[v]+1 {
				paths[to] = min(paths[to]+paths[v], 1<<62)
			}
		}
	}
	return paths
}

// FlowSteps returns, for a displacement as Apart gives it, the work that a flow takes: the volume of the box between
// the ends, or the segments between corners.
func FlowSteps(r routing.Routing) func(int) int64 {
	t := r.Torus()
	if !routing.Uniform(r) {
		return PathSteps(r)
	}
	_, minimal := r.(*routing.Minimal)
	_, turns := r.(*routing.Legs)
	minimal = minimal || turns
	if !t.HasDimensions() {
		return func(int) int64 { return int64(t.Links()) }
	}
	return func(v int) int64 {
		sum, ways := new(big.Int), Ways(r, v)
		if !minimal && !t.Twisted() {
			ways = ways[:1] // both of a tie at once
		}
		for _, steps := range ways {
			work := big.NewInt(int64(t.D()))
			for _, d := range steps {
				work.Mul(work, big.NewInt(int64(d+1)))
			}
			if !minimal {
				work.SetInt64(2 * int64(t.LeeDistance(0, v)))
				work.Lsh(work, uint(moving(steps)))
			}
			sum.Add(sum, work)
		}
		return saturate(sum)
	}
}

// saturate returns v, or a value above every limit here if v is large.
func saturate(v *big.Int) int64 {
	if v.BitLen() > 40 {
		return 1 << 40
	}
	return v.Int64()
}

// Ways returns the numbers of steps along the dimensions of each shortest way from node 0 to another that a routing
// takes, ways being alike that differ in the order of steps only: one, or two for every tie; on a twisted torus one for
// every shortest vector.
func Ways(r routing.Routing, v int) (list [][]int) {
	t, both := r.Torus(), r.Tie() == routing.TieBoth
	if t.Twisted() {
		list = t.Vectors(0, v, both)
		for _, steps := range list {
			for j, x := range steps {
				steps[j] = max(x, -x)
			}
		}
		return list
	}
	steps, ways := make([]int, t.D()), 1
	for j := range steps {
		c := t.Coord(v, j)
		if steps[j] = t.Distance(j, 0, c); c > 0 {
			ways *= len(t.Ways(j, 0, c, both))
		}
	}
	return slices.Repeat([][]int{steps}, ways)
}

// moving returns along how many dimensions there are steps.
func moving(steps []int) int {
	count := 0
	for _, d := range steps {
		if d > 0 {
			count++
		}
	}
	return count
}

// LatticePaths returns the number of ways to interleave the given steps: their multinomial coefficient, as a product of
// binomials.
func LatticePaths(steps []int) *big.Int {
	product, sum := big.NewInt(1), 0
	for _, s := range steps {
		sum += s
		product.Mul(product, new(big.Int).Binomial(int64(sum), int64(s)))
	}
	return product
}

// PairsCost returns the cost of a message from every node of one list to every node of another, or a number above a
// limit if the cost is above it. The cost of one message depends on the displacement, and is computed once for each.
func (m *Meter) PairsCost(t *core.Torus, from, to []int, limit int64, cost func(apart int) int64) int64 {
	m.Charge(8 * int64(t.N()))
	total, table := int64(0), make([]int64, t.N())
	for v := range table {
		table[v] = -1
	}
	for _, p := range from {
		m.Charge(int64(len(to)))
		for _, q := range to {
			v := Apart(t, p, q)
			if v == 0 {
				continue
			}
			at := v % t.N() // of a pair without dimensions the end: then it is asked for anew
			if table[at] < 0 || !t.HasDimensions() {
				m.Charge(16)
				table[at] = min(cost(v), limit+1)
			}
			if total += table[at]; total > limit {
				return total
			}
		}
	}
	return total
}
