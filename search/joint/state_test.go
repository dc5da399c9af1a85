package joint

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
)

// TestStatesAgainstNaive makes random moves under random lattices and holds loads,
// excess and the table of every state against the naive evaluator.
func TestStatesAgainstNaive(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 0))
	sides := [][]int{{7}, {2, 2}, {4, 4}, {5, 3}, {3, 3, 2}, {6, 4}, {4, 2, 2}, {3, 3, 3}}
	tries := 300
	if testing.Short() {
		tries = 40
	}
	for range tries {
		tor := core.MustTorus(sides[random.IntN(len(sides))]...)
		if random.IntN(2) == 0 {
			tor = coretest.Opened(random, tor)
		}
		n := 1 + random.IntN(min(tor.N(), 9))
		free := []routing.Free{{MinPaths: 1}, {Single: true}, {MinPaths: 1 + random.IntN(4)}}[random.IntN(3)]
		p := objective.FreeProblem(tor, free).WithSize(n)
		if random.IntN(2) == 0 {
			p = coretest.Must(p.WithNodes(conditions(random, tor, n)))
		}
		g := newInstance(p)
		r := &run{instance: g, tilings: newTilings(g), pool: &pool{}}
		s := r.start(math.MaxInt64, random)
		for range 6 {
			checkState(t, s, random)
			if held := len(s.fixed); held < s.slots && s.slots < s.room {
				s.move(held+random.IntN(s.slots-held), newChain(s, 0, 1, random).destination(), random)
			}
			s.setLimit(random.Int64N(s.most() + 1))
			s.settle(random)
		}
	}
}

// conditions draws nodes that are to be fixed and forbidden for n processors.
func conditions(random *rand.Rand, t *core.Torus, n int) (fixed, forbidden []int) {
	nodes := random.Perm(t.N())
	in, out := random.IntN(n+1), random.IntN(t.N()-n+1)
	return nodes[:in], nodes[t.N()-out:]
}

// checkState compares a state with the table that it spells.
func checkState(t *testing.T, s *state, random *rand.Rand) {
	t.Helper()
	f := s.found("test")
	if f.Placement.Size() != s.size || !s.problem.Admits(f.Placement) {
		t.Fatalf("nodes %v are none of %s", f.Placement.Nodes(), s.problem)
	}
	loads := objective.Naive(f.Table, f.Placement)
	for l := range s.torus.M() {
		v := l % s.torus.N()
		at := s.loads[l-v+int(s.reps[v])]
		if want := loads.Load(core.Link(l)); want.Cmp(big.NewRat(at, s.unit)) != 0 {
			t.Fatalf("%s nodes %v, %s: link %d has %d/%d, naive %s", s.torus, f.Placement.Nodes(), s.free, l, at, s.unit,
				want.RatString())
		}
	}
	excess := s.excess
	s.setLimit(s.limit)
	if s.excess != excess {
		t.Fatalf("excess %d, added up %d", excess, s.excess)
	}
	for i := range s.pairs {
		p := &s.pairs[i]
		set := p.options.sets[random.IntN(len(p.options.sets))]
		if !s.free.Allows(len(set.paths), p.options.count) {
			t.Fatalf("%s: a set of %d of %d paths", s.free, len(set.paths), p.options.count)
		}
	}
}

// TestRefineWithoutTime: a look that has no time left is not a failure.
func TestRefineWithoutTime(t *testing.T) {
	p := objective.FreeProblem(core.MustTorus(16, 16), routing.Free{MinPaths: 1}).WithSize(60)
	r := coretest.Must(Method{}.open(t.Context(), search.Params{Problem: p, Workers: 1}))
	r.consider(family.Draw(p.Torus(), 60, coretest.Rng(1, 1)), "random")
	if err := r.refine(coretest.EndsAfter(0), 1000); err != nil || r.pool.pick(r.best.Value, 1)[0].looks != 1 {
		t.Errorf("%v", err)
	}
}
