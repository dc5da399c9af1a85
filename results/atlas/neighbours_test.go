package atlas_test

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/results/store"
)

// taken adds what an atlas implies for its own cells to its store until nothing more follows, and returns the view. It
// wants every placement to be what Implied says of it, by the naive evaluator, and better than what the cell had.
func taken(t *testing.T, s *store.Store, path string) *atlas.Atlas {
	t.Helper()
	for range 20 {
		a := view(t, path)
		cells, _ := a.Cells(atlas.Filter{})
		list, err := a.Implied(context.Background(), cells)
		if err != nil {
			t.Fatal(err)
		}
		list = slices.DeleteFunc(list, func(i atlas.Implied) bool { return i.Placement == nil })
		if len(list) == 0 {
			return a
		}
		for _, i := range list {
			p, err := i.Key.Problem()
			if err != nil {
				t.Fatal(err)
			}
			c, _ := a.Cell(i.Key)
			most, _ := p.Naive(*i.Placement).Max()
			if most.RatString() != i.Value || most.Cmp(fraction(t, c.MaxLoad)) >= 0 || i.Placement.Size() != c.Size ||
				!p.Admits(*i.Placement) || c.Status == atlas.Optimal {
				t.Fatalf("%s has %s, E_max is %s; the cell %+v", i, layout.WithDecimal(i.Value), most, c)
			}
			add(t, s, recordOf(t, p, *i.Placement))
		}
	}
	t.Fatal("there is no end to it")
	return nil
}

