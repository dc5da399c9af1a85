package slabs

import (
	"context"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/search/census"
	"leeway/search/census/censustest"
	"leeway/search/searchtest"
)

func onward(int64) bool { return true }

// marginPlanned returns the plan of a question.
func marginPlanned(t *testing.T, p objective.Problem, below *big.Rat) *rowPlan {
	t.Helper()
	return censustest.Plan(t, Margin{}, p, below).(*rowPlan)
}

// marginCompare compares the tree of a question with its twin.
func marginCompare(t *testing.T, p objective.Problem, below *big.Rat) {
	t.Helper()
	censustest.Compare(t, p, below, marginPlanned(t, p, below), newMarginTwin(p, below))
}

// TestMarginTwin compares with the slow twin on all tori of two dimensions with N <= 12, for every size and for values
// around the optimum by brute force: nothing is found below it, something one step above.
func TestMarginTwin(t *testing.T) {
	most := 12
	if testing.Short() {
		most = 6
	}
	nodes := int64(0)
	for i, torus := range tiny(most) {
		for j, r := range marginRoutings {
			if searchtest.Problem(torus, r, 1).Torus().N() == 12 && (i+j)%2 != 0 { // each routing on two of the four
				continue
			}
			for n := 1; n <= searchtest.Problem(torus, r, 1).Torus().N(); n++ {
				p := searchtest.Problem(torus, r, n)
				steps := 2
				if p.Torus().N() > 9 {
					steps = 1
				}
				nodes += censustest.AroundOptimum(t, Margin{}, p, steps,
					func(below *big.Rat) censustest.Twin { return newMarginTwin(p, below) })
			}
		}
	}
	if nodes == 0 {
		t.Error("no nodes at all")
	}
}

// TestMarginTwinOnNetworks compares with the slow twin on random networks, for every size around the optimum.
func TestMarginTwinOnNetworks(t *testing.T) {
	nodes := int64(0)
	for i := range coretest.Cases(60, 6) {
		rng := coretest.Rng(48, i)
		sides := [][]int{{3, 3}, {2, 5}, {5, 2}, {2, 4}, {4, 3}, {3, 4}}
		if testing.Short() {
			sides = sides[:4]
		}
		r := marginRouting(rng, network(rng, sides[i%len(sides)]))
		for n, value := range searchtest.Optima(r) {
			p := objective.Problem{Routing: r, Size: n}
			for above := range 2 {
				if n == 0 || value.Sign() == 0 && above == 0 {
					continue
				}
				below := new(big.Rat).Add(value, big.NewRat(int64(above), objective.Denominator(r).Int64()))
				count, found := censustest.Compare(t, p, below, marginPlanned(t, p, below), newMarginTwin(p, below))
				if nodes += count; found != (above > 0) {
					t.Errorf("%s below %s: found %v, the optimum is %s", p, below.RatString(), found, value.RatString())
				}
			}
		}
	}
	if nodes < 100 {
		t.Errorf("only %d nodes", nodes)
	}
}

// TestMarginTwinUnderConditions compares with the slow twin where nodes are fixed and forbidden, below the optimum by
// the naive evaluator and one step above it.
func TestMarginTwinUnderConditions(t *testing.T) {
	nodes, cases := int64(0), 0
	for i := 0; cases < coretest.Cases(400, 60); i++ {
		rng := coretest.Rng(49, i)
		sides := [][]int{{3, 3}, {2, 5}, {5, 2}, {2, 4}, {4, 3}, {3, 4}, {2, 6}, {6, 2}, {2, 2}}[i%9]
		p := conditioned(rng, sides, marginRouting)
		if testing.Short() && p.Torus().N() > 10 {
			continue
		}
		cases++
		value := searchtest.Optimum(p)
		for above := range 2 {
			if value.Sign() == 0 && above == 0 {
				continue
			}
			below := new(big.Rat).Add(value, big.NewRat(int64(above), objective.Denominator(p.Routing).Int64()))
			count, found := censustest.Compare(t, p, below, marginPlanned(t, p, below), newMarginTwin(p, below))
			if nodes += count; found != (above > 0) {
				t.Errorf("case %d: %s below %s: found %v, the optimum is %s", i, p, below.RatString(), found, value.RatString())
			}
		}
	}
	if nodes < 100 {
		t.Errorf("only %d nodes", nodes)
	}
}

