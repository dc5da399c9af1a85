package counts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"

	"leeway/encode/steps"
	"leeway/objective"
	"leeway/search"
)

// Method looks for a placement below the best so far until a proof as steps shows that there is none. The proof is not
// kept: who wants it follows it at once, or has Refute write it again.
type Method struct {
	Steps int64    // that one proof may take; 0: any number
	Below *big.Rat // ask about nothing above this value; nil: no limit
	// Follow calls write with what reads the steps for a value while they are written, and returns nil if they are a
	// proof, else the error of write or its own; nil: nobody reads them.
	Follow func(ctx context.Context, below *big.Rat, write func(ctx context.Context, to io.Writer) error) error
}

// Name returns "counts".
func (Method) Name() string { return Name }

// Supports is Refutes, for problems with a given routing and size.
func (Method) Supports(p objective.Problem) error {
	if p.Free != nil || p.Limit != nil {
		return search.Unsupported(Name, p, "it proves something about a given routing and size")
	}
	return Refutes(p)
}

// Run asks for a placement below the best start, and below each that it finds. Evaluations are steps. A proof that
// takes too many steps ends the run as complete, without a refutation.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	if err := m.Supports(p.Problem); err != nil {
		return search.Outcome{}, err
	}
	if m.Below == nil && p.GoalOnly {
		m.Below = search.NextAbove(p.Goal, p.Problem.Denominator())
	}
	return search.Descend(ctx, p, Name, func(out *search.Outcome) (more bool, err error) {
		most := m.Steps
		if left := p.Evaluations - out.Evaluations; p.Evaluations > 0 && (most == 0 || left < most) {
			most = left
		}
		below := out.Value
		if m.Below != nil && m.Below.Cmp(below) < 0 {
			below = m.Below
		}
		write := func(ctx context.Context, reader io.Writer) error {
			to := steps.NewWriter(reader, steps.Sets(p.Problem))
			defer func() { out.Evaluations += to.Steps }()
			return refute(ctx, p.Problem, below, to, most)
		}
		if m.Follow != nil {
			err = m.Follow(ctx, below, write)
		} else {
			err = write(ctx, io.Discard)
		}
		found := (*PlacementError)(nil)
		switch {
		case err == nil:
			out.Reason, out.Refutation = search.Complete, &search.Refutation{Below: below, Kind: search.Steps, Engine: Name}
			p.Report(search.Event{Method: Name, Value: out.Value, Evaluations: out.Evaluations,
				Note: fmt.Sprintf("below %s: none", below.RatString())})
			return false, nil
		case errors.As(err, &found):
			out.Best = found.Placement
			out.Value, _ = p.Problem.Evaluate(found.Placement).Max()
			p.Report(search.Event{Method: Name, Value: out.Value, Best: out.Best, Evaluations: out.Evaluations, Improved: true})
			return true, nil
		case errors.Is(err, errMost):
			out.Reason = search.Complete
			out.GaveUp = fmt.Sprintf("counts: a proof below %s takes more than %d steps", below.RatString(), most)
			return false, nil
		case ctx.Err() != nil:
			return true, nil
		case m.Follow != nil:
			out.Reason, out.GaveUp = search.Complete, "counts: "+err.Error()
			return false, nil
		}
		return false, err
	})
}
