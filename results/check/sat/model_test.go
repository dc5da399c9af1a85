package sat

import (
	"context"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results/check/meter"
	"leeway/search/searchtest"
)

// A question is a formula with what it is about.
type question struct {
	problem objective.Problem
	below   *big.Rat
	formula *encode.Formula
	leader  func(core.Placement) core.Placement // the image that rows which break symmetry keep
}

// questionOf returns the formula for E_max below a value, with the rows that break symmetry or without.
func questionOf(t *testing.T, p objective.Problem, below *big.Rat, symmetry bool) question {
	t.Helper()
	q := question{p, below, nil, func(s core.Placement) core.Placement { return s }}
	var err error
	if q.formula, err = placementFormula(meter.Unlimited(t.Context()), p, below, symmetry); err != nil {
		t.Fatalf("%s below %s: %v", p, below.RatString(), err)
	}
	if symmetry {
		group := coretest.Must(fast.Group(t.Context(), p))
		q.leader = func(s core.Placement) core.Placement {
			nodes, _ := group.Canonical(s.Nodes())
			return core.MustPlacement(p.Torus(), nodes)
		}
	}
	return q
}

// holdTo compares the answer about a placement with its naive value: all clauses hold if it is below, and some clause
// does not if it is not, or if the placement breaks a condition.
func (q question) holdTo(t *testing.T, s core.Placement, value *big.Rat) {
	t.Helper()
	s = q.leader(s)
	problem := modelProblem(meter.Unlimited(t.Context()), q.formula, s)
	if fits := value.Cmp(q.below) < 0 && q.problem.Admits(s); (problem == "") != fits {
		t.Fatalf("%s below %s, over counts %v: nodes %v have %s: %q", q.problem, q.below.RatString(),
			q.formula.OverCounts(), s.Nodes(), value.RatString(), problem)
	}
}

// nearValues returns values about a load: itself, a little more, and the next multiples of 1/D.
func nearValues(p objective.Problem, value *big.Rat) []*big.Rat {
	unit := new(big.Rat).SetFrac(big.NewInt(1), p.Denominator())
	little := new(big.Rat).Mul(unit, big.NewRat(1, 3))
	return []*big.Rat{value, new(big.Rat).Add(value, little), new(big.Rat).Add(value, unit),
		new(big.Rat).Sub(value, unit)}
}

// TestEveryPlacementExtends: on small networks all placements below a value, and no other, are models, without the rows
// that break symmetry; with them, all that lead their orbits.
func TestEveryPlacementExtends(t *testing.T) {
	kinds, questions := map[bool]int{}, 0
	ask := func(p objective.Problem, rng *rand.Rand) {
		var placements []core.Placement
		var values []*big.Rat
		all := p
		all.Fixed, all.Forbidden, all.Near = nil, nil, objective.Near{}
		for s, v := range searchtest.Placements(all) {
			placements, values = append(placements, s), append(values, v)
		}
		limits := nearValues(p, values[rng.IntN(len(values))])
		if least := searchtest.Optimum(p); least != nil {
			limits = append(limits, nearValues(p, least)...)
		}
		for i, below := range limits {
			if below.Sign() < 0 || !coretest.Long() && (i+questions)%3 != 0 {
				continue
			}
			questions++
			plain, broken := questionOf(t, p, below, false), questionOf(t, p, below, true)
			kinds[plain.formula.OverCounts()]++
			for j, s := range placements {
				plain.holdTo(t, s, values[j])
				if p.Admits(s) {
					broken.holdTo(t, s, values[j])
				}
			}
		}
	}
	for i, torus := range []string{"2", "3", "8", "9", "2x2", "2x3", "4x2", "3x3", "2x5", "2x2x2", "2x4", "5x2:open=0",
		"3x3:open=0,1", "4x2:open=1:bandwidth=2,3", "9:open=0"} {
		for j, r := range []string{"odr:tie=plus", "odr:tie=both", "udr:tie=plus", "udr:tie=both", "minimal:tie=plus",
			"minimal:tie=both"} {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
			n := coretest.Must(texts.ParseProblem(torus, r, 1)).Torus().N()
			ask(coretest.Must(texts.ParseProblem(torus, r, 1+rng.IntN(n))), rng)
		}
	}
	for i := range coretest.Cases(200, 30) {
		rng := coretest.Rng(811, i)
		ask(conditioned(rng, coretest.AnyNetwork(rng, 9)), rng)
	}
	for i := range coretest.Cases(100, 20) {
		rng := coretest.Rng(812, i)
		ask(withClients(rng, conditioned(rng, coretest.AnyNetwork(rng, 9))), rng)
	}
	if kinds[true] < 20 || kinds[false] < 20 {
		t.Errorf("%d formulas over counts, %d over pairs", kinds[true], kinds[false])
	}
}

