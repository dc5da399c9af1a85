package slabs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync/atomic"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
)

// MaxSide is the longest side that the engines take on: contents of a line are listed, up to 2^MaxSide of them.
const MaxSide = 16

// Limits of what levels tables: nodes, loads of all pairs, and bits of the unit of loads.
const (
	MaxNodes     = 256
	maxPairLoads = 1 << 27
	maxUnitBits  = 40
)

// Margin plans walks of the tree margin. The zero value is ready.
type Margin struct {
	Kept  int   // margins of one dimension that are kept; 0: 2^20, some 300 MB
	Steps int64 // steps of listing them; 0: any number. With several workers it is not exact
}

// Levels plans walks of the tree levels. The zero value is ready.
type Levels struct {
	Kept int // slab counts of one dimension, and classes, that are kept; 0: 2^20, some 200 MB
	// Steps of listing them; 0: any number. With several workers it is not exact. What is fixed by torus and routing,
	// such as the loads of all pairs, is no step.
	Steps int64
}

// Name returns "margin".
func (Margin) Name() string { return "margin" }

// Name returns "levels".
func (Levels) Name() string { return "levels" }

// Supports returns nil for odr, udr and orders on networks of two dimensions, each a ring or open, with sides up to
// MaxSide, with any fixed and forbidden nodes, otherwise an *search.UnsupportedError.
func (e Margin) Supports(p objective.Problem) error {
	if err := supports(e.Name(), p); err != nil {
		return err
	}
	if _, ok := p.Routing.(*routing.Orders); !ok {
		return search.Unsupported(e.Name(), p, "counts decide the loads of rows under odr, udr and orders only")
	}
	if d := p.Torus().D(); d != 2 {
		return search.Unsupported(e.Name(), p, "the torus has %d dimensions, not 2", d)
	}
	return nil
}

// Supports returns nil for odr, udr and orders on networks of three and more dimensions, and for minimal on tori of two
// with at least three processors to two slabs of the longer side, with sides up to MaxSide and up to MaxNodes nodes,
// with any fixed and forbidden nodes where not all processors are on fixed ones, otherwise an *search.UnsupportedError.
// The tree is defined for minimal elsewhere, too, but that of orderly is smaller there: counts decide little.
func (e Levels) Supports(p objective.Problem) error {
	t := p.Torus()
	if _, minimal := p.Routing.(*routing.Minimal); minimal {
		if t.D() != 2 || !t.Closed() || 2*p.Size < 3*slices.Max(t.Dims()) {
			return search.Unsupported(e.Name(), p, "under minimal it takes tori of two dimensions with three processors to "+
				"two slabs")
		}
	} else if t.D() < 3 {
		return search.Unsupported(e.Name(), p, "the torus has %d dimensions, less than 3", t.D())
	}
	if err := supports(e.Name(), p); err != nil {
		return err
	}
	if n := t.N(); n > MaxNodes || n*n*t.M() > maxPairLoads {
		return search.Unsupported(e.Name(), p, "the loads of all pairs of its %d nodes are too many to table", n)
	}
	switch den := objective.Denominator(p.Routing); {
	case den == nil || den.BitLen() > maxUnitBits:
		return search.Unsupported(e.Name(), p, "the denominator of its loads is too large")
	case p.Size == p.Fixed.Count():
		return search.Unsupported(e.Name(), p, "all its processors are on fixed nodes")
	}
	return nil
}

// supports refuses what neither tree can treat.
func supports(engine string, p objective.Problem) error {
	if err := cmp.Or(search.AllToAll(engine, p), search.Anywhere(engine, p)); err != nil {
		return err
	}
	switch p.Routing.(type) {
	case *routing.Orders, *routing.Minimal:
	default:
		return search.Unsupported(engine, p, "slab counts decide loads under odr, udr, orders and minimal only")
	}
	if p.Torus().Twisted() {
		return search.Unsupported(engine, p, "slab counts do not decide loads on a twisted torus")
	}
	for s := range p.Torus().D() {
		if k := p.Torus().Side(s); k > MaxSide {
			return search.Unsupported(engine, p, "a side is %d long, the engine stops at %d", k, MaxSide)
		}
	}
	return nil
}

