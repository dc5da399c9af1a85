package census

import (
	"context"
	"errors"
	"math"

	"leeway/objective"
	"leeway/search"
)

// What a plan may take of a turn: as many prefixes as the turn has nodes, but not fewer or more than these, and so many
// steps for every node.
const (
	fewestKept   = 1 << 12
	mostKept     = 1 << 18
	stepsPerNode = 32
)

// longerTurns stands for the length of turn in which a tree that could not even be planned may be.
const longerTurns = 16

// Bounded is a census that takes its turn among other methods: the first engine that supports the problem, alone, on
// one worker, with what it keeps bounded by the length of the turn.
type Bounded struct {
	// Engines lists the engines, those first that are quicker where they fit. Plans are to have at most so many
	// prefixes and, where listing them takes most of the time, to take at most so many steps, 0 for any number.
	Engines func(kept int, steps int64) []Engine
}

// Name returns "census".
func (Bounded) Name() string { return "census" }

// Supports returns nil if an engine can treat the problem, otherwise an *search.UnsupportedError with the reason of the
// last.
func (s Bounded) Supports(p objective.Problem) error {
	_, err := s.fitting(p, fewestKept, 0)
	return err
}

// fitting returns the first engine that supports the problem.
func (s Bounded) fitting(p objective.Problem, kept int, steps int64) (Engine, error) {
	var err error
	for _, e := range s.Engines(kept, steps) {
		if err = e.Supports(p); err == nil {
			return e, nil
		}
	}
	var why *search.UnsupportedError
	if errors.As(err, &why) {
		err = search.Unsupported(s.Name(), p, "%s", why.Why)
	}
	return nil, err
}

// Run is that of Method. An outcome without an answer estimates by the slices walked how many turns as long as this one
// the last question takes.
func (s Bounded) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	steps := min(max(p.Evaluations, fewestKept), math.MaxInt64/stepsPerNode) * stepsPerNode
	if p.Evaluations == 0 {
		p.Evaluations, steps = math.MaxInt64, 0 // the context is the limit
	}
	kept := int(min(max(p.Evaluations, fewestKept), mostKept))
	e, err := s.fitting(p.Problem, kept, steps)
	if err != nil {
		return search.Outcome{}, err
	}
	var last search.Event
	inner := p
	inner.Observe = func(e search.Event) {
		last = e
		p.Report(e)
	}
	// From the goal upwards there are many questions, which may cost more than their nodes.
	out, err := Method{Engines: []Engine{e}, Down: steps > 0}.Run(ctx, inner)
	out.How = how(s.Name(), e.Name())
	switch {
	case out.Refutation != nil || out.Reason == search.Reached || last.Improved:
	case out.GaveUp == "":
		out.Turns = turns(last)
	case kept < mostKept || steps > 0:
		out.Turns = longerTurns
	}
	return out, err
}

// turns estimates how many turns like the one whose last event this is a walk takes. The first slices are often the
// largest, so that is rather too many.
func turns(last search.Event) int64 {
	switch {
	case last.Total == 0 || last.Done == last.Total: // the next question was not planned in time
		return 0
	case last.Done == 0:
		return int64(last.Total)
	}
	return int64((last.Total + last.Done - 1) / last.Done)
}
