package work

import (
	"cmp"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/lattices"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/results/networks"
	"leeway/search/searchtest"
)

// TestAnyPlacement keeps to conditions.
func TestAnyPlacement(t *testing.T) {
	for i := range 100 {
		p := searchtest.Conditioned(coretest.Rng(735, i), 12)
		fallback, drop := anyPlacement(t.Context(), p, uint64(i))
		out, err := fallback()
		drop()
		if err != nil && p.Near.Asked() {
			continue // a random placement need not keep to that
		}
		if err != nil || out.Best.Size() != p.Size || !p.Admits(out.Best) {
			t.Errorf("%s: nodes %v, %v", p, out.Best.Nodes(), err)
		}
	}
}

// TestPartOf: the network that carries least, and the torus without shifts, are those of a naive evaluation of all
// placements on all lattices, of several the one of least mean distance, the first of these; with next to no effort
// bounds and loads are no better than they are.
func TestPartOf(t *testing.T) {
	coretest.Alone(t)
	most := [4]int{2: coretest.Cases(12, 9), 3: coretest.Cases(10, 8)}
	for d := 2; d <= 3; d++ {
		for nodes := 1 << d; nodes <= most[d]; nodes++ {
			list := coretest.Must(lattices.List(nodes, d))
			for size := 2; size <= nodes; size++ {
				s, _ := session(t)
				part := coretest.Must(s.PartOf(t.Context(), list, size, Budget{Seed: 1, Evaluations: 1 << 20}))
				quick := coretest.Must(s.PartOf(t.Context(), list, size, Budget{Seed: 1, Evaluations: 1}))
				holds(t, list, size, part.Best, quick.Best)
				plain := slices.DeleteFunc(slices.Clone(list), (*core.Torus).Twisted)
				if len(plain) > 0 != (part.Plain != nil) {
					t.Errorf("%d nodes, %d dimensions: %+v", nodes, d, part.Plain)
				} else if part.Plain != nil {
					holds(t, plain, size, *part.Plain, *quick.Plain)
				}
			}
		}
	}
}

// holds compares what is said of the best network with all placements.
func holds(t *testing.T, list []*core.Torus, size int, said, quick networks.Placed) {
	t.Helper()
	var best *core.Torus
	var least, distance *big.Rat
	for _, torus := range list {
		p := coretest.Must(objective.NewProblem(routing.NewMinimal(torus, routing.TieBoth), size))
		value, mean := searchtest.Optimum(p), fast.MeanDistance(core.MustPlacement(torus, core.Range(torus.N())))
		if best == nil || cmp.Or(value.Cmp(least), mean.Cmp(distance)) < 0 {
			best, least, distance = torus, value, mean
		}
	}
	if said.Network != best.String() || said.MaxLoad != least.RatString() || !said.Proved() {
		t.Errorf("%d processors: %+v, not %s with %s", size, said, best, least.RatString())
	}
	if lower := coretest.Must(results.ParseFraction(quick.LowerBound)); lower.Cmp(least) > 0 {
		t.Errorf("%d processors: %+v, but %s is %s", size, quick, best, least.RatString())
	}
	for _, held := range []networks.Placed{said, quick} {
		torus := coretest.Must(core.ParseNetwork(held.Network))
		placement := coretest.Must(family.Parse(torus, held.Placement))
		loads := objective.Naive(routing.NewMinimal(torus, routing.TieBoth), placement)
		if load, _ := loads.Max(); load.RatString() != held.MaxLoad || placement.Size() != size {
			t.Errorf("%d processors: %+v has %s", size, held, load.RatString())
		}
	}
}

// TestPartStored: the store has records of the best placements, and for each other network that no closed form rules
// out the proof by steps that it has none better; the checker repeats all of them.
func TestPartStored(t *testing.T) {
	list := coretest.Must(lattices.List(14, 2))
	for _, size := range []int{3, 7} {
		var part networks.Part
		path := stored(t, func(s *Session) {
			part = coretest.Must(s.PartOf(t.Context(), list, size, Budget{Seed: 1, Evaluations: 1 << 20}))
		})
		view, proofs := coretest.Must(atlas.OpenStore(path)), 0
		least := coretest.Must(results.ParseFraction(part.Best.MaxLoad))
		for _, torus := range list {
			p := coretest.Must(objective.NewProblem(routing.NewMinimal(torus, routing.TieBoth), size))
			d, ok, err := view.Detail(texts.KeyOf(p))
			lower := bound.QuickBound(p).Value
			if arcs := bound.Arcs(torus, size); arcs.Cmp(lower) > 0 {
				lower = arcs
			}
			switch {
			case err != nil || d.Fault != "":
				t.Fatalf("%s: %v %s", p, err, d.Fault)
			case ok && d.Record != nil:
				verify(t, *d.Record)
				lower = coretest.Must(results.ParseFraction(d.LowerBound))
			case ok:
				v := verdictOf(t, coretest.Must(layout.Encode(d.Below)))
				if v.Verdict != check.Valid || v.ProofVerdict != check.Verified {
					t.Errorf("%s: %v", p, v)
				}
				lower = coretest.Must(results.ParseFraction(d.Below.Below))
				proofs++
			}
			if lower.Cmp(least) < 0 {
				t.Errorf("%s: nothing shows that %s is out of reach", p, least.RatString())
			}
			for _, held := range []networks.Placed{part.Best, *part.Plain} {
				if torus.String() == held.Network && d.MaxLoad != held.MaxLoad {
					t.Errorf("%s: %s is in the store, not %s", p, d.MaxLoad, held.MaxLoad)
				}
			}
		}
		if err := view.Close(); err != nil || proofs < 2 {
			t.Errorf("%d processors: %d proofs by steps, %v", size, proofs, err)
		}
	}
}

