package orbit

import (
	"math"
	"math/big"
	"slices"
	"sync/atomic"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/search"
	"leeway/search/searchtest"
)

// symmetries returns the images of nodes under the symmetries of a problem that fix node 0.
func symmetries(t *testing.T, p objective.Problem) [][]int {
	t.Helper()
	g, err := symmetry.Of(p.Routing)
	if err != nil {
		t.Fatal(err)
	}
	var list [][]int
	for i := range g.Points() {
		list = append(list, g.Images(i, 0))
	}
	return list
}

// instance returns a random routing that is supported, a random lattice of its torus, and the model of size cosets of
// it.
func instance(i int) (routing.Routing, family.Lattice, *cosets) {
	rng := coretest.Rng(21, i)
	for {
		t := coretest.Torus(rng, 64)
		if i%2 == 0 {
			t = coretest.AnyNetwork(rng, 48)
		}
		r := coretest.Routing(rng, t)
		if i%4 == 0 && t.Closed() && !t.Twisted() {
			r = coretest.Table(rng, t, false)
		}
		if (Lattice{}).Supports(objective.Problem{Routing: r, Size: 1}) != nil {
			continue
		}
		l := family.Span(t, t.ClosedPart(rng.IntN(t.N())), t.ClosedPart(rng.IntN(t.N())))
		c := choice{objective.Problem{Routing: r}, l, 1 + rng.IntN(min(6, l.Index())), [][]int{unmoved(t)}}
		return r, l, newCosets(newFlows(r), c)
	}
}

// unmoved returns the images of nodes under the identity.
func unmoved(t *core.Torus) []int {
	images := make([]int, t.N())
	for v := range images {
		images[v] = v
	}
	return images
}

// sameLoads compares the loads of a union, link by link, with the naive evaluator.
func sameLoads(t *testing.T, i int, r routing.Routing, m *cosets, union []int, loads []int64) {
	t.Helper()
	p := m.placement(union)
	naive := objective.Naive(r, p)
	den := objective.Denominator(r).Int64()
	n := p.Torus().N()
	for link := range p.Torus().M() {
		got := loads[link/n*len(m.first)+int(m.of[link%n])]
		if want := naive.Load(core.Link(link)); want.Cmp(big.NewRat(got, den)) != 0 {
			t.Fatalf("case %d, torus %s, nodes %v: link %d carries %d/%d, want %s",
				i, p.Torus(), p.Nodes(), link, got, den, want.RatString())
		}
	}
}

func cases() int {
	if testing.Short() {
		return 150
	}
	return 1200
}

// TestModelAgainstNaive adds up the loads of random unions and compares every link.
func TestModelAgainstNaive(t *testing.T) {
	for i := range cases() {
		r, l, m := instance(i)
		union := coretest.Rng(22, i).Perm(len(m.first))[:m.size]
		w := &unionWalk{cosets: m, loads: [][]int64{make([]int64, len(m.own[0]))}}
		for _, a := range union {
			w.union = append(w.union, a)
			w.loads = append(w.loads, make([]int64, len(m.own[0])))
			w.load()
		}
		if len(m.placement(union).Nodes()) != len(union)*l.Order() {
			t.Fatalf("case %d: %d cosets of %s have %d nodes", i, len(union), l, m.placement(union).Size())
		}
		sameLoads(t, i, r, m, union, w.loads[len(union)])
	}
}

// TestExchangeAgainstNaive makes random exchanges and compares every link, and what each coset would add.
func TestExchangeAgainstNaive(t *testing.T) {
	for i := range cases() / 3 {
		r, _, m := instance(i)
		c := &tally{limit: math.MaxInt64, enough: -1, budget: 60, stop: new(atomic.Bool)}
		exchangeCosets(m, c, coretest.Rng(23, i))
		if c.spent != 60 || len(c.found) == 0 {
			t.Fatalf("case %d: %d unions, %d finds", i, c.spent, len(c.found))
		}
		for _, f := range c.found {
			if most, _ := objective.Naive(r,
				m.placement(f.union)).Max(); most.Cmp(big.NewRat(f.load, objective.Denominator(r).Int64())) != 0 {
				t.Fatalf("case %d: union %v has %s, reported %d", i, f.union, most.RatString(), f.load)
			}
		}
		x := newExchange(m, &tally{limit: -1, enough: -1, budget: math.MaxInt64, stop: new(atomic.Bool)}, coretest.Rng(24, i))
		x.start()
		for step := 1; step <= 5 && len(m.first) > m.size; step++ {
			x.step(step)
			sameLoads(t, i, r, m, x.union, x.loads)
		}
	}
}

