package cluster

import (
	"context"

	"leeway/core"
	"leeway/objective"
	"leeway/search/census"
)

// How many nodes a claim may cost: so many times the evaluations of its unit, and at
// least so many. A claim that is made up costs no more.
const (
	nodesPerEvaluation = 16
	fewestClaimed      = 1 << 22
)

// mostDisproved is after how many wrong claims that nothing is better those of other
// processes are not looked at any more: to look costs a walk.
const mostDisproved = 16

// prove has all workers walk what a unit claims: that nothing is better than the best.
// It reports false, and the search goes on, if that does not come out.
func (h *hunt) prove(ctx context.Context, i *item) (done bool, err error) {
	best := h.row.best()
	if best.value.Cmp(i.found.value) < 0 {
		return false, h.disprove(ctx, i, best)
	}
	var engines []census.Engine
	for _, e := range h.looking.Engines {
		if e.Supports(h.params.Problem) == nil {
			engines = append(engines, e)
		}
	}
	h.log.Info("a unit saw that nothing is better: all walk", "below", best.value.RatString(), "unit", i.unit.ID(), "worker", i.worker)
	reply, err := census.Decide(ctx, census.Question{Problem: h.params.Problem, Below: best.value, Engines: engines, Workers: 1, Crew: h.Coordinator,
		Nodes: max(fewestClaimed, nodesPerEvaluation*i.unit.Search.Evaluations)})
	switch {
	case err != nil:
		return false, err
	case reply.Refutation != nil:
		h.refuted = reply.Refutation
		return true, nil
	case ctx.Err() != nil:
		return true, nil
	case reply.Found.Size() > 0:
		return false, h.disprove(ctx, i, h.evaluated(reply.Found))
	default:
		h.log.Warn("a claim takes too many nodes to be walked", "below", best.value.RatString(), "nodes", reply.Nodes)
		h.row.reject(i, h.params.Goal)
	}
	return false, nil
}

// disprove drops a claim, and all that its worker did before.
func (h *hunt) disprove(ctx context.Context, i *item, better finding) error {
	h.log.Error("worker is not trusted any more", "worker", i.worker, "claimed", i.found.value.RatString(), "but", better.value.RatString())
	h.ban(i.worker)
	h.disproved++
	if err := h.record(ctx, entry{Question: h.id, Void: i.worker, Better: better.nodes}); err != nil {
		return err
	}
	h.row.known = better
	h.row.void(i.worker, h.params.Goal)
	h.report(better)
	return nil
}

func (h *hunt) evaluated(s core.Placement) finding {
	value, _ := objective.Naive(h.params.Problem.Routing, s).Max()
	return finding{nodes: s.Nodes(), value: value, method: "census"}
}
