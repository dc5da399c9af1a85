package check

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"slices"

	"leeway/encode/timetable"
	"leeway/objective/exchange"
	"leeway/results"
)

// NoFewerSteps says why the proof of a schedule does not show that no complete exchange
// of its processors by store and forward has fewer steps than it says, "" if it does. The
// folder is where a file lies that the proof names. Everything is derived from the head:
// bounds again, and the formula that a solver refuted. Cost: that of the proof; if the
// context ends it says so.
func NoFewerSteps(ctx context.Context, folder string, head exchange.Head) (problem string) {
	m := unmetered(ctx)
	if err := m.run(func() { problem = noFewerSteps(m, folder, head) }); err != nil {
		return err.Error()
	}
	return problem
}

func noFewerSteps(m *meter, folder string, head exchange.Head) string {
	p := head.Proof
	net, err := newNetwork(m, head)
	switch {
	case p == nil:
		return "there is none"
	case err != nil:
		return err.Error()
	case head.Model != exchange.StoreAndForward:
		return "it is about steps of store and forward, the schedule is by " + string(head.Model)
	}
	bound, unsat := p.Kind == results.ProofBound, p.Kind == results.ProofUnsat
	switch {
	case bound && (p.Format != "" || p.File != "" || p.SHA256 != ""):
		return "format, file and sha256 belong to a proof of kind unsat"
	case bound && p.Weights != nil && p.Bound != exchange.WeightBound:
		return "weights belong to the bound weights"
	case unsat && (p.Bound != "" || p.Weights != nil):
		return "bound and weights belong to a proof of kind bound"
	}
	switch p.Kind {
	case results.ProofBound:
		return stepBoundProblem(net, head)
	case results.ProofUnsat:
		if p.Below < 1 {
			return fmt.Sprintf("it is about fewer than %d steps", p.Below)
		}
		return fileProblem(m, folder, p.File, p.SHA256, func(proof io.Reader) (Refutation, error) {
			formula, err := net.timetable(p.Below - 1)
			if err != nil {
				return Refutation{}, err
			}
			return refute(m, formula, p.Format, proof)
		})
	}
	return fmt.Sprintf("its kind %q is unknown", p.Kind)
}

// stepsProblem says why a schedule is not shown to be optimal by its proof, "" if it is.
// The phases of a wrong one were not all read, so that the proof stands for itself.
func stepsProblem(m *meter, folder string, head exchange.Head, e ExchangeVerdict) string {
	if e.Verdict == Valid && head.Proof.Below != e.Phases {
		return fmt.Sprintf("it is about fewer than %d steps, the schedule has %d", head.Proof.Below, e.Phases)
	}
	return noFewerSteps(m, folder, head)
}

// stepBoundProblem says why no bound known here is as high as that of the proof.
func stepBoundProblem(net *network, head exchange.Head) string {
	p := head.Proof
	if p.Below < 0 {
		return fmt.Sprintf("it is about fewer than %d steps", p.Below)
	}
	if p.Bound == exchange.WeightBound {
		v, err := net.weightedSteps(p.Weights)
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

// sendSteps is what the formula of an exchange takes for each send that it may have,
// of one block for one processor over one link in one step: it is kept in two tables.
const sendSteps = 256

// timetable returns the formula "there is an exchange in so many steps". Its sends are
// charged before they are listed.
func (n *network) timetable(steps int) (formula *timetable.Formula, err error) {
	links, neighbours := 0, n.links()
	for _, list := range neighbours {
		links += len(list)
	}
	n.meter.chargeAll(sendSteps, len(n.processors), links, steps)
	n.meter.chargeAll(16, n.nodes, n.nodes+links) // distances
	n.meter.foreign(0, func() {
		formula, err = timetable.New(timetable.Question{Neighbours: neighbours, Participants: n.processors, Steps: steps})
	})
	if err == nil {
		n.meter.charge(formula.Clauses())
	}
	return formula, err
}

// links returns the neighbours of every node, ascending.
func (n *network) links() [][]int {
	around := 1
	for _, a := range n.axes {
		around += a.nodes
	}
	n.meter.chargeAll(8, n.nodes, around)
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
