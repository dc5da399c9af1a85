package bound

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/linkname"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/lowerbound"
	"leeway/objective/simplex"
)

// Bounds under client traffic: every node sends a messages to every processor and gets b back. The first four hold
// under all routings by shortest paths, the last uses the loads under the one given.

// forClients returns the bounds with a closed form for every placement of a problem with client traffic.
func forClients(p objective.Problem) []lowerbound.Bound {
	c := clientBounds{p}
	best := c.mean(new(int))
	for j := 1; j < p.Torus().D(); j++ {
		if b := c.mean(&j); b.Value.Cmp(best.Value) > 0 {
			best = b
		}
	}
	return []lowerbound.Bound{c.degree(), c.mean(nil), best, c.slab()}
}

// ClientPlacementBounds returns the bounds for one placement under the traffic of a problem, which is client traffic,
// in a fixed order: those of all placements with these fixed nodes and no other, and of weights of links. They hold
// under every routing by shortest paths, but for the rounding. When the context ends the weights are the best so far.
func ClientPlacementBounds(ctx context.Context, p objective.Problem, s core.Placement) []lowerbound.Bound {
	p.Size, p.Fixed, p.Forbidden = s.Size(), s.Set(), nil
	list := append(forClients(p), congestionBound(ctx, s, p.Traffic))
	return append(list, granularity(p.Denominator(), Best(list)))
}

type clientBounds struct{ objective.Problem }

// cheapest returns the processors that cost least together: the fixed nodes and others that may have one.
func cheapest[T any](c clientBounds, costs []T, compare func(a, b T) int) []int {
	nodes := slices.DeleteFunc(core.Range(c.Torus().N()), func(v int) bool { return !c.MayHave(v) })
	slices.SortStableFunc(nodes, func(u, v int) int {
		switch {
		case c.MustHave(u) == c.MustHave(v):
			return compare(costs[u], costs[v])
		case c.MustHave(u):
			return -1
		}
		return 1
	})
	return nodes[:c.Size]
}

// degree: a processor gets a request of every other node and a reply of every other processor, and sends as many the
// other way. The witness is a processor with the least capacity where these are as large as they can be.
func (c clientBounds) degree() lowerbound.Bound {
	t := c.Torus()
	if c.Size == 0 || t.N() == 1 {
		return nothing(lowerbound.Degree)
	}
	capacities := make([]int, t.N())
	for v := range capacities {
		capacities[v] = t.CapacityAt(v)
	}
	worst := slices.MinFunc(cheapest(c, capacities, func(a, b int) int { return b - a }),
		func(u, v int) int { return capacities[u] - capacities[v] })
	b := degreeAt(t, c.Size, worst)
	most := max(c.sent(1, t.N()-1, c.Size-1, 1), c.sent(c.Size-1, 1, 1, t.N()-1))
	b.Value = new(big.Rat).SetFrac(big.NewInt(most), big.NewInt(int64(t.CapacityAt(worst))))
	return b
}

// sent returns how many messages go from some nodes to others: requests of nodes to processors and replies of
// processors to nodes.
func (c clientBounds) sent(processorsTo, nodesFrom, processorsFrom, nodesTo int) int64 {
	return int64(c.Traffic.Request)*int64(processorsTo)*int64(nodesFrom) +
		int64(c.Traffic.Reply)*int64(processorsFrom)*int64(nodesTo)
}

