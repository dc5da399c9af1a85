package orbit

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"sync/atomic"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// Name is the word by which records and flags call Method.
const Name = "orbit"

// Limits: nodes of the torus for Method, on open networks fast.MaxPairNodes, and for Lattice; flows that are tabled;
// loads of pairs of orbits for Method; and bits of the largest load, of which two are added in an int64.
const (
	maxNodes        = 1024
	maxLatticeNodes = 1 << 14
	maxFlows        = 1 << 16
	maxEntries      = 1 << 22
	maxLoadBits     = 61
)

// Lattice is the search among unions of cosets. The zero value is ready.
type Lattice struct{}

// Name returns "lattice", the word by which records and flags call the method.
func (Lattice) Name() string { return "lattice" }

// Supports returns nil for routings whose loads are sums over pairs, but for tables by pair, on tori of up to 2^14
// nodes and with not too many places in open dimensions, of which not all are open; otherwise a
// *search.UnsupportedError.
func (l Lattice) Supports(p objective.Problem) error {
	switch t := p.Torus(); {
	case t.Translations() == 1:
		return search.Unsupported(l.Name(), p, "all dimensions are open, so that no translation maps the network to itself")
	case len(t.Bases()) > maxFlows/t.N():
		return search.Unsupported(l.Name(), p, "open dimensions make more than %d flows that differ", maxFlows)
	}
	return supports(l.Name(), p, maxLatticeNodes)
}

// Run returns the best union of cosets found. An evaluation is a union, or a part of one, whose loads are computed;
// each that is returned or reported was evaluated again by an Evaluator. It is Complete when no union of any lattice
// listed can be better. The seed decides only where exchanges of cosets start.
func (l Lattice) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	return runOn(ctx, l, p, lattices)
}

// Method is the search among unions of orbits of cyclic groups. The zero value is ready.
type Method struct{}

// Name returns "orbit".
func (Method) Name() string { return Name }

// Supports returns nil for routings whose loads are sums over pairs, but for tables by pair, on tori of up to 1024
// nodes, 256 where dimensions are open; otherwise a *search.UnsupportedError.
func (Method) Supports(p objective.Problem) error {
	nodes := maxNodes
	if !p.Torus().Closed() {
		nodes = fast.MaxPairNodes
	}
	return supports(Name, p, nodes)
}

// Run is like that of Lattice, for orbits of cyclic groups. Complete means that none of these holds anything better:
// there is never a refutation.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	return runOn(ctx, m, p, cyclic)
}

func runOn(ctx context.Context, m search.Method, p search.Params,
	list func(context.Context, objective.Problem) ([]choice, error)) (search.Outcome, error) {
	h := newRun(m.Name(), p)
	defer context.AfterFunc(ctx, func() { h.stop.Store(true) })()
	if err := m.Supports(p.Problem); err != nil {
		return h.out, err
	}
	choices, err := list(ctx, p.Problem)
	switch {
	case err != nil && ctx.Err() != nil:
		return h.out, nil // stopped
	case err != nil:
		return h.out, err
	}
	var open []*visit
	for _, c := range choices {
		open = append(open, &visit{run: h, from: c})
	}
	if h.start() {
		h.out.Evaluations++
	}
	return h.out, h.rounds(open)
}

// supports returns nil for routings whose loads are sums over pairs, but for tables by pair, on tori of up to this many
// nodes. Otherwise it returns a *search.UnsupportedError.
func supports(name string, p objective.Problem, nodes int) error {
	den, most := objective.Denominator(p.Routing), big.NewInt(int64(p.Torus().N()))
	switch {
	case !p.Torus().HasDimensions():
		return search.Unsupported(name, p, "automorphisms of a network without dimensions have no text")
	case p.Routing.DependsOnPlacement():
		return search.Unsupported(name, p, "what two processors send each other depends on the others")
	case routing.ByPair(p.Routing):
		return search.Unsupported(name, p, "translations change the paths of a table by pair")
	case p.Torus().N() > nodes:
		return search.Unsupported(name, p, "the torus has %d nodes, the tables stop at %d", p.Torus().N(), nodes)
	case den == nil || most.Mul(most, most).Mul(most, den).BitLen() > maxLoadBits:
		return search.Unsupported(name, p, "its loads over their denominator pass %d bits", maxLoadBits)
	}
	return cmp.Or(search.AllToAll(name, p), search.Anywhere(name, p))
}

// An Answer is what is known about the placements of a problem with one symmetry.
type Answer struct {
	Placement core.Placement // the best found; its zero value if there is none
	Value     *big.Rat       // its E_max, nil if there is none
	// Complete says that all placements with the symmetry were covered: none of them is better, and without a value
	// there is none. It says nothing about others.
	Complete bool
	Nodes    int64 // unions, and parts of them, whose loads were computed
	Orbits   int   // orbits that the symmetry leaves to choose from, of at most n nodes
}

// Best looks for the best placement of a problem among the unions of orbits of s, only below a value if that is not
// nil. It computes the loads of at most budget unions and parts, any number if budget is 0, and ends early with the
// context. The answer is the same for every run without a deadline. Errors are *search.UnsupportedError, also for
// subgroups with too many orbits, and those of Parse for this problem.
func Best(ctx context.Context, p objective.Problem, s *Subgroup, below *big.Rat, budget int64) (Answer, error) {
	if err := (Method{}).Supports(p); err != nil {
		return Answer{}, err
	}
	g, err := groupOf(p)
	if err == nil {
		s, err = g.parse(s.String())
	}
	if err != nil {
		return Answer{}, err
	}
	if s.entries() > maxEntries {
		return Answer{}, search.Unsupported(Name, p, "the orbits of %s have more than %d loads of pairs", s, maxEntries)
	}
	var a Answer
	for _, o := range s.orbits {
		if _, may := standing(p, o); may && len(o) <= p.Size {
			a.Orbits++
		}
	}
	if !s.fits(p) {
		a.Complete = true
		return a, nil
	}
	den := objective.Denominator(p.Routing).Int64()
	m := newOrbits(fast.NewTable(p.Routing, den), choice{Subgroup: s, problem: p, points: g.images()})
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	if budget == 0 {
		budget = maxBudget
	}
	c := &tally{limit: unitsBelow(below, den), enough: -1, budget: budget, stop: &stop}
	a.Complete = walkUnions(m, c)
	a.Nodes = c.spent
	if last := len(c.found) - 1; last >= 0 {
		a.Placement, a.Value = m.placement(c.found[last].union), big.NewRat(c.found[last].load, den)
		err = confirm(fast.NewEvaluator(objective.Problem{Routing: p.Routing}), Name, a.Placement, a.Value)
	}
	return a, err
}

// unitsBelow returns the largest load in units of 1/den that lies below a value, any load if it is nil.
func unitsBelow(value *big.Rat, den int64) int64 {
	if value == nil {
		return maxBudget
	}
	if x := objective.NumeratorBelow(value, big.NewInt(den)); x.IsInt64() {
		return x.Int64()
	}
	return maxBudget
}

// standing reports whether placements of a problem that are unions of orbits must have an orbit, and whether they may.
func standing(p objective.Problem, orbit []int) (must, may bool) {
	return slices.ContainsFunc(orbit, p.MustHave), !slices.ContainsFunc(orbit, func(v int) bool { return !p.MayHave(v) })
}
