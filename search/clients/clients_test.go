package clients

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/census/censustest"
	"leeway/search/searchtest"
)

// problem returns a random problem on a network of two dimensions and up to most nodes, every other with conditions.
func problem(rng *rand.Rand, most int) objective.Problem {
	t := coretest.Network(rng, most)
	for t.D() != 2 {
		t = coretest.Network(rng, most)
	}
	traffic := objective.Traffic{Request: rng.IntN(4), Reply: 1 + rng.IntN(4)}
	if traffic.Request > 0 && rng.IntN(2) == 0 {
		traffic.Replies = coretest.Orders(rng, t)
	}
	p := coretest.Must(objective.Problem{Routing: coretest.Orders(rng, t), Size: 1}.WithTraffic(traffic))
	fixed, forbidden := 0, 0
	if rng.IntN(2) == 0 {
		fixed, forbidden = rng.IntN(3), rng.IntN(t.N()/2+1)
	}
	fixed = min(fixed, t.N()-forbidden-1)
	nodes := rng.Perm(t.N())
	n := max(1, fixed) + rng.IntN(t.N()-forbidden-max(1, fixed)+1)
	return coretest.Must(p.At(n).WithNodes(nodes[:fixed], nodes[fixed:fixed+forbidden]))
}

// TestTwin compares with the tree by its definition, below the optimum by the naive evaluator and one and two steps
// above it.
func TestTwin(t *testing.T) {
	nodes := int64(0)
	for i := range coretest.Cases(500, 40) {
		p := problem(coretest.Rng(60, i), 10)
		nodes += censustest.AroundOptimum(t, Engine{}, p, 2,
			func(below *big.Rat) censustest.Twin { return newTwin(p, below) })
	}
	if nodes < 50 {
		t.Errorf("only %d nodes", nodes)
	}
}

// TestOptima holds optima against all placements, by the naive evaluator.
func TestOptima(t *testing.T) {
	for i := range coretest.Cases(600, 60) {
		p := problem(coretest.Rng(61, i), 12)
		censustest.IsOptimum(t, Engine{}, p, searchtest.Optimum(p))
	}
}

func parsed(where, routed string, n int) objective.Problem {
	return coretest.Must(objective.ParseProblem(where, routed, n))
}

// TestKnownOptima holds values that a program for integer programming found.
func TestKnownOptima(t *testing.T) {
	const each, cdr = ":traffic=clients:request=1:reply=1", ":reply-routing=odr:order=1,0:tie=both"
	for _, c := range []struct {
		where, routing string
		want           int64
	}{{"8x8" + each, "odr:tie=both", 44}, {"8x8" + each + cdr, "odr:tie=both", 32}, {"8x8" + each, "udr:tie=both", 32},
		{"8x8:open=0,1" + each + cdr, "odr:tie=both", 64}, {"8x8:open=0,1" + each, "udr:tie=both", 64}} {
		censustest.IsOptimum(t, Engine{}, parsed(c.where, c.routing, 16), big.NewRat(c.want, 1))
	}
}

// TestMeshOfSixteen: under XY, 16 controllers on the mesh have 78, as programs for integer programming found without a
// proof, and nothing is below.
func TestMeshOfSixteen(t *testing.T) {
	p := parsed("8x8:open=0,1:traffic=clients:request=1:reply=1", "odr:tie=both", 16)
	censustest.IsOptimum(t, Engine{}, p, big.NewRat(78, 1))
}

func TestRefuses(t *testing.T) {
	clients := ":traffic=clients:request=1:reply=1"
	for _, p := range []objective.Problem{parsed("4x4", "odr", 3), parsed("2x2x2"+clients, "odr", 3),
		parsed("17x4"+clients, "odr", 3), parsed("4x4"+clients, "minimal", 3)} {
		var unsupported *search.UnsupportedError
		if err := (Engine{}).Supports(p); !errors.As(err, &unsupported) {
			t.Errorf("%s: Supports: %v", p, err)
		}
		if _, err := (Engine{}).Plan(context.Background(), p, big.NewRat(1, 1), 1); !errors.As(err, &unsupported) {
			t.Errorf("%s: Plan: %v", p, err)
		}
	}
}

