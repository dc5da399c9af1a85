package work

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"leeway/cmd/work/certificate"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/check/sat"
	"leeway/results/compose"
	"leeway/search"
)

// record turns the result of a task into the record that claims it, with its proof in steps where that can be had.
func (r *run) record(ctx context.Context, p objective.Problem, result search.Outcome,
	lower *lowerBound) (results.Record, error) {
	claim, err := r.claim(ctx, p, result, lower)
	if err != nil {
		return results.Record{}, err
	}
	if before := claim.Proof; before != nil {
		if claim.Proof = r.writeTaskProof(ctx, p, claim.MaxLoad, before); claim.Proof != before {
			claim.BoundReason = reasonInSteps(before, claim.BoundReason)
		}
		if claim.Proof == nil {
			lower.setBound(ctx, p, &claim)
			claim.Proof = nil
		}
	}
	return compose.New(claim)
}

// reasonInSteps returns the reason of a lower bound once steps are in the place of its proof: a bound stays one.
func reasonInSteps(before *results.Proof, reason string) string {
	if before.Kind == results.ProofSteps {
		return reason
	}
	return results.ProofSteps + noneBelow
}

// noneBelow ends the reason of a lower bound that was proved by refutation, after the kind of its proof.
const noneBelow = ": none is below"

// claim returns what a record claims. It is optimal when a known proof, the steps of an engine or a placement-free
// bound shows that nothing is below the value; the mere word of an engine is noted as its claim.
func (r *run) claim(ctx context.Context, p objective.Problem, result search.Outcome,
	lower *lowerBound) (compose.Values, error) {
	claim := compose.Values{
		Routing: p.Routing, Setting: compose.SettingOf(p), Free: p.Free,
		Placement: result.Best, MaxLoad: result.Value, LowerBound: result.Value,
		FoundBy: results.FoundBy{Method: result.Method, Seed: r.Seed, Evaluations: result.Evaluations,
			Seconds: float64(time.Since(r.started).Milliseconds()) / 1000},
		Provenance: results.Provenance{Version: r.Version, Command: r.Command, Started: compose.FormatTime(r.started),
			Seed: r.Seed, Budget: r.Budget.record()},
		Baseline: r.baseline(),
	}
	if r.Nearest {
		claim.Then = results.ThenDistance
	}
	if p.Free != nil { // the paths that carry the load
		claim.Routing = result.Table
		claim.Baseline = evaluateBaseline(ctx, objective.Problem{Routing: result.Table, Size: p.Size, Terms: p.Terms})
	}
	r.dropRefuted(lower, result.Value)
	n, refutation := lower.known, result.Refutation
	if refutation != nil && refutation.Below.Cmp(result.Value) != 0 {
		refutation = nil
	}
	switch {
	case n != nil && n.below.Cmp(result.Value) == 0 &&
		(refutation == nil || refutation.Kind == search.SolverClaim):
		claim.Proof, claim.BoundReason = n.proofOf(p), n.reason(p)
		return claim, nil
	case refutation != nil:
		var err error
		if claim.Proof, err = r.proofOf(refutation); err != nil {
			return claim, err
		}
		if claim.Proof != nil {
			claim.BoundReason = claim.Proof.Kind + noneBelow
			return claim, nil
		}
		claim.SolverClaim = &results.SolverClaim{Engine: refutation.Engine, Below: refutation.Below.RatString()}
	}
	lower.setBound(ctx, p, &claim)
	return claim, nil
}

// proofOf returns the proof that a refutation amounts to, nil if it is but a
// claim.
func (r *run) proofOf(f *search.Refutation) (*results.Proof, error) {
	switch f.Kind {
	case search.Unsat:
		return unsatProof(f)
	case search.All:
		return &results.Proof{Kind: results.ProofAssignments, Engine: f.Engine, Below: f.Below.RatString()}, nil
	case search.Steps:
		promised := pendingProof(f.Below)
		if r.Proof != nil {
			if last, ok := r.Proof.accepted.Load(f.Engine); ok && last.(*results.Proof).Below == promised.Below {
				return last.(*results.Proof), nil
			}
		}
		return promised, nil
	}
	return nil, nil
}

// PartEnding ends the name of a solver's proof while it is being written.
const PartEnding = ".part"

// unsatProof gives the file that a solver wrote its name and returns the proof
// that names it.
func unsatProof(r *search.Refutation) (*results.Proof, error) {
	target := strings.TrimSuffix(r.File, PartEnding)
	if err := os.Rename(r.File, target); err != nil {
		return nil, err
	}
	sum, err := certificate.HashOf(target)
	if err != nil {
		return nil, err
	}
	symmetry := true
	return &results.Proof{Kind: results.ProofUnsat, Engine: r.Engine, Below: r.Below.RatString(),
		Format: sat.FormatLRAT, File: filepath.Base(target), SHA256: sum, Symmetry: &symmetry}, nil
}

// startBaseline begins to evaluate the placement family.Baseline beside the search, so that a record need not wait for
// it, and returns what waits for that; see evaluateBaseline.
func startBaseline(ctx context.Context, p objective.Problem) func() *results.Baseline {
	if p.Free != nil {
		return func() *results.Baseline { return nil }
	}
	evaluate := sync.OnceValue(func() *results.Baseline { return evaluateBaseline(ctx, p) })
	go evaluate()
	return evaluate
}

// sureBaseline is the most nodes of a torus on which the baseline is evaluated whatever the
// time: check asks for it there.
const sureBaseline = 1024

// evaluateBaseline evaluates the baseline of the problem's size, nil if there is none
// that a table covers and the problem admits, or the context ends first.
func evaluateBaseline(ctx context.Context, p objective.Problem) *results.Baseline {
	text, ok := family.Baseline(p.Torus(), p.Size)
	if !ok {
		return nil
	}
	placement, err := family.Parse(p.Torus(), text)
	if err != nil {
		return nil
	}
	if routing.Covers(p.Routing, placement) != nil || !p.Admits(placement) {
		return nil
	}
	if p.Torus().N() <= sureBaseline {
		ctx = context.WithoutCancel(ctx)
	}
	loads, err := fast.EvaluateContext(ctx, p, placement)
	if err != nil {
		return nil
	}
	value, _ := loads.Max()
	return &results.Baseline{Placement: text, MaxLoad: value.RatString()}
}
