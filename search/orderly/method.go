package orderly

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
)

// Name is the word by which records and flags call the method.
const Name = "orderly"

// Method lowers a limit from the best start until no placement is left below. The
// zero value is ready.
type Method struct{}

// New returns the method.
func New() Method { return Method{} }

// Name returns "orderly".
func (Method) Name() string { return Name }

// Supports returns nil for routings whose loads grow with processors and which
// translations preserve, on tori within the tables' limits, otherwise an
// *search.UnsupportedError.
func (Method) Supports(p objective.Problem) error { return Supports(p) }

// Run returns the best placement. An evaluation is one list of processors
// visited. The count of the refutation is that of the lists visited against the
// last limit, from the empty list on; it depends on the problem only.
func (Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	e, err := newEngine(p.Problem)
	if err != nil {
		return search.Outcome{}, err
	}
	d := &descent{engine: e, params: p, refuted: -1}
	if err := d.start(); err != nil {
		return search.Outcome{}, err
	}
	err = d.descend(ctx)
	return d.out, err
}

// An Optimal is the smallest E_max of a problem with the enumeration that shows
// it.
type Optimal struct {
	search.Outcome
	// Census is the walk against the limit one unit below the value. It is nil
	// unless the value was proved.
	Census *Result
}

// Optimum returns the smallest E_max of a problem. The search starts below the
// best placement among starts, if there is one of the right size. Errors are those
// of Enumerate.
func Optimum(ctx context.Context, p objective.Problem, starts []core.Placement, o Options) (*Optimal, error) {
	e, err := newEngine(p)
	if err != nil {
		return nil, err
	}
	d := &descent{engine: e, refuted: -1,
		params: search.Params{Problem: p, Starts: starts, Workers: o.Workers, Evaluations: o.Evaluations}}
	if err := d.start(); err != nil {
		return nil, err
	}
	err = d.descend(ctx)
	return &Optimal{Outcome: d.out, Census: d.census}, err
}

// A descent lowers the limit. Without a start it halves the range that is open;
// with one it asks for the next lower load, since starts are often the best there
// is and then a single walk does.
type descent struct {
	*engine
	params  search.Params
	value   int64 // of the best placement, in units
	refuted int64 // no placement is at or below
	halving bool
	census  *Result
	out     search.Outcome
}

// start takes the best start, or the first nodes of the torus.
func (d *descent) start() error {
	p := d.params.Problem
	for _, s := range d.params.Starts {
		if s.Size() == p.Size && s.Torus().Equal(p.Torus()) {
			if v, _ := objective.Evaluate(p.Routing, s).Max(); d.out.Value == nil || v.Cmp(d.out.Value) < 0 {
				d.out.Best, d.out.Value = s, v
			}
		}
	}
	if d.out.Value == nil {
		nodes := make([]int, p.Size)
		for v := range nodes {
			nodes[v] = v
		}
		d.halving = true
		d.out.Best = core.MustPlacement(p.Torus(), nodes)
		d.out.Value, _ = objective.Evaluate(p.Routing, d.out.Best).Max()
		d.out.Evaluations = 1
	}
	d.value = d.units(d.out.Value)
	if d.value > 0 && d.engine.value(d.value).Cmp(d.out.Value) != 0 {
		return fmt.Errorf("orderly: E_max %s is no multiple of 1/%d", d.out.Value.RatString(), d.flows.unit)
	}
	d.report(true, "")
	return nil
}

// descend asks for placements within lower and lower limits.
func (d *descent) descend(ctx context.Context) error {
	for d.refuted < d.value-1 {
		if d.params.Done(d.out.Value) {
			d.out.Reason = search.Reached
			return nil
		}
		o := Options{Workers: d.params.Workers}
		if budget := d.params.Evaluations; budget > 0 {
			if o.Evaluations = budget - d.out.Evaluations; o.Evaluations <= 0 {
				d.out.Reason = search.Spent
				return nil
			}
		}
		limit := d.limit()
		r, err := d.run(ctx, limit, true, o)
		if err != nil {
			return err
		}
		d.out.Evaluations += r.Nodes()
		if !d.learn(limit, r) {
			d.out.Reason = r.Reason
			return nil
		}
	}
	d.conclude()
	return nil
}

// limit returns the next limit to ask for.
func (d *descent) limit() int64 {
	if d.halving {
		return d.refuted + (d.value-d.refuted)/2
	}
	return d.value - 1
}

// learn takes in an answer and reports whether it was one.
func (d *descent) learn(limit int64, r *Result) bool {
	text := d.engine.value(limit).RatString()
	switch r.Reason {
	case search.Reached:
		d.value = r.most
		d.out.Value, d.out.Best = d.engine.value(r.most), core.MustPlacement(d.problem.Torus(), r.Representatives[0])
		d.report(true, "limit "+text+": found")
	case search.Complete:
		d.refuted, d.census = limit, r
		d.report(false, "limit "+text+": none")
	default:
		return false
	}
	return true
}

// conclude says that nothing is below the value.
func (d *descent) conclude() {
	d.out.Reason = search.Complete
	if d.params.Done(d.out.Value) {
		d.out.Reason = search.Reached
	}
	if d.census == nil { // the value is 0
		d.census = &Result{Labelled: new(big.Int), Levels: make([]int64, d.problem.Size+1), Reason: search.Complete}
	}
	d.out.Refutation = &search.Refutation{Below: d.out.Value, Kind: search.Census, Engine: Name, Count: d.census.Nodes()}
}

func (d *descent) report(improved bool, note string) {
	d.params.Report(search.Event{Method: Name, Value: d.out.Value, Evaluations: d.out.Evaluations, Improved: improved, Note: note})
}
