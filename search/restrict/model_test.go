package restrict

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
)

// instances returns placements with and without symmetry.
func instances(t *testing.T) []core.Placement {
	t.Helper()
	random := rand.New(rand.NewPCG(19, 0))
	var list []core.Placement
	for _, sides := range [][]int{{4, 4}, {3, 4}, {2, 2, 3}, {3, 3, 3}, {4, 4, 2}} {
		tor := core.MustTorus(sides...)
		list = append(list, core.MustPlacement(tor, random.Perm(tor.N())[:5]))
		full := coretest.Must(family.Parse(tor, "residues:c="+[]string{"", "", "1,1", "1,1,1"}[tor.D()]+":m=2:r=0"))
		list = append(list, full)
	}
	for _, text := range []string{"4x4:open=0,1", "4x4:open=0:bandwidth=1,3", "3x3:open=0,1:bandwidth=2,2",
		"2x2x4:open=2"} {
		tor := coretest.Must(core.ParseNetwork(text))
		list = append(list, core.MustPlacement(tor, random.Perm(tor.N())[:5]), core.MustPlacement(tor, core.Range(tor.N())),
			core.MustPlacement(tor, []int{0, tor.N() - 1}))
	}
	return list
}

// TestAutomorphisms checks that automorphisms keep the placement and that paths go where their links go.
func TestAutomorphisms(t *testing.T) {
	for _, p := range instances(t) {
		tor, set := p.Torus(), p.Set()
		list := coretest.Must(coarsenings(t.Context(), p, objective.Traffic{}, ByPair, nil))
		for _, m := range list[0].automorphisms { // turnings, translations and the reversal
			for _, v := range p.Nodes() {
				if !set.Has(m.image[v]) {
					t.Errorf("%s nodes %v: %d leaves the placement", tor, p.Nodes(), v)
				}
			}
			for _, from := range p.Nodes() {
				for _, to := range p.Nodes() {
					for _, path := range Paths(tor, from, to) {
						var want []core.Link
						for _, l := range path.AppendLinks(nil, tor, from) {
							want = append(want, m.link(tor, l))
						}
						if m.turned {
							slices.Reverse(want)
						}
						a, _ := m.ends(from, to)
						if got := m.Path(tor, path, m.turned).AppendLinks(nil, tor, a); !slices.Equal(got, want) {
							t.Fatalf("%s: %d to %d by %v goes to links %v, its links go to %v", tor, from, to, path,
								got, want)
						}
					}
				}
			}
		}
	}
}

// TestTurnings checks that the generators tie all links that the automorphisms
// keeping the placement take to each other.
func TestTurnings(t *testing.T) {
	for _, p := range instances(t) {
		tor, set := p.Torus(), p.Set()
		shifts, turns, err := stabiliser(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		group := coretest.Must(symmetry.GroupOf(routing.NewUDR(tor, routing.TieBoth)))
		tied := tieLinks(tor, append(shifts, turns...))
		for i := range group.Points() * tor.N() {
			if i%tor.N() != tor.ClosedPart(i%tor.N()) {
				continue // no translation
			}
			m := automorphism{group.List()[i/tor.N()], group.Images(i/tor.N(), i%tor.N()), false}
			if slices.ContainsFunc(p.Nodes(), func(v int) bool { return !set.Has(m.image[v]) }) {
				continue
			}
			for l := range tor.M() {
				if tor.HasLink(core.Link(l)) && tied.Find(l) != tied.Find(int(m.link(tor, core.Link(l)))) {
					t.Fatalf("%s nodes %v: dimensions to %v, reflected %v: link %d is not tied to its image", tor,
						p.Nodes(), m.Perm, m.Flip, l)
				}
			}
		}
	}
}

// TestState makes random changes under every coarsening and holds gains against the
// sums they are about, and loads against the naive evaluator.
func TestState(t *testing.T) {
	random := rand.New(rand.NewPCG(20, 0))
	for _, p := range instances(t) {
		s := coretest.Must(newCandidates(t.Context(), p, objective.Traffic{}))
		list := coretest.Must(coarsenings(t.Context(), p, objective.Traffic{}, ByAny, nil))
		rules := coretest.Must(newRules(s, Params{Placement: p, Goal: big.NewRat(1, 4)}))
		for _, g := range list {
			for _, r := range rules {
				m := coretest.Must(newModel(t.Context(), s, g, r))
				chosen := m.every(func(int) bool { return true })
				if !m.settle(chosen) {
					continue
				}
				wander(t, newState(m, chosen), s, g.by, random)
			}
		}
	}
}

func wander(t *testing.T, st *state, s *candidates, by By, random *rand.Rand) {
	t.Helper()
	for range 8 {
		st.setLimit(random.Int64N(st.max() + 1))
		i := random.IntN(len(st.items))
		list := st.changes(nil, i)
		if len(list) == 0 {
			continue
		}
		c, gain := list[0], int64(0)
		st.look(i)
		for n, other := range list { // gains of all, since what one finds out serves others
			if g := st.gain(other); random.IntN(n+1) == 0 {
				c, gain = other, g
			}
		}
		before := st.overload()
		st.apply(c)
		if got := before - st.overload(); got != gain {
			t.Fatalf("gain %d, but the change gained %d", gain, got)
		}
		for k, load := range st.loads {
			if load > st.limit != slices.Contains(st.above, int32(k)) {
				t.Fatalf("load %d against limit %d is listed wrongly", load, st.limit)
			}
		}
	}
	table := coretest.Must(s.table(st.solution(st.chosen), by, routing.Free{MinPaths: math.MaxInt}))
	exact, _ := objective.Naive(table, s.placement).Max()
	if got := big.NewRat(st.max(), st.unit); exact.Cmp(got) != 0 {
		t.Fatalf("%s nodes %v: largest load %s, naive %s", s.torus, s.placement.Nodes(), got.RatString(),
			exact.RatString())
	}
}

// overload is what gain is about, from the definition.
func (s *state) overload() int64 {
	sum := int64(0)
	for _, load := range s.loads {
		sum += max(0, load-s.limit)
	}
	return sum
}