// TestLimits: a plan that keeps too many counts, or takes too many steps, is refused by name; one that is stopped fails
// with the error of the context, whenever that is.
func TestLimits(t *testing.T) {
	p, below := parsed("8x8:open=0,1:traffic=clients:request=1:reply=1", "odr", 8), big.NewRat(70, 1)
	var large *census.TooLargeError
	for _, e := range []Engine{{Kept: 10}, {Steps: 10}} {
		_, err := e.Plan(context.Background(), p, below, 1)
		if !errors.As(err, &large) || !strings.Contains(err.Error(), "10") {
			t.Errorf("%+v: %v", e, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Engine{}).Plan(ctx, p, below, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	q, err := Engine{}.Plan(context.Background(), p, new(big.Rat), 1)
	if err != nil || len(q.Prefixes()) > 0 {
		t.Errorf("below 0: %v, %v", q, err)
	}
}

// TestEveryConstraintIsNeeded drops parts of the loads, or of the tree, and expects wrong answers: the tests above
// would notice.
func TestEveryConstraintIsNeeded(t *testing.T) {
	var cases []censustest.Known
	for i := range coretest.Cases(200, 80) {
		p := problem(coretest.Rng(62, i), 10)
		if value := searchtest.Optimum(p); value.Sign() > 0 {
			above := new(big.Rat).Add(value, new(big.Rat).SetFrac(big.NewInt(1), p.Denominator()))
			cases = append(cases, censustest.Known{Problem: p, Below: value},
				censustest.Known{Problem: p, Below: above, Found: true})
		}
	}
	for name, change := range map[string]func(q *plan){
		"":                    func(*plan) {},
		"half the prefixes":   func(q *plan) { q.prefixes = q.prefixes[:len(q.prefixes)/2] },
		"too large a limit":   func(q *plan) { q.again(t, 1) },
		"too small a limit":   func(q *plan) { q.again(t, -1) },
		"no fixed nodes":      func(q *plan) { q.problem.Fixed = nil },
		"no forbidden nodes":  func(q *plan) { q.problem.Forbidden = nil },
		"everything fits":     func(q *plan) { q.fits(true) },
		"nothing fits":        func(q *plan) { q.fits(false) },
		"no load in rows":     func(q *plan) { q.sides[1].silence() },
		"no load in columns":  func(q *plan) { q.sides[0].silence() },
		"all moves of places": func(q *plan) { q.sides[1].moves = [][]int{core.Range(q.sides[1].k)} },
	} {
		wrong := censustest.Wrong(t, cases, func(c censustest.Known) census.Plan {
			q := censustest.Plan(t, Engine{}, c.Problem, c.Below).(*plan)
			change(q)
			return q
		})
		if harmless := name == "" || name == "everything fits" || name == "all moves of places"; harmless != (wrong == 0) {
			t.Errorf("%q: %d wrong answers in %d cases", name, wrong, len(cases))
		}
	}
}

// again plans for a limit that is so many units more.
func (q *plan) again(t *testing.T, units int64) {
	below := new(big.Rat).SetFrac(big.NewInt(q.sides[0].limit+1+units), q.problem.Denominator())
	*q = *censustest.Plan(t, Engine{}, q.problem, below).(*plan)
}

// fits says of all counts that they go together, or do not.
func (q *plan) fits(yes bool) {
	for _, m := range q.pairs {
		for _, g := range m.groups {
			for _, r := range g.members {
				for kind := range r.fits {
					r.fits[kind] = yes
				}
			}
		}
	}
}

// silence takes all load off the lines once their counts are listed.
func (d *side) silence() {
	for x := range d.k {
		clear(d.alpha[x])
		clear(d.beta[x])
	}
}
