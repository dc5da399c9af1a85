package work

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/plan"
	"leeway/results/store"
)

// A Task is a problem with the way to work on it.
type Task struct {
	objective.Problem
	Budget
	Methods []string // of a search; nil: of the default ones those that can
	Nearest bool     // among placements of equal E_max the one of least mean distance from its clients is asked for
	Proof   *Proof   // nil: a search
	Starts  []core.Placement
}

// A Budget says how long to look. Zero time or evaluations is no limit.
type Budget struct {
	Seed        uint64
	Time        time.Duration
	Evaluations int64 // makes a run repeatable
}

// Deadline returns a context that ends with the time of the budget, if it has one.
func (b Budget) Deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, b.Time)
}

// record returns the budget as records have it.
func (b Budget) record() results.Budget {
	var r results.Budget
	if b.Time > 0 {
		text := b.Time.String()
		r.Time = &text
	}
	if b.Evaluations > 0 {
		r.Evaluations = &b.Evaluations
	}
	return r
}

// A Proof says how to prove the smallest E_max of a size.
type Proof struct {
	Engine   string           // of Engines; "auto": the first that can, "bound": none
	Solver   string           // path of a solver that proves instead, "" for none
	File     string           // where the solver's proof goes, "" if it writes none
	Symmetry string           // only placements with this symmetry are looked at; "": all are
	Below    *big.Rat         // only whether E_max below this is possible; nil: the smallest
	Part     func(i int) bool // slices to walk; nil: all
	Log      *Log             // keeps slices; nil: none
	All      bool             // list all optimal placements
	Only     bool             // no search where it comes to no end: that is another task
	// Certificate has a formula and a proof in LRAT made of what was proved; nil: none.
	Certificate *Certificate
	// ListWithin has them listed only where the proof took less time than this, the listing takes
	// at most five times as long, and they are few; 0: not at all.
	ListWithin time.Duration
}

// String returns the words of a command line that asks for the task.
func (t Task) String() string {
	words := []string{"leeway search", t.Problem.String(), fmt.Sprintf("--seed %d", t.Seed)}
	if t.Proof != nil {
		words[0] = "leeway prove"
		words = append(words, "--engine "+t.Proof.Engine)
		if t.Proof.Below != nil {
			words = append(words, "--below "+t.Proof.Below.RatString())
		}
	}
	if t.Nearest {
		words = append(words, "--then "+results.ThenDistance)
	}
	if t.Methods != nil {
		words = append(words, "--methods "+strings.Join(t.Methods, ","))
	}
	if t.Time > 0 {
		words = append(words, "--time "+t.Time.String())
	}
	if t.Evaluations > 0 {
		words = append(words, fmt.Sprintf("--evaluations %d", t.Evaluations))
	}
	return strings.Join(words, " ")
}

// Identity returns the text by which a cluster knows the job that some tasks are, which differ in their sizes only: the
// words of a command line that asks for the same.
func Identity(tasks []Task) string {
	text := tasks[0].String()
	if last := tasks[len(tasks)-1]; len(tasks) > 1 {
		text += fmt.Sprintf(" and sizes up to %d", last.Size)
	}
	return text
}

// limitGoal begins the goal of a run for the largest size within a limit.
const limitGoal = "max-load "

// run returns the key under which a store knows a search.
func (t Task) run() store.Run {
	run := store.Run{Problem: store.ProblemOf(t.Problem), Seed: t.Seed, Budget: t.record(), Methods: t.Methods}
	if t.Nearest {
		run.Then = results.ThenDistance
	}
	if t.Limit != nil {
		run.Goal = limitGoal + t.Limit.String()
	}
	return run
}

// taskOf rebuilds the task of a run in a store.
func taskOf(r store.Run) (Task, error) {
	setting, err := objective.ParseWhere(r.Problem.Torus)
	if err != nil {
		return Task{}, err
	}
	t := setting.Torus
	task := Task{Budget: Budget{Seed: r.Seed}, Nearest: r.Then != ""}
	if len(r.Methods) > 0 {
		task.Methods = r.Methods
	}
	if f, free, err := routing.ParseFree(r.Problem.Routing); free && err == nil {
		task.Problem = objective.FreeProblem(t, f)
	} else if r.Problem.Table != "" {
		var table results.Table
		if err := json.Unmarshal([]byte(r.Problem.Table), &table); err != nil {
			return task, err
		}
		if task.Routing, err = table.Routing(t); err != nil {
			return task, err
		}
	} else if task.Routing, err = routing.Parse(t, r.Problem.Routing); err != nil {
		return task, err
	}
	task.Size = r.Problem.Size
	if text, ok := strings.CutPrefix(r.Goal, limitGoal); ok {
		if task.Limit, err = plan.ParseLimit(text); err != nil {
			return task, err
		}
	}
	if task.Problem, err = setting.Of(task.Problem); err != nil {
		return task, err
	}
	if task.Problem, err = task.WithNodes(setting.Fixed, setting.Forbidden); err != nil {
		return task, err
	}
	if r.Budget.Evaluations != nil {
		task.Evaluations = *r.Budget.Evaluations
	}
	if r.Budget.Time != nil {
		task.Time, err = time.ParseDuration(*r.Budget.Time)
	}
	return task, err
}

// Plan returns the tasks of the searches of a plan in a file. The error is plan.Faults about those whose
// methods cannot treat them, each method once for a problem of the plan.
func Plan(file string, searches []plan.Search) ([]Task, error) {
	var faults plan.Faults
	var tasks []Task
	for _, j := range searches {
		b := Budget{Seed: j.Seed, Time: j.Time, Evaluations: j.Evaluations}
		tasks = append(tasks, Task{Problem: j.Problem, Budget: b, Methods: j.Methods, Nearest: j.Then != ""})
		_, err := pickMethods(j.Methods, j.Problem)
		if err == nil {
			continue
		}
		if n := len(faults); n > 0 && faults[n-1].Line == j.Line && faults[n-1].Column == j.Column {
			continue // another size of the same problem
		}
		faults = append(faults, &results.ReadError{File: file, Line: j.Line, Column: j.Column, Problem: err.Error(),
			Hint: "leave the method away, or the key methods for those that can"})
	}
	if faults == nil {
		return tasks, nil
	}
	return nil, faults
}