// recordOf claims what the naive evaluator says of a placement.
func recordOf(t *testing.T, p objective.Problem, placement core.Placement) results.Record {
	t.Helper()
	most, _ := p.Naive(placement).Max()
	r, err := compose.New(compose.Values{Routing: p.Routing, Demand: results.DemandOf(p),
		Conditions: compose.ConditionsOf(p), Placement: placement, MaxLoad: most, BoundReason: "degree",
		Baseline: paper(p.Routing, placement.Size()), FoundBy: results.FoundBy{Method: "test", Seed: 7},
		Provenance: results.Provenance{Version: "test", Started: "2026-11-21T12:00:00Z", Seed: 7}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func fraction(t *testing.T, text string) *big.Rat {
	t.Helper()
	v, err := results.ParseFraction(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestImplied: of random cells on tori, networks, under conditions and of clients, when all that is implied has been
// taken, no cell is beaten by a placement of its own size of another routing, or by one of one more or less of its own
// with one processor dropped or added, by the naive evaluator.
func TestImplied(t *testing.T) {
	s, path := newStore(t, "implied.store")
	rng := rand.New(rand.NewPCG(20, 1))
	for _, way := range []string{"odr:tie=plus", "udr:tie=both", "minimal:tie=both", "avoid:tie=both"} {
		for _, where := range []string{"3x4", "4x4", "2x2x3", "3x4:open=0,1", "4x4:open=1:bandwidth=2,1",
			"4x4:fixed=0,0+1,2:forbidden=3,3", "3x4:traffic=clients:request=1:reply=2:fixed=0,1"} {
			p, err := texts.ParseProblem(where, way, 3)
			if err != nil {
				continue // avoid has no client traffic
			}
			least, most := p.Sizes()
			for n := max(2, least); n <= min(most, 8); n++ {
				nodes := p.Candidates()
				rng.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
				add(t, s, recordOf(t, p.WithSize(n), core.MustPlacement(p.Torus(),
					append(nodes[:n-p.Fixed.Count()], p.Fixed.Nodes()...))))
			}
		}
	}
	a := taken(t, s, path)
	cells, _ := a.Cells(atlas.Filter{})
	placements := map[texts.Key]core.Placement{}
	for _, c := range cells {
		d, _, err := a.Detail(c.Key())
		if err != nil {
			t.Fatal(err)
		}
		grid, _ := d.Record.ReadGrid()
		if placements[c.Key()], err = core.PlacementFromCoords(grid, d.Record.Nodes); err != nil {
			t.Fatal(err)
		}
	}
	tried := 0
	for _, c := range cells {
		p, err := c.Key().Problem()
		if err != nil {
			t.Fatal(err)
		}
		own := fraction(t, c.MaxLoad)
		beaten := func(nodes []int, by texts.Key) {
			placement := core.MustPlacement(p.Torus(), nodes)
			if !p.Admits(placement) {
				return
			}
			tried++
			if most, _ := p.Naive(placement).Max(); most.Cmp(own) < 0 {
				t.Errorf("%s has %s, from %s follows %s", c.Key(), own, by, most)
			}
		}
		for k, placement := range placements {
			switch nodes := placement.Nodes(); {
			case k.Torus != c.Where():
			case k.Size == c.Size:
				beaten(nodes, k)
			case k.Routing == c.Routing && k.Size == c.Size+1:
				for i := range nodes {
					beaten(slices.Delete(slices.Clone(nodes), i, i+1), k)
				}
			case k.Routing == c.Routing && k.Size == c.Size-1:
				for v := range p.Torus().N() {
					if !slices.Contains(nodes, v) {
						beaten(append(slices.Clone(nodes), v), k)
					}
				}
			}
		}
	}
	if tried < 2000 {
		t.Errorf("only %d neighbours were tried", tried)
	}
}

// parse returns a placement.
func parse(t *testing.T, torus *core.Torus, text string) core.Placement {
	t.Helper()
	p, err := family.Parse(torus, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestImpliedFolded: placements of a smaller torus, repeated, and of a larger one, folded or in a window, are tried.
func TestImpliedFolded(t *testing.T) {
	for _, c := range []struct {
		from  string
		nodes string
		to    string
		worse string // of the target, as it is before
		want  string
	}{{"4x4", "nodes:0,0+2,2", "8x8", "nodes:0,0+0,1+0,2+0,3+0,4+0,5+0,6+0,7", "nodes:0,0+2,2+4,0+6,2+0,4+2,6+4,4+6,6"},
		{"8x8", "nodes:0,0+5,6+2,7+7,1", "4x4", "nodes:0,0+0,1+0,2+0,3", "nodes:0,0+1,2+2,3+3,1"},
		{"8x8", "nodes:0,0+1,2+2,1+7,7+4,4+5,6", "4x4", "nodes:0,0+0,1+0,2", "nodes:0,0+1,2+2,1"}} {
		s, path := newStore(t, "folded.store")
		p := problem(t, c.to, "minimal", 1)
		for where, nodes := range map[string]string{c.from: c.nodes, c.to: c.worse} {
			q := problem(t, where, "minimal", 1)
			placement := parse(t, q.Torus(), nodes)
			add(t, s, recordOf(t, q.WithSize(placement.Size()), placement))
		}
		want := parse(t, p.Torus(), c.want)
		most, _ := p.Naive(want).Max()
		cell, _ := taken(t, s, path).Cell(texts.KeyOf(p.WithSize(want.Size())))
		if fraction(t, cell.MaxLoad).Cmp(most) > 0 {
			t.Errorf("%s from %s: %s, not %s", c.to, c.from, cell.MaxLoad, most)
		}
	}
}

// TestImpliedBounds: a bound counts for larger sizes and for routings with the same loads, but not where paths depend
// on the processors, and one that can be derived counts at once.
func TestImpliedBounds(t *testing.T) {
	s, path := newStore(t, "bounds.store")
	for _, k := range []texts.Key{keyOf("3x3", "odr:tie=plus", 4), keyOf("3x3", "odr:tie=plus", 5),
		keyOf("3x3", "odr:tie=both", 4),
		keyOf("3x3", "udr:tie=plus", 5), keyOf("3x3", "avoid:tie=both", 5), keyOf("2x2x2", "udr:tie=plus", 4),
		keyOf("2x2x2", "minimal:tie=both", 4), keyOf("3x3", "avoid:tie=both", 6)} {
		p, err := k.Problem()
		if err != nil {
			t.Fatal(err)
		}
		nodes := p.Candidates()[:k.Size]
		add(t, s, recordOf(t, p, core.MustPlacement(p.Torus(), nodes)))
	}
	high := big.NewRat(2, 1) // above what is derived, not above any load: as good as any for this
	for _, k := range []texts.Key{keyOf("3x3", "odr:tie=plus", 4), keyOf("3x3", "avoid:tie=both", 5),
		keyOf("2x2x2", "udr:tie=plus", 4)} {
		if err := s.AddBound(k,
			store.Bound{Value: high, Reason: "given"}); err != nil {
			var conflict *store.ConflictError
			if !errors.As(err, &conflict) {
				t.Fatal(err)
			}
			t.Fatalf("%s: choose another value: %v", k, err)
		}
	}
	a := view(t, path)
	cells, _ := a.Cells(atlas.Filter{})
	list, err := a.Implied(context.Background(), cells)
	if err != nil {
		t.Fatal(err)
	}
	have := map[texts.Key]atlas.Implied{}
	for _, i := range list {
		if i.Placement == nil {
			have[i.Key] = i
		}
	}
	for k, from := range map[texts.Key]texts.Key{
		keyOf("3x3", "odr:tie=plus", 5):       keyOf("3x3", "odr:tie=plus", 4),
		keyOf("3x3", "odr:tie=both", 4):       keyOf("3x3", "odr:tie=plus", 4),
		keyOf("2x2x2", "minimal:tie=both", 4): keyOf("2x2x2", "udr:tie=plus", 4),
	} {
		if i := have[k]; i.From != from || i.Value != high.RatString() {
			t.Errorf("%s has %+v, not the bound of %s", k, i, from)
		}
	}
	for _, k := range []texts.Key{keyOf("3x3", "udr:tie=plus", 5), keyOf("3x3", "avoid:tie=both", 6)} {
		if i := have[k]; i.From != (texts.Key{}) || i.Value == "" {
			t.Errorf("%s has %+v, not a bound that is derived", k, i)
		}
	}
}

// TestNothingImplied: no open cell of the program has a value that another one beats. Where time is short it is a
// sample.
func TestNothingImplied(t *testing.T) {
	coretest.Alone(t)
	a, err := atlas.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	cells, _ := a.Cells(atlas.Filter{Text: "open"})
	cells = atlas.Sample(cells, coretest.Cases(len(cells), 20), 1)
	list, err := a.Implied(context.Background(), cells)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range list {
		// Records have no form for a proof about another torus of the same graph.
		if i.Placement == nil && i.From.Torus != i.Key.Torus {
			continue
		}
		t.Error(i)
	}
}

// TestImpliedSameGraph: what is known of a torus counts for others of the same graph, placements and bounds, but bounds
// only where loads are the same: processor-avoiding paths are others on 2x2x2x2 than on 4x4.
func TestImpliedSameGraph(t *testing.T) {
	coretest.Alone(t)
	for _, c := range [][2]string{{"4x4", "2x2x2x2"}, {"2x2x2x2", "4x4"}, {"3x4", "2x2x3"}, {"2x2x4", "4x4"}} {
		for _, way := range []string{"minimal:tie=both", "avoid:tie=both"} {
			s, path := newStore(t, "graph.store")
			from, to := problem(t, c[0], way, 4), problem(t, c[1], way, 4)
			poor := core.MustPlacement(from.Torus(), []int{0, 1, 2, 3})
			add(t, s, recordOf(t, from, poor))
			most, _ := from.Naive(poor).Max()
			high := new(big.Rat).Quo(most, big.NewRat(100, 99)) // no optimum: it tells bounds from each other
			if err := s.AddBound(compose.KeyOf(from), store.Bound{Value: high, Reason: "given"}); err != nil {
				t.Fatal(err)
			}
			add(t, s, recordOf(t, to, core.MustPlacement(to.Torus(), []int{0, 1, 2, 3})))
			a := view(t, path)
			cell, _ := a.Cell(texts.KeyOf(to))
			list, err := a.Implied(context.Background(), []atlas.Cell{cell})
			if err != nil {
				t.Fatal(err)
			}
			bound := slices.ContainsFunc(list, func(i atlas.Implied) bool {
				return i.Placement == nil && i.From == texts.KeyOf(from) && i.Value == high.RatString()
			})
			if want := way == "minimal:tie=both" && from.Torus().N() == to.Torus().N(); bound != want {
				t.Errorf("%s from %s, %s: the bound is implied: %v, want %v", c[1], c[0], way, bound, want)
			}
		}
	}
	s, path := newStore(t, "better.store")
	from, to := problem(t, "4x4x4", "minimal:tie=both", 4), problem(t, "2x2x2x2x2x2", "minimal:tie=both", 4)
	good := parse(t, from.Torus(), "nodes:0,0,0+2,2,0+2,0,2+0,2,2") // distances of 4
	add(t, s, recordOf(t, from, good))
	add(t, s, recordOf(t, to, core.MustPlacement(to.Torus(), []int{0, 1, 2, 3})))
	want, _ := from.Naive(good).Max()
	cell, _ := taken(t, s, path).Cell(texts.KeyOf(to))
	if fraction(t, cell.MaxLoad).Cmp(want) > 0 {
		t.Errorf("%s has %s, of the same graph with %s", to, cell.MaxLoad, want)
	}
}
