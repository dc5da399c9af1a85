package audit

import (
	"leeway/objective/exchange"
	"leeway/results"
	checker "leeway/results/check"
)

// judged returns the checker's verdict about a schedule of the library. The checker
// shares no code with what made the schedule.
func judged(s exchange.Schedule) checker.ExchangeVerdict {
	head := results.Schedule{Name: s.Name, Model: results.StoreAndForward, Participants: s.Participants}
	if s.Model == exchange.Wormhole {
		head.Model = results.Wormhole
	}
	for i, side := range s.Sides {
		axis := results.ScheduleAxis{Kind: results.AxisRing, Nodes: side}
		if s.Network != nil {
			f := s.Network.Factors()[i]
			axis.Kind = string(f.Kind)
			for _, e := range f.Edges {
				axis.Edges = append(axis.Edges, e[:])
			}
		}
		head.Axes = append(head.Axes, axis)
	}
	return checker.Exchange(head, phasesOf(s))
}

// phasesOf returns the phases of a schedule as those of a file.
func phasesOf(s exchange.Schedule) results.Phases {
	return func(yield func(results.SchedulePhase, error) bool) {
		for phase := range s.Phases {
			out := make(results.SchedulePhase, len(phase))
			for i, send := range phase {
				blocks := make([]results.ScheduleBlock, len(send.Blocks))
				for j, b := range send.Blocks {
					blocks[j] = results.ScheduleBlock(b)
				}
				out[i] = results.ScheduleSend{From: send.From, To: send.To, Axis: send.Axis, Dir: send.Dir, Blocks: blocks}
			}
			if !yield(out, nil) {
				return
			}
		}
	}
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