// conditioned returns a problem of the given sides with fixed or forbidden nodes: some anywhere, some in sets that
// symmetries keep.
func conditioned(rng *rand.Rand, sides []int,
	routed func(*rand.Rand, *core.Torus) routing.Routing) objective.Problem {
	torus := core.MustTorus(sides...)
	if rng.IntN(3) > 0 {
		torus = network(rng, sides)
	}
	r := routed(rng, torus)
	for {
		fixed, forbidden := core.NewSet(torus.N()), core.NewSet(torus.N())
		switch order := rng.Perm(torus.N()); rng.IntN(3) {
		case 0:
			for _, v := range order[:rng.IntN(torus.N()/2)] {
				fixed.Add(v)
			}
			for _, v := range order[torus.N()/2:][:rng.IntN(torus.N()/2)] {
				forbidden.Add(v)
			}
		case 1: // whole slabs
			s := rng.IntN(len(sides))
			x, y := rng.IntN(sides[s]), rng.IntN(sides[s])
			for v := range torus.N() {
				if at := torus.Coord(v, s); at == x {
					forbidden.Add(v)
				} else if at == y && rng.IntN(3) == 0 {
					fixed.Add(v)
				}
			}
		case 2: // orbits
			g := coretest.Must(symmetry.Of(r))
			shifts := g.Shifts()
			element := g.Images(rng.IntN(g.Points()), shifts[rng.IntN(len(shifts))])
			set := []core.Set{fixed, forbidden}[rng.IntN(2)]
			for v := order[0]; !set.Has(v); v = element[v] {
				set.Add(v)
			}
		}
		p := objective.Problem{Routing: r, Size: 1 + rng.IntN(torus.N())}
		if p, err := p.WithNodes(fixed.Nodes(), forbidden.Nodes()); err == nil && p.Conditioned() {
			return p
		}
	}
}

// TestMarginTwinOnLargerTori goes on where the slow twin takes a while.
func TestMarginTwinOnLargerTori(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		n              int
		below          string
	}{
		{"4x4", "odr", 5, "2"}, {"4x4", "odr", 8, "4"}, {"4x4", "udr:tie=both", 7, "11/4"}, {"4x4", "odr:tie=both", 9, "5"},
		{"3x5", "odr", 6, "3"}, {"3x5", "udr", 7, "3"}, {"5x3", "odr:order=1,0", 6, "3"}, {"4x5", "udr:tie=both", 6, "2"},
		{"4x5", "odr:tie=both", 7, "3"}, {"5x4", "orders:10:tie=both", 8, "7/2"}, {"2x8", "odr:order=1,0", 7, "4"},
		{"6x3", "udr", 6, "5/2"},
	} {
		below, _ := new(big.Rat).SetString(c.below)
		marginCompare(t, searchtest.Problem(c.torus, c.routing, c.n), below)
	}
}

// TestMarginsOfLargerTori compares the lists of margins alone, with the sizes of the lines that go with them.
func TestMarginsOfLargerTori(t *testing.T) {
	if testing.Short() {
		t.Skip("the slow twin tries all lists of counts")
	}
	for _, c := range []struct {
		torus, routing string
		n              int
		limits         []int64 // values to stay below
	}{
		{"6x6", "udr:tie=both", 12, []int64{3, 4, 6}}, {"6x6", "odr", 7, []int64{2, 3, 5}}, {"3x8", "udr", 10, []int64{5, 7}},
		{"8x3", "odr:tie=both", 11, []int64{5, 7}}, {"7x4", "odr", 9, []int64{4, 6}},
		{"2x11", "odr:order=1,0", 9, []int64{7, 11}},
		{"5x6", "odr:tie=both", 15, []int64{7, 9}}, {"4x7", "udr:tie=both", 14, []int64{6, 8}},
	} {
		p, count := searchtest.Problem(c.torus, c.routing, c.n), 0
		for _, limit := range c.limits {
			q, w := marginPlanned(t, p, big.NewRat(limit, 1)), newMarginTwin(p, big.NewRat(limit, 1))
			for s, d := range []*margins{q.rows, q.columns} {
				if s == 0 && len(q.columns.frames) == 0 { // then a plan has no use for them
					d = coretest.Must(newMargins(q.rows.side, newBudget(t.Context(), 0, 0), 1))
				}
				if list := listOf(d); !slices.EqualFunc(list, w.margins[s], slices.Equal) {
					t.Errorf("%s below %d, dimension %d: %d margins, by the definition %d", p, limit, s, len(list), len(w.margins[s]))
					continue
				}
				for i, m := range w.margins[s] {
					if sizes := w.sizes(s, 0, m); i%7 == 0 && !equalSizes(d.frames[i].fits, sizes) {
						t.Errorf("%s below %d, dimension %d, margin %v: lines of sizes %b, by the definition %v",
							p, limit, s, m, d.frames[i].fits, sizes)
					}
				}
				count += len(w.margins[s])
			}
		}
		if count == 0 {
			t.Errorf("%s: no margins at all", p)
		}
	}
}

func equalSizes(bits uint32, sizes map[int]bool) bool {
	for n := range 32 {
		if sizes[n] != (bits>>n&1 != 0) {
			return false
		}
	}
	return true
}

