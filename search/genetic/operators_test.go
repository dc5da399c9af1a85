package genetic

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/MaxHalford/eaopt"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/search"
	"leeway/search/local"
	"leeway/search/searchtest"
)

// testIsland returns an island with a polisher and some evaluations.
func testIsland(t *testing.T, p objective.Problem, o *options) *island {
	t.Helper()
	gate, release := local.NewGate(t.Context())
	t.Cleanup(func() { release() })
	a := coretest.Must(settle(t.Context(), search.Params{Problem: p, Seed: 1, Workers: 1}, o, gate))
	is := a.islands[0]
	is.polisher, is.allowance = a.polishers[0], math.MaxInt64
	return is
}

// TestOperatorsPermute checks that every operator on whole rings and slabs is a
// permutation of the nodes, and not always the identity.
func TestOperatorsPermute(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, text := range []string{"3x4", "2x2x3", "5x2", "2x3x4x2"} {
		torus, _ := core.ParseTorus(text)
		for i, operator := range []func(*core.Torus, *rand.Rand) func(int) int{
			turnRing, exchangeSlabs, turnSlab, reflectSlab} {
			moves := 0
			for range 200 {
				image := operator(torus, rng)
				seen := core.NewSet(torus.N())
				for v := range torus.N() {
					if seen.Add(image(v)); image(v) != v {
						moves++
					}
				}
				if n := len(seen.Nodes()); n != torus.N() {
					t.Fatalf("operator %d on %s: %d images of %d nodes", i, text, n, torus.N())
				}
			}
			if moves == 0 {
				t.Errorf("operator %d on %s never moves a node", i, text)
			}
		}
	}
}

// TestPlansAreSets checks mutation, crossover and the first population: as many
// nodes as wanted, ascending, each once, and the parents as they were.
func TestPlansAreSets(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for _, c := range []struct {
		torus string
		n     int
	}{{"3x4", 1}, {"3x4", 5}, {"3x4", 12}, {"2x2x3", 11}, {"7", 3}, {"2", 1}} {
		p := searchtest.Problem(c.torus, "udr", c.n)
		is := testIsland(t, p, standard)
		a, b := is.randomNodes(rng), is.randomNodes(rng)
		for i := range 200 {
			wasA, wasB := slices.Clone(a), slices.Clone(b)
			for _, plan := range [][]int{is.mutated(a, rng), is.crossed(a, b, rng), is.firstNodes(i, rng)} {
				if _, err := core.NewPlacement(p.Torus(), plan); err != nil || len(plan) != c.n || !slices.IsSorted(plan) {
					t.Fatalf("%s: plan %v: %v", p, plan, err)
				}
			}
			if !slices.Equal(a, wasA) || !slices.Equal(b, wasB) {
				t.Fatalf("%s: a parent was changed", p)
			}
			a, b = is.mutated(a, rng), is.crossed(a, b, rng)
		}
	}
}

// TestKeys checks on all placements of small tori that keys are equal exactly
// where one of all images by the group is the other.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		n              int
	}{{"3x3", "odr", 4}, {"3x3", "udr", 4}, {"2x4", "udr:tie=both", 3}, {"2x2x2", "odr", 4}} {
		p := searchtest.Problem(c.torus, c.routing, c.n)
		is := testIsland(t, p, standard)
		group := coretest.Must(symmetry.GroupOf(p.Routing))
		torus, rng := p.Torus(), rand.New(rand.NewSource(3))
		key := func(nodes []int) string { return is.kin.Key(core.MustPlacement(torus, nodes)) }
		for range 200 {
			a, b := is.randomNodes(rng), is.randomNodes(rng)
			if related := isImage(group, torus, a, b); (key(a) == key(b)) != related {
				t.Errorf("%s: %v and %v: keys equal is not %t", p, a, b, related)
			}
			if moved := slices.Sorted(slices.Values(is.kin.move(a, rng))); key(moved) != key(a) {
				t.Errorf("%s: %v moved to %v has another key", p, a, moved)
			}
		}
	}
}

func isImage(group *symmetry.Group, torus *core.Torus, a, b []int) bool {
	for i := range group.Points() {
		for shift := range torus.N() {
			images := group.Images(i, shift)
			moved := make([]int, len(a))
			for x, v := range a {
				moved[x] = images[v]
			}
			if slices.Sort(moved); slices.Equal(moved, b) {
				return true
			}
		}
	}
	return false
}

