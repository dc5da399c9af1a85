package core_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

func TestPlacement(t *testing.T) {
	torus := core.MustTorus(4, 3)
	nodes := []int{11, 0, 5}
	p := coretest.Must(core.NewPlacement(torus, nodes))
	nodes[0] = 3
	p.Nodes()[0] = 7
	if got := p.Nodes(); !slices.Equal(got, []int{0, 5, 11}) || p.Size() != 3 || p.Torus() != torus {
		t.Errorf("nodes %v on %s, size %d", got, p.Torus(), p.Size())
	}
	if got := p.Coords(); !slices.EqualFunc(got, [][]int{{0, 0}, {1, 2}, {3, 2}}, slices.Equal) {
		t.Errorf("coordinates %v", got)
	}
	q, err := core.PlacementFromCoords(torus, [][]int{{3, 2}, {0, 0}, {1, 2}})
	if err != nil || !slices.Equal(q.Nodes(), p.Nodes()) {
		t.Errorf("from coordinates: %v, %v", q.Nodes(), err)
	}
	if got := p.Set().Nodes(); !slices.Equal(got, p.Nodes()) {
		t.Errorf("as a set: %v", got)
	}
}

func TestPlacementErrors(t *testing.T) {
	torus := core.MustTorus(4, 3)
	_, err := core.NewPlacement(torus, []int{3, 12})
	coretest.Refused(t, err, "12", "outside 0..11")
	_, err = core.NewPlacement(torus, []int{-1})
	coretest.Refused(t, err, "-1", "outside 0..11")
	_, err = core.NewPlacement(torus, []int{5, 3, 5})
	coretest.Refused(t, err, "[1 2]", "twice")
	_, err = core.PlacementFromCoords(torus, [][]int{{0, 0}, {0, 3}})
	coretest.Refused(t, err, "[0 «3»]", "outside 0..2")
	_, err = core.PlacementFromCoords(torus, [][]int{{0, 0}, {0}})
	coretest.Refused(t, err, "[0]", "has 2 coordinates")
	_, err = core.PlacementFromCoords(torus, [][]int{{0, 1}, {0, 1}})
	coretest.Refused(t, err, "[0 1]", "twice")
	defer func() {
		if recover() == nil {
			t.Error("MustPlacement does not panic outside the torus")
		}
	}()
	core.MustPlacement(torus, []int{12})
}

func TestSlabCounts(t *testing.T) {
	torus := core.MustTorus(4, 3)
	for _, c := range []struct {
		coords       [][]int
		first, last  []int
		even0, even1 bool
	}{
		{nil, []int{0, 0, 0, 0}, []int{0, 0, 0}, true, true},
		{[][]int{{0, 0}, {1, 0}, {2, 0}, {3, 0}}, []int{1, 1, 1, 1}, []int{4, 0, 0}, true, false},
		{[][]int{{1, 0}, {1, 1}, {1, 2}}, []int{0, 3, 0, 0}, []int{1, 1, 1}, false, true},
		{[][]int{{0, 0}, {0, 1}, {3, 0}}, []int{2, 0, 0, 1}, []int{2, 1, 0}, false, false},
	} {
		p := coretest.Must(core.PlacementFromCoords(torus, c.coords))
		if a, b := p.SlabCounts(0), p.SlabCounts(1); !slices.Equal(a, c.first) || !slices.Equal(b, c.last) {
			t.Errorf("%v: slab counts %v and %v, want %v and %v", c.coords, a, b, c.first, c.last)
		}
		if a, b := p.Uniform(0), p.Uniform(1); a != c.even0 || b != c.even1 {
			t.Errorf("%v: uniform %v and %v, want %v and %v", c.coords, a, b, c.even0, c.even1)
		}
	}
}

// TestSetAgainstMap makes the same random changes to a set and to a map.
func TestSetAgainstMap(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 130} {
		rng := rand.New(rand.NewPCG(16, uint64(n)))
		s, m := core.NewSet(n), map[int]bool{}
		for range 4 * n {
			if v := rng.IntN(n); rng.IntN(3) > 0 {
				s.Add(v)
				m[v] = true
			} else {
				s.Remove(v)
				delete(m, v)
			}
		}
		var want []int
		for v := range n {
			if s.Has(v) != m[v] {
				t.Errorf("room %d: node %d in the set: %v, want %v", n, v, s.Has(v), m[v])
			}
			if m[v] {
				want = append(want, v)
			}
		}
		if s.Count() != len(want) || !slices.Equal(s.Nodes(), want) {
			t.Errorf("room %d: %d nodes %v, want %v", n, s.Count(), s.Nodes(), want)
		}
	}
}
