// Package fewest looks for complete exchanges by store and forward in fewer steps than are known. It asks a SAT
// solver for one step less, again and again, until the solver finds none or a lower bound is reached. Package
// encode/timetable writes the formulas. That there is none is the word of the solver, unless it leaves a proof for a
// checker.
package fewest

import (
	"context"

	"leeway/encode/dimacs"
	"leeway/encode/timetable"
	"leeway/objective/exchange"
	"leeway/objective/exchange/steps"
	"leeway/search/backend"
	"leeway/search/sat"
)

// A Solver decides whether a formula is satisfiable. An unknown answer means that the context ended.
type Solver func(ctx context.Context, f dimacs.Formula) (dimacs.Status, func(variable int) bool, error)

// Gini asks the solver that is built in, which leaves no proof.
func Gini(ctx context.Context, f dimacs.Formula) (dimacs.Status, func(variable int) bool, error) {
	switch answer, value := sat.Decide(ctx, f); answer {
	case sat.Found:
		return dimacs.Satisfiable, value, nil
	case sat.Refuted:
		return dimacs.Unsatisfiable, nil, nil
	}
	return dimacs.Unknown, nil, nil
}

// External returns a solver that runs a program, which writes a proof to the file if the formula is unsatisfiable; see
// backend.SolveTo for the errors. If the program gives no answer although there was time for it, the error is a
// *backend.SolverError.
func External(program, proof string) Solver {
	return func(ctx context.Context, f dimacs.Formula) (dimacs.Status, func(variable int) bool, error) {
		answer, err := backend.SolveTo(ctx, program, f, proof)
		if err == nil && answer.Status == dimacs.Unknown && ctx.Err() == nil {
			err = &backend.SolverError{Solver: program, Why: "it gave no answer"}
		}
		return answer.Status, answer.Value, err
	}
}

// Params say how to look.
type Params struct {
	Plan    *steps.Plan // the best so far
	Solver  Solver
	Name    string          // of the schedules that are found
	Observe func(steps int) // called before the question whether this many steps do; nil: not
}

// An Outcome is the best plan and how the search ended.
type Outcome struct {
	Plan    *steps.Plan
	Refuted bool // the solver says that one step less is impossible
}

// Fewest asks for one step less than the best plan until the solver refutes it, a bound is reached, or the context
// ends. It fails with a *cnf.SizeError or a *timetable.QuestionError if the question is too large, with a
// *timetable.ModelError, or with the error of the solver.
func Fewest(ctx context.Context, p Params) (Outcome, error) {
	out := Outcome{Plan: p.Plan}
	for !out.Plan.Optimal && !out.Refuted && ctx.Err() == nil {
		if p.Observe != nil {
			p.Observe(out.Plan.Steps - 1)
		}
		f, err := timetable.New(question(out.Plan))
		if err != nil {
			return out, err
		}
		status, value, err := p.Solver(ctx, f)
		switch {
		case err != nil:
			return out, err
		case status == dimacs.Unsatisfiable:
			out.Refuted = true
		case status == dimacs.Satisfiable:
			phases, err := f.Decode(value)
			if err != nil {
				return out, err
			}
			out.Plan = out.Plan.WithSteps(p.Name, phases)
		}
	}
	return out, nil
}

// question asks for one step less than a plan has.
func question(p *steps.Plan) timetable.Question {
	return timetable.Question{Neighbours: exchange.Neighbours(p.Network.Network),
		Participants: p.Schedule.Participants, Steps: p.Steps - 1}
}
