package audit

import (
	"context"

	"leeway/objective/exchange"
	checker "leeway/results/check"
	"leeway/results/schedules"
)

// judged returns the checker's verdict about a schedule of the library. The checker
// shares no code with what made the schedule.
func judged(s exchange.Schedule) checker.ExchangeVerdict {
	return checker.Exchange(s.Head, schedules.Until(context.Background(), s.Phases))
}

// A hop moves the block of one pair of nodes to a neighbour.
type hop struct{ from, to, source, target int }

// steps is a schedule of store and forward: the hops of each step.
type steps [][]hop

// judge returns the checker's verdict about steps on a product of graphs.
func (s steps) judge(factors ...graph) checker.ExchangeVerdict {
	head := exchange.Head{Name: "audit", Model: exchange.StoreAndForward}
	for _, g := range factors {
		axis := exchange.Axis{Kind: exchange.Graph, Nodes: g.n, Edges: [][]int{}}
		for _, e := range g.edges {
			axis.Edges = append(axis.Edges, e[:])
		}
		head.Axes = append(head.Axes, axis)
	}
	return checker.Exchange(head, func(yield func(exchange.Phase, error) bool) {
		for _, hops := range s {
			var phase exchange.Phase
			for _, h := range hops {
				phase = append(phase, exchange.Send{From: int32(h.from), To: int32(h.to), Axis: -1,
					Blocks: []exchange.Block{{From: int32(h.source), To: int32(h.target)}}})
			}
			if !yield(phase, nil) {
				return
			}
		}
	})
}
