package main

import (
	"context"
	"fmt"
	"math/big"

	"leeway/encode/dimacs"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/search"
)

// proveBelow answers for every problem whether a placement with E_max below the
// value exists.
func (a *app) proveBelow(ctx context.Context, h *hunt, problems []objective.Problem, b budget, engine, text string) error {
	below, err := results.ParseFraction(text)
	if err != nil {
		return usagef("--below %q: %v", text, err)
	}
	var list []any
	for _, p := range problems {
		methods, err := engines(engine, p)
		if err != nil {
			return err
		}
		d, err := a.answerBelow(ctx, p, b, methods, below)
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
func (a *app) answerBelow(ctx context.Context, p objective.Problem, b budget, methods []search.Method, below *big.Rat) (results.Below, error) {
	d := results.NewBelow(p, below)
	lower := newLowerBound(p)
	if lower.best.Value.Cmp(below) >= 0 {
		if best, _ := lower.confirmed(ctx); best.Value.Cmp(below) >= 0 {
			d.Infeasible(results.Proof{Kind: results.ProofBound, Engine: "bound", Bound: best.Name, Value: best.Value.RatString()})
		} else {
			d.SolverClaim = &results.SolverClaim{Engine: "margin bound", Below: d.Below}
		}
		return d, nil
	}
	show := a.newProgress(lower.best.Value, b)
	defer show.stop()
	ctx, cancel := b.limit(ctx)
	defer cancel()
	result, err := search.Run(ctx, methods, search.Params{Problem: p, Goal: goalBelow(p, below), Seed: b.seed,
		Evaluations: b.evaluations, Workers: b.workers, Observe: show.observe})
	switch {
	case err != nil:
		return d, err
	case result.Value != nil && result.Value.Cmp(below) < 0:
		d.Feasible(result.Best, result.Value)
	case result.Refutation != nil && result.Refutation.Below.Cmp(below) >= 0:
		return refutedBelow(ctx, d, p, result.Refutation.Engine), nil
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

// refutedBelow turns the word of an engine into a proof if the checker can
// repeat the count, and notes it as a claim otherwise.
func refutedBelow(ctx context.Context, d results.Below, p objective.Problem, engine string) results.Below {
	proved := d
	if placements := p.Placements(); placements.IsInt64() {
		count := placements.Int64()
		proved.Infeasible(results.Proof{Kind: results.ProofCensus, Engine: engine, Count: &count, Below: d.Below})
		if data, err := results.Encode(proved); err == nil && confirmed(ctx, data, check.Below) {
			return proved
		}
	}
	d.SolverClaim = &results.SolverClaim{Engine: engine, Below: d.Below}
	return d
}

// confirmed reports whether the checker verifies the proof in a document before
// the context ends; after that the count goes on until the program ends, unheard.
func confirmed(ctx context.Context, data []byte, verify func([]byte) check.Verdict) bool {
	verdict := make(chan check.Verdict, 1)
	go func() { verdict <- verify(data) }()
	select {
	case v := <-verdict:
		return v.ProofVerdict == check.Verified
	case <-ctx.Done():
		return false
	}
}

func (a *app) printBelow(d results.Below) {
	fmt.Fprintf(a.stdout, "%s, %d processors, %s: E_max below %s is %s\n", joinSides(d.Torus), d.Size, d.Routing, d.Below, d.Status)
	switch {
	case d.Nodes != nil:
		fmt.Fprintf(a.stdout, "  E_max        %s\n  nodes        %s\n", *d.MaxLoad, joinNodes(*d.Nodes))
	case d.Proof != nil && d.Proof.Kind == results.ProofBound:
		fmt.Fprintf(a.stdout, "  proof        bound: %s is %s\n", d.Proof.Bound, d.Proof.Value)
	case d.Proof != nil:
		fmt.Fprintf(a.stdout, "  proof        census: %d placements with node 0, up to symmetry\n", *d.Proof.Count)
	case d.SolverClaim != nil:
		fmt.Fprintf(a.stdout, "  claim        %s says none; the checker does not confirm it\n", d.SolverClaim.Engine)
	}
}
