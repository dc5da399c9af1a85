package cluster

import (
	"context"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/portfolio"
)

// search does a unit of a search: a portfolio on one core. What it finds better
// than the incumbent it posts at once.
func (w *servant) search(ctx context.Context, u Unit) Result {
	p, params, err := u.params()
	if err != nil {
		return Result{Refused: err.Error()}
	}
	if w.Methods == nil {
		return Result{Refused: "there are no methods here"}
	}
	methods, err := w.Methods(slices.Concat(u.Search.Methods, u.Search.Exact))
	if err != nil {
		return Result{Refused: err.Error()}
	}
	params.Observe = func(e search.Event) {
		if e.Improved && e.Best.Size() == p.Size {
			w.post(ctx, p, e)
		}
	}
	found, err := portfolio.Run(ctx, methods, params, portfolio.Options{Parts: u.Search.Parts})
	switch {
	case err != nil:
		return Result{Refused: err.Error()}
	case ctx.Err() != nil || found.Value == nil:
		return Result{}
	}
	proved := found.Refutation != nil && found.Refutation.Kind == search.Census && found.Refutation.Below.Cmp(found.Value) == 0
	return Result{Best: found.Best.Nodes(), Value: found.Value.RatString(), Method: found.Method, Evaluations: found.Evaluations, Refuted: proved}
}

// post posts an improvement. It may get lost: the result of the unit has it too.
func (w *servant) post(ctx context.Context, p objective.Problem, e search.Event) {
	if exact, _ := objective.Evaluate(p.Routing, e.Best).Max(); exact.Cmp(e.Value) != 0 {
		return
	}
	if err := Post(ctx, w.queue, p, e.Best, e.Value, w.Name); err != nil && ctx.Err() == nil {
		w.Log.Debug("no incumbent could be posted", "error", err)
	}
}

// params returns what a unit asks for.
func (u Unit) params() (objective.Problem, search.Params, error) {
	p, err := u.Problem()
	if err != nil {
		return p, search.Params{}, err
	}
	params := search.Params{Problem: p, Seed: u.Search.Seed, Evaluations: u.Search.Evaluations, Workers: 1}
	if u.Search.Goal != "" {
		if params.Goal, err = parseValue(u.Search.Goal); err != nil {
			return p, params, err
		}
	}
	for _, nodes := range u.Search.Starts {
		s, err := core.NewPlacement(p.Torus(), nodes)
		if err != nil {
			return p, params, err
		}
		params.Starts = append(params.Starts, s)
	}
	return p, params, nil
}
