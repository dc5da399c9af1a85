package margin

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
)

// MaxSide is the longest side that the engine takes on: contents of a line are
// listed, up to 2^MaxSide of them.
const MaxSide = 16

// An Engine plans walks of the tree margin. The zero value is ready.
type Engine struct {
	// Margins of one dimension that are kept; 0: a million, some 300 MB.
	Margins int
	// Steps of listing them that are taken for one dimension; 0: any number. With
	// several workers it is not exact.
	Steps int64
}

// Name returns "margin".
func (Engine) Name() string { return "margin" }

// Supports returns nil for odr, udr and orders on tori of two dimensions with
// sides up to MaxSide, otherwise an *search.UnsupportedError.
func (e Engine) Supports(p objective.Problem) error {
	refuse := func(why string) error {
		return &search.UnsupportedError{Method: e.Name(), Problem: p.String(), Why: why}
	}
	t := p.Torus()
	if _, ok := p.Routing.(*routing.Orders); !ok {
		return refuse("loads of lines follow from margins under odr, udr and orders only")
	}
	if t.D() != 2 {
		return refuse(fmt.Sprintf("the torus has %d dimensions, not 2", t.D()))
	}
	if k := max(t.Side(0), t.Side(1)); k > MaxSide {
		return refuse(fmt.Sprintf("a side is %d long, the engine stops at %d", k, MaxSide))
	}
	return nil
}

// Plan lists the margins of both dimensions and finds out which go together. A
// plan has one prefix for every margin of dimension 1, none if below is not above
// 0. Plan fails with an *search.UnsupportedError, with a *census.TooLargeError
// where more margins fit than are kept, or with the error of the context.
func (e Engine) Plan(ctx context.Context, p objective.Problem, below *big.Rat, workers int) (census.Plan, error) {
	if err := e.Supports(p); err != nil {
		return nil, err
	}
	if below.Sign() <= 0 {
		return &plan{}, nil
	}
	most := bounds{int64(e.Margins), e.Steps}
	if most.kept == 0 {
		most.kept = 1 << 20
	}
	q, err := prepare(ctx, p, unitsBelow(below, p.Routing.Denominator().Int64()), most, workers)
	tooLarge := func(number int64, what string) error {
		return &census.TooLargeError{Engine: e.Name(), Problem: p.String(), Why: fmt.Sprintf("more than %d %s a limit below %s", number, what, below.RatString())}
	}
	switch {
	case errors.Is(err, errTooMany):
		return nil, tooLarge(most.kept, "margins fit")
	case errors.Is(err, errTooLong):
		return nil, tooLarge(most.steps, "steps list the margins that fit")
	case err != nil:
		return nil, err
	}
	return q, nil
}

// mostLoad is above the load, in 1/D, of any link of a torus with sides up to
// MaxSide: 4 for every pair of processors of which one is in the row.
const mostLoad = 4 * MaxSide * MaxSide * MaxSide

// unitsBelow returns the greatest whole number of 1/den below v, which is above
// 0, at most mostLoad.
func unitsBelow(v *big.Rat, den int64) int64 {
	if units := objective.UnitsBelow(v, big.NewInt(den)); units.Cmp(big.NewInt(mostLoad)) <= 0 {
		return units.Int64()
	}
	return mostLoad
}
