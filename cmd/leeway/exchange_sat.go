package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"leeway/objective/exchange"
	"leeway/results"
	"leeway/results/check"
	"leeway/search/backend"
	"leeway/search/fewest"
)

// builtInSolver is the engine of the algorithm sat without --backend.
const builtInSolver = "gini"

// A solverQuestion is what the flags say about the algorithm sat.
type solverQuestion struct {
	program string        // the outside solver; "": the one that is built in
	proof   string        // where its proof goes; "": nowhere
	time    time.Duration // 0: no limit
	observe func(steps int)
}

// readSolver reads --backend and --time. A proof goes next to the schedule.
func (f *exchangeFlags) readSolver() (s solverQuestion, err error) {
	if f.algorithm != algorithmSAT {
		switch {
		case f.backend != "":
			return s, usagef("--backend is for --algorithm %s", algorithmSAT)
		case f.timeText != "":
			return s, usagef("--time is for --algorithm %s", algorithmSAT)
		}
		return s, nil
	}
	if f.timeText != "" {
		if s.time, err = readTime(f.timeText); err != nil {
			return s, err
		}
	}
	if f.backend == "" {
		return s, nil
	}
	if s.program, err = backend.Find(f.backend); err != nil {
		return s, inFlag("backend", err)
	}
	if filepath.Base(s.program) == backend.Clasp {
		return s, inFlag("backend", &backend.ProofError{Solver: f.backend})
	}
	if f.scheduleFile == "" {
		return s, nil
	}
	if info, err := os.Stat(f.scheduleFile); err == nil && !info.Mode().IsRegular() {
		return s, usagef("--schedule %s is no regular file: with --backend a proof lies next to the schedule", f.scheduleFile)
	}
	s.proof = strings.TrimSuffix(f.scheduleFile, ".json") + proofEnding
	return s, results.CheckTarget(s.proof)
}

// fewest returns a plan of fewer steps if a solver finds one, and what is known then: a
// proof, with its file where it is still unchecked, or the word of the solver.
func (q exchangeQuestion) fewest(ctx context.Context, p *exchange.StepPlan) (*exchange.StepPlan, *refutedSteps, error) {
	folder, err := os.MkdirTemp("", "leeway-exchange-")
	if err != nil {
		return nil, nil, err
	}
	s := q.solver
	r := &refutedSteps{engine: builtInSolver, folder: folder}
	params := fewest.Params{Plan: p, Solver: fewest.Gini, Name: algorithmSAT, Observe: s.observe}
	if s.program != "" {
		r.engine, r.proof = filepath.Base(s.program), filepath.Join(folder, "steps"+proofEnding)
		params.Solver = fewest.Outside(s.program, r.proof)
	}
	if s.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.time)
		defer cancel()
	}
	out, err := fewest.Fewest(ctx, params)
	if err != nil || !out.Refuted {
		return out.Plan, nil, errors.Join(err, os.RemoveAll(folder))
	}
	return out.Plan, r, nil
}

// A refutedSteps is the answer of a solver that one step less is impossible. Its proof
// lies in a folder of its own until it is checked.
type refutedSteps struct {
	engine, folder, proof string
}

// settle checks the proof of a solver and gives it its place, or notes that there is none.
func (e *solvedExchange) settle(ctx context.Context) error {
	r := e.refuted
	if r == nil {
		return nil
	}
	defer os.RemoveAll(r.folder)
	steps := *e.document.Steps
	if r.proof == "" {
		e.document.SolverClaim = &stepsClaim{Engine: r.engine, Below: steps}
		return nil
	}
	sum, err := hashFile(r.proof)
	if err != nil {
		return err
	}
	proof := &results.ScheduleProof{Kind: results.ProofUnsat, Engine: r.engine, Below: steps, Format: check.FormatDRAT,
		File: filepath.Base(r.proof), SHA256: sum}
	e.proof = proof
	if problem := check.NoFewerSteps(ctx, r.folder, e.head()); problem != "" {
		if ctx.Err() != nil {
			return errors.New("stopped before the proof was checked")
		}
		return fmt.Errorf("the proof of %s that there are no %d steps is wrong: %s", r.engine, steps-1, problem)
	}
	e.document.LowerBound["steps"], e.document.BoundReason, e.document.Optimal = int64(steps), results.ProofUnsat, true
	e.document.Proof = proof
	proof.File = ""
	if target := e.question.solver.proof; target != "" {
		proof.File = filepath.Base(target)
		data, err := os.ReadFile(r.proof)
		if err == nil {
			err = results.WriteFile(target, data)
		}
		return err
	}
	return nil
}

// boundProof is the proof of a plan that reaches a bound, nil for others.
func boundProof(p *exchange.StepPlan) *results.ScheduleProof {
	if !p.Optimal {
		return nil
	}
	b := p.Bounds[0]
	return &results.ScheduleProof{Kind: results.ProofBound, Engine: "bound", Below: p.Steps, Bound: b.Name, Weights: b.Weights}
}
