//go:build !js

package work

import (
	"context"

	"leeway/core/parallel"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/compose"
	"leeway/search/orderly"
	"leeway/search/refuters"
)

// Renew replaces the proofs of records by those that this version of the program gives, several side by side: closed
// forms where check derives them, else steps, by the engine that the proof names, whatever it takes, or for minutes if
// its steps were never counted, or by another that is likely to need fewer, or by any with its usual effort. Where none
// proves it the proof stays, and so do proofs that list all optima, and those of solvers. It returns the context's
// error.
func (s *Session) Renew(ctx context.Context, records []*results.Record) error {
	parallel.Each(ctx, s.Workers, len(records), func(i int) {
		if err := s.renew(ctx, records[i]); err != nil && ctx.Err() == nil {
			s.remark("%s, %d processors, %s: the proof stays: %v", records[i].Grid.Title(), records[i].Size,
				records[i].Routing, err)
		}
	})
	return ctx.Err()
}

// manySteps is the number of steps above which another engine is tried, since it may write fewer.
const manySteps = 10_000

// renew is Renew for one record.
func (s *Session) renew(ctx context.Context, r *results.Record) error {
	p, err := compose.ProblemOf(*r)
	if err != nil || r.Proof.Kind == results.ProofUnsat || r.Proof.Placed != nil {
		return err
	}
	value, err := results.ParseFraction(r.MaxLoad)
	if err != nil {
		return err
	}
	b := bound.QuickBound(p)
	if proof := proofByBound(p, value); proof.Kind == results.ProofBound && b.Value.Cmp(value) == 0 {
		r.Proof, r.BoundReason = proof, b.Reason()
		return nil
	}
	if r.Proof.Kind == results.ProofBound {
		return nil // derived again by check, where steps would be many
	}
	tries := []wanted{{engine: r.Proof.Engine, most: whatever}, {}}
	switch {
	case r.Proof.Kind == results.ProofMonotone:
		tries = []wanted{{most: 1 << 22}} // that of the other size may be far shorter
	case r.Proof.Steps == nil:
		tries[0].most = 1 << 34 // the kernel has not accepted any yet: minutes
	}
	if refuters.ByNodes(p) || r.Proof.Steps != nil && *r.Proof.Steps > manySteps {
		tries = append([]wanted{{engine: orderly.Name, most: 1 << 28}}, tries...) // its own work is not more than that
	}
	var proof *results.Proof
	for _, w := range tries {
		w.Problem, w.value = p, value
		if proof, _, err = w.steps(ctx); err == nil || ctx.Err() != nil {
			break
		}
		s.refused(w, err)
	}
	switch {
	case err == nil && r.Proof.Kind == results.ProofMonotone:
		r.Proof, r.BoundReason = proof, proof.Kind+noneBelow
	case err == nil:
		r.Proof = proof
	case r.Proof.Kind == results.ProofMonotone:
		return nil
	}
	return err
}