// TestModels runs every model for some generations: no fitness is stale and the best is never lost.
func TestModels(t *testing.T) {
	for _, m := range models {
		p := searchtest.Problem("4x5", "udr:tie=both", 7)
		is := testIsland(t, p, &options{4, 8, 4, 2, m.of})
		rng := rand.New(rand.NewSource(4))
		pop := eaopt.Population{RNG: rng}
		for i := range 8 {
			pop.Individuals = append(pop.Individuals, eaopt.NewIndividual(&genome{island: is, plan: is.firstNodes(i, rng)}, rng))
		}
		coretest.Try(pop.Individuals.Evaluate(false))
		pop.Individuals.SortByFitness()
		for generation := range 12 {
			best := pop.Individuals[0].Fitness
			coretest.Try(m.of(is).Apply(&pop))
			coretest.Try(pop.Individuals.Evaluate(false))
			pop.Individuals.SortByFitness()
			if pop.Individuals[0].Fitness > best {
				t.Fatalf("model %s, generation %d: the best was lost", m.name, generation)
			}
			for _, x := range pop.Individuals {
				checkFresh(t, p, x)
			}
		}
	}
}

// checkFresh compares an individual with the naive evaluator.
func checkFresh(t *testing.T, p objective.Problem, x eaopt.Individual) {
	t.Helper()
	individual := x.Genome.(*genome).individual
	value, links := objective.Naive(p.Routing, individual.placement).Max()
	if value.Cmp(individual.value) != 0 || links != individual.score.links {
		t.Fatalf("%v: %s on %d links, naive %s on %d", individual.placement.Nodes(), individual.value,
			individual.score.links, value, links)
	}
	if want := float64(individual.score.most) + float64(links)/float64(p.Torus().M()+1); x.Fitness != want {
		t.Fatalf("%v has fitness %v, want %v", individual.placement.Nodes(), x.Fitness, want)
	}
}

// TestNoCanonicalForms checks that without a group placements are told apart by their nodes and moved by translations.
func TestNoCanonicalForms(t *testing.T) {
	torus, _ := core.ParseTorus("3x4")
	k := kinship{torus: torus}
	if k.Key(core.MustPlacement(torus, []int{0, 5})) == k.Key(core.MustPlacement(torus, []int{1, 6})) {
		t.Error("keys without a group do not tell a placement from its translate")
	}
	moved := k.move([]int{0, 5, 7}, rand.New(rand.NewSource(1)))
	if torus.LeeDistance(moved[0], moved[1]) != torus.LeeDistance(0, 5) {
		t.Errorf("0, 5, 7 translated to %v", moved)
	}
	r, _ := routing.Parse(torus, "udr")
	p, _ := objective.NewProblem(r, 3)
	if k, err := newKinship(t.Context(), p); err != nil || k.Group == nil {
		t.Errorf("3x4 n=3 has no canonical forms: %v", err)
	}
}

// TestPeriodicPlans holds periodic plans against a union of orbits that are all
// walked, and makes one where walking them all would take hours.
func TestPeriodicPlans(t *testing.T) {
	for seed := range int64(300) {
		p := searchtest.Problem([]string{"3x4", "6x6", "2x3x4", "11", "5x10"}[seed%5], "udr", 1+int(seed)%11)
		is := &island{params: search.Params{Problem: p}}
		got, want := is.periodicNodes(rand.New(rand.NewSource(seed))), walkedNodes(p, rand.New(rand.NewSource(seed)))
		if !slices.Equal(got, want) {
			t.Fatalf("%s, seed %d: plan %v, walked %v", p, seed, got, want)
		}
	}
	p := searchtest.Problem("1000x1000", "odr", 50)
	if plan := (&island{params: search.Params{Problem: p}}).periodicNodes(rand.New(rand.NewSource(1))); len(plan) != 50 {
		t.Errorf("%s: a plan of %d nodes", p, len(plan))
	}
}

// walkedNodes is periodicNodes with every orbit walked.
func walkedNodes(p objective.Problem, rng *rand.Rand) []int {
	t := p.Torus()
	step := 1 + rng.Intn(t.N()-1)
	set := core.NewSet(t.N())
	count := 0
	for range 2 * t.N() {
		orbit := []int{rng.Intn(t.N())}
		for v := t.Displacement(step, orbit[0]); v != orbit[0]; v = t.Displacement(step, v) {
			orbit = append(orbit, v)
		}
		if set.Has(orbit[0]) || count+len(orbit) > p.Size {
			continue
		}
		for _, v := range orbit {
			set.Add(v)
		}
		if count += len(orbit); count == p.Size {
			break
		}
	}
	return mend(p, set, rng)
}
