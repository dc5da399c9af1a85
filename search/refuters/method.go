package refuters

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"

	"leeway/core"
	encode "leeway/encode/steps"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/counts"
	"leeway/search/learn"
	"leeway/search/orderly"
)

// Method looks for a placement below the best so far until a refuter shows by steps that there is none.
type Method struct {
	Refuter
	Steps int64    // that one proof may take; 0: any number
	Below *big.Rat // ask about nothing above this value; nil: no limit
	// Prove has the steps of the refuter below a value judged, at most a given number (0: any number), and returns how
	// many were written. It fails unless they are a proof: with the error of the refuter or one of its own.
	// Tell may be called, from any goroutine, with the steps and parts that are done and the parts known by then. Spend,
	// if it is not nil, is asked before some bytes of the steps are written, by one goroutine at a time; it may wait, and
	// its error ends the proof. nil: nobody judges.
	Prove func(ctx context.Context, below *big.Rat, most int64, spend func(int64) error,
		tell func(steps int64, done, parts int)) (int64, error)
}

// A PlacementError says that a placement is below the value, which somebody else has found.
type PlacementError struct{ Placement core.Placement }

func (e *PlacementError) Error() string { return "a placement is below the value" }

// Found returns the placement below the value that made a refuter fail, if that is why.
func Found(err error) (s core.Placement, ok bool) {
	var byCounts *counts.PlacementError
	var byLearn *learn.PlacementError
	var byOrderly *orderly.PlacementError
	var by *PlacementError
	switch {
	case errors.As(err, &byCounts):
		return byCounts.Placement, true
	case errors.As(err, &byLearn):
		return byLearn.Placement, true
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
	return run(ctx, p, m.Name(), m.Below, m.Steps,
		func(ctx context.Context, out *search.Outcome, below *big.Rat, most int64) (string, int64, error) {
			written, err := m.prove(ctx, p, out, below, most, nil)
			return m.Name(), written, err
		})
}

// run is Run for a way to prove that nothing is below a value, with a limit of steps, which returns the name of
// the refuter that came to an end, the steps that it wrote, and its error.
func run(ctx context.Context, p search.Params, name string, highest *big.Rat, steps int64, prove func(
	ctx context.Context, out *search.Outcome, below *big.Rat, most int64) (string, int64, error)) (search.Outcome, error) {
	if highest == nil && p.GoalOnly {
		highest = search.NextAbove(p.Goal, p.Problem.Denominator())
	}
	return search.Descend(ctx, p, name, func(out *search.Outcome) (more bool, err error) {
		most := steps
		if left := p.Evaluations - out.Evaluations; p.Evaluations > 0 && (most == 0 || left < most) {
			most = left
		}
		below := out.Value
		if highest != nil && highest.Cmp(below) < 0 {
			below = highest
		}
		by, written, err := prove(ctx, out, below, most)
		report := func(improved bool, note string) {
			p.Report(search.Event{Method: by, Value: out.Value, Best: out.Best, Evaluations: out.Evaluations,
				Improved: improved, Note: note})
		}
		if most > 0 {
			written = min(written, most) // the last few pass it
		}
		out.Evaluations += written
		found, ok := Found(err)
		switch {
		case err == nil:
			out.Reason = search.Complete
			out.Refutation = &search.Refutation{Below: below, Kind: search.Steps, Engine: by}
			report(false, fmt.Sprintf("below %s: none", below.RatString()))
			return false, nil
		case ok && !p.Problem.Admits(found):
			out.Reason, out.GaveUp = search.Complete, by+": it meets a placement that does not keep to all conditions"
		case ok:
			out.Best = found
			out.Value, _ = fast.Evaluate(p.Problem, found).Max()
			report(true, "")
			return true, nil
		case errors.Is(err, errSpent):
			out.Reason = search.Spent
		case errors.Is(err, encode.ErrMost):
			out.Reason = search.Complete
			out.GaveUp = fmt.Sprintf("%s: a proof below %s takes more than %d steps", by, below.RatString(), most)
		case ctx.Err() != nil:
			return true, nil
		default:
			out.Reason, out.GaveUp = search.Complete, by+": "+err.Error()
		}
		return false, nil
	})
}

// prove has the steps below a value judged, or written for nobody.
func (m Method) prove(ctx context.Context, p search.Params, out *search.Outcome, below *big.Rat, most int64,
	spend func(int64) error) (int64, error) {
	if m.Prove == nil {
		to := io.Discard
		if spend != nil {
			to = Spending{to, spend}
		}
		w := encode.NewWriter(to, encode.Sets(p.Problem))
		work := int64(0)
		w.Cut(encode.Cut{Most: most, Work: &work})
		err := w.Finish(m.Refute(ctx, p.Problem, below, w))
		return work, err
	}
	best, before := out.Value, out.Evaluations
	return m.Prove(ctx, below, most, spend, func(written int64, done, parts int) {
		p.Report(search.Event{Method: m.Name(), Value: best, Evaluations: before + written,
			Note: "below " + below.RatString(), Done: done, Total: parts})
	})
}

// Spending is a writer that asks before it writes, with the number of bytes, whether it may.
type Spending struct {
	io.Writer
	Spend func(bytes int64) error
}

// Pay asks for bytes that are not written.
func (w Spending) Pay(bytes int64) error { return w.Spend(bytes) }

// Write writes what it may.
func (w Spending) Write(b []byte) (int, error) {
	if err := w.Spend(int64(len(b))); err != nil {
		return 0, err
	}
	return w.Writer.Write(b)
}