// TestProofsUnderConditions: on random networks with fixed and forbidden nodes, or where nodes are to be near, a proof
// finds the optimum of all placements, by whatever means, and a search claims no larger lower bound; the checker, which
// derives the same bounds, repeats both. The largest placement within a load is the largest of all.
func TestProofsUnderConditions(t *testing.T) {
	kinds := map[string]int{}
	for i := range coretest.Cases(150, 30) {
		rng := coretest.Rng(736, i)
		p := searchtest.Conditioned(rng, 9)
		optimum := searchtest.Optimum(p)
		s, _ := session(t)
		r := solve(t, s, Task{Problem: p, Budget: Budget{Seed: 1}, Proof: &Proof{Engine: EngineAuto}})
		if r.Status != results.StatusOptimal || r.MaxLoad != optimum.RatString() {
			t.Errorf("case %d, %s: %s %s, the optimum is %s", i, p, r.Status, r.MaxLoad, optimum.RatString())
		}
		if r.Proof != nil {
			kinds[r.Proof.Kind+" "+r.Proof.Bound]++
		}
		r = solve(t, s, Task{Problem: p, Budget: Budget{Seed: 1, Evaluations: 200}})
		if lower := coretest.Must(results.ParseFraction(r.LowerBound)); lower.Cmp(optimum) > 0 {
			t.Errorf("case %d, %s: the lower bound is %s, the optimum %s", i, p, r.LowerBound, optimum.RatString())
		}
		if i%3 == 0 && !p.Near.Asked() {
			limited := p
			limited.Size, limited.Limit = 0, &objective.Limit{Value: optimum}
			r = solve(t, s, Task{Problem: limited, Budget: Budget{Seed: 1, Evaluations: 2000}})
			_, most := p.Sizes()
			for n := r.Size + 1; n <= most; n++ {
				if q := p.WithSize(n); searchtest.Optimum(q).Cmp(optimum) <= 0 && n > *r.UpperBound {
					t.Errorf("case %d, %s within %s: %d is the upper bound, %d fit", i, p, optimum.RatString(), *r.UpperBound, n)
				}
			}
		}
	}
	if kinds["steps "] == 0 {
		t.Errorf("proofs are %v", kinds)
	}
}

// TestTasksOfClients: a search with client traffic is found again by the key under which a store has it.
func TestTasksOfClients(t *testing.T) {
	for i := range 200 {
		p := searchtest.Clients(coretest.Rng(735, i), 12)
		task := Task{Problem: p, Budget: Budget{Seed: 3, Evaluations: 100}, Methods: []string{"local"}}
		again, err := taskOf(task.storeKey())
		if err != nil || again.String() != task.String() || again.Where() != p.Where() {
			t.Fatalf("%s comes back as %s, error %v", task, again, err)
		}
	}
}

// TestAlteredTwists: a record about a twisted torus that is said to be about another network of the same sides, plain
// or with other shifts, is verified only if what it then claims is true, by all placements; the same with the E_max
// that its placement has there.
func TestAlteredTwists(t *testing.T) {
	lies, cases := 0, coretest.Cases(120, 30)
	for i := range cases {
		rng := coretest.Rng(737, i)
		torus := coretest.Twisted(rng, 9)
		p := searchtest.ConditionedOn(rng, torus)
		s, _ := session(t)
		right := solve(t, s, Task{Problem: p, Budget: Budget{Seed: 1}, Proof: &Proof{Engine: EngineAuto}})
		var others []*core.Torus
		if plain, err := core.NewTorus(torus.Dims()...); err == nil {
			others = append(others, plain)
		}
		for range 4 {
			shifts := torus.Twist()
			shifts[rng.IntN(len(shifts))][rng.IntN(len(shifts))] += 1 + rng.IntN(3)
			if other, err := core.NewTwisted(torus.Dims(), shifts); err == nil && !other.Equal(torus) {
				others = append(others, other)
			}
		}
		for _, other := range others {
			q, err := texts.ParseProblem(other.String(), p.Routing.String(), p.Size)
			if err != nil {
				continue
			}
			q = coretest.Must(q.WithNodes(p.Fixed.Nodes(), p.Forbidden.Nodes()))
			placement := coretest.Must(core.PlacementFromCoords(other, right.Nodes))
			load, _ := q.Naive(placement).Max()
			for _, claimed := range []string{right.MaxLoad, load.RatString()} {
				r := right
				r.Grid, r.MaxLoad, r.LowerBound, r.Baseline = compose.GridOf(other), claimed, claimed, nil
				if r.Proof != nil && r.Proof.Kind != results.ProofBound {
					proof := *r.Proof
					proof.Below, r.Proof = claimed, &proof
				}
				r.ClaimSHA256 = r.Hash()
				v := verdictOf(t, coretest.Must(layout.Encode(r)))
				honest := claimed == load.RatString() && searchtest.Optimum(q).Cmp(load) == 0
				if !honest {
					lies++
				}
				if v.Verdict == check.Valid && !honest {
					t.Errorf("case %d: %s with E_max %s is taken for %s: %s %v", i, p, right.MaxLoad, q, v.Verdict, v.Reasons)
				}
			}
		}
	}
	if lies < cases/2 {
		t.Errorf("only %d claims were wrong of %d cases", lies, cases)
	}
}
