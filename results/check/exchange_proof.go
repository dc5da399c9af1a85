package check

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"slices"

	"leeway/encode/timetable"
	"leeway/results"
)

// NoFewerSteps says why the proof of a schedule does not show that no complete exchange
// of its processors by store and forward has fewer steps than it says, "" if it does. The
// folder is where a file lies that the proof names. Everything is derived from the head:
// bounds again, and the formula that a solver refuted. Cost: that of the proof.
func NoFewerSteps(ctx context.Context, folder string, head results.Schedule) string {
	p := head.Proof
	net, err := newNetwork(head)
	switch {
	case p == nil:
		return "there is none"
	case err != nil:
		return err.Error()
	case head.Model != results.StoreAndForward:
		return "it is about steps of store and forward, the schedule is by " + head.Model
	}
	switch p.Kind {
	case results.ProofBound:
		return stepBoundProblem(net, head)
	case results.ProofUnsat:
		if p.Below < 1 {
			return fmt.Sprintf("it is about fewer than %d steps", p.Below)
		}
		return fileProblem(ctx, folder, p.File, p.SHA256, func(proof io.Reader) (Refutation, error) {
			formula, err := timetable.New(timetable.Question{Neighbours: net.links(), Participants: net.processors, Steps: p.Below - 1})
			if err != nil {
				return Refutation{}, err
			}
			return Refute(ctx, formula, p.Format, proof)
		})
	}
	return fmt.Sprintf("its kind %q is unknown", p.Kind)
}

// stepsProblem says why a schedule is not shown to be optimal by its proof, "" if it is.
// The phases of a wrong one were not all read, so that the proof stands for itself.
func stepsProblem(ctx context.Context, folder string, head results.Schedule, e ExchangeVerdict) string {
	if e.Verdict == Valid && head.Proof.Below != e.Phases {
		return fmt.Sprintf("it is about fewer than %d steps, the schedule has %d", head.Proof.Below, e.Phases)
	}
	return NoFewerSteps(ctx, folder, head)
}

// stepBoundProblem says why no bound known here is as high as that of the proof.
func stepBoundProblem(net *network, head results.Schedule) string {
	p := head.Proof
	if p.Bound == results.BoundWeights {
		v, err := WeightedSteps(head, p.Weights)
		switch {
		case err != nil:
			return err.Error()
		case ceil(v).Cmp(big.NewInt(int64(p.Below))) < 0:
			return fmt.Sprintf("the bound %s is %s, below %d", p.Bound, v.RatString(), p.Below)
		}
		return ""
	}
	if best := net.bounds(head.Model).Phases; best < int64(p.Below) {
		return fmt.Sprintf("the best bound known to the checker is %d, below %d", best, p.Below)
	}
	return ""
}

// links returns the neighbours of every node, ascending.
func (n *network) links() [][]int {
	out := make([][]int, n.nodes)
	for u := range out {
		for i, a := range n.axes {
			c := n.coord(int32(u), i)
			for d := range a.nodes {
				if a.distance[c][d] == 1 {
					out[u] = append(out[u], u+(d-c)*n.strides[i])
				}
			}
		}
		slices.Sort(out[u])
	}
	return out
}
