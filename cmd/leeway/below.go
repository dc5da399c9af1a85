package main

import (
	"context"
	"math/big"

	"leeway/encode/dimacs"
	"leeway/objective"
	"leeway/results"
	"leeway/search"
	"leeway/search/portfolio"
)

// proveBelow answers for every problem whether a placement with E_max below the
// value exists.
func (a *app) proveBelow(ctx context.Context, h *proving, problems []objective.Problem, b budget) error {
	var list []any
	for _, p := range problems {
		t, err := a.proofTask(ctx, h, p, len(problems))
		if err != nil {
			return err
		}
		d, err := a.answerBelow(ctx, p, b, t, h.limit)
		if err != nil {
			return err
		}
		list = append(list, d)
		if !h.asJSON {
			a.printBelow(d)
		}
		if h.out != "" {
			data, err := results.Encode(d)
			if err == nil {
				err = results.WriteFile(h.out, data)
			}
			if err != nil {
				return err
			}
			a.remark("wrote %s", h.out)
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

// answerBelow tries the bounds, then the methods.
func (a *app) answerBelow(ctx context.Context, p objective.Problem, b budget, t task, below *big.Rat) (results.Below, error) {
	d := results.NewBelow(p, below)
	a.onWord = false
	ctx, cancel := b.limit(ctx)
	defer cancel()
	lower := newLowerBound(ctx, p, t.neighbour(p), t.plain)
	switch n := lower.neighbour; {
	case t.forced:
	case n != nil && n.below.Cmp(below) == 0:
		d.Infeasible(*n.proofOf(p))
		return d, nil
	case lower.best.Value.Cmp(below) >= 0:
		if lower.confirm(ctx); lower.best.Value.Cmp(below) >= 0 {
			d.Infeasible(*proofByBound(lower.best))
			return d, nil
		}
	}
	show := a.newProgress(lower.value(), b)
	defer show.stop()
	result, err := portfolio.Run(ctx, t.methods, search.Params{Problem: p, Goal: goalBelow(p, below), Seed: b.seed,
		Evaluations: b.evaluations, Workers: b.workers, Observe: show.observe}, portfolio.Options{InTurn: true})
	if result.GaveUp != "" {
		a.remark("no answer: %s", result.GaveUp)
	}
	if t.log != nil {
		t.log.end(result.Best, result.Value)
	}
	refutation := result.Refutation
	switch {
	case err != nil:
		return d, err
	case result.Value != nil && result.Value.Cmp(below) < 0:
		d.Feasible(result.Best, result.Value)
	case refutation != nil && refutation.Below.Cmp(below) >= 0:
		about := *refutation
		if about.Kind == search.Census && about.Slices == nil {
			about.Below = below // a count of all placements says so for every value up to the best
		}
		proof, err := a.proofOf(p, &about)
		if err != nil {
			return d, err
		}
		if proof != nil && about.Below.Cmp(below) == 0 {
			d.Infeasible(*proof)
			break
		}
		d.SolverClaim = &results.SolverClaim{Engine: refutation.Engine, Below: d.Below}
	}
	return d, nil
}

// goalBelow returns the largest load below a value, nil where loads have no
// common denominator of use.
func goalBelow(p objective.Problem, below *big.Rat) *big.Rat {
	if p.Routing.Denominator() == nil {
		return nil
	}
	return dimacs.Limit(p.Routing, below)
}

func (a *app) printBelow(d results.Below) {
	a.printf("%s, %d processors, %s: E_max below %s is %s\n", joinSides(d.Torus), d.Size, d.Routing, d.Below, d.Status)
	switch {
	case d.Nodes != nil:
		a.printf("  E_max        %s\n  nodes        %s\n", *d.MaxLoad, joinNodes(*d.Nodes))
	case d.Proof != nil:
		a.printf("  proof        %s\n", describeProof(d.Proof))
		a.printOnWord()
	case d.SolverClaim != nil:
		a.printf("  claim        %s says none; it left no proof\n", d.SolverClaim.Engine)
	}
}
