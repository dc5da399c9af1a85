package check

import (
	"fmt"
	"math"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
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

// MaxLoad returns E_max of p under routing and traffic of a problem, and a note if it was not found by listing paths:
// where these are too many for the steps left and flows are shorter, those are added up instead. It refuses, with a
// *meter.LimitError, too large a torus, and with the error of routing.Covers a table that misses
// a pair.
func MaxLoad(m *meter.Meter, q objective.Problem, p core.Placement) (*big.Rat, string, error) {
	r, t := q.Routing, q.Torus()
	tooLarge := func(what string, limit int) error {
		return &meter.LimitError{What: fmt.Sprintf("%d %s", limit, what)}
	}
	if t.M() > meter.MaxLinks {
		return nil, "", tooLarge("links", meter.MaxLinks)
	}
	ends := ends(q, p)
	switch n := p.Size(); {
	case n > 0 && q.Traffic.Clients() && t.N() > maxPairs/n:
		return nil, "", tooLarge("pairs of a client and a processor", maxPairs)
	case n > 0 && n > maxPairs/n:
		return nil, "", tooLarge("ordered pairs of processors", maxPairs)
	}
	m.ChargeAll(p.Size(), p.Size())
	if err := routing.Covers(r, p); err != nil {
		return nil, "", err
	}
	within := min(m.Left()/pathLinkSteps, maxPaths)
	paths := ends.steps(m, math.MaxInt64/8, meter.PathSteps)
	if paths > within && !routing.Tabled(r) && !r.DependsOnPlacement() {
		if ends.steps(m, m.Left()/flowLinkSteps, meter.FlowSteps) <= m.Left()/flowLinkSteps {
			most, err := flowLoad(m, q, p, ends)
			return most, "the paths are too many to list, so max_load was recomputed from the flows of the pairs", err
		}
	}
	m.Need(pathLinkSteps * paths) // before any is listed: the first pair may have all of them
	return m.MaxLoad(q, p), "", nil
}

// flowLoad returns E_max from the flows of all messages.
func flowLoad(m *meter.Meter, q objective.Problem, p core.Placement, ends messages) (*big.Rat, error) {
	m.ChargeAll(64, q.Torus().M())
	m.Charge(flowLinkSteps * ends.steps(m, math.MaxInt64/flowLinkSteps/8, meter.FlowSteps))
	loads, err := q.Pairwise(p, nil, func() error { return m.Spend(meter.Grain) })
	if err != nil {
		m.End(err)
	}
	most, _ := loads.Max()
	return most, nil
}

// messages are what is sent, for estimates: by each routing from all nodes of one list to all of another.
type messages []struct {
	routing  routing.Routing
	from, to []int
}

// ends returns who sends to whom.
func ends(q objective.Problem, p core.Placement) messages {
	nodes := p.Nodes()
	if !q.Traffic.Clients() {
		return messages{{q.Routing, nodes, nodes}}
	}
	var list messages
	all := core.Range(q.Torus().N())
	if q.Traffic.Request > 0 {
		list = append(list, messages{{q.Routing, all, nodes}}...)
	}
	if q.Traffic.Reply > 0 {
		list = append(list, messages{{q.ReplyRouting(), nodes, all}}...)
	}
	return list
}

// steps returns the cost of all messages, more than a limit if it is more.
func (list messages) steps(m *meter.Meter, limit int64, costOf func(routing.Routing) func(apart int) int64) int64 {
	total := int64(0)
	for _, kind := range list {
		if total <= limit {
			total += m.PairsCost(kind.routing.Torus(), kind.from, kind.to, limit-total, costOf(kind.routing))
		}
	}
	return total
}
