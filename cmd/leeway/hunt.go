package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/search"
	"leeway/search/portfolio"
)

// errNoPlacement says that a budget was spent before anything was evaluated.
var errNoPlacement = errors.New("no placement was found before the end")

// anyPlacement returns a random placement: what a budget too small for the methods
// is worth. The error is errNoPlacement where a table does not cover it, or its E_max is not
// known soon after the context has ended.
func anyPlacement(ctx context.Context, p objective.Problem, seed uint64) (search.Result, error) {
	drawn := family.Random(p.Torus(), p.Size, seed)
	if routing.Covers(p.Routing, drawn) != nil {
		return search.Result{}, fmt.Errorf("%s: %w", p, errNoPlacement)
	}
	loads, err := core.Await(ctx, grace, func() (*objective.Loads, error) { return objective.Evaluate(p.Routing, drawn), nil })
	if err != nil {
		return search.Result{}, fmt.Errorf("%s: %w", p, errNoPlacement)
	}
	value, _ := loads.Max()
	return search.Result{Method: "random", Outcome: search.Outcome{Best: drawn, Value: value, Evaluations: 1}}, nil
}

// A hunt is a search or a proof over some problems: the flags and what they say.
type hunt struct {
	subject
	effort
	out    string
	asJSON bool
	all    bool // prove: list all optimal placements
	// inStore says that a store holds the records: no file is made up for them.
	inStore bool
}

func (h *hunt) register(cmd *cobra.Command) {
	h.mostNodes = manyNodes
	h.torusFlag(cmd)
	h.sizeFlag(cmd)
	h.routingFlag(cmd)
	h.effort.register(cmd)
	cmd.Flags().StringVar(&h.out, "out", "", "file for the record (default: a new file named after the problem, none with --json)")
	cmd.Flags().BoolVar(&h.asJSON, "json", false, "print one JSON document")
}

// read validates everything before any work starts.
func (h *hunt) read(cmd *cobra.Command) ([]objective.Problem, budget, error) {
	problems, err := h.problems(cmd.Context())
	if err != nil {
		return nil, budget{}, err
	}
	b, err := h.effort.read(cmd)
	if err != nil {
		return nil, b, err
	}
	switch {
	case h.out != "" && len(problems) > 1:
		err = usagef("--out %q: one file cannot hold the records of %d sizes; leave --out away and each gets a file of its own", h.out, len(problems))
	case h.out != "":
		err = results.CheckTarget(h.out)
	case !h.asJSON:
		err = results.CheckTarget(recordBase(problems[0], b.seed) + ".json")
	}
	return problems, b, err
}

// A task says how to look at one problem.
type task struct {
	methods []search.Method
	known   *neighbours // proofs about other sizes, to be used and added to; nil: none
	log     *workLog    // nil: none
	lead    *lead       // of a cluster; nil: this machine alone
	starts  []core.Placement
	forced  bool // the engine named is to give the proof, not a bound
	plain   bool // bounds with a closed form are enough
}

// neighbour returns the best proof about another size, nil if there is none.
func (t task) neighbour(p objective.Problem) *neighbour {
	if t.known == nil {
		return nil
	}
	return t.known.best(p)
}

// hunt looks at the problems in turn, with the methods that pick names for each,
// and publishes one record per problem. It stops early, without an error, when
// the context ends.
func (a *app) hunt(ctx context.Context, h *hunt, problems []objective.Problem, b budget, pick func(objective.Problem) (task, error)) error {
	chosen := make([]task, len(problems))
	for i, p := range problems {
		var err error
		if chosen[i], err = pick(p); err != nil {
			return err
		}
	}
	var list []any
	var failed, unlogged error
	for i, p := range problems {
		record, err := a.solve(ctx, p, b, chosen[i])
		if err != nil {
			return err
		}
		if known := chosen[i].known; known != nil {
			if err := known.learn(p.Routing, record); err != nil {
				return err
			}
		}
		if h.all {
			if err := a.addOptima(ctx, &record, p, b); err != nil {
				return err
			}
		}
		list = append(list, record)
		if err := a.publish(h, recordBase(p, b.seed), record); err != nil {
			failed = err // the record still goes to stdout: nothing found is lost
		}
		if log := chosen[i].log; log != nil && log.err != nil {
			unlogged = log.err
		}
		if ctx.Err() != nil {
			break
		}
	}
	if h.asJSON || failed != nil {
		if err := a.printItems(list, len(problems) > 1); err != nil {
			return err
		}
	}
	return cmp.Or(failed, unlogged)
}

// solve does a task and returns the record of the best placement.
func (a *app) solve(ctx context.Context, p objective.Problem, b budget, t task) (results.Record, error) {
	started := time.Now()
	limited, cancel := b.limit(ctx)
	defer cancel()
	papers := startBaseline(limited, p)
	lower := newLowerBound(limited, p, t.neighbour(p), t.plain)
	show := a.newProgress(lower.value(), b)
	defer show.stop()
	params := search.Params{Problem: p, Seed: b.seed, Evaluations: b.evaluations, Workers: b.workers, Starts: t.starts,
		Observe: func(e search.Event) { show.observe(e); t.know(e, lower) }}
	if t.log != nil {
		params.Starts = t.log.starts(p)
	}
	options := portfolio.Options{InTurn: true}
	var result portfolio.Result
	var err error
	if t.forced {
		result, err = portfolio.Run(limited, t.methods, params, options)
	} else {
		result, err = toBound(limited, t.methods, params, options, lower)
	}
	if err != nil {
		return results.Record{}, err
	}
	if result.Value == nil { // stopped before anything was evaluated
		if result.Result, err = anyPlacement(limited, p, b.seed); err != nil {
			return results.Record{}, err
		}
	}
	if result.GaveUp != "" {
		a.remark("no proof: %s", result.GaveUp)
	}
	if t.log != nil {
		t.log.end(result.Best, result.Value)
	}
	return a.newRecord(limited, p, result.Result, lower, papers, b, started)
}
