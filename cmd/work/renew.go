//go:build !js

package work

import (
	"cmp"
	"context"
	"slices"

	"leeway/core/parallel"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/compose"
	"leeway/search/refuters"
)

// Renew replaces the proofs of records by those that this version of the program gives, several side by side: closed
// forms where check derives them, else of the steps that engines write those that take least to check. The engine that
// the proof names comes first and takes whatever it needs, or minutes if its steps were never counted; another takes no
// more than the least so far, or its usual effort. Where none proves it the proof stays, and so do proofs that list all
// optima, and those of solvers. It returns the context's error.
func (s *Session) Renew(ctx context.Context, records []*results.Record) error {
	parallel.Each(ctx, s.Workers, len(records), func(i int) {
		if err := s.renew(ctx, records[i]); err != nil && ctx.Err() == nil {
			s.remark("%s, %d processors, %s: the proof stays: %v", records[i].Grid.Title(), records[i].Size,
				records[i].Routing, err)
		}
	})
	return ctx.Err()
}

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
	w, least := wanted{Problem: p, value: value, most: whatever}, int64(0)
	switch {
	case r.Proof.Kind == results.ProofMonotone:
		w.most, least = 1<<22, 1<<22 // that of the other size may be far shorter
	case r.Proof.Steps == nil:
		w.most = 1 << 34 // the kernel has not accepted any yet: minutes
	}
	list, _ := refuters.Supporting(p)
	named := slices.IndexFunc(list, func(e refuters.Refuter) bool { return e.Name == r.Proof.Engine })
	slices.Reverse(list[:named+1]) // it comes first
	var proof *results.Proof
	for _, engine := range list {
		made, _, wrong := w.writeBy(ctx, engine)
		if wrong == nil {
			proof, least = made, w.spent
		}
		w.most = least
		s.tellRefused(w, wrong)
		err = cmp.Or(err, wrong)
	}
	switch {
	case proof == nil && r.Proof.Kind == results.ProofMonotone:
		return nil
	case proof == nil:
		return err
	case r.Proof.Kind == results.ProofMonotone:
		r.BoundReason = proof.Kind + noneBelow
	}
	r.Proof = proof
	return nil
}
