package orbit

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"leeway/objective"
	"leeway/search"
)

// Limits of Lattice: nodes of the torus, flows that are tabled, and bits of the largest load, of which two are added in
// an int64.
const (
	maxLatticeNodes = 1 << 14
	maxLatticeFlows = 1 << 16
	maxLatticeBits  = 61
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
	case len(t.Bases()) > maxLatticeFlows/t.N():
		return search.Unsupported(l.Name(), p, "open dimensions make more than %d flows that differ", maxLatticeFlows)
	}
	return supports(l.Name(), p, p.Torus().N(), maxLatticeNodes, maxLatticeBits)
}

// Run returns the best union of cosets found. An evaluation is a union, or a part of one, whose loads are computed;
// each that is returned or reported was evaluated again by an Evaluator. It is Complete when no union of any lattice
// listed can be better. The seed decides only where exchanges of cosets start.
func (l Lattice) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	h := newRun(l.Name(), p)
	defer context.AfterFunc(ctx, func() { h.stop.Store(true) })()
	if err := l.Supports(p.Problem); err != nil {
		return h.out, err
	}
	list, err := choices(ctx, p.Problem)
	switch {
	case err != nil && ctx.Err() != nil:
		return h.out, nil // stopped
	case err != nil:
		return h.out, err
	}
	flows := newFlows(p.Problem.Routing)
	var open []*latticeVisit
	for _, c := range list {
		open = append(open, &latticeVisit{run: h, flows: flows, from: c})
	}
	if h.start() {
		h.out.Evaluations++
	}
	return h.out, rounds(h, open, h.planLattices)
}

// A latticeVisit is a visit of Lattice.
type latticeVisit struct {
	*run
	flows  *flows
	from   choice
	unions int64  // that it may see in this round, and as many again by exchanges
	stream uint64 // of random numbers
	*cosets
	*tally
	all bool // no union can be better
}

// planLattices lets each of the next open lattices spend all that is left of the evaluations: learn counts what those
// before it in the batch left.
func (h *run) planLattices(round uint64, choices int64, first int, open []*latticeVisit) []*latticeVisit {
	visits := open[first:min(first+batch, len(open))]
	for i, v := range visits {
		v.unions, v.stream = choices, round<<32+uint64(first+i)
		v.tally = &tally{limit: math.MaxInt64, budget: h.room(), stop: &h.stop}
		if h.out.Value != nil {
			v.limit = objective.NumeratorBelow(h.out.Value, big.NewInt(v.flows.den)).Int64()
		}
		if h.params.Goal != nil {
			v.tally.enough = max(0, objective.Numerator(h.params.Goal, big.NewInt(v.flows.den)).Int64())
		}
	}
	return visits
}

// room returns how many evaluations may be spent.
func (h *run) room() int64 {
	if left, limited := h.left(); limited {
		return left
	}
	return math.MaxInt64
}

// search walks through the unions, and where there are more than it may see it exchanges cosets for as many.
func (v *latticeVisit) search() {
	v.cosets = newCosets(v.flows, v.from)
	left := v.budget
	v.budget = min(left, v.unions)
	if v.all = walkUnions(v.cosets, v.tally); !v.all {
		v.budget = min(left, 2*v.unions)
		exchangeCosets(v.cosets, v.tally, rand.New(rand.NewPCG(v.params.Seed, v.stream)))
	}
}

// learn takes in a visit as if those before it in its batch had been made first, and no more than the evaluations
// allow.
func (v *latticeVisit) learn() (open bool, err error) {
	tables := v.cosets
	v.cosets = nil // they are made anew, not kept
	if v.run.enough() {
		return true, nil
	}
	before, room := v.out.Evaluations, v.room()
	for _, f := range v.found {
		if f.at > room {
			break
		}
		v.out.Evaluations = before + f.at
		note := fmt.Sprintf("%d cosets of %s", v.from.cosets, v.from.lattice)
		if err := v.improve(tables.placement(f.union), big.NewRat(f.load, v.flows.den), note); err != nil {
			return false, err
		}
		if v.params.Done(v.out.Value) {
			return true, nil
		}
	}
	v.out.Evaluations = before + min(room, v.spent)
	return !v.all || v.spent > room, nil
}