// withClients returns a problem with client traffic.
func withClients(rng *rand.Rand, p objective.Problem) objective.Problem {
	traffic := objective.Traffic{Request: 1 + rng.IntN(2), Reply: 1 + rng.IntN(2)}
	if rng.IntN(2) == 0 {
		traffic.Replies = coretest.Orders(rng, p.Torus())
	}
	return coretest.Must(p.WithTraffic(traffic))
}

// conditioned returns a random problem on a network with some fixed and some forbidden nodes, as often as not with
// none, under a routing whose paths do not depend on the placement and that is no table by pair.
func conditioned(rng *rand.Rand, t *core.Torus) objective.Problem {
	for {
		r := coretest.Routing(rng, t)
		if strings.Contains(r.String(), "pair") || r.DependsOnPlacement() {
			continue
		}
		order, n := rng.Perm(t.N()), t.N()
		fixed, forbidden := rng.IntN(n/2+1)*rng.IntN(2), rng.IntN(n/2)*rng.IntN(2)
		size := max(1, fixed+rng.IntN(n-forbidden-fixed+1))
		p, err := coretest.Must(objective.NewProblem(r, size)).WithNodes(order[:fixed], order[n-forbidden:])
		if err != nil {
			continue
		}
		if _, err := encode.NewModel(context.Background(), p, encode.Options{}); err == nil {
			return p
		}
	}
}

// TestLargePlacementsExtend: random placements of larger networks, for values around their own.
func TestLargePlacementsExtend(t *testing.T) {
	for i, c := range []struct {
		torus, routing string
		size           int
	}{{"8x8", "udr:tie=both", 16}, {"8x8", "odr:tie=plus", 24}, {"10x10", "udr:tie=both", 20},
		{"7x9", "odr:tie=both", 12},
		{"12x12", "udr:tie=plus", 24}, {"6x8:open=0,1", "udr", 12}, {"8x6:open=1:bandwidth=1,2", "odr", 14},
		{"6x6", "minimal:tie=both", 10}, {"4x4x4", "udr:tie=both", 12}, {"3x4x3:open=2", "orders:012+201", 9},
		{"5x7", "orders:01", 11}, {"16x4", "udr:tie=both", 9}, {"8x8:open=0,1:traffic=clients:request=1:reply=1", "odr", 16},
		{"6x5:traffic=clients:request=1:reply=4:reply-routing=odr:order=1,0:tie=both", "udr:tie=both", 7}} {
		if !coretest.Long() && i%5 != 0 {
			continue
		}
		p := coretest.Must(texts.ParseProblem(c.torus, c.routing, c.size))
		for seed := range uint64(2) {
			rng := rand.New(rand.NewPCG(uint64(i), seed))
			s := core.MustPlacement(p.Torus(), rng.Perm(p.Torus().N())[:p.Size])
			value, _ := p.Naive(s).Max()
			for _, below := range nearValues(p, value) {
				questionOf(t, p, below, false).holdTo(t, s, value)
				if seed == 0 {
					questionOf(t, p, below, true).holdTo(t, s, value)
				}
			}
		}
	}
}
