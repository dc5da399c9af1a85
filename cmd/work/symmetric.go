package work

import (
	"context"

	"leeway/core/parallel"
	"leeway/results"
	"leeway/search"
	"leeway/search/orbit"
)

// symmetric looks for the best placement among those with the symmetry of the proof. There is
// no record, after a remark, if there is none.
func (r *run) symmetric(ctx context.Context) (Answer, error) {
	group, err := orbit.Parse(r.Routing, r.Proof.Symmetry)
	if err != nil {
		return Answer{}, err
	}
	limited, cancel := r.Deadline(ctx)
	defer cancel()
	r.baseline = startBaseline(limited, r.Problem)
	below := r.Proof.Below
	best, err := parallel.Await(limited, Grace, func() (orbit.Answer, error) {
		return orbit.Best(limited, r.Problem, group, below, r.Evaluations)
	})
	if err != nil && err == limited.Err() {
		best, err = orbit.Answer{}, nil
	}
	if err != nil {
		return Answer{}, err
	}
	what := "has the symmetry " + group.String()
	if below != nil {
		what += " and E_max below " + below.RatString()
	}
	switch {
	case best.Value == nil && best.Complete:
		r.remark("%s: no placement %s (%d choices of %d orbits)", r.Problem, what, best.Nodes, best.Orbits)
		return Answer{}, nil
	case best.Value == nil:
		r.remark("%s: no placement that %s was found before the end", r.Problem, what)
		return Answer{}, nil
	}
	result := search.Outcome{Method: orbit.Name, Best: best.Placement, Value: best.Value, Evaluations: best.Nodes}
	record, err := r.record(limited, r.Problem, result, newLowerBound(ctx, r.Problem, nil, true))
	if err == nil && best.Complete {
		record.SymmetryClaim = &results.SymmetryClaim{Engine: orbit.Name, Symmetry: group.String(), Order: group.Order(),
			Below: record.MaxLoad, Nodes: best.Nodes}
	}
	return Answer{Record: &record}, err
}
