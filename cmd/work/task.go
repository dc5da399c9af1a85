package work

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/store"
)

// Version is the version of this tree; records carry it.
const Version = "0.1.0"

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
	Engine   string   // of Engines; "auto": the first that can, "bound": none
	Solver   string   // path of a solver that proves instead, "" for none
	File     string   // where the solver's proof goes, "" if it writes none
	Symmetry string   // only placements with this symmetry are looked at; "": all are
	Below    *big.Rat // only whether E_max below this is possible; nil: the smallest
	Log      *Log     // keeps slices; nil: none
	All      bool     // list all optimal placements
	Only     bool     // no search where the proof does not finish: that is another task
	// Certificate has a formula and a proof in LRAT made of what was proved; nil: none.
	Certificate *Certificate
	// Stream is a file for the proof as steps, "" for none.
	Stream string
	// ListWithin has them listed only where the proof took less time than this, the listing takes
	// at most five times as long, and they are few; 0: not at all.
	ListWithin time.Duration

	accepted sync.Map // by engine, *results.Proof: the last in steps that the kernel followed while they were found
	recalled *Log     // slices of an earlier attempt, nil if there was none
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

// storeKey returns the key under which a store knows a search.
func (t Task) storeKey() store.Run {
	run := store.Run{Problem: compose.KeyOf(t.Problem), Seed: t.Seed, Budget: t.record(), Methods: t.Methods}
	if t.Nearest {
		run.Then = results.ThenDistance
	}
	if t.Limit != nil {
		run.Goal = limitGoal + t.Limit.String()
	}
	return run
}
