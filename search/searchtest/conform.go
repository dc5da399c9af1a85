// Package searchtest is the conformance suite of search methods and the brute
// force that they are held against. Only tests import it.
package searchtest

import (
	"context"
	"iter"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/search"
)

// Placements yields every placement that a problem admits, with its E_max by the naive evaluator. It is meant for
// N <= 12.
func Placements(p objective.Problem) iter.Seq2[core.Placement, *big.Rat] {
	return func(yield func(core.Placement, *big.Rat) bool) {
		for mask := range uint64(1) << p.Torus().N() {
			if bits.OnesCount64(mask) != p.Size {
				continue
			}
			s := core.MustPlacement(p.Torus(), core.Set{mask}.Nodes())
			if !p.Admits(s) || routing.Covers(p.Routing, s) != nil {
				continue
			}
			if most, _ := p.Naive(s).Max(); !yield(s, most) {
				return
			}
		}
	}
}

// Best returns the placements with the smallest E_max of all Placements, and that value; nil if the problem has no
// placement.
func Best(p objective.Problem) (list []core.Placement, least *big.Rat) {
	for s, most := range Placements(p) {
		if least == nil || most.Cmp(least) < 0 {
			list, least = nil, most
		}
		if most.Cmp(least) == 0 {
			list = append(list, s)
		}
	}
	return list, least
}

// Optimum returns the smallest E_max of all Placements of a problem, nil if it has no placement.
func Optimum(p objective.Problem) *big.Rat {
	_, least := Best(p)
	return least
}

// Optima returns the smallest E_max for every size, adding up what the naive evaluator says of the pairs, for routings
// that do not depend on the placement. It is meant for N <= 20.
func Optima(r routing.Routing) []*big.Rat {
	t, den := r.Torus(), objective.Denominator(r)
	type load struct {
		link  int
		units int64
	}
	pairs := make([][][]load, t.N()) // by both nodes, the greater first
	for v := range t.N() {
		for u := range v {
			loads, list := objective.Naive(r, core.MustPlacement(t, []int{u, v})), []load(nil)
			for l := range t.M() {
				if units := objective.Numerator(loads.Load(core.Link(l)), den).Int64(); units > 0 {
					list = append(list, load{l, units})
				}
			}
			pairs[v] = append(pairs[v], list)
		}
	}
	best := make([]int64, t.N()+1)
	for n := range best {
		best[n] = math.MaxInt64
	}
	var visit func(v int, nodes []int, loads []int64)
	visit = func(v int, nodes []int, loads []int64) {
		if v == t.N() {
			best[len(nodes)] = min(best[len(nodes)], slices.Max(loads))
			return
		}
		visit(v+1, nodes, loads)
		more := slices.Clone(loads)
		for _, u := range nodes {
			for _, l := range pairs[v][u] {
				more[l.link] += l.units
			}
		}
		visit(v+1, append(nodes, v), more)
	}
	visit(0, nil, make([]int64, t.M()))
	var list []*big.Rat
	for _, units := range best {
		list = append(list, new(big.Rat).SetFrac(big.NewInt(units), den))
	}
	return list
}

// Problem returns a problem from its words on the command line; it panics if
// they are wrong.
func Problem(torus, routed string, size int) objective.Problem {
	p, err := texts.ParseProblem(torus, routed, size)
	if err != nil {
		panic(err)
	}
	return p
}

// Small lists problems on tori with N <= 10 over all kinds of routings.
func Small() []objective.Problem {
	var list []objective.Problem
	for _, torus := range []string{"2", "3x3", "2x5", "2x2x2", "9", "2x4"} {
		for _, r := range []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "avoid"} {
			t, _ := core.ParseTorus(torus)
			for _, n := range []int{1, 2, t.N() / 2, t.N() - 1, t.N()} {
				if n >= 1 {
					list = append(list, Problem(torus, r, n))
				}
			}
		}
	}
	return list
}

// Conditioned returns a random problem of up to maxNodes nodes: on a torus, a network with open dimensions and
// bandwidths or a twisted torus, most often with nodes that are fixed or forbidden, often with a radius or a
// distance that some placement keeps to.
func Conditioned(rng *rand.Rand, maxNodes int) objective.Problem {
	t := coretest.Torus(rng, maxNodes)
	if rng.IntN(3) > 0 {
		t = coretest.Any(rng, maxNodes)
	}
	p := ConditionedOn(rng, t)
	if rng.IntN(3) == 0 {
		_, total, _ := search.Draw(p, rng).Spacing()
		if p.Distance = max(1, total); rng.IntN(2) == 0 {
			p.Radius = 0
		}
	}
	return p
}

