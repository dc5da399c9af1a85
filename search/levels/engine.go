package levels

import (
	"context"
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
// where more slab counts or classes fit than are kept, or with the error of the
// context or of symmetry.Of.
func (e Engine) Plan(ctx context.Context, p objective.Problem, below *big.Rat, _ int) (census.Plan, error) {
	if err := e.Supports(p); err != nil {
		return nil, err
	}
	if below.Sign() <= 0 {
		return &plan{}, nil
	}
	most := e.Most
	if most == 0 {
		most = 1 << 20
	}
	q, err := prepare(ctx, p, unitsBelow(below, p), most)
	if err == errTooMany {
		return nil, &census.TooLargeError{Engine: e.Name(), Problem: p.String(),
			Why: fmt.Sprintf("more than %d slab counts or classes fit a limit below %s", most, below.RatString())}
	}
	if err != nil {
		return nil, err
	}
	return q, nil
}

// unitsBelow returns the greatest whole number of units of the routing's loads that
// is below v, which is above 0; at most what all pairs together can bring to a link.
func unitsBelow(v *big.Rat, p objective.Problem) int64 {
	den := p.Routing.Denominator()
	units := new(big.Int).Mul(v.Num(), den)
	units.Sub(units, big.NewInt(1))
	units.Div(units, v.Denom())
	all := int64(p.Size) * int64(p.Size) * den.Int64()
	if units.Cmp(big.NewInt(all)) > 0 {
		return all
	}
	return units.Int64()
}
