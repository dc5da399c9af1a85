package audit

import (
	"context"

	"leeway/objective/exchange"
	"leeway/results"
	checker "leeway/results/check"
	"leeway/results/schedules"
)

// judged returns the checker's verdict about a schedule of the library. The checker
// shares no code with what made the schedule.
func judged(s exchange.Schedule) checker.ExchangeVerdict {
	return checker.Exchange(schedules.Head(s), schedules.Phases(context.Background(), s))
}

// A hop moves the block of one pair of nodes to a neighbour.
type hop struct{ from, to, source, target int }

// steps is a schedule of store and forward: the hops of each step.
type steps [][]hop

// judge returns the checker's verdict about steps on a product of graphs.
func (s steps) judge(factors ...graph) checker.ExchangeVerdict {
	head := results.Schedule{Name: "audit", Model: results.StoreAndForward}
	for _, g := range factors {
		axis := results.ScheduleAxis{Kind: results.AxisGraph, Nodes: g.n, Edges: [][]int{}}
		for _, e := range g.edges {
			axis.Edges = append(axis.Edges, e[:])
		}
		head.Axes = append(head.Axes, axis)
	}
	return checker.Exchange(head, func(yield func(results.SchedulePhase, error) bool) {
		for _, hops := range s {
			var phase results.SchedulePhase
			for _, h := range hops {
				phase = append(phase, results.ScheduleSend{From: int32(h.from), To: int32(h.to), Axis: -1,
					Blocks: []results.ScheduleBlock{{From: int32(h.source), To: int32(h.target)}}})
			}
			if !yield(phase, nil) {
				return
			}
		}
	})
}
