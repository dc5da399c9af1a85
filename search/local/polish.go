package local

import (
	"context"
	"math/big"
	"math/rand/v2"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/fast"
)

// A Polisher makes single chains of this package from placements that another
// method provides. It is not safe for concurrent use.
type Polisher struct {
	problem objective.Problem
	exact   *fast.Evaluator
	model   model
	goal    int64 // as in chain
}

// NewPolisher returns a polisher whose chains end at the goal, nil: none. It fails
// where Method.Supports does, and with the error of the context. Making one costs O(N M); keep it.
func NewPolisher(ctx context.Context, p objective.Problem, goal *big.Rat) (*Polisher, error) {
	m, err := newModel(ctx, p)
	if err != nil {
		return nil, err
	}
	return &Polisher{p, fast.NewEvaluator(p), m, goalOf(m, goal)}, nil
}

// Params say where a chain starts and how far it goes.
type Params struct {
	Start       core.Placement
	Seed        uint64
	Known       int64       // the best load so far, in units of the polisher; Unknown: none
	Patience    int         // steps without a smaller load after which the chain ends
	Evaluations int64       // that may be made, at least 1
	Quit        func() bool // asked now and then, also within a step; changes nothing
}

// A Polished is where a chain came.
type Polished struct {
	Best        core.Placement
	Most        int64    // its largest load in units of the polisher, no more than the start has
	Value       *big.Rat // its E_max, exact
	Links       int      // that have it
	Evaluations int64
	Reached     bool // the goal
}

// Run makes a chain, aimed below the smaller of what is known and its own best.
func (p *Polisher) Run(w Params) Polished {
	c := &chain{problem: p.problem, start: &w.Start, known: w.Known, goal: p.goal, allowance: w.Evaluations - 1, spent: 1,
		model: p.model, rng: rand.New(rand.NewPCG(w.Seed, 0))}
	least, idle := int64(Unknown), 0
	c.halted = w.Quit
	c.quit = func() bool {
		if idle++; c.most < least {
			least, idle = c.most, 0
		}
		return idle > w.Patience || w.Quit()
	}
	c.settle()
	c.look()
	if !c.settled() {
		c.steps()
	}
	end := Polished{Best: c.placement(), Most: c.most, Evaluations: c.spent, Reached: c.reached}
	end.Value, end.Links = p.exact.Loads(end.Best).Max()
	return end
}
