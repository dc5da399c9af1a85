package orderly

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/census"
)

// Options say how to enumerate. The zero value is ready: one worker.
type Options struct {
	Workers int // changes the speed, never the result; 0 counts as 1
	// Whole visits lists that are too far on to be completed too. Without a limit every level then counts all orbits,
	// as Burnside's lemma does.
	Whole bool
}

// An Enumeration is what was found within a limit.
type Enumeration struct {
	// Representatives are the smallest node list of every orbit of placements within the limit, in lexicographic order.
	Representatives [][]int
	OrbitSizes      []int64  // the number of placements in each orbit
	Labelled        *big.Int // the number of placements: the sum of the orbit sizes
	Levels          []int64  // by size, the lists visited
	// Complete says that all lists were visited, so that what is not here does not exist. It is false where the context
	// ended first.
	Complete bool
}

// Enumerate returns all placements with E_max at most limit, up to the symmetry that preserves E_max; nil is no limit.
// It walks the tree of a proof and goes on where that would end, at a placement; where all processors are on fixed
// nodes there is one placement and no tree. Errors are those of Engine.Plan
// but for the context's.
func Enumerate(ctx context.Context, p objective.Problem, limit *big.Rat, o Options) (*Enumeration, error) {
	if p.Size > 0 && p.Size == p.Fixed.Count() && p.Torus().N() <= maxNodes && !routing.ByPair(p.Routing) &&
		!p.Traffic.Clients() {
		return enumerateFixed(p, limit), nil
	}
	t, err := newTables(ctx, p)
	switch {
	case err != nil && ctx.Err() != nil:
		return unfinished(p), nil
	case err != nil:
		return nil, err
	}
	return t.enumerate(ctx, t.within(limit), o), nil
}

// enumerateFixed returns the fixed nodes, if they are within the limit.
func enumerateFixed(p objective.Problem, limit *big.Rat) *Enumeration {
	nodes := p.Fixed.Nodes()
	value, _ := p.Evaluate(core.MustPlacement(p.Torus(), nodes)).Max()
	out := &Enumeration{Labelled: new(big.Int), Levels: make([]int64, 1), Complete: true}
	if s := core.MustPlacement(p.Torus(), nodes); (limit == nil || value.Cmp(limit) <= 0) && p.Admits(s) {
		out.Representatives, out.OrbitSizes, out.Labelled = [][]int{nodes}, []int64{1}, big.NewInt(1)
	}
	return out
}

// enumerate takes the limit in units.
func (t *tables) enumerate(ctx context.Context, limit int64, o Options) *Enumeration {
	p, err := t.plan(ctx, limit, prefixesWanted, o.Whole)
	if err != nil { // the context ended
		return unfinished(t.problem)
	}
	return p.collect(ctx, o.Workers)
}

// unfinished is the enumeration of a context that ended before any list was visited.
func unfinished(p objective.Problem) *Enumeration {
	return &Enumeration{Labelled: new(big.Int), Levels: make([]int64, p.Size+1)}
}

// collect walks a plan and keeps its placements.
func (p *plan) collect(ctx context.Context, workers int) *Enumeration {
	c := &collection{plan: p, parts: make([]Enumeration, len(p.prefixes))}
	cut := census.Cut(c)
	answer := census.Run(ctx, c, cut, make([]bool, len(cut)), census.Options{Workers: workers})
	return c.join(answer.Complete)
}

// A collection is a plan whose walkers keep placements instead of ending there.
type collection struct {
	*plan
	parts []Enumeration // by prefix
}

// Walker returns a walker that keeps placements.
func (c *collection) Walker() census.Walker { return &collector{newWalker(c.model), c} }

type collector struct {
	*walker
	to *collection
}

// Walk visits the lists that start with prefix i and keeps the placements.
func (c *collector) Walk(i int, poll func(nodes int64) bool) census.Tally {
	part := &c.to.parts[i]
	t := c.tour(c.to.prefixes[i], poll, func(at *level) bool {
		part.Representatives = append(part.Representatives, slices.Sorted(slices.Values(slices.Concat(c.to.fixed, at.nodes))))
		part.OrbitSizes = append(part.OrbitSizes, at.canon.orbit())
		return true
	})
	part.Levels = slices.Clone(c.counts)
	return t
}

// join adds the parts up in the order of the prefixes.
func (c *collection) join(complete bool) *Enumeration {
	out := &Enumeration{Labelled: new(big.Int), Levels: make([]int64, c.size+1), Complete: complete}
	copy(out.Levels, c.above)
	for _, part := range c.parts {
		for size, count := range part.Levels {
			out.Levels[size] += count
		}
		out.Representatives = append(out.Representatives, part.Representatives...)
		out.OrbitSizes = append(out.OrbitSizes, part.OrbitSizes...)
	}
	for _, size := range out.OrbitSizes {
		out.Labelled.Add(out.Labelled, big.NewInt(size))
	}
	return out
}
