package refuters

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"

	"leeway/core"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/search"
	"leeway/search/counts"
	"leeway/search/orderly"
)

// Method looks for a placement below the best so far until a refuter shows by steps that there is none.
type Method struct {
	Refuter
	Steps int64    // that one proof may take; 0: any number
	Below *big.Rat // ask about nothing above this value; nil: no limit
	// Prove has the steps of the refuter below a value judged, at most so many (0: any number), and returns how many were
	// written. It fails unless they are a proof: with the error of the refuter, ErrPart, or one of its own. Tell may be
	// called, from any goroutine, with the steps and parts that are done and the parts known by then. nil: nobody judges.
	Prove func(ctx context.Context, below *big.Rat, most int64, tell func(steps int64, done, parts int)) (int64, error)
}

// ErrPart says that a part of a proof is done which was asked for, and others are left.
var ErrPart = errors.New("the other parts of the proof are left")

// A PlacementError says that a placement is below the value, which somebody else has found.
type PlacementError struct{ Placement core.Placement }

func (e *PlacementError) Error() string { return "a placement is below the value" }

// Found returns the placement below the value that made a refuter fail, if that is why.
func Found(err error) (s core.Placement, ok bool) {
	var byCounts *counts.PlacementError
	var byOrderly *orderly.PlacementError
	var by *PlacementError
	switch {
	case errors.As(err, &byCounts):
		return byCounts.Placement, true
	case errors.As(err, &byOrderly):
		return byOrderly.Placement, true
	case errors.As(err, &by):
		return by.Placement, true
	}
	return s, false
}

// Name returns that of the refuter.
func (m Method) Name() string { return m.Refuter.Name }

// Supports returns nil for problems that the refuter takes, otherwise an *search.UnsupportedError.
func (m Method) Supports(p objective.Problem) error { return m.takes(p) }

// Run asks for a placement below the best start, and below each that it finds. Evaluations are steps. A proof that
// takes too many steps, or is refused, ends the run as complete, without a refutation.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	if err := m.Supports(p.Problem); err != nil {
		return search.Outcome{}, err
	}
	if m.Below == nil && p.GoalOnly {
		m.Below = search.NextAbove(p.Goal, p.Problem.Denominator())
	}
	return search.Descend(ctx, p, m.Name(), func(out *search.Outcome) (more bool, err error) {
		most := m.Steps
		if left := p.Evaluations - out.Evaluations; p.Evaluations > 0 && (most == 0 || left < most) {
			most = left
		}
		below := out.Value
		if m.Below != nil && m.Below.Cmp(below) < 0 {
			below = m.Below
		}
		report := func(improved bool, note string) {
			p.Report(search.Event{Method: m.Name(), Value: out.Value, Best: out.Best, Evaluations: out.Evaluations,
				Improved: improved, Note: note})
		}
		written, err := m.prove(ctx, p, out, below, most)
		if most > 0 {
			written = min(written, most) // the last few pass it
		}
		out.Evaluations += written
		found, ok := Found(err)
		switch {
		case err == nil:
			out.Reason = search.Complete
			out.Refutation = &search.Refutation{Below: below, Kind: search.Steps, Engine: m.Name()}
			report(false, fmt.Sprintf("below %s: none", below.RatString()))
			return false, nil
		case ok:
			out.Best = found
			out.Value, _ = p.Problem.Evaluate(found).Max()
			report(true, "")
			return true, nil
		case errors.Is(err, steps.ErrMost):
			out.Reason = search.Complete
			out.GaveUp = fmt.Sprintf("%s: a proof below %s takes more than %d steps", m.Name(), below.RatString(), most)
		case errors.Is(err, ErrPart):
			out.Reason = search.Complete
		case ctx.Err() != nil:
			return true, nil
		case m.Prove != nil:
			out.Reason, out.GaveUp = search.Complete, m.Name()+": "+err.Error()
		default:
			return false, err
		}
		return false, nil
	})
}

// prove has the steps below a value judged, or written for nobody.
func (m Method) prove(ctx context.Context, p search.Params, out *search.Outcome, below *big.Rat,
	most int64) (int64, error) {
	if m.Prove == nil {
		w := steps.NewWriter(io.Discard, steps.Sets(p.Problem))
		w.Cut(steps.Cut{Most: most})
		err := w.Finish(m.Refute(ctx, p.Problem, below, w))
		return w.Steps, err
	}
	best, before := out.Value, out.Evaluations
	return m.Prove(ctx, below, most, func(written int64, done, parts int) {
		p.Report(search.Event{Method: m.Name(), Value: best, Evaluations: before + written,
			Note: "below " + below.RatString(), Done: done, Total: parts})
	})
}
