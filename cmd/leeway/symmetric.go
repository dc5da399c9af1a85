package main

import (
	"context"
	"fmt"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/search"
	"leeway/search/orbit"
)

// proveSymmetric looks for the best placement of every problem among those that a
// subgroup leaves as they are.
func (a *app) proveSymmetric(ctx context.Context, h *proving, problems []objective.Problem, b budget) error {
	var list []any
	for _, p := range problems {
		record, err := a.symmetric(ctx, h, p, b)
		if err != nil {
			return err
		}
		if record == nil {
			continue
		}
		list = append(list, *record)
		if err := a.publish(&h.hunt, recordBase(p, b.seed), *record); err != nil {
			return err
		}
		if ctx.Err() != nil {
			break
		}
	}
	if h.asJSON {
		return a.printItems(list, len(problems) > 1)
	}
	return nil
}

// symmetric returns the record of the best placement with the symmetry, nil, after
// a remark, if there is none.
func (a *app) symmetric(ctx context.Context, h *proving, p objective.Problem, b budget) (*results.Record, error) {
	started := time.Now()
	group, err := orbit.Parse(p.Routing, h.symmetry)
	if err != nil {
		return nil, inFlag("symmetry", err)
	}
	limited, cancel := b.limit(ctx)
	defer cancel()
	papers := startBaseline(limited, p)
	r, err := core.Await(limited, grace, func() (orbit.Result, error) { return orbit.Best(limited, p, group, h.limit, b.evaluations) })
	if err != nil && err == limited.Err() {
		r, err = orbit.Result{}, nil
	}
	if err != nil {
		return nil, err
	}
	what := "has the symmetry " + group.String()
	if h.limit != nil {
		what += " and E_max below " + h.limit.RatString()
	}
	switch {
	case r.Value == nil && r.Complete:
		a.remark("%s: no placement %s (%d choices of %d orbits)", p, what, r.Nodes, r.Orbits)
		return nil, nil
	case r.Value == nil:
		a.remark("%s: no placement that %s was found before the end", p, what)
		return nil, nil
	}
	result := search.Result{Outcome: search.Outcome{Best: r.Placement, Value: r.Value, Evaluations: r.Nodes}, Method: orbit.Name}
	record, err := a.newRecord(limited, p, result, newLowerBound(ctx, p, nil, true), papers, b, started)
	if err == nil && r.Complete {
		record.SymmetryClaim = &results.SymmetryClaim{Engine: orbit.Name, Symmetry: group.String(), Order: group.Order(),
			Below: record.MaxLoad, Nodes: r.Nodes}
	}
	return &record, err
}

// describeSymmetry says what was covered.
func describeSymmetry(c *results.SymmetryClaim) string {
	return fmt.Sprintf("%s: none below %s among the placements with symmetry %s (order %d)", c.Engine, c.Below, c.Symmetry, c.Order)
}
