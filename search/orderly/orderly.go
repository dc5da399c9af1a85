// Package orderly shows that no placement has E_max below a value, or finds all within a limit, by orderly generation
// with candidate loads. The tree that it walks is defined in docs/proofs.md.
//
// The representative of an orbit of placements is its lexicographically smallest node list. A prefix of a smallest list
// is a smallest list (R. C. Read, "Every one a winner", 1978), so lists that grow by larger nodes and are cut as soon
// as they are not smallest meet every orbit once. Departures from Read: every node that may still be added keeps the
// loads that it would bring, packed many to a word, and goes as soon as they pass the limit; and an automorphism rules
// nodes out for all that follows (see canon.go), not one list at a time.
//
// Symmetries must be known, so tables by pair are refused; twisted tori have all translations. Under avoid loads can
// fall when a processor is added; a list is judged there by what no further processor changes (choices.go). On networks
// with open dimensions, and where nodes are fixed or forbidden, lists are of the processors that are not fixed, and
// smallest under the group of the problem (general.go).
//
// Example: all placements of eight processors on 4x4 with E_max at most 7/4:
//
//	result, err := orderly.Enumerate(ctx, problem, big.NewRat(7, 4), orderly.Options{Workers: 2})
package orderly

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
)

// Name is the word by which records, proofs and flags call the engine.
const Name = "orderly"

// Engine walks through the smallest lists. The zero value is ready.
type Engine struct{}

// Name returns "orderly".
func (Engine) Name() string { return Name }

// Supports returns nil for routings that translations preserve, on tori within the tables' limits, otherwise an
// *search.UnsupportedError that says why.
func (Engine) Supports(p objective.Problem) error {
	t := p.Torus()
	n := t.N()
	if err := search.AllToAll(Name, p); err != nil {
		return err
	}
	switch {
	case p.Routing.DependsOnPlacement() && n > maxChoiceNodes:
		return search.Unsupported(Name, p, "the torus has %d nodes, paths that depend on processors stop at %d", n,
			maxChoiceNodes)
	case routing.ByPair(p.Routing):
		return search.Unsupported(Name, p, "translations change the paths of a table by pair")
	case p.Size == p.Fixed.Count():
		return search.Unsupported(Name, p, "all its processors are on fixed nodes")
	case n > maxNodes:
		return search.Unsupported(Name, p, "the torus has %d nodes, the tables stop at %d", n, maxNodes)
	case n*n*t.M()/2 > maxPairLoads:
		return search.Unsupported(Name, p, "the loads of all pairs take more than %d entries", maxPairLoads)
	}
	if den := objective.Denominator(p.Routing); den == nil || den.BitLen() > maxUnitBits {
		return search.Unsupported(Name, p, "the denominator of its loads is too large")
	}
	return nil
}

// Plan returns the tree of all placements with E_max below a value, cut at the visited lists of the smallest size that
// has 400 of them, or else of the largest that has any. Errors are those of Supports and of symmetry.OfContext, a
// *census.TooLargeError where the automorphisms are too many to table, and the context's.
func (Engine) Plan(ctx context.Context, p objective.Problem, below *big.Rat, _ int) (census.Plan, error) {
	t, err := newTables(ctx, p)
	if err != nil {
		return nil, err
	}
	return t.plan(ctx, t.below(below), prefixesWanted, false)
}

// groupOf returns the symmetry of a problem.
func groupOf(ctx context.Context, p objective.Problem) (*symmetry.Group, error) {
	if err := (Engine{}).Supports(p); err != nil {
		return nil, err
	}
	n := p.Torus().N()
	g, err := p.Group(ctx)
	if err == nil && p.Translatable() && g.Points()*n*(n+1)*((n+63)/64) > maxImageWords {
		return nil, &census.TooLargeError{Engine: Name, Problem: p.String(),
			Why: fmt.Sprintf("its %d automorphisms are too many to table", g.Order())}
	}
	return g, err
}

// tables hold what all limits of a problem share.
type tables struct {
	problem objective.Problem
	flows   *traffic
	lists   func(size int) []smallest // of up to so many nodes, for one walker
	needs   bool                      // walk the tree needs
}

func newTables(ctx context.Context, p objective.Problem) (*tables, error) {
	g, err := groupOf(ctx, p)
	if err != nil {
		return nil, err
	}
	return tablesWith(ctx, p, g)
}

