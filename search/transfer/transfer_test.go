package transfer

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/search"
	"leeway/search/searchtest"
)

// A knownCells has cells with their placements.
type knownCells struct {
	cells      []Cell
	placements map[texts.Key]core.Placement
}

// add puts a placement of a problem with the value that the naive evaluator says, in the place of a former one.
func (s *knownCells) add(p objective.Problem, placement core.Placement) {
	most, _ := p.Naive(placement).Max()
	if _, known := s.placements[texts.KeyOf(p)]; known {
		i := slices.IndexFunc(s.cells, func(c Cell) bool { return c.Key == texts.KeyOf(p) })
		s.cells[i].Value = most
	} else {
		s.cells = append(s.cells, Cell{Key: texts.KeyOf(p), Value: most})
	}
	if s.placements == nil {
		s.placements = map[texts.Key]core.Placement{}
	}
	s.placements[texts.KeyOf(p)] = placement
}

// cell returns the cell of a problem.
func (s *knownCells) cell(p objective.Problem) *Cell {
	return &s.cells[slices.IndexFunc(s.cells, func(c Cell) bool { return c.Key == texts.KeyOf(p) })]
}

// table returns the table of what is there.
func (s *knownCells) table() *Table {
	return NewTable(slices.Clone(s.cells), func(k texts.Key) (*core.Placement, error) {
		p, ok := s.placements[k]
		if !ok {
			return nil, nil
		}
		return &p, nil
	})
}

// take adds what the cells imply for each other until nothing more follows. It wants every placement to be what Implied
// says of it, by the naive evaluator, and better than what the cell had.
func (s *knownCells) take(t *testing.T) {
	t.Helper()
	for range 20 {
		list := coretest.Must(s.table().Implied(context.Background(), s.cells))
		if len(list) == 0 {
			return
		}
		for _, i := range list {
			p := coretest.Must(i.Key.Problem())
			c := s.cell(p)
			most, _ := p.Naive(i.Placement).Max()
			if most.Cmp(i.Value) != 0 || most.Cmp(c.Value) >= 0 || i.Placement.Size() != c.Size || !p.Admits(i.Placement) {
				t.Fatalf("%s, %s has %s, E_max is %s; the cell %s", i.Key, i.Source, i.Value, most, c.Value)
			}
			s.add(p, i.Placement)
		}
	}
	t.Fatal("there is no end to it")
}

// random returns random cells on tori, networks, under conditions and of clients.
func random() *knownCells {
	s, rng := &knownCells{}, rand.New(rand.NewPCG(20, 1))
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
				s.add(p.WithSize(n), core.MustPlacement(p.Torus(), append(nodes[:n-p.Fixed.Count()], p.Fixed.Nodes()...)))
			}
		}
	}
	return s
}

// TestImplied: when all that random cells imply has been taken, no cell is beaten by a placement of its own size of
// another routing, or by one of its own routing with one processor more or less, one dropped or added, by the naive
// evaluator.
func TestImplied(t *testing.T) {
	s := random()
	s.take(t)
	tried := 0
	for _, c := range s.cells {
		p := coretest.Must(c.Problem())
		beaten := func(nodes []int, by texts.Key) {
			placement := core.MustPlacement(p.Torus(), nodes)
			if !p.Admits(placement) {
				return
			}
			tried++
			if most, _ := p.Naive(placement).Max(); most.Cmp(c.Value) < 0 {
				t.Errorf("%s has %s, from %s follows %s", c.Key, c.Value, by, most)
			}
		}
		for k, placement := range s.placements {
			switch nodes := placement.Nodes(); {
			case k.Torus != c.Torus:
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

// TestConform: the method finds in a table of random cells what it says.
func TestConform(t *testing.T) { searchtest.Conform(t, Method{random().table()}) }

// TestMethod: the method finds for one problem what follows for its cell, until its budget is spent.
func TestMethod(t *testing.T) {
	s := &knownCells{}
	p := searchtest.Problem("4x4", "udr:tie=both", 6)
	s.add(p.WithSize(7), core.MustPlacement(p.Torus(), []int{0, 1, 6, 8, 11, 13, 15}))
	m := Method{s.table()}
	var told []string
	params := search.Params{Problem: p, Workers: 1, Observe: func(e search.Event) { told = append(told, e.Note) }}
	out := coretest.Must(m.Run(t.Context(), params))
	if most, _ := p.Naive(out.Best).Max(); out.Reason != search.Complete || most.Cmp(out.Value) != 0 ||
		!slices.Equal(told, []string{"4x4 udr:tie=both n=7, 1 processor fewer"}) || out.Evaluations != 7 {
		t.Errorf("%+v, told %q", out, told)
	}
	params.Evaluations = 3
	if out := coretest.Must(m.Run(t.Context(), params)); out.Reason != search.Spent || out.Evaluations != 3 {
		t.Errorf("with 3 evaluations: %+v", out)
	}
}

// TestFolded: placements of a smaller torus, repeated, and of a larger one, folded or in a window, are tried.
func TestFolded(t *testing.T) {
	for _, c := range []struct {
		from  string
		nodes string
		to    string
		worse string // of the target, as it is before
		want  string
	}{{"4x4", "nodes:0,0+2,2", "8x8", "nodes:0,0+0,1+0,2+0,3+0,4+0,5+0,6+0,7", "nodes:0,0+2,2+4,0+6,2+0,4+2,6+4,4+6,6"},
		{"8x8", "nodes:0,0+5,6+2,7+7,1", "4x4", "nodes:0,0+0,1+0,2+0,3", "nodes:0,0+1,2+2,3+3,1"},
		{"8x8", "nodes:0,0+1,2+2,1+7,7+4,4+5,6", "4x4", "nodes:0,0+0,1+0,2", "nodes:0,0+1,2+2,1"}} {
		s, p := &knownCells{}, searchtest.Problem(c.to, "minimal", 1)
		for where, nodes := range map[string]string{c.from: c.nodes, c.to: c.worse} {
			q := searchtest.Problem(where, "minimal", 1)
			placement := coretest.Must(family.Parse(q.Torus(), nodes))
			s.add(q.WithSize(placement.Size()), placement)
		}
		want := coretest.Must(family.Parse(p.Torus(), c.want))
		most, _ := p.Naive(want).Max()
		s.take(t)
		if have := s.cell(p.WithSize(want.Size())); have.Value.Cmp(most) > 0 {
			t.Errorf("%s from %s: %s, not %s", c.to, c.from, have.Value, most)
		}
	}
}

// first returns the placement of the first nodes.
func first(p objective.Problem) core.Placement {
	return core.MustPlacement(p.Torus(), p.Candidates()[:p.Size])
}

// TestSameGraph: what is known of a torus counts for others of the same graph.
func TestSameGraph(t *testing.T) {
	s := &knownCells{}
	from, to := searchtest.Problem("4x4x4", "minimal", 4), searchtest.Problem("2x2x2x2x2x2", "minimal", 4)
	good := coretest.Must(family.Parse(from.Torus(), "nodes:0,0,0+2,2,0+2,0,2+0,2,2")) // distances of 4
	s.add(from, good)
	s.add(to, first(to))
	want, _ := from.Naive(good).Max()
	if s.take(t); s.cell(to).Value.Cmp(want) > 0 {
		t.Errorf("%s has %s, of the same graph with %s", to, s.cell(to).Value, want)
	}
}
