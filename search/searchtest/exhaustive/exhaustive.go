// Package exhaustive finds the best placement by looking at all of them where they are few, for any routing: what tests
// hold other methods against, and give to portfolios as a method that comes to an end. Only tests import it.
package exhaustive

import (
	"context"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// Limits of the method.
const (
	maxNodes      = 20
	maxPlacements = 184756 // C(20,10)
)

// Method is the full count. The zero value is ready.
type Method struct{}

// Name returns "exhaustive".
func (Method) Name() string { return "exhaustive" }

// Supports returns nil for few placements on few nodes, otherwise an *search.UnsupportedError.
func (m Method) Supports(p objective.Problem) error {
	if p.Torus().N() > maxNodes || p.Placements().Cmp(big.NewInt(maxPlacements)) > 0 || routing.ByPair(p.Routing) {
		return search.Unsupported(m.Name(), p, "the full count stops at %d placements on %d nodes", maxPlacements, maxNodes)
	}
	return nil
}

// Run returns the best placement, the same for every seed, start and number of workers. An evaluation is one placement.
// On a torus without conditions translations preserve E_max, and placements with node 0 stand for all.
func (m Method) Run(ctx context.Context, p search.Params) (out search.Outcome, err error) {
	if err := m.Supports(p.Problem); err != nil {
		return out, err
	}
	evaluator := fast.NewEvaluator(p.Problem)
	first, candidates := p.Problem.Fixed.Nodes(), p.Problem.Candidates()
	if p.Problem.Translatable() {
		first, candidates = []int{0}, candidates[1:]
	}
	out.Reason = search.Complete
	for mask := range uint64(1) << len(candidates) {
		if bits.OnesCount64(mask) != p.Problem.Size-len(first) {
			continue
		}
		if ctx.Err() != nil {
			out.Reason = search.Stopped
			break
		}
		if p.Evaluations > 0 && out.Evaluations == p.Evaluations {
			out.Reason = search.Spent
			break
		}
		nodes := slices.Clone(first)
		for _, i := range (core.Set{mask}).Nodes() {
			nodes = append(nodes, candidates[i])
		}
		out.Evaluations++
		s := core.MustPlacement(p.Problem.Torus(), nodes)
		if !p.Problem.Admits(s) {
			continue
		}
		if value, _ := evaluator.Loads(s).Max(); out.Value == nil || value.Cmp(out.Value) < 0 {
			out.Best, out.Value = s, value
			p.Report(search.Event{Method: m.Name(), Value: value, Best: s, Evaluations: out.Evaluations, Improved: true})
		}
		if p.Done(out.Value) {
			out.Reason = search.Reached
			break
		}
	}
	switch {
	case out.Reason == search.Complete:
		out.Refutation = &search.Refutation{Below: out.Value, Kind: search.Steps, Engine: m.Name()}
		if out.Value == nil { // none is near enough
			out.Refutation.Below = search.UpperValue(p.Problem)
		}
	case out.Reason != search.Reached && out.Evaluations > 0:
		out.Turns = (p.Problem.Placements().Int64() + out.Evaluations - 1) / out.Evaluations
	}
	return out, nil
}