// tablesWith takes the symmetry as given: it must preserve E_max. The error is that of the context.
func tablesWith(ctx context.Context, p objective.Problem, g *symmetry.Group) (*tables, error) {
	t := &tables{problem: p}
	flowsOf := newFlows
	if p.Translatable() {
		images := newImages(g)
		t.lists = func(size int) []smallest { return newCanons(images, size) }
	} else {
		elements := newElements(g)
		flowsOf = newPairFlows
		t.lists = func(size int) []smallest { return newGenerals(elements, size) }
	}
	if p.Routing.DependsOnPlacement() {
		den := objective.Denominator(p.Routing).Int64()
		t.flows = &traffic{unit: den, most: 2 * den}
		return t, nil
	}
	var err error
	t.flows, err = flowsOf(ctx, p)
	return t, err
}

// most returns a load in units that no placement of the size passes.
func (t *tables) most() int64 {
	n := int64(t.problem.Size)
	return t.flows.most * (n * (n - 1) / 2)
}

// within returns the largest load in units that is at most a value, or all loads for nil. A limit above all loads
// changes nothing, so it is brought down to them.
func (t *tables) within(value *big.Rat) int64 {
	if value == nil {
		return t.most()
	}
	x := objective.Numerator(value, big.NewInt(t.flows.unit))
	switch {
	case x.Cmp(big.NewInt(t.most())) > 0:
		return t.most()
	case x.Sign() < 0:
		return -1
	}
	return x.Int64()
}

// below returns the largest load in units that is below a value.
func (t *tables) below(value *big.Rat) int64 {
	limit := t.within(value)
	if big.NewRat(limit, t.flows.unit).Cmp(value) == 0 {
		limit--
	}
	return limit
}

// Limits of what is tabled: nodes, bits of the unit of loads, loads of all pairs of nodes, and words of the node sets
// below an edge.
const (
	maxNodes      = 256
	maxUnitBits   = 40
	maxPairLoads  = 1 << 25
	maxImageWords = 1 << 25
)

// traffic is what node 0 and every other send each other.
type traffic struct {
	unit  int64                  // loads are multiples of 1/unit
	most  int64                  // the largest load of a pair on a link
	first [][]int64              // by node and link, in units; nil where pairs are tabled
	pairs [][]objective.LinkLoad // by nodes u < v at v(v-1)/2+u, in units; nil where translations say it
}

// newPairFlows tables the flows of all pairs. The error is that of the context. Cost: O(N^2) flows of pairs.
func newPairFlows(ctx context.Context, p objective.Problem) (*traffic, error) {
	t, den := p.Torus(), objective.Denominator(p.Routing)
	f := &traffic{}
	divisor := new(big.Int).Set(den)
	for v := range t.N() {
		for u := range v {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			list := objective.Exchanged(p.Routing, u, v, den.Int64())
			for _, l := range list {
				divisor.GCD(nil, nil, divisor, big.NewInt(l.Load))
			}
			f.pairs = append(f.pairs, list)
		}
	}
	f.unit = new(big.Int).Div(den, divisor).Int64()
	for _, list := range f.pairs {
		for i := range list {
			list[i].Load /= divisor.Int64()
			f.most = max(f.most, list[i].Load)
		}
	}
	return f, nil
}

// packed returns the flows packed for a limit, with so many words of every vector beside them.
func (f *traffic) packed(t *core.Torus, both []bool, limit int64, beside int) *census.Loads {
	if f.pairs == nil {
		return census.NewLoads(t, f.first, both, limit, beside)
	}
	exchanged := func(u, v int) []objective.LinkLoad { return f.pairs[v*(v-1)/2+u] }
	return census.NewPairLoads(t, exchanged, both, limit, beside)
}

// newFlows tables the flows. The error is that of the context. Cost: O(N) flows of pairs.
func newFlows(ctx context.Context, p objective.Problem) (*traffic, error) {
	t, den := p.Torus(), objective.Denominator(p.Routing)
	f := &traffic{first: make([][]int64, t.N())}
	divisor := new(big.Int).Set(den)
	for d := range f.first {
		if f.first[d] = make([]int64, t.M()); d == 0 {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, l := range objective.Exchanged(p.Routing, 0, d, den.Int64()) {
			f.first[d][l.Link(t)] = l.Load
			divisor.GCD(nil, nil, divisor, big.NewInt(l.Load))
		}
	}
	f.unit = new(big.Int).Div(den, divisor).Int64()
	for _, list := range f.first {
		for l := range list {
			list[l] /= divisor.Int64()
			f.most = max(f.most, list[l])
		}
	}
	return f, nil
}
