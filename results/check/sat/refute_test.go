package sat

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode"
	"leeway/encode/cnf/cnftest"
	"leeway/encode/dimacs"
	"leeway/objective"
	"leeway/search/searchtest"
)

func problemOf(t *testing.T, torus, text string, size int) objective.Problem {
	t.Helper()
	return searchtest.Problem(torus, text, size)
}

// clausesOf returns the formula of a problem.
func clausesOf(t *testing.T, p objective.Problem, below *big.Rat, symmetry bool) cnftest.Clauses {
	t.Helper()
	model := coretest.Must(encode.NewModel(t.Context(), p, encode.Options{BreakSymmetry: symmetry}))
	formula := coretest.Must(model.Formula(t.Context(), dimacs.Limit(p, below)))
	f := cnftest.Clauses{Of: formula.Vars()}
	coretest.Try(formula.Write(&f))
	return f
}

// proofOf proves the formula of a problem, nil if it has a model, and counts its clauses.
func proofOf(t *testing.T, p objective.Problem, below *big.Rat, symmetry bool) (steps []proofStep, clauses int) {
	t.Helper()
	f := clausesOf(t, p, below, symmetry)
	return prove(f), len(f.List)
}

var provedProblems = []struct {
	torus, routing string
	size           int
}{{"4", "odr", 2}, {"7", "udr", 3}, {"2x3", "udr", 3}, {"2x3", "minimal:tie=both", 4},
	{"2x2x2", "orders:012+120+201", 3}, {"3x3", "odr", 3}, {"2x4", "udr:tie=both", 4}, {"3x3", "udr", 4}}

// TestUnsatOfProblems: no placement is below the optimum, which brute force finds, and that can be proved; a step of
// 1/D above it nothing can.
func TestUnsatOfProblems(t *testing.T) {
	for i, c := range provedProblems {
		if testing.Short() && i > 3 {
			continue
		}
		p := problemOf(t, c.torus, c.routing, c.size)
		optimum := searchtest.Optimum(p)
		for _, symmetry := range []bool{false, true} {
			steps, clauses := proofOf(t, p, optimum, symmetry)
			if steps == nil {
				t.Fatalf("%s: below its optimum %s there is a model", p, optimum.RatString())
			}
			text := lratText(steps, clauses)
			if v, err := unsatWithin(t.Context(), p, optimum, symmetry, strings.NewReader(text)); err != nil ||
				v.Verdict != Verified {
				t.Errorf("%s below %s: %+v, %v", p, optimum.RatString(), v, err)
			}
			above := new(big.Rat).Add(optimum, big.NewRat(1, 1000))
			f := clausesOf(t, p, above, symmetry)
			text = lratFor(steps, clauses, len(f.List))
			if v, err := unsatWithin(t.Context(), p, above, symmetry, strings.NewReader(text)); err != nil ||
				v.Verdict != Wrong {
				t.Errorf("%s below %s: %+v, %v", p, above.RatString(), v, err)
			}
			if prove(f) != nil {
				t.Errorf("%s: no model below %s, but the optimum is %s", p, above.RatString(), optimum.RatString())
			}
		}
	}
}

// TestUnsatOfAnotherProblem gives a proof to problems that it does not prove, and a proof that uses symmetry to the
// formula without.
func TestUnsatOfAnotherProblem(t *testing.T) {
	p := problemOf(t, "2x3", "udr", 3)
	optimum := searchtest.Optimum(p)
	steps, clauses := proofOf(t, p, optimum, true)
	for name, other := range map[string]objective.Problem{"size": problemOf(t, "2x3", "udr", 2),
		"torus": problemOf(t, "3x3", "udr", 3)} {
		if searchtest.Optimum(other).Cmp(optimum) >= 0 {
			t.Fatalf("another %s: the claim is true", name)
		}
		text := lratFor(steps, clauses, len(clausesOf(t, other, optimum, true).List))
		if v, err := unsatWithin(t.Context(), other, optimum, true, strings.NewReader(text)); err != nil ||
			v.Verdict != Wrong {
			t.Errorf("another %s: %+v, %v", name, v, err)
		}
	}
	if v, err := unsatWithin(t.Context(), p, optimum, false, strings.NewReader("999999 0 0\n")); err != nil ||
		v.Verdict != Wrong {
		t.Errorf("no proof at all: %+v, %v", v, err)
	}
}