// TestLimitBelowZero: nothing is below 0, so there is nothing to walk.
func TestLimitBelowZero(t *testing.T) {
	for _, below := range []*big.Rat{new(big.Rat), big.NewRat(-1, 3)} {
		q := marginPlanned(t, searchtest.Problem("4x4", "odr", 3), below)
		if len(q.Prefixes()) != 0 || q.Split() != 0 || len(census.Cut(q)) != 0 {
			t.Errorf("below %s: %v", below.RatString(), q.Prefixes())
		}
		if a := census.Run(context.Background(), q, nil, nil, census.Options{}); !a.Complete || a.Nodes != 0 {
			t.Errorf("below %s: %+v", below.RatString(), a)
		}
	}
	q := marginPlanned(t, searchtest.Problem("4x4", "odr", 1), big.NewRat(1, 9))
	if len(q.Prefixes()) != 1 {
		t.Errorf("one processor has E_max 0, below 1/9: prefixes %v", q.Prefixes())
	}
}

// large is a question with no answer on a tree of some hundred nodes.
func large(t *testing.T) *rowPlan {
	return marginPlanned(t, searchtest.Problem("8x8", "odr", 11), big.NewRat(6, 1))
}

// tally walks the prefixes in the given order with one walker.
func tally(q *rowPlan, order []int) (list []census.Tally) {
	list, w := make([]census.Tally, len(q.prefixes)), q.Walker()
	for _, i := range order {
		list[i] = w.Walk(i, onward)
	}
	return list
}

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// TestOrderOfWalks: what a prefix counts does not depend on what its walker walked before.
func TestOrderOfWalks(t *testing.T) {
	q := large(t)
	order := upTo(len(q.prefixes))
	forth := tally(q, order)
	slices.Reverse(order)
	if back := tally(q, order); !reflect.DeepEqual(forth, back) {
		t.Error("other counts in the opposite order")
	}
}

// TestWorkersAndResuming compares whole answers: for any number of workers, and when half the slices are walked first.
func TestWorkersAndResuming(t *testing.T) {
	q := large(t)
	one := census.Cut(q)
	want := census.Run(context.Background(), q, one, make([]bool, len(one)), census.Options{Workers: 1})
	sum := int64(0)
	for _, c := range tally(q, upTo(len(q.prefixes))) {
		sum += c.Nodes
	}
	if !want.Complete || want.Nodes == 0 || want.Nodes != sum {
		t.Fatalf("complete %v, %d nodes, prefixes add up to %d", want.Complete, want.Nodes, sum)
	}
	for _, workers := range []int{2, 5} {
		slices, done := census.Cut(q), make([]bool, len(one))
		half := census.Run(context.Background(), q, slices, done,
			census.Options{Workers: workers, Wanted: func(i int) bool { return i%2 == 0 }})
		if half.Complete {
			t.Fatal("half the slices are all")
		}
		if got := census.Run(context.Background(), q, slices, done, census.Options{Workers: workers}); !reflect.DeepEqual(got,
			want) {
			t.Errorf("%d workers: %d nodes, want %d", workers, got.Nodes, want.Nodes)
		}
	}
}

// TestPolls: nodes polled add up, polls come often, and a walk ends when told.
func TestPolls(t *testing.T) {
	q := marginPlanned(t, searchtest.Problem("8x8", "odr", 10), big.NewRat(6, 1))
	w := q.Walker()
	most, at := int64(0), 0
	for i := range q.prefixes {
		polled := int64(0)
		c := w.Walk(i, func(nodes int64) bool {
			if nodes > census.PollEvery {
				t.Errorf("%d nodes between polls", nodes)
			}
			polled += nodes
			return true
		})
		if polled != c.Nodes || c.Ended {
			t.Errorf("prefix %d: %d nodes, polled %d", i, c.Nodes, polled)
		}
		if c.Nodes > most && c.Found.Size() == 0 {
			most, at = c.Nodes, i
		}
	}
	if most <= census.PollEvery {
		t.Fatalf("no prefix has more than %d nodes", most)
	}
	if c := w.Walk(at, func(int64) bool { return false }); !c.Ended || c.Nodes != census.PollEvery {
		t.Errorf("told to end: %+v", c)
	}
}

// TestWorkersOfAPlan: how many list the margins does not change them.
func TestWorkersOfAPlan(t *testing.T) {
	p := searchtest.Problem("8x8", "odr", 12)
	var first *rowPlan
	for _, workers := range []int{0, 1, 2, 7} {
		q, err := Margin{}.Plan(context.Background(), p, big.NewRat(6, 1), workers)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.(*rowPlan); first == nil {
			first = got
		} else if !reflect.DeepEqual(got.columns.frames, first.columns.frames) ||
			!reflect.DeepEqual(got.rows.frames, first.rows.frames) ||
			!reflect.DeepEqual(got.matches, first.matches) {
			t.Errorf("%d workers: another plan", workers)
		}
	}
}

// listOf returns margins as lists of numbers.
func listOf(m *margins) (list [][]int) {
	for _, f := range m.frames {
		list = append(list, f.counts.ints(m.k))
	}
	return list
}
