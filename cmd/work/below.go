package work

import (
	"context"
	"math/big"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/compose"
	"leeway/search"
	"leeway/search/counts"
	"leeway/search/portfolio"
)

// answerBelow answers whether a placement with E_max below a value exists: by the bounds, then by the
// methods.
func (r *run) answerBelow(ctx context.Context) (Answer, error) {
	d, err := r.decide(ctx, r.Proof.Below)
	if err == nil && r.Problem.Traffic.Matrix == nil {
		limited, cancel := r.Deadline(ctx)
		d.Proof = r.writeTaskProof(limited, r.Problem, r.Proof.Below, d.Proof)
		d.Proof, err = r.writeStream(limited, d.Proof, d.Below)
		cancel()
	}
	if r.wantsCertificate() && err == nil {
		if d.Status != results.StatusInfeasible {
			r.remark("%s: no certificate: it is not proved that none is below %s", r.Problem, d.Below)
		} else {
			limited, cancel := r.Deadline(ctx)
			defer cancel()
			r.Proof.Certificate.UseSteps(d.Proof)
			d.Certificate, err = r.certificate(limited, r.Proof.Below, nil)
		}
	}
	return Answer{Below: &d}, err
}

func (r *run) decide(ctx context.Context, below *big.Rat) (results.Below, error) {
	p, d := r.Problem, compose.NewBelow(r.Problem, below)
	methods, options, err := r.methods()
	if err != nil {
		return d, err
	}
	ctx, cancel := r.Deadline(ctx)
	defer cancel()
	goal := goalBelow(p, below)
	_, ordered := p.Routing.(*routing.Orders)
	r.lower = r.deriveBound(ctx, ordered || r.needsEngine())
	// In two dimensions counts proves what margins tell, in no more time than it takes to find them.
	if ordered && !r.needsEngine() && (p.Torus().D() != 2 || counts.Refutes(p) != nil) &&
		r.lower.best.Value.Cmp(below) < 0 {
		limited, end := BoundTime(ctx)
		if b, ok := bound.BoundAbove(limited, p, goal); ok && p.Free == nil {
			r.lower.proveBySteps(ctx, p, b)
		}
		end()
	}
	switch n := r.lower.known; {
	case r.needsEngine():
	case n != nil && n.below.Cmp(below) == 0:
		d.Infeasible(*n.proofOf(p))
		return d, nil
	case r.lower.best.Value.Cmp(below) >= 0:
		if r.lower.confirm(ctx); r.lower.best.Value.Cmp(below) >= 0 {
			d.Infeasible(*proofByBound(p, below))
			return d, nil
		}
	}
	params := search.Params{Problem: p, Goal: goal, Seed: r.Seed, Evaluations: r.Evaluations,
		Workers: r.Workers}
	end := r.watch(&params, r.lower, func(search.Event) {})
	result, err := portfolio.Run(ctx, methods, params, options)
	end()
	if r.Proof.Log != nil {
		r.Proof.Log.end(result.Best, result.Value)
	}
	refutation := result.Refutation
	switch {
	case err != nil:
		return d, err
	case result.Value != nil && result.Value.Cmp(below) < 0:
		d.Feasible(result.Best, result.Value)
		d.Setting = d.Setting.WithTasks(result.Best)
	case refutation != nil && refutation.Below.Cmp(below) >= 0:
		proof, err := r.proofOf(refutation)
		if err != nil {
			return d, err
		}
		if proof != nil && proof.Kind == results.ProofAssignments {
			proof.Below = d.Below // which is shown as well: it is not larger
		}
		if proof != nil && proof.Below == d.Below {
			d.Infeasible(*proof)
			break
		}
		d.SolverClaim = &results.SolverClaim{Engine: refutation.Engine, Below: d.Below}
	}
	if d.Status == results.StatusUnknown {
		r.tellUnproved(ctx, methods, result, "no answer")
	}
	return d, nil
}

// goalBelow returns the largest load below a value, nil where loads have no
// common denominator of use.
func goalBelow(p objective.Problem, below *big.Rat) *big.Rat {
	den := p.Denominator()
	if den == nil {
		return nil
	}
	return objective.MultipleBelow(below, den)
}
