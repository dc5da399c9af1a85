// Package schedules says the schedules of complete exchange that objective/exchange makes
// in the words of schedule files, as the checker reads them and results writes them.
//
//	check.Exchange(schedules.Head(s), schedules.Phases(ctx, s))
package schedules

import (
	"context"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/results"
)

// Head returns what a file says about a schedule before its phases.
func Head(s exchange.Schedule) results.Schedule {
	head := results.Schedule{Name: s.Name, Model: modelName(s.Model), Participants: s.Participants}
	for i, side := range s.Sides {
		axis := results.ScheduleAxis{Kind: results.AxisRing, Nodes: side}
		if s.Network != nil {
			f := s.Network.Factors()[i].Plain()
			axis.Kind = string(f.Kind)
			for _, e := range f.Edges {
				axis.Edges = append(axis.Edges, e[:])
			}
		}
		head.Axes = append(head.Axes, axis)
	}
	return head
}

// Direct returns a packing as the phases of a file, with sends that turn.
func Direct(k exchange.Packing) results.Phases {
	return func(yield func(results.SchedulePhase, error) bool) {
		for _, sends := range k.Phases {
			var out results.SchedulePhase
			for _, s := range sends {
				out = append(out, results.ScheduleSend{From: s.From, To: s.To, Axis: -1, Path: legsOf(k.Torus, s.Path),
					Blocks: []results.ScheduleBlock{{From: s.From, To: s.To}}})
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

// legsOf joins the links of a path that go straight on.
func legsOf(t *core.Torus, path []core.Link) []results.ScheduleLeg {
	legs := []results.ScheduleLeg{}
	for _, l := range path {
		_, port := t.LinkFrom(l)
		by := int32(port.Dir)
		if n := len(legs); n > 0 && legs[n-1].Axis == int32(port.Dim) && (legs[n-1].Links > 0) == (by > 0) {
			legs[n-1].Links += by
		} else {
			legs = append(legs, results.ScheduleLeg{Axis: int32(port.Dim), Links: by})
		}
	}
	return legs
}

func modelName(m exchange.Model) string {
	if m == exchange.Wormhole {
		return results.Wormhole
	}
	return results.StoreAndForward
}

// Phases returns the phases of a schedule as those of a file. A phase may be used until
// the next is asked for. They end with the error of the context when that ends.
func Phases(ctx context.Context, s exchange.Schedule) results.Phases {
	return func(yield func(results.SchedulePhase, error) bool) {
		var store results.SchedulePhase // keeps what the blocks of a send take
		for phase := range s.Phases {
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			for len(store) < len(phase) {
				store = append(store, results.ScheduleSend{})
			}
			out := store[:len(phase)]
			for i := range phase {
				send, to := &phase[i], &out[i]
				to.From, to.To, to.Axis, to.Dir, to.Blocks = send.From, send.To, send.Axis, send.Dir, to.Blocks[:0]
				for _, b := range send.Blocks {
					to.Blocks = append(to.Blocks, results.ScheduleBlock(b))
				}
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}
