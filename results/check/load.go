package check

import (
	"fmt"
	"math"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
)

// Limits of what is recomputed, besides the steps of a check.
const (
	maxPairs = 1 << 27
	maxPaths = 2_000_000_000 // links of listed paths, where flows are shorter
)

// What a path of one link more takes, listed twice, and what a flow takes for each of its links.
const (
	pathLinkSteps = 5
	flowLinkSteps = 20
)

// maxLoad returns E_max of p under r, and a note if it was not found by listing paths: where these are too many for the
// steps left and flows are shorter, those are added up instead. It refuses, with a *results.ReadError that names the
// limit, too large a torus, and with the error of routing.Covers a table that misses a pair.
func maxLoad(m *meter.Meter, r routing.Routing, p core.Placement) (*big.Rat, string, error) {
	t := r.Torus()
	tooLarge := func(what string, limit int) error {
		return &results.ReadError{Problem: fmt.Sprintf("too large to be recomputed: more than %d %s", limit, what)}
	}
	if t.M() > meter.MaxLinks {
		return nil, "", tooLarge("links", meter.MaxLinks)
	}
	if n := p.Size(); n > 0 && n > maxPairs/n {
		return nil, "", tooLarge("ordered pairs of processors", maxPairs)
	}
	m.ChargeAll(p.Size(), p.Size())
	if err := routing.Covers(r, p); err != nil {
		return nil, "", err
	}
	_, isTable := r.(*routing.Table)
	within := min(m.Left()/pathLinkSteps, maxPaths)
	paths := pairSteps(m, p, math.MaxInt64/2, meter.PathSteps(r))
	if paths > within && !isTable && !r.DependsOnPlacement() {
		cost := meter.FlowSteps(r)
		if pairSteps(m, p, m.Left()/flowLinkSteps, cost) <= m.Left()/flowLinkSteps {
			most, err := flowLoad(m, r, p, cost)
			return most, "the paths are too many to list, so max_load was recomputed from the flows of the pairs", err
		}
	}
	if paths > m.Left()/pathLinkSteps { // before any is listed: the first pair may have all of them
		m.Charge(m.Left() + 1)
	}
	loads, err := objective.Problem{Routing: r}.NaiveWithin(func(links int64) error { return m.Spend(1 + 2*links) }, p)
	if err != nil {
		m.End(err)
	}
	most, _ := loads.Max()
	return most, "", nil
}

// flowLoad returns E_max from the flows of the pairs, given the cost of each.
func flowLoad(m *meter.Meter, r routing.Routing, p core.Placement,
	cost func(displacement int) int64) (*big.Rat, error) {
	m.ChargeAll(64, r.Torus().M())
	m.Charge(flowLinkSteps * pairSteps(m, p, math.MaxInt64/flowLinkSteps-1, cost))
	loads, err := objective.Problem{Routing: r}.PairwiseWithin(func() error { return m.Spend(meter.Grain) }, p)
	if err != nil {
		m.End(err)
	}
	most, _ := loads.Max()
	return most, nil
}

// pairSteps returns the cost of all ordered pairs, more than a limit if it is more. The cost of a pair depends on how
// its ends lie apart and is looked up once for each way.
func pairSteps(m *meter.Meter, p core.Placement, limit int64, cost func(displacement int) int64) int64 {
	t := p.Torus()
	m.Charge(8 * int64(t.N()))
	table := make([]int64, t.N())
	for v := range table {
		table[v] = -1
	}
	nodes := p.Nodes()
	total := int64(0)
	for _, from := range nodes {
		m.Charge(int64(len(nodes)))
		for _, to := range nodes {
			v := meter.Apart(t, from, to)
			if v == 0 {
				continue
			}
			if table[v] < 0 {
				m.Charge(16)
				table[v] = min(cost(v), limit+1)
			}
			if total += table[v]; total > limit {
				return total
			}
		}
	}
	return total
}
