package orbit

import (
	"math"
	"math/big"
	"slices"
	"sync/atomic"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/searchtest"
)

// symmetries returns the images of nodes under the symmetries of a problem that fix node 0.
func symmetries(t *testing.T, p objective.Problem) [][]int {
	t.Helper()
	g := coretest.Must(symmetry.GroupOf(p.Routing))
	var list [][]int
	for i := range g.Points() {
		list = append(list, g.Images(i, 0))
	}
	return list
}

// instance returns a random routing that is supported, and the orbits of a random lattice or cyclic group with the size
// of a union of some of them.
func instance(i int) (routing.Routing, *orbits) {
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
		c := choice{problem: objective.Problem{Routing: r, Size: 1}, lattice: i%3 > 0, points: [][]int{core.Range(t.N())}}
		if (Method{}).Supports(c.problem) != nil || (Lattice{}).Supports(c.problem) != nil {
			continue
		}
		if c.lattice {
			c.Subgroup, _ = newSubgroup(t, []elements.Element{elements.Translation(t, t.ClosedPart(rng.IntN(t.N()))),
				elements.Translation(t, t.ClosedPart(rng.IntN(t.N())))})
		} else {
			g := coretest.Must(groupOf(c.problem))
			all := elementsOf(g)
			c.Subgroup, _ = newSubgroup(t, []elements.Element{all[rng.IntN(len(all))]})
		}
		c.problem.Size = 0
		for _, o := range rng.Perm(len(c.orbits))[:1+rng.IntN(min(6, len(c.orbits)))] {
			c.problem.Size += len(c.orbits[o])
		}
		return r, newOrbits(newTable(c.problem.Routing), c)
	}
}

// newTable returns the table of a routing in units of its denominator.
func newTable(r routing.Routing) *fast.Table {
	return fast.NewTable(r, objective.Denominator(r).Int64())
}

// sameLoads compares the loads of a union, link by link, with the naive evaluator.
func sameLoads(t *testing.T, i int, r routing.Routing, m *orbits, union []int, loads []int64) {
	t.Helper()
	p := m.placement(union)
	naive := objective.Naive(r, p)
	den := objective.Denominator(r).Int64()
	for link := range p.Torus().M() {
		got := loads[m.class[link]]
		if want := naive.Load(core.Link(link)); want.Cmp(big.NewRat(got, den)) != 0 {
			t.Fatalf("case %d, torus %s, nodes %v: link %d carries %d/%d, want %s",
				i, p.Torus(), p.Nodes(), link, got, den, want.RatString())
		}
	}
}

func cases() int {
	if testing.Short() {
		return 100
	}
	return 250
}

// TestTablesAgainstNaive adds up the loads of random unions and compares every link.
func TestTablesAgainstNaive(t *testing.T) {
	for i := range cases() {
		r, m := instance(i)
		w := &unionWalk{orbits: m, loads: [][]int64{make([]int64, m.classes)}}
		for _, a := range coretest.Rng(22, i).Perm(len(m.list))[:min(len(m.list), 6)] {
			w.union = append(w.union, a)
			w.load()
		}
		sameLoads(t, i, r, m, w.union, w.loads[len(w.union)])
	}
}

// TestExchangeAgainstNaive makes random exchanges and compares every link, and what each coset would add.
func TestExchangeAgainstNaive(t *testing.T) {
	for i := range cases() / 3 {
		r, m := instance(i)
		c := &tally{limit: math.MaxInt64, enough: -1, budget: 60, stop: new(atomic.Bool)}
		exchangeOrbits(m, c, coretest.Rng(23, i))
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
		for step := 1; step <= 5; step++ {
			x.step(step)
			if most := slices.Max(x.loads); m.placement(x.union).Size() != m.size || most < 0 {
				t.Fatalf("case %d: union %v of %d processors", i, x.union, m.size)
			}
			sameLoads(t, i, r, m, x.union, x.loads)
		}
	}
}

// TestStepIsTheBest compares the merit that a step reaches with all exchanges.
func TestStepIsTheBest(t *testing.T) {
	for i := range cases() / 6 {
		r, m := instance(i)
		x := newExchange(m, &tally{limit: -1, enough: -1, budget: math.MaxInt64, stop: new(atomic.Bool)}, coretest.Rng(25, i))
		x.start()
		best := merit{load: -1}
		for j := range x.union {
			for b := range m.list {
				if slices.Contains(x.union, b) || len(m.list[b]) != len(m.list[x.union[j]]) {
					continue
				}
				union := slices.Clone(x.union)
				union[j] = b
				loads := objective.Naive(r, m.placement(union))
				most, _ := loads.Max()
				classes := map[int32]bool{}
				for l, class := range m.class {
					classes[class] = classes[class] || loads.Load(core.Link(l)).Cmp(most) == 0
				}
				now := merit{load: new(big.Rat).Mul(most, new(big.Rat).SetInt(objective.Denominator(r))).Num().Int64()}
				for _, at := range classes {
					if at {
						now.links++
					}
				}
				if best.load < 0 || now.better(best) {
					best = now
				}
			}
		}
		if got, ok := x.step(1); ok != (best.load >= 0) || got != best {
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
		list := coretest.Must(lattices(t.Context(), p))
		f := newTable(p.Routing)
		for i, c := range list {
			if p.Size/c.order > 6 {
				continue
			}
			m := newOrbits(f, c)
			all := &tally{limit: math.MaxInt64, budget: math.MaxInt64, stop: new(atomic.Bool)}
			walkUnions(m, all)
			some := &tally{limit: math.MaxInt64, budget: 8000, stop: new(atomic.Bool)}
			exchangeOrbits(m, some, coretest.Rng(26, i))
			want, got := all.found[len(all.found)-1].load, some.found[len(some.found)-1].load
			if got != want {
				t.Errorf("%s, %d cosets of %s: exchanges find %d, walks %d", p, p.Size/c.order, c, got, want)
			}
		}
	}
}

// TestLearnKeepsToTheBudget takes in a visit that went on past what earlier visits of its batch left: only what it
// found within that counts.
func TestLearnKeepsToTheBudget(t *testing.T) {
	r, m := instance(1)
	x := newExchange(m, &tally{limit: -1, enough: -1, budget: math.MaxInt64, stop: new(atomic.Bool)}, coretest.Rng(29, 1))
	x.start()
	union := x.union
	most, _ := objective.Naive(r, m.placement(union)).Max()
	load := new(big.Rat).Mul(most, new(big.Rat).SetInt(objective.Denominator(r))).Num().Int64()
	for _, c := range []struct {
		at    int64
		taken bool
	}{{3, true}, {4, false}} {
		h := newRun("lattice", search.Params{Problem: objective.Problem{Routing: r}, Evaluations: 10})
		h.out.Evaluations = 7
		v := &visit{run: h, orbits: m, all: true,
			from:  choice{Subgroup: &Subgroup{torus: m.torus}},
			tally: &tally{spent: 20, found: []find{{union: union, load: load, at: c.at}}}}
		open, err := v.learn()
		if err != nil || h.out.Evaluations != 10 || !open || (h.out.Value != nil) != c.taken {
			t.Errorf("found with evaluation %d of 3: %v after %d, open %v, %v", c.at, h.out.Value, h.out.Evaluations, open, err)
		}
	}
}