// TestUnsatOnNetworks: on random networks with fixed and forbidden nodes no placement is below the optimum, which brute
// force finds, and that can be proved. The same proof is refused where the network, the conditions or the size were
// changed after it and the claim has become false, with the rows that break symmetry and without.
func TestUnsatOnNetworks(t *testing.T) {
	refused := map[string]int{}
	for i := range coretest.Cases(800, 250) {
		rng := coretest.Rng(61, i)
		p := conditionedProblem(rng, coretest.AnyNetwork(rng, 8))
		if rng.IntN(3) == 0 {
			p = withClients(rng, p)
		}
		optimum, symmetry := searchtest.Optimum(p), rng.IntN(2) == 0
		steps, clauses := proofOf(t, p, optimum, symmetry)
		if steps == nil {
			t.Fatalf("%s: below its optimum %s there is a model", p, optimum.RatString())
		}
		verdict := func(q objective.Problem) string {
			text := lratFor(steps, clauses, len(clausesOf(t, q, optimum, symmetry).List))
			v := coretest.Must(unsatWithin(t.Context(), q, optimum, symmetry, strings.NewReader(text)))
			return v.Verdict
		}
		if v := verdict(p); v != Verified {
			t.Errorf("case %d, %s below %s, symmetry %v: %s", i, p, optimum.RatString(), symmetry, v)
		}
		for name, q := range changes(rng, p) {
			if searchtest.Optimum(q).Cmp(optimum) >= 0 {
				continue // the claim is still true
			}
			if refused[name]++; verdict(q) != Wrong {
				t.Errorf("case %d, a proof of %s below %s with another %s, symmetry %v, is taken for one of %s", i, p,
					optimum.RatString(), name, symmetry, q)
			}
		}
	}
	for _, name := range []string{"fixed", "forbidden", "conditions", "open", "bandwidth", "size", "traffic", "replies"} {
		if refused[name] < 3 {
			t.Errorf("only %d proofs are refused for another %s: %v", refused[name], name, refused)
		}
	}
}

// conditionedProblem returns a random problem on a network, under a routing that does not depend on the placement, with
// some nodes fixed and some forbidden.
func conditionedProblem(rng *rand.Rand, t *core.Torus) objective.Problem {
	order := rng.Perm(t.N())
	fixed := rng.IntN(t.N()/2 + 1)
	forbidden := rng.IntN(t.N() - max(1, fixed) + 1)
	least, most := max(1, fixed), t.N()-forbidden
	p := objective.Problem{Routing: coretest.Orders(rng, t), Size: least + rng.IntN(most-least+1)}
	if rng.IntN(4) == 0 {
		p.Routing = routing.NewMinimal(t, coretest.Tie(rng))
	}
	return coretest.Must(p.WithNodes(order[:fixed], order[fixed:fixed+forbidden]))
}

// changes returns a problem with one thing changed each, where that is possible.
func changes(rng *rand.Rand, p objective.Problem) map[string]objective.Problem {
	list, t := map[string]objective.Problem{}, p.Torus()
	add := func(name string, q objective.Problem, fixed, forbidden []int) {
		if q, err := q.WithNodes(fixed, forbidden); err == nil && q.Size > 0 {
			list[name] = q
		}
	}
	fixed, forbidden := p.Fixed.Nodes(), p.Forbidden.Nodes()
	if len(fixed) > 0 {
		add("fixed", p, fixed[(len(fixed)+1)/2:], forbidden)
	}
	if len(forbidden) > 0 {
		add("forbidden", p, fixed, forbidden[(len(forbidden)+1)/2:])
	}
	if p.Conditioned() {
		add("conditions", p, nil, nil)
	}
	add("size", p.WithSize(p.Size-1), fixed, forbidden)
	on := func(name string, u *core.Torus) {
		if r, err := routing.Parse(u, p.Routing.String()); err == nil {
			q := objective.Problem{Routing: r, Size: p.Size}
			if p.Traffic.Clients() {
				traffic := p.Traffic
				if replies := traffic.Replies; replies != nil {
					traffic.Replies = coretest.Must(routing.Parse(u, replies.String()))
				}
				q = coretest.Must(q.WithTraffic(traffic))
			}
			add(name, q, fixed, forbidden)
		}
	}
	if p.Traffic.Clients() {
		q, traffic := p, p.Traffic
		traffic.Replies, traffic.Reply = nil, traffic.Reply-1
		q.Traffic = traffic
		add("traffic", q, fixed, forbidden)
		q.Traffic = objective.Traffic{}
		add("no traffic", q, fixed, forbidden)
		q.Traffic = p.Traffic
		if q.Traffic.Replies = nil; p.Traffic.Replies == nil {
			q.Traffic.Replies = coretest.Orders(rng, t)
		}
		add("replies", q, fixed, forbidden)
	}
	open, bandwidth := []int(nil), make([]int, t.D())
	for j := range t.D() {
		if bandwidth[j] = t.Bandwidth(j); t.Open(j) {
			open = append(open, j)
		}
	}
	if open != nil {
		on("open", coretest.Must(t.WithLinks(open[1:], bandwidth)))
	}
	bandwidth[rng.IntN(t.D())]++
	on("bandwidth", coretest.Must(t.WithLinks(open, bandwidth)))
	return list
}

func TestUnsatRefuses(t *testing.T) {
	var unsupported *encode.UnsupportedError
	if _, err := unsatWithin(t.Context(), problemOf(t, "3x3", "avoid", 3), big.NewRat(1, 1), true,
		strings.NewReader("0")); !errors.As(err, &unsupported) {
		t.Errorf("avoid: %v", err)
	}
}