// mean: all messages together take as many links as clients are from processors, along a dimension or all.
func (c clientBounds) mean(dim *int) lowerbound.Bound {
	t := c.Torus()
	b := lowerbound.Bound{Name: lowerbound.Mean}
	if dim != nil {
		j := *dim
		b.Name, b.Witness.Dim = lowerbound.DimensionMean, &j
	}
	distances := make([]int64, t.N())
	for j := range t.D() {
		if dim != nil && *dim != j || dim == nil && !t.Separable() {
			continue
		}
		k := t.Slabs(j)
		along := make([]int64, k) // from all nodes, by slab
		for x := range along {
			for y := range along {
				apart := max(x-y, y-x)
				if !t.Open(j) {
					apart = core.CyclicDistance(x, y, k)
				}
				along[x] += int64(apart) * int64(t.N()/k)
			}
		}
		for v := range distances {
			distances[v] += along[t.Slab(v, j)]
		}
	}
	if dim == nil && !t.Separable() {
		for v := range distances {
			if distances[v] = distances[0]; v == 0 || !t.HasDimensions() { // else the same from every node
				distances[v] = fast.Distances(t, v)
			}
		}
	}
	total := new(big.Int)
	for _, v := range cheapest(c, distances, cmp.Compare) {
		total.Add(total, big.NewInt(distances[v]))
	}
	total.Mul(total, big.NewInt(int64(c.Traffic.Request+c.Traffic.Reply)))
	links, capacity := 0, int64(0)
	for l := range t.EachLink() {
		if _, port := t.LinkFrom(l); dim == nil || *dim == port.Dim {
			links++
			capacity += int64(t.LinkBandwidth(l))
		}
	}
	b.Value = ratio(total, capacity)
	b.Witness.Distance = total.String()
	shareOf(t, &b.Witness, links, capacity)
	return b
}

// slab: what neighbouring slabs and the others send each other crosses one or two cuts. Of both directions the one that
// carries more counts; the number of processors in the slabs is the one that is best of those there can be.
func (c clientBounds) slab() lowerbound.Bound {
	t, best := c.Torus(), nothing(lowerbound.Slab)
	from, length := 0, 0 // of the best
	for j := range t.D() {
		k := t.Slabs(j)
		must, may := make([]int, k), make([]int, k)
		for v := range t.N() {
			if c.MustHave(v) {
				must[t.Slab(v, j)]++
			}
			if c.MayHave(v) {
				may[t.Slab(v, j)]++
			}
		}
		allMust, allMay := sum(must), sum(may)
		for start := range k {
			mustIn, mayIn := 0, 0
			for l := 1; l < k && (!t.Open(j) || start+l <= k); l++ {
				mustIn, mayIn = mustIn+must[(start+l-1)%k], mayIn+may[(start+l-1)%k]
				cuts := 2
				if t.Open(j) && (start == 0 || start+l == k) || !t.BothWays(j) {
					cuts = 1
				}
				low, high := max(mustIn, c.Size-(allMay-mayIn)), min(mayIn, c.Size-(allMust-mustIn))
				links := cuts * t.N() / k
				capacity := int64(links) * int64(t.Bandwidth(j))
				value := big.NewRat(c.crossing(l*t.N()/k, low, high), capacity)
				if value.Cmp(best.Value) > 0 {
					best.Value, best.Witness.Dim, from, length = value, &j, start, l
					shareOf(t, &best.Witness, links, capacity)
				}
			}
		}
	}
	if best.Witness.Dim != nil {
		j := *best.Witness.Dim
		for v := range t.N() {
			if core.Mod(t.Slab(v, j)-from, t.Slabs(j)) < length {
				best.Witness.Set = append(best.Witness.Set, t.Coords(v))
			}
		}
	}
	return best
}

func sum(list []int) (total int) {
	for _, v := range list {
		total += v
	}
	return total
}

// crossing returns the least, over numbers of processors between low and high among some nodes, of the larger of what
// leaves these nodes and what enters them. Both are linear, so that the least is at an end or where they meet.
func (c clientBounds) crossing(inside, low, high int) int64 {
	outside := c.Torus().N() - inside
	larger := func(in int) int64 {
		return max(c.sent(c.Size-in, inside, in, outside), c.sent(in, outside, c.Size-in, inside))
	}
	tilt := func(in int) int64 {
		return c.sent(c.Size-in, inside, in, outside) - c.sent(in, outside, c.Size-in, inside)
	}
	least := min(larger(low), larger(high))
	if a, b := tilt(low), tilt(high); a != b {
		at := low + int(float64(a)/float64(a-b)*float64(high-low))
		for in := max(low, at-1); in <= min(high, at+2); in++ {
			least = min(least, larger(in))
		}
	}
	return least
}

// Limits of the networks whose linear program is solved, so that it stays within seconds, and of its pivots.
const (
	maxDualNodes  = 256
	maxDualPivots = 3000
)

