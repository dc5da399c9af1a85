package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/search"
)

// newRecord turns the result of a search into the record that claims it. The
// record is optimal when a neighbour, a census or a placement-free bound shows that
// nothing is below the value; the mere word of an engine is noted as its claim.
func (a *app) newRecord(ctx context.Context, p objective.Problem, result search.Result, lower *lowerBound, papers *papers, b budget, started time.Time) (results.Record, error) {
	loaded := p // with the paths that carry the load
	if p.Free != nil {
		loaded = objective.Problem{Routing: result.Table, Size: p.Size}
		papers = startBaseline(ctx, loaded)
	}
	claim := results.Claim{
		Routing: loaded.Routing, Free: p.Free, Placement: result.Best, MaxLoad: result.Value, LowerBound: result.Value,
		FoundBy: foundBy(result.Method, result.Evaluations, b, started), Provenance: a.provenance(b, started), Baseline: papers.known(),
	}
	n, refutation := lower.neighbour, result.Refutation
	a.onWord = false
	if refutation != nil && refutation.Below.Cmp(result.Value) != 0 {
		refutation = nil
	}
	switch {
	case n != nil && n.below.Cmp(result.Value) == 0 && (refutation == nil || refutation.Kind == search.SolverClaim):
		claim.Proof, claim.BoundReason, a.onWord = n.proofOf(p), n.reason(p), a.anyOnWord
		return results.New(claim)
	case refutation != nil:
		var err error
		if claim.Proof, err = a.proofOf(p, refutation); err != nil {
			return results.Record{}, err
		}
		if claim.Proof != nil {
			claim.BoundReason = claim.Proof.Kind + ": none is below"
			return results.New(claim)
		}
		claim.SolverClaim = &results.SolverClaim{Engine: refutation.Engine, Below: refutation.Below.RatString()}
	}
	lower.bound(ctx, p, &claim)
	return results.New(claim)
}

// proofOf returns the proof that a refutation amounts to, nil if it is but a
// claim.
func (a *app) proofOf(p objective.Problem, r *search.Refutation) (*results.Proof, error) {
	switch r.Kind {
	case search.Census:
		if a.onWord = slices.ContainsFunc(r.Slices, func(s search.Slice) bool { return s.OnWord }); a.onWord {
			a.anyOnWord = true
			a.remark("%s: none is below %s by the word of the workers (--confirm sample): only \"leeway check\" makes that a proof", p, r.Below.RatString())
		}
		return censusProof(p, r), nil
	case search.Unsat:
		return unsatProof(r)
	}
	return nil, nil
}

// censusProof returns the proof by a census, nil if that has no slices and too many
// placements to be counted.
func censusProof(p objective.Problem, r *search.Refutation) *results.Proof {
	proof := &results.Proof{Kind: results.ProofCensus, Engine: r.Engine, Below: r.Below.RatString()}
	placements := p.Placements()
	switch {
	case r.Slices != nil:
		proof.Split, proof.Nodes, proof.Slices = &r.Split, &r.Count, []results.Slice{}
		for _, s := range r.Slices {
			proof.Slices = append(proof.Slices, recordSlice(s))
		}
	case !placements.IsInt64():
		return nil
	default:
		count := placements.Int64()
		proof.Count = &count
	}
	return proof
}

// foundBy says how a placement was found by a search that began at a time.
func foundBy(method string, evaluations int64, b budget, started time.Time) results.FoundBy {
	method, engine, _ := strings.Cut(method, ":") // as in search.Outcome.How
	return results.FoundBy{Method: method, Engine: engine, Seed: b.seed, Evaluations: evaluations, Seconds: float64(time.Since(started).Milliseconds()) / 1000}
}

// provenance says what made a record.
func (a *app) provenance(b budget, started time.Time) results.Provenance {
	return results.Provenance{Version: version, Command: append([]string{"leeway"}, a.args...),
		Started: results.FormatTime(started), Seed: b.seed, Budget: recordBudget(b)}
}

func recordBudget(b budget) results.Budget {
	var r results.Budget
	if b.time > 0 {
		text := b.time.String()
		r.Time = &text
	}
	if b.evaluations > 0 {
		r.Evaluations = &b.evaluations
	}
	return r
}

// papers is the evaluation of the papers' placement, which begins with the search so that
// a record need not wait for it.
type papers struct {
	done     chan struct{}
	baseline *results.Baseline
}

// startBaseline begins to evaluate the papers' placement of the problem's size; with a free
// routing there is nothing to begin with.
func startBaseline(ctx context.Context, p objective.Problem) *papers {
	e := &papers{done: make(chan struct{})}
	go func() {
		defer close(e.done)
		if p.Free == nil {
			e.baseline = baseline(ctx, p)
		}
	}()
	return e
}

// known returns the evaluation once it is over.
func (e *papers) known() *results.Baseline {
	<-e.done
	return e.baseline
}

// baseline evaluates the papers' placement of the problem's size, nil if they
// have none, none that a table covers, or the context ends first.
func baseline(ctx context.Context, p objective.Problem) *results.Baseline {
	text, ok := family.Baseline(p.Torus(), p.Size)
	if !ok {
		return nil
	}
	placement, err := family.Parse(p.Torus(), text)
	if err != nil {
		return nil
	}
	if routing.Covers(p.Routing, placement) != nil {
		return nil
	}
	loads, err := objective.EvaluateContext(ctx, p.Routing, placement)
	if err != nil {
		return nil
	}
	value, _ := loads.Max()
	return &results.Baseline{Placement: text, MaxLoad: value.RatString()}
}
