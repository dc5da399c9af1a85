package census

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
)

// A Method finds the best placement there is: it asks the engines for one below the best so far, until there is none.
// Where that is too large to be planned it asks from the goal upwards: trees of small values are small.
type Method struct {
	Engines []Engine
	Log     Log              // nil: none
	Cluster Cluster          // walks the slices; nil: the workers of this process
	Wanted  func(i int) bool // slices to walk; nil: all
	Below   *big.Rat         // ask about nothing above this value; nil: no limit
	Down    bool             // ask below the best only, never from the goal upwards
}

// Name returns the name of the engine, or "census" if there are several.
func (m Method) Name() string {
	if len(m.Engines) == 1 {
		return m.Engines[0].Name()
	}
	return "census"
}

// Supports returns nil if an engine can treat the problem, otherwise the error of the first.
func (m Method) Supports(p objective.Problem) error {
	if len(m.supporting(p)) > 0 {
		return nil
	}
	return m.Engines[0].Supports(p)
}

func (m Method) supporting(p objective.Problem) []Engine {
	var list []Engine
	for _, e := range m.Engines {
		if e.Supports(p) == nil {
			list = append(list, e)
		}
	}
	return list
}

// Run starts below the best start, or the first nodes of the torus without one. Evaluations are nodes of the trees. The
// outcome depends on the parameters only, unless the context ends it: the first engine that can plan a question answers
// it. Under GoalOnly nothing is asked but whether the goal can be reached. A problem too large for every engine ends
// the run as complete, without a refutation.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	if m.Below == nil && p.GoalOnly {
		m.Below = search.NextAbove(p.Goal, p.Problem.Denominator())
	}
	r := &descent{Method: m, params: p, engines: m.supporting(p.Problem)}
	if len(r.engines) == 0 {
		return search.Outcome{}, m.Supports(p.Problem)
	}
	return search.Descend(ctx, p, m.Name(), func(out *search.Outcome) (bool, error) {
		r.out = out
		return r.ask(ctx)
	})
}

// A descent is the state of one Run.
type descent struct {
	Method
	params  search.Params
	engines []Engine
	out     *search.Outcome
	refuted *search.Refutation // of the largest value, from the goal upwards
}

// take keeps a placement if it is the best so far.
func (r *descent) take(s core.Placement) bool {
	value, _ := r.params.Problem.Evaluate(s).Max()
	if r.out.Value != nil && value.Cmp(r.out.Value) >= 0 {
		return false
	}
	r.out.Best, r.out.Value = s, value
	return true
}

func (r *descent) report(improved bool, note string) {
	r.params.Report(search.Event{Method: r.Name(), Value: r.out.Value, Best: r.out.Best, Evaluations: r.out.Evaluations,
		Improved: improved, Note: note})
}

// ask looks for a placement below the best and reports whether to go on.
func (r *descent) ask(ctx context.Context) (more bool, err error) {
	below := r.out.Value
	if r.Below != nil && r.Below.Cmp(below) < 0 {
		below = r.Below
	}
	reply, err := r.decide(ctx, below)
	switch {
	case err != nil:
		return false, err
	case reply.Found.Size() > 0:
		return true, r.found(reply, below)
	case reply.Refutation != nil:
		r.refute(reply.Refutation)
		return false, nil
	case reply.TooLarge != nil:
		return r.climb(ctx, reply.TooLarge)
	case r.Wanted != nil: // the other slices are for others
		r.out.Reason = search.Complete
		return false, nil
	}
	return true, nil
}

// found takes over a placement.
func (r *descent) found(reply Reply, below *big.Rat) error {
	if !r.take(reply.Found) {
		return fmt.Errorf("census: %s: nodes %v were found below %s, but are not",
			r.params.Problem, reply.Found.Nodes(), below.RatString())
	}
	r.out.How = how(r.Name(), reply.Finder)
	r.report(true, "")
	return nil
}

// how says which engine of a census found a placement: "census:margin".
func how(method, engine string) string {
	if method == engine {
		return method
	}
	return method + ":" + engine
}

// climb asks for placements within the goal, then within the next load, and so on, until there is one. It is then the
// best, since nothing is below: the last refutation shows that. It ends without one where a value below the best is too
// large to be planned, too.
func (r *descent) climb(ctx context.Context, large error) (more bool, err error) {
	den := r.params.Problem.Denominator()
	if r.Down || r.params.Goal == nil || den == nil || r.Wanted != nil || r.Below != nil {
		r.giveUp(large)
		return false, nil
	}
	step := new(big.Rat).SetFrac(big.NewInt(1), den)
	below := new(big.Rat).Add(r.params.Goal, step)
	for below.Cmp(r.out.Value) < 0 {
		reply, err := r.decide(ctx, below)
		switch {
		case err != nil:
			return false, err
		case reply.Found.Size() > 0:
			if err := r.found(reply, below); err != nil {
				return false, err
			}
			if r.refuted != nil && r.refuted.Below.Cmp(r.out.Value) == 0 {
				r.refute(r.refuted)
				return false, nil
			}
			return true, nil // better than the goal's next load: go down from here
		case reply.Refutation != nil:
			r.refuted = reply.Refutation
			below = new(big.Rat).Add(below, step)
		case reply.TooLarge != nil:
			r.giveUp(reply.TooLarge)
			return false, nil
		default:
			return true, nil // the context ended, or the nodes are spent
		}
	}
	return true, nil
}

// giveUp ends the run at a question that is too large to be planned.
func (r *descent) giveUp(large error) {
	r.out.GaveUp = large.Error()
	r.out.Reason = search.Complete
	r.report(false, r.out.GaveUp)
}

// decide asks one question.
func (r *descent) decide(ctx context.Context, below *big.Rat) (Reply, error) {
	best, before, left := r.out.Value, r.out.Evaluations, int64(0)
	if r.params.Evaluations > 0 {
		left = r.params.Evaluations - before
	}
	reply, err := Decide(ctx,
		Question{Problem: r.params.Problem, Below: below, Engines: r.engines, Workers: r.params.Workers,
			Nodes: left, Log: r.Log, Cluster: r.Cluster, Wanted: r.Wanted, Observe: func(p Progress) {
				r.params.Report(search.Event{Method: p.Engine, Value: best, Evaluations: before + p.Nodes,
					Note: "below " + below.RatString(), Done: p.Done, Total: p.Total})
			}})
	r.out.Evaluations += reply.Nodes
	return reply, err
}

// refute concludes that nothing is below the best.
func (r *descent) refute(proof *search.Refutation) {
	r.out.Reason = search.Complete
	r.out.Refutation = proof
	r.report(false, fmt.Sprintf("below %s: none", proof.Below.RatString()))
}
