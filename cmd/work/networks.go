//go:build !js

package work

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/networks"
	"leeway/results/store"
	"leeway/search"
	"leeway/search/family"
	"leeway/search/local"
	"leeway/search/orbit"
	"leeway/search/refuters"
)

// What PartOf spends on placements: residue classes on a given number of networks for each dimension but one, those of
// the least mean distances; then, where nothing is proved, more on those on which it has found the best.
const (
	sweptNetworks, sweptClasses       = 16, 200
	refinedNetworks, refined, swapped = 3, 500, 20_000
)

// mostOfOne is the part of all steps that one network may take, so that PartOf ends soon where it cannot prove
// anything.
const mostOfOne = 8

// PartOf returns on which of some networks, as networks.Compare takes them, a given number of processors carry
// least under minimal, and on which torus without shifts. Networks whose lower bound is above the best load known are
// not looked at; on each of the others the engines ask for a better one, until one comes to no end or they take more
// steps than the budget has evaluations. Records of the best placements, and what is proved of each network, go into
// the store of the session, if there is one. Errors are *core.InputError, those of the store and the context's.
func (s *Session) PartOf(ctx context.Context, tori []*core.Torus, size int, b Budget) (networks.Part, error) {
	part := networks.Part{Schema: networks.PartSchema, Nodes: tori[0].N(), Dims: tori[0].D(), Size: size,
		Networks: len(tori)}
	if err := networks.Alike(tori); err != nil {
		return part, err
	}
	best, err := s.leastOf(ctx, tori, size, b)
	if err != nil {
		return part, err
	}
	part.Best = *best
	if plain := slices.DeleteFunc(slices.Clone(tori), (*core.Torus).Twisted); len(plain) > 0 {
		part.Plain, err = s.leastOf(ctx, plain, size, b)
	}
	return part, err
}

// A comparison looks for the network on which a number of processors carry least.
type comparison struct {
	*Session
	Budget
	left int64        // steps of proofs
	list []*candidate // by mean distance
	best *candidate   // the first of those with the least value
}

// A candidate is one of the networks.
type candidate struct {
	objective.Problem
	place int                // in the list
	lower *big.Rat           // no placement has less
	found search.Outcome     // the best placement; without a value if there is none yet
	none  *search.Refutation // what is proved; nil if nothing
}

// leastOf returns the best placement found on any of some networks.
func (s *Session) leastOf(ctx context.Context, tori []*core.Torus, size int, b Budget) (*networks.Placed, error) {
	c := &comparison{Session: s, Budget: b, left: b.Evaluations}
	tori = slices.Clone(tori)
	slices.SortStableFunc(tori, func(a, b *core.Torus) int {
		return cmp.Compare(fast.Distances(a, 0), fast.Distances(b, 0))
	})
	for i, t := range tori {
		p, err := objective.NewProblem(routing.NewMinimal(t, routing.TieBoth), size)
		if err != nil {
			return nil, err
		}
		x := &candidate{Problem: p, place: i, lower: bound.QuickBound(p).Value}
		if arcs, den := bound.Arcs(t, size), p.Denominator(); arcs.Cmp(x.lower) > 0 {
			if x.lower = arcs; den != nil { // loads are multiples of 1/den
				x.lower = objective.RoundUp(arcs, den)
			}
		}
		c.list = append(c.list, x)
	}
	for _, step := range []func(context.Context) error{c.sweep, c.prove, c.known, c.refine, c.keep} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	lower := c.best.found.Value
	for _, x := range c.list {
		if x.lower.Cmp(lower) < 0 {
			lower = x.lower
		}
	}
	return &networks.Placed{Network: c.best.Torus().String(), MaxLoad: results.FormatFraction(c.best.found.Value),
		LowerBound: results.FormatFraction(lower), Placement: "nodes:" + core.JoinNodes(c.best.found.Best.Coords())}, nil
}

// take keeps a placement on a network that is better than what is known there.
func (c *comparison) take(x *candidate, out search.Outcome) {
	if out.Value == nil || x.found.Value != nil && out.Value.Cmp(x.found.Value) >= 0 {
		return
	}
	x.found = out
	if c.best == nil || cmp.Or(out.Value.Cmp(c.best.found.Value), x.place-c.best.place) < 0 {
		c.best = x
	}
}

// wins returns the largest load of a placement on a network that would make it the best; nil where no placement has it,
// or it is not known.
func (c *comparison) wins(x *candidate) *big.Rat {
	load := c.best.found.Value
	if x.place >= c.best.place {
		load = goalBelow(x.Problem, load)
	}
	if load == nil || x.lower.Cmp(load) > 0 {
		return nil
	}
	return load
}

// run looks with a method from what is known of a network; without a value where that does not support the problem.
func (c *comparison) run(ctx context.Context, m search.Method, x *candidate, p search.Params) (search.Outcome, error) {
	p.Problem, p.Seed, p.Workers = x.Problem, c.Seed, c.Workers
	if x.found.Value != nil {
		p.Starts = []core.Placement{x.found.Best}
	}
	out, err := m.Run(ctx, p)
	if refused := (*search.UnsupportedError)(nil); errors.As(err, &refused) {
		return search.Outcome{}, ctx.Err()
	}
	out.Method = cmp.Or(out.How, m.Name())
	c.take(x, out)
	return out, cmp.Or(err, ctx.Err())
}

