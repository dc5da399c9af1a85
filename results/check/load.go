package check

import (
	"fmt"
	"math"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
)

// Limits of what is recomputed, besides the steps of a check.
const (
	maxLinks = 1 << 21
	maxPairs = 1 << 27
	maxPaths = 2_000_000_000 // links of listed paths, where flows are shorter
)

// What a path of one link more takes, listed twice, and what a flow takes for each of its links.
const (
	pathLinkSteps = 5
	flowLinkSteps = 20
)

// maxLoad returns E_max of p under r, and a note if it was not found by listing
// paths: where these are too many for the steps left and flows are shorter, those are
// added up instead. It refuses, with a *results.ReadError that names the limit, too large
// a torus, and with the error of routing.Covers a table that misses a pair.
func maxLoad(m *meter, r routing.Routing, p core.Placement) (*big.Rat, string, error) {
	t := r.Torus()
	tooLarge := func(what string, limit int) error {
		return &results.ReadError{Problem: fmt.Sprintf("too large to be recomputed: more than %d %s", limit, what)}
	}
	if t.M() > maxLinks {
		return nil, "", tooLarge("links", maxLinks)
	}
	if n := p.Size(); n > 0 && n > maxPairs/n {
		return nil, "", tooLarge("ordered pairs of processors", maxPairs)
	}
	m.chargeAll(p.Size(), p.Size())
	if err := routing.Covers(r, p); err != nil {
		return nil, "", err
	}
	_, isTable := r.(*routing.Table)
	within := min(m.left()/pathLinkSteps, maxPaths)
	paths := m.pairSteps(p, math.MaxInt64/2, pathSteps(r))
	if paths > within && !isTable && !r.DependsOnPlacement() {
		cost := flowSteps(r)
		if m.pairSteps(p, m.left()/flowLinkSteps, cost) <= m.left()/flowLinkSteps {
			most, err := m.flowLoad(r, p, cost)
			return most, "the paths are too many to list, so max_load was recomputed from the flows of the pairs", err
		}
	}
	if paths > m.left()/pathLinkSteps { // before any is listed: the first pair may have all of them
		m.charge(m.left() + 1)
	}
	loads, err := objective.NaiveWithin(func(links int64) error { return m.spend(1 + 2*links) }, r, p)
	if err != nil {
		panic(halt{err})
	}
	most, _ := loads.Max()
	return most, "", nil
}

// flowLoad returns E_max from the flows of the pairs, given the cost of each.
func (m *meter) flowLoad(r routing.Routing, p core.Placement, cost func(displacement int) int64) (*big.Rat, error) {
	m.chargeAll(64, r.Torus().M())
	m.charge(flowLinkSteps * m.pairSteps(p, math.MaxInt64/flowLinkSteps-1, cost))
	loads, err := objective.PairwiseWithin(func() error { return m.spend(m.budget.grain) }, r, p)
	if err != nil {
		panic(halt{err})
	}
	most, _ := loads.Max()
	return most, nil
}

// pairSteps returns the cost of all ordered pairs, more than a limit if it is more. The
// cost of a pair depends on its displacement and is looked up once for each.
func (m *meter) pairSteps(p core.Placement, limit int64, cost func(displacement int) int64) int64 {
	t := p.Torus()
	m.charge(8 * int64(t.N()))
	table := make([]int64, t.N())
	for v := range table {
		table[v] = -1
	}
	nodes := p.Nodes()
	total := int64(0)
	for _, from := range nodes {
		m.charge(int64(len(nodes)))
		for _, to := range nodes {
			v := t.Displacement(from, to)
			if v == 0 {
				continue
			}
			if table[v] < 0 {
				m.charge(16)
				table[v] = min(cost(v), limit+1)
			}
			if total += table[v]; total > limit {
				return total
			}
		}
	}
	return total
}

// pathSteps returns, for a displacement, an upper estimate of the number of its
// paths times their length.
func pathSteps(r routing.Routing) func(int) int64 {
	t := r.Torus()
	if table, ok := r.(*routing.Table); ok {
		return func(v int) int64 { return int64(table.MostPaths()) * int64(t.LeeDistance(0, v)) }
	}
	return func(v int) int64 {
		paths := new(big.Int)
		if _, ok := r.(*routing.Minimal); ok {
			paths.Set(latticePaths(distances(t, v)))
		} else {
			paths.MulRange(1, int64(differing(t, v)))
			if orders, ok := r.(*routing.Orders); ok && !orders.All() {
				paths.SetInt64(min(saturate(paths), int64(len(orders.List()))))
			}
		}
		paths.Mul(paths, big.NewInt(int64(t.LeeDistance(0, v))))
		return saturate(paths.Lsh(paths, uint(ties(r, v))))
	}
}

// flowSteps returns, for a displacement, the work that a flow takes: the volume
// of the box between the ends, or the segments between corners.
func flowSteps(r routing.Routing) func(int) int64 {
	t := r.Torus()
	return func(v int) int64 {
		work := big.NewInt(int64(t.D()))
		if _, ok := r.(*routing.Minimal); ok {
			for _, d := range distances(t, v) {
				work.Mul(work, big.NewInt(int64(d+1)))
			}
			return saturate(work.Lsh(work, uint(ties(r, v))))
		}
		work.SetInt64(2 * int64(t.LeeDistance(0, v)))
		return saturate(work.Lsh(work, uint(differing(t, v))))
	}
}

// saturate returns v, or a value above every limit here if v is large.
func saturate(v *big.Int) int64 {
	if v.BitLen() > 40 {
		return 1 << 40
	}
	return v.Int64()
}

// distances returns the cyclic distance of every coordinate of a displacement.
func distances(t *core.Torus, v int) []int {
	list := make([]int, t.D())
	for j := range list {
		list[j] = core.CyclicDistance(0, t.Coord(v, j), t.Side(j))
	}
	return list
}

// differing returns in how many dimensions a displacement is not 0.
func differing(t *core.Torus, v int) int {
	count := 0
	for _, d := range distances(t, v) {
		if d > 0 {
			count++
		}
	}
	return count
}

// ties returns in how many dimensions of a displacement both ways are taken.
func ties(r routing.Routing, v int) int {
	count := 0
	for j, d := range distances(r.Torus(), v) {
		if k := r.Torus().Side(j); r.Tie() == routing.TieBoth && k > 2 && 2*d == k {
			count++
		}
	}
	return count
}

// latticePaths returns the number of ways to interleave the given steps: their
// multinomial coefficient, as a product of binomials.
func latticePaths(steps []int) *big.Int {
	product, sum := big.NewInt(1), 0
	for _, s := range steps {
		sum += s
		product.Mul(product, new(big.Int).Binomial(int64(sum), int64(s)))
	}
	return product
}
