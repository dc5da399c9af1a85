package orderly

import (
	"context"
	"math/big"

	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/search"
)

// Options say how to enumerate. The zero value is ready: one worker, no budget.
type Options struct {
	Workers     int   // changes the speed, never the result; 0 counts as 1
	Evaluations int64 // lists that may be visited; 0: no limit. With a budget one worker does all
	CountOnly   bool  // leave the representatives and their orbit sizes out
	// Whole visits lists that are too far on to be completed too. Without a limit
	// every level then counts all orbits, as Burnside's lemma does.
	Whole bool
}

// A Result is what an enumeration found against one fixed limit.
type Result struct {
	// Representatives are the smallest node list of every orbit of placements
	// within the limit, in lexicographic order.
	Representatives [][]int
	OrbitSizes      []int64  // the number of placements in each orbit
	Orbits          int64    // the number of orbits
	Labelled        *big.Int // the number of placements: the sum of the orbit sizes
	Levels          []int64  // by size, the lists visited
	Reason          search.Reason
	most            int64 // E_max of the last placement found, in units
}

// Complete reports whether all lists were visited, so that what is not in the
// result does not exist.
func (r *Result) Complete() bool { return r.Reason == search.Complete }

// Nodes returns the number of lists visited.
func (r *Result) Nodes() int64 {
	sum := int64(0)
	for _, c := range r.Levels {
		sum += c
	}
	return sum
}

// Supports returns nil if the problem can be enumerated, otherwise an
// *search.UnsupportedError that says why, or an error of symmetry.Of. Cost: that of
// verifying the symmetry.
func Supports(p objective.Problem) error {
	t := p.Torus()
	den := p.Routing.Denominator()
	switch {
	case p.Routing.DependsOnPlacement():
		return unsupported(p, "its loads can fall when a processor is added")
	case !routing.Invariant(p.Routing):
		return unsupported(p, "translations change the paths of a table by pair")
	case t.N() > maxNodes:
		return unsupported(p, "the torus has %d nodes, the tables stop at %d", t.N(), maxNodes)
	case den == nil || den.BitLen() > maxUnitBits:
		return unsupported(p, "the denominator of its loads is too large")
	case t.N()*t.N()*t.M()/2 > maxPairLoads:
		return unsupported(p, "the loads of all pairs take more than %d entries", maxPairLoads)
	}
	return supportsSymmetry(p)
}

// supportsSymmetry refuses a problem with too many automorphisms to table.
func supportsSymmetry(p objective.Problem) error {
	g, err := symmetry.Of(p.Routing)
	if err != nil {
		return err
	}
	n := p.Torus().N()
	if g.Points()*n*(n+1)*((n+63)/64) > maxImageWords {
		return unsupported(p, "its %d automorphisms are too many to table", g.Order())
	}
	return nil
}

// Enumerate returns all placements with E_max at most limit, up to the symmetry
// that preserves E_max; nil is no limit. It ends early, with what it found in
// canonical order, when the context ends or the evaluations are spent. Errors are
// *search.UnsupportedError and those of symmetry.Of.
func Enumerate(ctx context.Context, p objective.Problem, limit *big.Rat, o Options) (*Result, error) {
	e, err := newEngine(p)
	if err != nil {
		return nil, err
	}
	return e.run(ctx, e.units(limit), false, o)
}

// Decide returns the first placement in canonical order with E_max at most limit
// as the only representative, with reason Reached, or none and reason Complete.
func Decide(ctx context.Context, p objective.Problem, limit *big.Rat, o Options) (*Result, error) {
	e, err := newEngine(p)
	if err != nil {
		return nil, err
	}
	return e.run(ctx, e.units(limit), true, o)
}

// An engine holds the tables of one problem, for any number of limits.
type engine struct {
	problem objective.Problem
	flows   *flows
	images  *images
}

func newEngine(p objective.Problem) (*engine, error) {
	if err := Supports(p); err != nil {
		return nil, err
	}
	g, err := symmetry.Of(p.Routing)
	if err != nil {
		return nil, err
	}
	return engineWith(p, g), nil
}

// engineWith takes the symmetry as given: it must preserve E_max.
func engineWith(p objective.Problem, g *symmetry.Group) *engine {
	return &engine{problem: p, flows: newFlows(p), images: newImages(g)}
}

// most returns a load in units that no placement of the size passes.
func (e *engine) most() int64 {
	n := int64(e.problem.Size)
	return e.flows.most * (n * (n - 1) / 2)
}

// units returns the largest load in units that is within a limit.
func (e *engine) units(limit *big.Rat) int64 {
	if limit == nil {
		return e.most()
	}
	x := new(big.Int).Mul(limit.Num(), big.NewInt(e.flows.unit))
	x.Div(x, limit.Denom()) // rounds down, below 0 too
	if x.Cmp(big.NewInt(e.most())) > 0 {
		return e.most()
	}
	if x.Sign() < 0 {
		return -1
	}
	return x.Int64()
}

// value returns a load in units as a fraction.
func (e *engine) value(units int64) *big.Rat { return big.NewRat(units, e.flows.unit) }
