package orbit

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/symmetry/elements"
	"leeway/objective"
	"leeway/search/searchtest"
)

// TestModelLoads compares the tables with the naive evaluator on random unions of orbits.
func TestModelLoads(t *testing.T) {
	for i := range 120 {
		rng := coretest.Rng(42, i)
		torus := coretest.Torus(rng, 40)
		if i%2 == 0 {
			torus = coretest.AnyNetwork(rng, 40)
		}
		r := coretest.Routing(rng, torus)
		p := objective.Problem{Routing: r, Size: torus.N()}
		if Supports(p) != nil {
			continue
		}
		e, err := newTables(p)
		if err != nil {
			t.Fatal(err)
		}
		all := elementsOf(e.group)
		s, ok := newSubgroup(torus, []elements.Element{all[rng.IntN(len(all))]})
		m, fits := newModel(e.flows, e.group, s, p)
		if !ok || !fits {
			t.Fatalf("%s with symmetry %s is too large", p, s)
		}
		for range 5 {
			var chosen []int
			for i := range m.orbits {
				if rng.IntN(2) == 0 {
					chosen = append(chosen, i)
				}
			}
			placement := core.MustPlacement(torus, m.nodes(chosen))
			want, _ := objective.Naive(r, placement).Max()
			if got := big.NewRat(m.plainValue(chosen), m.unit); got.Cmp(want) != 0 {
				t.Errorf("%s with symmetry %s: nodes %v have E_max %s, the tables say %s", p, s, placement.Nodes(), want, got)
			}
		}
	}
}

// plainValue returns E_max of a choice in units, by adding up rows.
func (m *model) plainValue(chosen []int) int64 {
	most := int64(0)
	for r := range m.rows {
		sum := int64(0)
		for a, i := range chosen {
			for _, j := range chosen[:a+1] {
				sum += int64(m.loads[pair(i, j)][r])
			}
		}
		most = max(most, sum)
	}
	return most
}

// plainBest returns the least value of the choices of the right size, by listing all.
func (m *model) plainBest() int64 {
	least := m.most
	for mask := range 1 << len(m.orbits) {
		var chosen []int
		for i := range m.orbits {
			if mask>>i&1 != 0 {
				chosen = append(chosen, i)
			}
		}
		if len(m.nodes(chosen)) == m.size {
			least = min(least, m.plainValue(chosen))
		}
	}
	return least
}

// scaled returns the model with larger numbers for the same loads.
func (m *model) scaled(factor int32) *model {
	c := *m
	c.unit, c.most = m.unit*int64(factor), m.most*int64(factor)
	c.loads = make([][]int32, len(m.loads))
	for i, loads := range m.loads {
		for _, v := range loads {
			c.loads[i] = append(c.loads[i], v*factor)
		}
	}
	return &c
}

// TestWidths searches the same model with numbers that need wider and wider lanes.
func TestWidths(t *testing.T) {
	e, err := newTables(searchtest.Problem("4x4", "udr:tie=both", 6))
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.group.parse("-1")
	if err != nil {
		t.Fatal(err)
	}
	m, _ := newModel(e.flows, e.group, s, e.problem)
	want, widths := m.plainBest(), map[uint]bool{}
	for _, c := range []struct {
		factor int32
		start  int64 // in units of the unscaled model
	}{{1, 2 * want}, {1, m.most}, {300, 2 * want}, {300, m.most}, {100_000, 2 * want}} {
		w := newWalk(m.scaled(c.factor), c.start*int64(c.factor), 1<<40, func() bool { return false })
		w.run(0)
		widths[w.lanes.Width] = true
		if w.ended || w.value != want*int64(c.factor) {
			t.Errorf("times %d: best %d with lanes of %d bits, ended early %v; want %d",
				c.factor, w.value, w.lanes.Width, w.ended, want*int64(c.factor))
		}
	}
	if len(widths) != 5 {
		t.Errorf("lanes of %d widths, want 5", len(widths))
	}
}

// TestLimits compares the largest loads below and up to a value with trial.
func TestLimits(t *testing.T) {
	m := &model{unit: 6, most: 40}
	for num := int64(-9); num < 60; num++ {
		v := big.NewRat(num, 4)
		below, upTo := int64(-1), int64(-1)
		for x := range m.most + 1 {
			if load := big.NewRat(x, m.unit); load.Cmp(v) <= 0 {
				upTo = x
				if load.Cmp(v) < 0 {
					below = x
				}
			}
		}
		if got := m.unitsBelow(v); got != below {
			t.Errorf("below %s: %d, want %d", v, got, below)
		}
		if got := m.unitsUpTo(v); got != upTo {
			t.Errorf("up to %s: %d, want %d", v, got, upTo)
		}
	}
	if m.unitsBelow(nil) != m.most || m.unitsUpTo(nil) != -1 {
		t.Error("no value at all is a limit")
	}
}
