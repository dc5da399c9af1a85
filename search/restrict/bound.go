package restrict

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/congestion"
	"leeway/objective/lowerbound"
	"leeway/objective/simplex"
)

// Limits of the linear program that is solved exactly.
const (
	maxEntries   = 1 << 14
	quickEntries = 1 << 11 // for a quick search
	maxPivots    = 2000
)

// A guide is what linear programming knows of candidates: weights of links, a lower
// bound by them, and the paths that an optimal fractional choice uses.
type guide struct {
	lower   *big.Rat
	weights []int64  // by link
	used    solution // nil: not known
	narrow  bool     // the bound is of paths that correct one dimension after the other
}

// newGuide solves, where symmetry leaves few items, the linear program over the paths of the candidates: shares of
// blocks instead of sets. Its value bounds every restriction, since symmetry and mixing are allowed. Elsewhere the
// program over all shortest paths, a weaker bound, stands for it; a quick search, and one whose context has ended, does
// without.
func newGuide(ctx context.Context, s *candidates, full coarsening, quick bool) (guide, error) {
	entries := maxEntries
	if quick {
		entries = quickEntries
	}
	if len(s.pairs) > 0 {
		full.by = ByPair
		full.alike = false
		m, err := newModel(ctx, s, full, rule{den: 1})
		if err != nil {
			return unguided(s), nil
		}
		if (m.blocks()+1)*(len(m.items)+m.classes) <= entries {
			if g, ok := m.solve(s); ok {
				return g, nil
			}
		}
	}
	if quick {
		return unguided(s), nil
	}
	lp, err := congestion.SolveTraffic(ctx, s.placement, s.traffic, congestion.Options{ExactClasses: 64, GuessClasses: 800,
		Pivots: 4000, Work: 1 << 26})
	return guide{lower: lp.Lower, weights: lp.Weights}, err
}

// unguided returns the guide that knows nothing.
func unguided(s *candidates) guide {
	return guide{lower: new(big.Rat), weights: make([]int64, s.torus.M())}
}

// solve finds weights w of the classes of links, 1 in total, for which the sum over
// items of their cheapest block is largest, a crossing of a link counting as often as its scale: maximise the sum of u
// with u_i <= cost of each block of item i. The multipliers of these rows are the shares.
func (m *model) solve(s *candidates) (guide, bool) {
	k, n := len(m.items), m.blocks()
	t := simplex.New(n+1, k+m.classes)
	for i, it := range m.items {
		t.Gain(i, 1)
		for b, bl := range it.blocks {
			t.Set(it.first+b, i, float64(bl.paths))
			for at, crossings := range bl.crossings {
				t.Set(it.first+b, k+int(it.classes[bl.at[at]]), float64(-crossings))
			}
		}
	}
	for c := range m.classes {
		t.Set(n, k+c, 1)
	}
	t.Right(n, 1)
	t.Nudge()
	t.Run(maxPivots)
	values, prices, ok := t.Exact()
	if !ok || slices.ContainsFunc(values, func(v *big.Rat) bool { return v.Sign() < 0 }) {
		return guide{}, false
	}
	shares := make([]bool, n)
	for b := range shares {
		shares[b] = prices[b].Sign() > 0
	}
	g := guide{used: make(solution, s.elements), narrow: true}
	for e, b := range m.block {
		g.used[e] = shares[b]
	}
	if g.weights, ok = m.linkWeights(s.torus, values[k:]); !ok {
		return g, false
	}
	g.lower = s.weigh(g.weights)
	return g, true
}

// linkWeights spreads the weights of classes over their links, in whole numbers, each times the scale of the link. It
// reports false if these are large.
func (m *model) linkWeights(torus *core.Torus, weights []*big.Rat) ([]int64, bool) {
	size := make([]int64, m.classes)
	for _, c := range m.class {
		size[c]++
	}
	for c, w := range weights {
		w.Mul(w, big.NewRat(m.scale(torus, int32(c)), size[c]))
	}
	units, _ := objective.Whole(weights)
	if slices.ContainsFunc(units, func(x *big.Int) bool { return x.BitLen() > 31 }) {
		return nil, false
	}
	list := make([]int64, len(m.class))
	for l := range list {
		list[l] = units[m.class[l]].Int64()
	}
	return list, true
}

// weigh returns the bound of some weights, from the definition: what the pairs
// meet at least on the paths of the candidates, over all weights, each times the bandwidth of its link.
func (s *candidates) weigh(weights []int64) *big.Rat {
	sum, total := new(big.Int), int64(0)
	for _, p := range s.pairs {
		least := int64(-1)
		for _, path := range p.paths {
			if cost := s.cost(p, path, weights); least < 0 || cost < least {
				least = cost
			}
		}
		cost := big.NewInt(least)
		sum.Add(sum, cost.Mul(cost, big.NewInt(p.messages)))
	}
	for l, w := range weights {
		total += w * int64(s.torus.LinkBandwidth(core.Link(l)))
	}
	return new(big.Rat).SetFrac(sum, big.NewInt(total))
}

// cost returns the weight of a path of a pair.
func (s *candidates) cost(p pair, path routing.TablePath, weights []int64) (cost int64) {
	s.links = path.AppendLinks(s.links[:0], s.torus, p.from)
	for _, l := range s.links {
		cost += weights[l]
	}
	return cost
}

// goal returns the better of two bounds; single paths make loads whole numbers, divided by bandwidths.
func goal(p Params, lower *big.Rat) *big.Rat {
	if p.Goal != nil && p.Goal.Cmp(lower) > 0 {
		lower = p.Goal
	}
	return bound.Whole(p.Placement.Torus(), p.Single, lowerbound.Bound{Value: lower}).Value
}
