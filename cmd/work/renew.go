//go:build !js

package work

import (
	"context"

	"leeway/core/parallel"
	"leeway/objective/bound"
	"leeway/results"
)

// Renew replaces the proofs of records by those that this version of the program gives, several side by side: closed
// forms where check derives them, else steps, by the engine that the proof names, whatever it takes, or by any with its
// usual effort. Where none proves it the proof stays, and so do proofs that list all optima, and those of solvers.
// It returns the context's error.
func (s *Session) Renew(ctx context.Context, records []*results.Record) error {
	parallel.Each(ctx, s.Workers, len(records), func(i int) {
		if err := s.renew(ctx, records[i]); err != nil && ctx.Err() == nil {
			s.remark("%s, %d processors, %s: the proof stays: %v", records[i].Grid.Text(), records[i].Size,
				records[i].Routing, err)
		}
	})
	return ctx.Err()
}

// renew is Renew for one record.
func (s *Session) renew(ctx context.Context, r *results.Record) error {
	p, err := r.Problem()
	if err != nil || r.Proof.Kind == results.ProofUnsat || r.Proof.Placed != nil {
		return err
	}
	value, err := results.ParseFraction(r.MaxLoad)
	if err != nil {
		return err
	}
	b := bound.OfProblem(p)
	if proof := proofByBound(p, value); proof.Kind == results.ProofBound && b.Value.Cmp(value) == 0 {
		r.Proof, r.BoundReason = proof, b.Reason()
		return nil
	}
	if r.Proof.Kind == results.ProofBound {
		return nil // derived again by check, where steps would be many
	}
	w := wanted{Problem: p, value: value, engine: r.Proof.Engine, whole: r.Proof.Engine != ""}
	proof, _, err := w.steps(ctx)
	if err != nil && w.whole {
		s.refused(w, err)
		w.engine, w.whole = "", false
		proof, _, err = w.steps(ctx)
	}
	switch {
	case err == nil && r.Proof.Kind == results.ProofMonotone:
		r.Proof, r.BoundReason = proof, proof.Kind+noneBelow
	case err == nil:
		r.Proof = proof
	case r.Proof.Kind == results.ProofMonotone:
		return nil
	}
	s.refused(w, err)
	return err
}