// nearest returns the first networks.
func (c *comparison) nearest() []*candidate {
	return c.list[:min(len(c.list), sweptNetworks*max(1, c.list[0].Torus().D()-1))]
}

// sweep looks among residue classes on the first networks, which are not all that can have the best.
func (c *comparison) sweep(ctx context.Context) error {
	for _, x := range c.nearest() {
		if c.best != nil && c.wins(x) == nil {
			continue
		}
		if _, err := c.run(ctx, family.Method{}, x, search.Params{Goal: x.lower, Evaluations: sweptClasses}); err != nil {
			return err
		}
	}
	if c.best == nil { // any placement is a beginning
		first := core.MustPlacement(c.list[0].Torus(), core.Range(c.list[0].Size))
		value, _ := fast.Evaluate(c.list[0].Problem, first).Max()
		c.take(c.list[0], search.Outcome{Method: "first", Best: first, Value: value, Evaluations: 1})
	}
	return nil
}

// hardest returns the networks by what was found there, then those where nothing was, by mean distance.
func (c *comparison) hardest() []*candidate {
	return slices.SortedStableFunc(slices.Values(c.list), func(a, b *candidate) int {
		switch u, v := a.found.Value, b.found.Value; {
		case u != nil && v != nil:
			return u.Cmp(v)
		case u != nil:
			return -1
		case v != nil:
			return 1
		}
		return 0
	})
}

// prove has the engines ask on one network after the other, first on those that may have less than the best, then on
// the first of those that may have as much.
func (c *comparison) prove(ctx context.Context) error {
	for _, x := range c.list {
		if x.lower.Cmp(c.best.found.Value) >= 0 {
			continue
		}
		if done, err := c.settle(ctx, x); err != nil || !done {
			return err
		}
	}
	for _, x := range c.nearest() {
		if done, err := c.settle(ctx, x); err != nil || !done {
			return err
		}
	}
	return nil
}

// settle asks on a network until there is nothing better, and reports whether it came to that, or no engine can ask.
func (c *comparison) settle(ctx context.Context, x *candidate) (bool, error) {
	list, others := refuters.Supporting(x.Problem)
	if len(list) == 0 {
		return false, errors.Join(others...)
	}
	var m refuters.Race
	for _, r := range refuters.Deciding(list) {
		m.Methods = append(m.Methods, refuters.Method{Refuter: r})
	}
	for goal := c.wins(x); goal != nil; goal = c.wins(x) {
		nodes := min(c.left, c.Evaluations/mostOfOne)
		if nodes < 1 {
			return false, nil
		}
		out, err := c.run(ctx, m, x, search.Params{Goal: goal, GoalOnly: true, Evaluations: nodes})
		c.left -= out.Evaluations
		switch {
		case err != nil || out.Value == nil:
			return err == nil, err
		case out.Refutation != nil:
			x.none, x.lower = out.Refutation, out.Refutation.Below
		case out.Value.Cmp(goal) > 0:
			return false, nil
		}
	}
	return true, nil
}

// known takes better placements from the atlas of the program.
func (c *comparison) known(context.Context) error {
	shipped, err := atlas.Shipped()
	if err != nil {
		return err
	}
	for _, x := range c.list {
		if c.wins(x) == nil {
			continue
		}
		d, _, err := shipped.Detail(texts.KeyOf(x.Problem))
		if err != nil {
			return err
		}
		if d.Record == nil {
			continue
		}
		_, p, err := compose.Instance(*d.Record)
		if err != nil {
			return err
		}
		value, _ := fast.Evaluate(x.Problem, p).Max()
		c.take(x, search.Outcome{Method: d.Record.FoundBy.Method, Best: p, Value: value, Evaluations: 1})
	}
	return nil
}

// refine looks with more effort where the best were found, unless nothing is better.
func (c *comparison) refine(ctx context.Context) error {
	for _, x := range c.hardest()[:min(len(c.list), refinedNetworks)] {
		for _, m := range []search.Method{orbit.Lattice{}, orbit.Method{}, local.Method{}} {
			if goal := c.wins(x); goal != nil {
				p := search.Params{Goal: x.lower, Evaluations: refined}
				if m.Name() == (local.Method{}).Name() {
					p.Evaluations = swapped
				}
				if _, err := c.run(ctx, m, x, p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// keep puts the best placement into the store, and of the other networks what is proved.
func (c *comparison) keep(ctx context.Context) error {
	if !c.stored() {
		return nil
	}
	for _, x := range c.list {
		var err error
		if x != c.best && x.none != nil {
			b := store.Bound{Value: x.none.Below, Reason: results.ProofSteps + noneBelow}
			b.Proof = c.writeProof(ctx, wanted{Problem: x.Problem, value: x.none.Below}, pendingProof(b.Value))
			if b.Proof != nil {
				err = c.Store.AddBound(compose.KeyOf(x.Problem), b)
			}
		}
		if x == c.best {
			r := &run{Session: c.Session, Task: Task{Problem: x.Problem, Budget: c.Budget}, started: time.Now(),
				baseline: startBaseline(ctx, x.Problem)}
			x.found.Refutation = x.none
			var record results.Record
			record, err = r.record(ctx, x.Problem, x.found, newLowerBound(ctx, x.Problem, nil, true))
			if err == nil {
				_, err = c.Store.AddRecord(record)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
