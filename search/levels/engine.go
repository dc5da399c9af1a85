package levels

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
)

// Limits of what is tabled: the length of a side, nodes, and loads of all pairs.
const (
	MaxSide      = 16
	MaxNodes     = 256
	maxPairLoads = 1 << 26
)

// An Engine plans walks of the tree levels. The zero value is ready.
type Engine struct {
	// Most is how many slab counts of one dimension, and how many classes, are kept;
	// 0: 2^20, some 200 MB.
	Most int
	// Steps that are taken to list them; 0: any number. What is fixed by torus and
	// routing, such as the loads of all pairs, is no step.
	Steps int64
}

// Name returns "levels".
func (Engine) Name() string { return "levels" }

// Supports returns nil for odr, udr and orders on tori of three and more dimensions
// with sides up to MaxSide and up to MaxNodes nodes, otherwise an
// *search.UnsupportedError.
func (e Engine) Supports(p objective.Problem) error {
	refuse := func(why string, args ...any) error {
		return &search.UnsupportedError{Method: e.Name(), Problem: p.String(), Why: fmt.Sprintf(why, args...)}
	}
	t := p.Torus()
	if _, ok := p.Routing.(*routing.Orders); !ok {
		return refuse("slab counts decide loads under odr, udr and orders only")
	}
	if t.D() < 3 {
		return refuse("the torus has %d dimensions, less than 3", t.D())
	}
	for s := range t.D() {
		if k := t.Side(s); k > MaxSide {
			return refuse("a side is %d long, the engine stops at %d", k, MaxSide)
		}
	}
	if n := t.N(); n > MaxNodes || n*n*t.M() > maxPairLoads {
		return refuse("the loads of all pairs of its %d nodes are too many to table", n)
	}
	return nil
}

// Plan lists the classes. A plan has one prefix for each, none if below is not above
// 0. Plan fails with an *search.UnsupportedError, with a *census.TooLargeError
// where more slab counts or classes fit than are kept or listing them takes too many
// steps, or with the error of the context or of symmetry.Of.
func (e Engine) Plan(ctx context.Context, p objective.Problem, below *big.Rat, _ int) (census.Plan, error) {
	if err := e.Supports(p); err != nil {
		return nil, err
	}
	if below.Sign() <= 0 {
		return &plan{}, nil
	}
	m := &meter{ctx: ctx, kept: cmp.Or(e.Most, 1<<20), steps: e.Steps}
	q, err := prepare(p, unitsBelow(below, p), m)
	tooLarge := func(number int64, what string) error {
		return &census.TooLargeError{Engine: e.Name(), Problem: p.String(), Why: fmt.Sprintf("more than %d %s a limit below %s", number, what, below.RatString())}
	}
	switch {
	case errors.Is(err, errTooMany):
		return nil, tooLarge(int64(m.kept), "slab counts or classes fit")
	case errors.Is(err, errTooLong):
		return nil, tooLarge(m.steps, "steps list the slab counts and classes that fit")
	case err != nil:
		return nil, err
	}
	return q, nil
}

// unitsBelow returns the greatest whole number of units of the routing's loads that
// is below v, which is above 0; at most what all pairs together can bring to a link.
func unitsBelow(v *big.Rat, p objective.Problem) int64 {
	den := p.Routing.Denominator()
	units := objective.UnitsBelow(v, den)
	all := int64(p.Size) * int64(p.Size) * den.Int64()
	if units.Cmp(big.NewInt(all)) > 0 {
		return all
	}
	return units.Int64()
}
