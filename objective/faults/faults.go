// Package faults computes the effects of single link failures and the diversity of paths.
package faults

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// A Report says what single faults do to a placement and how many allowed paths
// its pairs have. Without pairs all its numbers are 0.
type Report struct {
	// Pairs is the number of ordered pairs of processors, under client traffic of pairs of a client and a processor, of a
	// matrix that of demands between tasks on different nodes.
	Pairs int
	// Faults is the number of links whose failure was looked at: all of the
	// torus, or fewer when the context ended; then the worst may be worse.
	Faults int
	// MaxLoad is E_max without a fault.
	MaxLoad *big.Rat
	// DisconnectedPairs is the most of these pairs that one fault leaves without an allowed path, for the request or for
	// the reply; CutLink is the first link that does so, if any pair is lost.
	DisconnectedPairs int
	CutLink           core.Link
	// CriticalLinks is the number of links whose fault disconnects some pair.
	CriticalLinks int
	// MaxLoadAfterFault is the largest load that any link has after any fault,
	// and LoadLink the first link whose fault causes it. It can be below MaxLoad
	// only if disconnected pairs take their traffic away.
	MaxLoadAfterFault *big.Rat
	LoadLink          core.Link
	Diversity
}

// Analyze returns the report of placement p under routing and traffic of a problem over the faults of all
// directed links, or of those that it came to before the context ended. Who loses the way of a request or that of its
// reply sends neither. It fails with an *core.InputError when the routing misses a pair of p, or when the allowed paths
// together have more than 20 million links.
//
// Cost: listing the paths once, and for every link again those of the pairs that
// use it: O(S^2/M) for S links on all paths when they spread evenly.
func Analyze(ctx context.Context, q objective.Problem, p core.Placement) (Report, error) {
	flows, err := listFlows(q, p)
	if err != nil {
		return Report{}, err
	}
	r := q.Routing
	t := newTraffic(r.Torus(), flows, q.Traffic.Unit())
	report := Report{Pairs: len(flows), Diversity: diversityOf(flows), MaxLoadAfterFault: new(big.Rat)}
	if both(q) {
		report.Pairs /= 2
	}
	most := new(big.Int)
	for l, users := range usersOf(r.Torus().M(), flows) {
		if ctx.Err() != nil {
			break
		}
		if !r.Torus().HasLink(core.Link(l)) {
			continue
		}
		report.Faults++
		lost, load := t.fail(core.Link(l), flows, users)
		if lost > 0 {
			report.CriticalLinks++
		}
		if lost > report.DisconnectedPairs {
			report.DisconnectedPairs, report.CutLink = lost, core.Link(l)
		}
		if load.Cmp(most) > 0 {
			most, report.LoadLink = load, core.Link(l)
		}
	}
	report.MaxLoad = t.rat(t.base.most())
	report.MaxLoadAfterFault = t.rat(most)
	return report, nil
}

// usersOf lists, for every link, the flows with a path through it, ascending.
func usersOf(links int, flows []flow) [][]int32 {
	users := make([][]int32, links)
	for i, p := range flows {
		for _, path := range p.paths {
			for _, l := range path {
				if have := users[l]; len(have) == 0 || have[len(have)-1] != int32(i) {
					users[l] = append(have, int32(i))
				}
			}
		}
	}
	return users
}

// maxSteps is the most links that the allowed paths of all flows may have
// together: they are kept in memory, four bytes each.
const maxSteps = 20_000_000

// A flow is a message with its allowed paths.
type flow struct {
	objective.Message
	paths [][]int32 // links in order
	other int       // the reply of a request, the request of a reply, or none
}

// none stands for the missing flow where there is one flow only.
const none = -1

// both reports whether flows go in couples, a request and its reply.
func both(q objective.Problem) bool { return q.Traffic.Request > 0 && q.Traffic.Reply > 0 }

// cut reports whether all paths use a link.
func (p flow) cut(l int32) bool { return p.pathsThrough(l) == len(p.paths) }

// pathsThrough counts the paths of the flow that use a link.
func (p flow) pathsThrough(l int32) int {
	n := 0
	for _, path := range p.paths {
		if uses(path, l) {
			n++
		}
	}
	return n
}

func uses(path []int32, l int32) bool {
	for _, have := range path {
		if have == l {
			return true
		}
	}
	return false
}

// listFlows lists the allowed paths of all messages, a reply after its request.
func listFlows(q objective.Problem, p core.Placement) ([]flow, error) {
	if q.Traffic.ToAll() {
		if err := routing.Covers(q.Routing, p); err != nil {
			return nil, err
		}
	}
	for _, r := range []routing.Routing{q.Routing, q.ReplyRouting()} {
		if !routing.Uniform(r) {
			return nil, core.Invalid(r.String(), "its paths are not taken equally often, and what is left "+
				"of them after a fault is not defined").Hinted("take a routing by shortest paths, as udr or minimal")
		}
	}
	processors, steps := p.Set(), 0
	var flows []flow
	for m := range q.Messages(p) {
		next := flow{Message: m, other: none}
		if both(q) {
			next.other = len(flows) ^ 1
		}
		for links := range m.Routing.Paths(m.From, m.To, processors) {
			if steps += len(links); steps > maxSteps {
				return nil, core.Invalid(m.Routing.String(),
					"the allowed paths of %d processors on torus %s have more than %d links together",
					p.Size(), p.Torus(), maxSteps).Hinted("take a smaller torus, fewer processors, or a routing with fewer paths")
			}
			path := make([]int32, len(links))
			for i, l := range links {
				path[i] = int32(l)
			}
			next.paths = append(next.paths, path)
		}
		flows = append(flows, next)
	}
	return flows, nil
}