// dual: weights of links. The links together carry weight times load of at most E_max times all weight, and each
// processor brings its own part of that: so E_max is at least the sum of the n smallest of these. The best weights are
// the dual solution of the linear program that places parts of processors; here it is solved in floating point, and the
// weights rounded, which lowers the bound by less than the unit of loads. It is 0 on larger networks, and where loads
// pass an int64.
func (c clientBounds) dual() lowerbound.Bound {
	t := c.Torus()
	if t.N() > maxDualNodes || c.Size == 0 {
		return nothing(lowerbound.Dual)
	}
	loads, err := fast.NewNodeLoads(c.Problem, nil)
	if err != nil {
		return nothing(lowerbound.Dual)
	}
	rows := make([][]int64, t.N())
	for v := range rows {
		rows[v] = slices.Clone(loads.Row(v, make([]int64, t.M())))
	}
	b := lowerbound.Bound{Name: lowerbound.Dual, Value: new(big.Rat)}
	weights := c.weights(rows)
	total := new(big.Int)
	for l, w := range weights {
		if w == 0 {
			continue
		}
		total.Add(total, big.NewInt(w*int64(t.LinkBandwidth(core.Link(l)))))
		b.Witness.Weights = append(b.Witness.Weights, lowerbound.LinkWeight{Name: linkname.New(t, core.Link(l)),
			Weight: fmt.Sprint(w)})
	}
	if total.Sign() == 0 {
		return nothing(lowerbound.Dual)
	}
	costs := make([]*big.Int, t.N())
	for v := range costs {
		costs[v] = new(big.Int)
		for l, w := range weights {
			if w > 0 && rows[v][l] > 0 {
				part := big.NewInt(rows[v][l])
				costs[v].Add(costs[v], part.Mul(part, big.NewInt(w*int64(t.LinkBandwidth(core.Link(l))))))
			}
		}
	}
	sum := new(big.Int)
	for _, v := range cheapest(c, costs, (*big.Int).Cmp) {
		sum.Add(sum, costs[v])
	}
	b.Value.SetFrac(sum, total.Mul(total, big.NewInt(loads.Den())))
	return b
}

// dualUnit is what the largest weight is rounded to a multiple of.
const dualUnit = 1 << 20

// weights solves the linear program
//
//	maximise (n - fixed) lambda - sum of mu_v + sum over l of y_l (load of the fixed nodes on l)
//	with lambda - mu_v <= sum over l of y_l (load of v on l) for each v that may be chosen, sum of y <= 1, all >= 0
//
// by the primal simplex method, from 0, and returns the y over bandwidths in whole numbers. The right hand sides that
// are 0 are moved a little, so that every pivot is a step.
func (c clientBounds) weights(rows [][]int64) []int64 {
	t := c.Torus()
	var links, nodes []int
	peak := int64(1)
	for l := range t.M() {
		any := false
		for v := range rows {
			any = any || rows[v][l] > 0
			peak = max(peak, rows[v][l])
		}
		if any {
			links = append(links, l)
		}
	}
	gain := make([]float64, len(links))
	left := c.Size
	for v := range rows {
		switch {
		case c.MustHave(v):
			left--
			for i, l := range links {
				gain[i] += float64(rows[v][l]) / float64(peak)
			}
		case c.MayHave(v):
			nodes = append(nodes, v)
		}
	}
	columns := len(links) + len(nodes) + 1
	s := simplex.New(len(nodes)+1, columns)
	for i, v := range nodes {
		for j, l := range links {
			s.Set(i, j, -float64(rows[v][l])/float64(peak))
		}
		s.Set(i, len(links)+i, -1)
		s.Set(i, columns-1, 1)
		s.Right(i, 1e-7*float64(1+i%97)/97)
		s.Gain(len(links)+i, -1)
	}
	for j := range links {
		s.Set(len(nodes), j, 1)
		s.Gain(j, gain[j])
	}
	s.Right(len(nodes), 1)
	s.Gain(columns-1, float64(left))
	y, _ := s.Run(maxDualPivots)
	most := 0.0
	for j, l := range links {
		y[j] /= float64(t.LinkBandwidth(core.Link(l)))
		most = max(most, y[j])
	}
	weights := make([]int64, t.M())
	for j, l := range links {
		if most > 0 {
			weights[l] = int64(math.Round(y[j] / most * dualUnit))
		}
	}
	return weights
}