// ConditionedOn is Conditioned for a network, without a distance.
func ConditionedOn(rng *rand.Rand, t *core.Torus) objective.Problem {
	order := rng.Perm(t.N())
	fixed := rng.IntN(t.N()/2 + 1)
	forbidden := rng.IntN(t.N() - max(1, fixed) + 1)
	switch rng.IntN(6) {
	case 0:
		fixed = 0
	case 1:
		forbidden = 0
	case 2:
		fixed, forbidden = 0, 0
	}
	least, most := max(1, fixed), t.N()-forbidden
	p := coretest.Must(objective.NewProblem(coretest.Routing(rng, t), least+rng.IntN(most-least+1)))
	p = coretest.Must(p.WithNodes(order[:fixed], order[fixed:fixed+forbidden]))
	if rng.IntN(3) == 0 {
		radius, _, _ := search.Draw(p, rng).Spacing()
		p.Radius = max(1, radius)
	}
	return p
}

// Clients returns a random problem as Conditioned does, with client traffic and without a distance.
func Clients(rng *rand.Rand, maxNodes int) objective.Problem {
	p := Conditioned(rng, maxNodes)
	p.Distance = 0
	return asClients(rng, p)
}

// ClientsOn is Clients for a network.
func ClientsOn(rng *rand.Rand, t *core.Torus) objective.Problem {
	return asClients(rng, ConditionedOn(rng, t))
}

// asClients returns a problem with client traffic, under another routing where its own does not treat that.
func asClients(rng *rand.Rand, p objective.Problem) objective.Problem {
	for p.Routing.DependsOnPlacement() {
		p.Routing = coretest.Routing(rng, p.Torus())
	}
	traffic := objective.Traffic{Request: rng.IntN(3), Reply: 1 + rng.IntN(3)}
	if p.Torus().HasDimensions() {
		if r := coretest.Orders(rng, p.Torus()); rng.IntN(2) == 0 && traffic.Request > 0 {
			traffic.Replies = r
		}
	}
	return coretest.Must(p.WithTraffic(traffic))
}

// Conform runs a method through what every method must do. The parameters that
// it is given bound each run to some thousand evaluations.
func Conform(t *testing.T, m search.Method) {
	t.Run("never better than the optimum", func(t *testing.T) { sound(t, m) })
	t.Run("keeps to conditions, on networks too", func(t *testing.T) { conditions(t, m) })
	t.Run("same result for any number of workers", func(t *testing.T) { repeatable(t, m) })
	t.Run("keeps to the evaluations", func(t *testing.T) { budgeted(t, m) })
	t.Run("ends with the context", func(t *testing.T) { cancelled(t, m) })
	t.Run("stops at the goal", func(t *testing.T) { goal(t, m) })
}

func supported(m search.Method, problems []objective.Problem) []objective.Problem {
	return slices.DeleteFunc(problems, func(p objective.Problem) bool { return m.Supports(p) != nil })
}

func run(t *testing.T, m search.Method, p search.Params) search.Outcome {
	t.Helper()
	if p.Workers == 0 {
		p.Workers = 1
	}
	out, err := m.Run(context.Background(), p)
	if err != nil {
		t.Fatalf("%s on %s: %v", m.Name(), p.Problem, err)
	}
	if out.Value == nil {
		return out
	}
	if out.Best.Size() != p.Problem.Size {
		t.Fatalf("%s on %s: %d processors", m.Name(), p.Problem, out.Best.Size())
	}
	if !p.Problem.Admits(out.Best) {
		t.Fatalf("%s on %s: %v breaks a condition", m.Name(), p.Problem, out.Best.Nodes())
	}
	if exact, _ := p.Problem.Naive(out.Best).Max(); exact.Cmp(out.Value) != 0 {
		t.Fatalf("%s on %s: reports %s for %v, naive %s", m.Name(), p.Problem, out.Value.RatString(), out.Best.Nodes(),
			exact.RatString())
	}
	return out
}

func sound(t *testing.T, m search.Method) {
	for _, p := range supported(m, Small()) {
		runSound(t, m, search.Params{Problem: p, Seed: 3, Evaluations: 2000})
	}
}