// Plan lists the margins of both dimensions and finds out which go together. A plan has one prefix for every margin of
// dimension 1, none if below is not above 0. Plan fails with an *search.UnsupportedError, with a *census.TooLargeError
// where more margins fit than are kept or listing them takes too many steps, or with the error of the context or of
// symmetry.Of.
func (e Margin) Plan(ctx context.Context, p objective.Problem, below *big.Rat, workers int) (census.Plan, error) {
	b := newBudget(ctx, e.Kept, e.Steps)
	return b.plan(e, p, below, "margins", &rowPlan{}, func() (census.Plan, error) {
		return newRowPlan(p, [2]int64{unitsBelow(below, p, 0), unitsBelow(below, p, 1)}, b, workers)
	})
}

// Plan lists the classes. A plan has one prefix for each, none if below is not above 0. Plan fails as that of Margin
// does.
func (e Levels) Plan(ctx context.Context, p objective.Problem, below *big.Rat, workers int) (census.Plan, error) {
	b := newBudget(ctx, e.Kept, e.Steps)
	return b.plan(e, p, below, "slab counts and classes", &nodePlan{}, func() (census.Plan, error) {
		return newNodePlan(p, below, b, workers)
	})
}

// plan plans a walk by listing what fits: the plan given for none if no load is below the value.
func (b *budget) plan(e census.Engine, p objective.Problem, below *big.Rat, what string, none census.Plan,
	list func() (census.Plan, error)) (census.Plan, error) {
	if err := e.Supports(p); err != nil {
		return nil, err
	}
	if below.Sign() <= 0 {
		return none, nil
	}
	q, err := list()
	why := ""
	switch {
	case err == nil:
		return q, nil
	case errors.Is(err, errTooMany):
		why = fmt.Sprintf("more than %d %s fit", b.kept, what)
	case errors.Is(err, errTooLong):
		why = fmt.Sprintf("more than %d steps list the %s that fit", b.steps, what)
	default:
		return nil, err
	}
	return nil, &census.TooLargeError{Engine: e.Name(), Problem: p.String(),
		Why: fmt.Sprintf("%s a limit below %s", why, below.RatString())}
}

// unitsBelow returns the greatest whole number of units of the routing's shares that a link along dimension s may carry
// for its load to be below v, which is above 0: below v times its bandwidth, and at most what all pairs together can
// bring to a link.
func unitsBelow(v *big.Rat, p objective.Problem, s int) int64 {
	den := p.Routing.Denominator()
	units := objective.NumeratorBelow(new(big.Rat).Mul(v, big.NewRat(int64(p.Torus().Bandwidth(s)), 1)), den)
	if all := int64(p.Size) * int64(p.Size) * den.Int64(); units.Cmp(big.NewInt(all)) > 0 {
		return all
	}
	return units.Int64()
}

// loadsBelow is unitsBelow for loads of any link, in units of loads: those of the shares over the common multiple of
// the bandwidths.
func loadsBelow(v *big.Rat, p objective.Problem) int64 {
	den := objective.Denominator(p.Routing)
	units := objective.NumeratorBelow(v, den)
	if all := int64(p.Size) * int64(p.Size) * den.Int64(); units.Cmp(big.NewInt(all)) > 0 {
		return all
	}
	return units.Int64()
}

// errTooMany says that more fit than are kept, errTooLong that listing them takes more steps than are allowed.
var (
	errTooMany = errors.New("slabs: too many to keep")
	errTooLong = errors.New("slabs: too many steps")
)

// A budget bounds what a plan takes. It may be shared by goroutines.
type budget struct {
	ctx   context.Context
	kept  int64 // most slab counts of one dimension, and most classes
	steps int64 // most steps; 0: any number
	taken atomic.Int64
}

func newBudget(ctx context.Context, kept int, steps int64) *budget {
	return &budget{ctx: ctx, kept: int64(cmp.Or(kept, 1<<20)), steps: steps}
}

// spend takes some steps. It fails with errTooLong, or with the error of the context.
func (b *budget) spend(steps int64) error {
	if taken := b.taken.Add(steps); b.steps > 0 && taken > b.steps {
		return errTooLong
	}
	return b.ctx.Err()
}
