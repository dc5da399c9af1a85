package margin

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
)

// MaxSide is the longest side that the method takes on: contents of a line are
// listed, up to 2^MaxSide of them.
const MaxSide = 16

// Method is the search by margins first. The zero value is ready.
type Method struct{}

// New returns the method.
func New() Method { return Method{} }

// Name returns "margin".
func (Method) Name() string { return "margin" }

// Supports returns nil for odr, udr and orders on tori of two dimensions with
// sides up to MaxSide, otherwise an *search.UnsupportedError.
func (m Method) Supports(p objective.Problem) error {
	refuse := func(why string) error {
		return &search.UnsupportedError{Method: m.Name(), Problem: p.String(), Why: why}
	}
	t := p.Torus()
	if _, ok := p.Routing.(*routing.Orders); !ok {
		return refuse("loads of lines follow from margins under odr, udr and orders only")
	}
	if t.D() != 2 {
		return refuse(fmt.Sprintf("the torus has %d dimensions, not 2", t.D()))
	}
	if k := max(t.Side(0), t.Side(1)); k > MaxSide {
		return refuse(fmt.Sprintf("a side is %d long, the method stops at %d", k, MaxSide))
	}
	return nil
}

// Run raises the limit from the degree bound, or asks first for the goal where
// that is higher, in steps of 1/D as all loads are multiples of it. The first
// placement found within a limit is optimal, since all limits below are refuted;
// so is the best start if all limits below its value are.
//
// Evaluations are filling nodes: rows placed and classes opened. Seed and
// Workers change nothing. The refutation is the word of the engine: its count, of
// nodes, is no census of placements. A limit that admits more margins than are kept ends
// the run as complete, without a refutation.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	if err := m.Supports(p.Problem); err != nil {
		return search.Outcome{}, err
	}
	r := &run{params: p, step: big.NewRat(1, p.Problem.Routing.Denominator().Int64())}
	if err := r.start(); err != nil {
		return search.Outcome{}, err
	}
	limit := degree(p.Problem, r.step)
	if p.Goal != nil && p.Goal.Cmp(limit) > 0 {
		limit = p.Goal
	}
	for {
		switch {
		case p.Done(r.out.Value):
			return r.end(search.Reached), nil
		case ctx.Err() != nil:
			return r.end(search.Stopped), nil
		case p.Evaluations > 0 && r.out.Evaluations >= p.Evaluations:
			return r.end(search.Spent), nil
		case limit.Cmp(r.out.Value) >= 0:
			r.out.Refutation = &search.Refutation{Below: r.out.Value, Kind: search.SolverClaim, Engine: m.Name(), Count: r.out.Evaluations}
			return r.end(search.Complete), nil
		}
		if more, err := r.ask(ctx, limit); err != nil || !more {
			return r.out, err
		}
		limit = r.above(limit)
	}
}

// run is the state of one Run.
type run struct {
	params search.Params
	step   *big.Rat // loads are multiples of it
	out    search.Outcome
}

func (r *run) end(reason search.Reason) search.Outcome {
	r.out.Reason = reason
	return r.out
}

// degree returns the least multiple of step from (n-1)/degree on: the other
// processors receive that much from each over the links out of its node.
func degree(p objective.Problem, step *big.Rat) *big.Rat {
	return roundUp(big.NewRat(int64(p.Size-1), int64(p.Torus().Degree())), step)
}

// roundUp returns the least multiple of step that is at least v.
func roundUp(v, step *big.Rat) *big.Rat {
	steps := new(big.Rat).Quo(v, step)
	whole := new(big.Int).Add(steps.Num(), new(big.Int).Sub(steps.Denom(), big.NewInt(1)))
	whole.Div(whole, steps.Denom())
	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
}

// above returns the least multiple of the step above the limit.
func (r *run) above(limit *big.Rat) *big.Rat {
	next := roundUp(limit, r.step)
	if next.Cmp(limit) == 0 {
		next.Add(next, r.step)
	}
	return next
}

// start takes the best of the given placements, or processors spread evenly over
// the node numbers.
func (r *run) start() error {
	p := r.params.Problem
	starts := r.params.Starts
	if len(starts) == 0 {
		nodes := make([]int, p.Size)
		for i := range nodes {
			nodes[i] = i * p.Torus().N() / p.Size
		}
		starts = []core.Placement{core.MustPlacement(p.Torus(), nodes)}
	}
	for _, s := range starts {
		if s.Size() != p.Size || !s.Torus().Equal(p.Torus()) {
			return &core.InputError{Text: fmt.Sprint(s.Nodes()), Problem: "a start is no placement of " + p.String()}
		}
		r.take(s)
	}
	r.report(true, "start")
	return nil
}

// take keeps a placement if it is the best so far.
func (r *run) take(s core.Placement) bool {
	value, _ := objective.Evaluate(r.params.Problem.Routing, s).Max()
	if r.out.Value != nil && value.Cmp(r.out.Value) >= 0 {
		return false
	}
	r.out.Best, r.out.Value = s, value
	return true
}

func (r *run) report(improved bool, note string) {
	r.params.Report(search.Event{Method: Method{}.Name(), Value: r.out.Value, Evaluations: r.out.Evaluations, Improved: improved, Note: note})
}

// ask decides one limit and reports whether to go on.
func (r *run) ask(ctx context.Context, limit *big.Rat) (more bool, err error) {
	effort := Effort{Workers: r.params.Workers}
	if budget := r.params.Evaluations; budget > 0 {
		effort.Nodes = budget - r.out.Evaluations
	}
	answer, err := Decide(ctx, r.params.Problem, limit, effort)
	if many := (*TooManyError)(nil); errors.As(err, &many) {
		r.report(false, fmt.Sprintf("limit %s: %v", limit.RatString(), many))
		r.end(search.Complete)
		return false, nil
	} else if err != nil {
		return false, err
	}
	r.out.Evaluations += answer.Nodes
	switch answer.Verdict {
	case Found:
		r.report(r.take(answer.Placement), fmt.Sprintf("limit %s: found", limit.RatString()))
	case None:
		r.report(false, fmt.Sprintf("limit %s: none", limit.RatString()))
	}
	return true, nil
}