// TestStepIsTheBest compares the merit that a step reaches with all exchanges.
func TestStepIsTheBest(t *testing.T) {
	for i := range cases() / 6 {
		r, _, m := instance(i)
		if len(m.first) == m.size {
			continue
		}
		x := newExchange(m, &tally{limit: -1, enough: -1, budget: math.MaxInt64, stop: new(atomic.Bool)}, coretest.Rng(25, i))
		x.start()
		best := merit{load: -1}
		for j := range x.union {
			for b := range m.first {
				if slices.Contains(x.union, b) {
					continue
				}
				union := slices.Clone(x.union)
				union[j] = b
				most, links := objective.Naive(r, m.placement(union)).Max()
				load := new(big.Rat).Mul(most, new(big.Rat).SetInt(objective.Denominator(r))).Num().Int64()
				if load == 0 {
					links = m.torus.M() // Max counts none where nothing is loaded
				}
				if now := (merit{load: load, links: links / (m.torus.N() / len(m.first))}); best.load < 0 || now.better(best) {
					best = now
				}
			}
		}
		if got, ok := x.step(1); !ok || got != best {
			t.Fatalf("case %d, torus %s: step to %+v, best %+v", i, m.torus, got, best)
		}
	}
}

// TestExchangeFindsTheBest lets exchanges and walks look at the same lattices.
func TestExchangeFindsTheBest(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		n              int
	}{{"6x6", "udr:tie=both", 12}, {"6x6", "odr", 8}, {"4x4x2", "udr", 8}} {
		p := searchtest.Problem(c.torus, c.routing, c.n)
		if testing.Short() && c.n > 8 {
			continue
		}
		list, err := choices(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		f := newFlows(p.Routing)
		for i, c := range list {
			if c.cosets > 6 {
				continue
			}
			m := newCosets(f, c)
			all := &tally{limit: math.MaxInt64, budget: math.MaxInt64, stop: new(atomic.Bool)}
			walkUnions(m, all)
			some := &tally{limit: math.MaxInt64, budget: 8000, stop: new(atomic.Bool)}
			exchangeCosets(m, some, coretest.Rng(26, i))
			want, got := all.found[len(all.found)-1].load, some.found[len(some.found)-1].load
			if got != want {
				t.Errorf("%s, %d cosets of %s: exchanges find %d, walks %d", p, c.cosets, c.lattice, got, want)
			}
		}
	}
}

// TestLearnKeepsToTheBudget takes in a visit that went on past what earlier visits of its batch left: only what it
// found within that counts.
func TestLearnKeepsToTheBudget(t *testing.T) {
	r, _, m := instance(1)
	union := make([]int, m.size)
	for i := range union {
		union[i] = i
	}
	most, _ := objective.Naive(r, m.placement(union)).Max()
	load := new(big.Rat).Mul(most, new(big.Rat).SetInt(objective.Denominator(r))).Num().Int64()
	for _, c := range []struct {
		at    int64
		taken bool
	}{{3, true}, {4, false}} {
		h := newRun("lattice", search.Params{Problem: objective.Problem{Routing: r}, Evaluations: 10})
		h.out.Evaluations = 7
		v := &latticeVisit{run: h, flows: newFlows(r), from: choice{lattice: family.Span(m.torus)}, cosets: m, all: true,
			tally: &tally{spent: 20, found: []find{{union: union, load: load, at: c.at}}}}
		open, err := v.learn()
		if err != nil || h.out.Evaluations != 10 || !open || (h.out.Value != nil) != c.taken {
			t.Errorf("found with evaluation %d of 3: %v after %d, open %v, %v", c.at, h.out.Value, h.out.Evaluations, open, err)
		}
	}
}
