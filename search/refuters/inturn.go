package refuters

import (
	"context"
	"errors"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
)

// InTurn has several refuters try the same proof in turn, each round with more steps than the one before, until one
// comes to an end.
type InTurn []Method

// The steps of a proof in the first round, and by how much they grow.
const (
	firstRound = 1 << 17
	growth     = 8
)

// Name returns "steps".
func (InTurn) Name() string { return "steps" }

// Supports returns nil if a refuter takes the problem, otherwise what all of them say.
func (l InTurn) Supports(p objective.Problem) error {
	if len(l.supporting(p)) > 0 {
		return nil
	}
	var all []error
	for _, m := range l {
		all = append(all, m.Supports(p))
	}
	return errors.Join(all...)
}

func (l InTurn) supporting(p objective.Problem) (list []Method) {
	for _, m := range l {
		if m.Supports(p) == nil {
			list = append(list, m)
		}
	}
	return list
}

// Run is that of each Method, with the best placement of those before as its start. The outcome of one that came to an
// end, or of the last, is that of all, with their evaluations together.
func (l InTurn) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	list := l.supporting(p.Problem)
	if len(list) == 0 {
		return search.Outcome{}, l.Supports(p.Problem)
	}
	var before search.Outcome
	observe := p.Observe
	p.Observe = func(e search.Event) {
		if e.Evaluations += before.Evaluations; observe != nil {
			observe(e)
		}
	}
	all := p.Evaluations
	for most := int64(firstRound); ; most *= growth {
		for _, m := range list {
			if m.Steps = most; len(list) == 1 || most > 1<<50 {
				m.Steps = 0
			}
			if all > 0 {
				p.Evaluations = all - before.Evaluations
			}
			out, err := m.Run(ctx, p)
			out.Evaluations += before.Evaluations
			if before.Value != nil && (out.Value == nil || before.Value.Cmp(out.Value) < 0) {
				out.Best, out.Value = before.Best, before.Value
			}
			if err != nil || out.GaveUp == "" || ctx.Err() != nil || m.Steps == 0 || all > 0 && out.Evaluations >= all {
				return out, err
			}
			if before = out; out.Value != nil {
				p.Starts = []core.Placement{out.Best}
			}
		}
	}
}

// Patient returns of some refuters the one that is most likely to come to an end, whatever it takes.
func Patient(list []Refuter, p objective.Problem) Refuter {
	_, minimal := p.Routing.(*routing.Minimal)
	if last := list[len(list)-1]; last.List != nil && (minimal || p.Torus().D() == 2 && p.Torus().Closed()) {
		return last
	}
	return list[0]
}
