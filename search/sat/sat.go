package sat

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"leeway/encode"
	"leeway/encode/cnf"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// evaluationsPerCall is what a short call of the solver counts as: it takes some milliseconds.
const evaluationsPerCall = 1000

// MaxNodes is the most nodes of a torus that the method takes on.
const MaxNodes = 100

// Method is the search by repeated solving. The zero value works; New returns the recommended one.
type Method struct {
	Encoding encode.Options
}

// New returns the method with symmetry breaking.
func New() Method { return Method{Encoding: encode.Options{BreakSymmetry: true}} }

// Name returns "sat".
func (m Method) Name() string { return "sat" }

// Supports returns nil for tori of at most MaxNodes nodes, routings that do not depend on the placement and loads with
// a common unit, otherwise an *search.UnsupportedError. How large formulas get is known to Run only.
func (m Method) Supports(p objective.Problem) error {
	if p.Torus().N() > MaxNodes {
		return search.Unsupported(m.Name(), p, "the torus has more than %d nodes", MaxNodes)
	}
	if why := (*encode.UnsupportedError)(nil); errors.As(encode.Supports(p), &why) {
		return search.Unsupported(m.Name(), p, "%s", why.Why)
	}
	if p.Denominator() == nil {
		return search.Unsupported(m.Name(), p, "the loads have no common unit of reasonable size")
	}
	return nil
}

// Run lowers the limit from just below the best start until the solver finds nothing, the goal is reached,
// p.Evaluations are spent or the context ends. Under a budget the solver is called for about 20000 propagations at a
// time, and a call counts as 1000 evaluations, or as what is left if that is less; so the outcome depends on the
// parameters alone. Without a budget a question counts as one. Loads are multiples of 1/D, so the limit after a value v
// is v - 1/D. Without starts it begins with processors spread evenly over the node numbers. Workers and Seed change
// nothing.
//
// A problem or a limit for which there is no formula of reasonable size ends the run as complete, without a refutation:
// Outcome.GaveUp says why. An error, *encode.ModelError, is a model that is not a placement within the limit.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	if err := m.Supports(p.Problem); err != nil {
		return search.Outcome{}, err
	}
	r := &run{params: p, name: m.Name(), encoding: m.Encoding}
	return search.Descend(ctx, p, m.Name(), func(out *search.Outcome) (bool, error) {
		r.out = out
		return r.lower(ctx)
	})
}

// run is the state of one Run.
type run struct {
	params   search.Params
	name     string
	encoding encode.Options
	model    *encode.Model // nil before the first formula
	out      *search.Outcome
}

func (r *run) report(improved bool, note string) {
	r.params.Report(search.Event{Method: r.name, Value: r.out.Value, Best: r.out.Best, Evaluations: r.out.Evaluations,
		Improved: improved, Note: note})
}

// nextBelow returns the highest load under value: loads are multiples of 1/D.
func nextBelow(p objective.Problem, value *big.Rat) *big.Rat {
	return new(big.Rat).Sub(value, new(big.Rat).SetFrac(big.NewInt(1), p.Denominator()))
}

// lower asks for a better placement and reports whether to go on.
func (r *run) lower(ctx context.Context) (more bool, err error) {
	limit := nextBelow(r.params.Problem, r.out.Value)
	formula, err := r.formula(ctx, limit)
	var size *cnf.SizeError
	var unsupported *encode.UnsupportedError
	switch {
	case errors.As(err, &size), errors.As(err, &unsupported):
		r.out.GaveUp = fmt.Sprintf("%s: limit %s: %v", r.name, limit.RatString(), err)
		r.report(false, r.out.GaveUp)
		r.out.Reason = search.Complete
		return false, nil
	case ctx.Err() != nil:
		return true, nil // which Descend sees
	case err != nil:
		return false, err
	}
	left, calls := r.params.Evaluations-r.out.Evaluations, int64(0)
	if r.params.Evaluations > 0 {
		calls = (left-1)/evaluationsPerCall + 1
	}
	answer, value, made := solve(ctx, formula, calls)
	if calls == 0 {
		r.out.Evaluations++
	} else {
		r.out.Evaluations += min(left, made*evaluationsPerCall)
	}
	switch answer {
	case Found:
		return true, r.accept(limit, value)
	case Refuted:
		r.report(false, fmt.Sprintf("limit %s: none", limit.RatString()))
		r.out.Refutation = &search.Refutation{Below: r.out.Value, Kind: search.SolverClaim, Engine: "gini"}
		r.out.Reason = search.Complete
	case Open:
		return ctx.Err() == nil, nil // the evaluations are spent
	}
	return false, nil
}

// formula returns the formula for a limit. Errors are those of encode.NewModel and of its Formula.
func (r *run) formula(ctx context.Context, limit *big.Rat) (formula *encode.Formula, err error) {
	if r.model == nil {
		if r.model, err = encode.NewModel(ctx, r.params.Problem, r.encoding); err != nil {
			return nil, err
		}
	}
	return r.model.Formula(ctx, limit)
}

// accept evaluates what the solver found and takes it as the best.
func (r *run) accept(limit *big.Rat, assigned func(variable int) bool) error {
	p, err := r.model.Decode(assigned)
	if err != nil {
		return err
	}
	value, _ := fast.Evaluate(r.params.Problem, p).Max()
	if value.Cmp(limit) > 0 {
		return &encode.ModelError{Problem: r.params.Problem.String(),
			Why: fmt.Sprintf("nodes %v have E_max %s, above the limit %s", p.Nodes(), value.RatString(), limit.RatString())}
	}
	r.out.Best, r.out.Value = p, value
	r.report(true, fmt.Sprintf("limit %s: found %s", limit.RatString(), value.RatString()))
	return nil
}
