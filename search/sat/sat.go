package sat

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"leeway/encode"
	"leeway/encode/cnf"
	"leeway/objective"
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

// Supports returns nil for tori of at most MaxNodes nodes, routings that do not depend on the placement and a first
// formula of at most encode.MaxClauses clauses, otherwise an *search.UnsupportedError. Cost: measuring that formula.
func (m Method) Supports(p objective.Problem) error {
	model, err := m.model(p)
	if err != nil {
		return err
	}
	_, value, err := search.Params{Problem: p}.BestStart()
	if err != nil {
		return err
	}
	if _, err := model.Formula(below(p, value)); err != nil {
		return m.unsupported(p, err.Error())
	}
	return nil
}

func (m Method) unsupported(p objective.Problem, why string) error {
	return &search.UnsupportedError{Method: m.Name(), Problem: p.String(), Why: why}
}

func (m Method) model(p objective.Problem) (*encode.Model, error) {
	if p.Torus().N() > MaxNodes {
		return nil, m.unsupported(p, fmt.Sprintf("the torus has more than %d nodes", MaxNodes))
	}
	model, err := encode.NewModel(p, m.Encoding)
	if why := (*encode.UnsupportedError)(nil); errors.As(err, &why) {
		return nil, m.unsupported(p, why.Why)
	}
	return model, err
}

// Run lowers the limit from just below the best start until the solver finds nothing, the goal is reached,
// p.Evaluations are spent or the context ends. Under a budget the solver is called for about 20000 propagations at a
// time, and a call counts as 1000 evaluations, or as what is left if that is less; so the outcome depends on the
// parameters alone. Without a budget a question counts as one. Loads are multiples of 1/D, so the limit after a value v
// is v - 1/D. Without starts it begins with processors spread evenly over the node numbers. Workers and Seed change
// nothing.
//
// A formula that grows too large on the way ends the run as complete, without a refutation. An error,
// *encode.ModelError, is a model that is not a placement within the limit.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	model, err := m.model(p.Problem)
	if err != nil {
		return search.Outcome{}, err
	}
	r := &run{params: p, name: m.Name(), model: model}
	return search.Descend(ctx, p, m.Name(), func(out *search.Outcome) (bool, error) {
		r.out = out
		return r.lower(ctx)
	})
}

// run is the state of one Run.
type run struct {
	params search.Params
	name   string
	model  *encode.Model
	out    *search.Outcome
}

func (r *run) report(improved bool, note string) {
	r.params.Report(search.Event{Method: r.name, Value: r.out.Value, Best: r.out.Best, Evaluations: r.out.Evaluations,
		Improved: improved, Note: note})
}

// below returns the highest load under value: loads are multiples of 1/D.
func below(p objective.Problem, value *big.Rat) *big.Rat {
	return new(big.Rat).Sub(value, new(big.Rat).SetFrac(big.NewInt(1), p.Denominator()))
}

// lower asks for a better placement and reports whether to go on.
func (r *run) lower(ctx context.Context) (more bool, err error) {
	limit := below(r.params.Problem, r.out.Value)
	formula, err := r.model.Formula(limit)
	if size := (*cnf.SizeError)(nil); errors.As(err, &size) {
		r.report(false, fmt.Sprintf("limit %s: %v", limit.RatString(), size))
		r.out.Reason = search.Complete
		return false, nil
	} else if err != nil {
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

// accept evaluates what the solver found and takes it as the best.
func (r *run) accept(limit *big.Rat, assigned func(variable int) bool) error {
	p, err := r.model.Decode(assigned)
	if err != nil {
		return err
	}
	value, _ := r.params.Problem.Evaluate(p).Max()
	if value.Cmp(limit) > 0 {
		return &encode.ModelError{Problem: r.params.Problem.String(),
			Why: fmt.Sprintf("nodes %v have E_max %s, above the limit %s", p.Nodes(), value.RatString(), limit.RatString())}
	}
	r.out.Best, r.out.Value = p, value
	r.report(true, fmt.Sprintf("limit %s: found %s", limit.RatString(), value.RatString()))
	return nil
}