// runSound is run, and fails if the outcome claims less than the optimum, or refutes it.
func runSound(t *testing.T, m search.Method, params search.Params) {
	out, p := run(t, m, params), params.Problem
	optimum := Optimum(p)
	if out.Value != nil && out.Value.Cmp(optimum) < 0 {
		t.Errorf("%s on %s: %s is below the optimum %s", m.Name(), p, out.Value.RatString(), optimum.RatString())
	}
	if r := out.Refutation; r != nil && r.Below.Cmp(optimum) > 0 {
		t.Errorf("%s on %s: says nothing is below %s, optimum %s", m.Name(), p, r.Below.RatString(), optimum.RatString())
	}
}

// conditions holds a method to problems with fixed and forbidden nodes, on tori and on networks: it refuses them, or
// keeps to them and is as right as elsewhere.
func conditions(t *testing.T, m search.Method) {
	for i := range coretest.Cases(150, 50) {
		rng := coretest.Rng(417, i)
		p := Conditioned(rng, 9)
		if i%3 == 0 {
			p = Clients(rng, 9)
		}
		if m.Supports(p) != nil {
			continue
		}
		params := search.Params{Problem: p, Seed: uint64(i), Evaluations: 1500}
		if rng.IntN(2) == 0 {
			if s := search.Draw(p, rng); p.Admits(s) {
				params.Starts = []core.Placement{s}
			}
		}
		runSound(t, m, params)
	}
}

func repeatable(t *testing.T, m search.Method) {
	for _, p := range supported(m, []objective.Problem{Problem("4x4", "udr", 6), Problem("3x5", "odr:tie=both", 5),
		Problem("2x2x3", "minimal", 5), Problem("4x4:open=0:traffic=clients:request=1:reply=2", "odr", 5)}) {
		first := run(t, m, search.Params{Problem: p, Seed: 5, Evaluations: 1500})
		for _, workers := range []int{1, 2, 7} {
			again := run(t, m, search.Params{Problem: p, Seed: 5, Evaluations: 1500, Workers: workers})
			if again.Evaluations != first.Evaluations || again.Reason != first.Reason ||
				(again.Value == nil) != (first.Value == nil) ||
				first.Value != nil && !slices.Equal(again.Best.Nodes(), first.Best.Nodes()) {
				t.Errorf("%s on %s with %d workers: %v after %d evaluations, at first %v after %d", m.Name(), p, workers,
					again.Best.Nodes(), again.Evaluations, first.Best.Nodes(), first.Evaluations)
			}
		}
	}
}

func budgeted(t *testing.T, m search.Method) {
	for _, p := range supported(m, []objective.Problem{Problem("4x4", "udr:tie=both", 5), Problem("3x3", "odr", 4)}) {
		for _, budget := range []int64{1, 2, 7, 100} {
			out := run(t, m, search.Params{Problem: p, Seed: 1, Evaluations: budget})
			if out.Evaluations > budget {
				t.Errorf("%s on %s: %d evaluations of %d", m.Name(), p, out.Evaluations, budget)
			}
			if out.Evaluations < budget && out.Reason == search.Spent {
				t.Errorf("%s on %s: says spent after %d evaluations of %d", m.Name(), p, out.Evaluations, budget)
			}
		}
	}
}

func cancelled(t *testing.T, m search.Method) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, p := range supported(m, []objective.Problem{Problem("4x4", "udr:tie=both", 7)}) {
		out, err := m.Run(ctx, search.Params{Problem: p, Seed: 1, Workers: 2})
		if err != nil {
			t.Errorf("%s on %s: %v", m.Name(), p, err)
		}
		if out.Refutation != nil {
			t.Errorf("%s on %s: a refutation after a cancelled context", m.Name(), p)
		}
	}
}

func goal(t *testing.T, m search.Method) {
	for _, p := range supported(m, []objective.Problem{Problem("4x4", "udr:tie=both", 4)}) {
		first := run(t, m, search.Params{Problem: p, Seed: 1, Evaluations: 3000})
		if first.Value == nil {
			continue
		}
		out := run(t, m, search.Params{Problem: p, Seed: 1, Evaluations: 3000, Goal: first.Value})
		if out.Value == nil || out.Value.Cmp(first.Value) > 0 || out.Reason != search.Reached {
			t.Errorf("%s on %s: %v for reason %s with goal %s", m.Name(), p, out.Value, out.Reason, first.Value.RatString())
		}
	}
}
