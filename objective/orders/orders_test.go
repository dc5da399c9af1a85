package orders_test

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/orders"
)

// TestCountsPaths lists the paths of all pairs, for every kind of routing and some placements each, of which the first
// is given as a whole and the others by what changes.
func TestCountsPaths(t *testing.T) {
	kinds := map[[2]bool]int{}
	for i := range coretest.Cases(1500, 200) {
		rng := coretest.Rng(1410, i)
		r := coretest.Orders(rng, coretest.Network(rng, 80))
		torus := r.Torus()
		kinds[[2]bool{r.All(), torus.D() == 2}]++
		counter := orders.New(r)
		if counter.Margin() < 1 {
			t.Fatalf("%s on %s: margin %d", r, torus, counter.Margin())
		}
		occupied := core.NewSet(torus.N())
		for round := range 3 {
			p := coretest.Placement(rng, torus)
			if round == 0 {
				checkPaths(t, r, p, coretest.Must(counter.Loads(p.Nodes(), nil)))
			} else {
				for v := range torus.N() {
					if had, has := occupied.Has(v), p.Set().Has(v); has && !had {
						counter.Put(v, 1)
					} else if had && !has {
						counter.Put(v, 0)
					}
				}
				checkPaths(t, r, p, coretest.Must(counter.Count(nil)))
			}
			copy(occupied, p.Set())
		}
	}
	if len(kinds) < 4 {
		t.Errorf("only %v", kinds)
	}
}

// TestCountsPathsOnLargeTori is the same where rows are long and what belongs to all nodes is kept in parts.
func TestCountsPathsOnLargeTori(t *testing.T) {
	for i, text := range []string{"33x32x32", "2x600x30", "700x48", "5x8x9x10x11", "34x32x32:open=0,2", "3x12000"} {
		torus := coretest.Must(core.ParseNetwork(text))
		for j, routed := range []string{"odr", "udr:tie=both", "odr:tie=both"} {
			p := family.Random(torus, 6, uint64(3*i+j))
			r := coretest.Must(routing.Parse(torus, routed)).(*routing.Orders)
			counter := orders.New(r)
			checkPaths(t, r, p, coretest.Must(counter.Loads(p.Nodes(), nil)))
			counter.Put(p.Nodes()[0], 0)
			rest := core.MustPlacement(torus, p.Nodes()[1:])
			checkPaths(t, r, rest, coretest.Must(counter.Count(nil)))
		}
	}
}

// TestCountsFewAndMany is the same where rings along the last dimension are many, as processors on them become many and
// few again.
func TestCountsFewAndMany(t *testing.T) {
	for i, text := range []string{"34x3x3", "32x3x3:open=2", "3x44x2", "100x3:bandwidth=1,2"} {
		torus := coretest.Must(core.ParseNetwork(text))
		r := coretest.Must(routing.Parse(torus, []string{"odr", "odr:tie=both"}[i%2])).(*routing.Orders)
		counter := orders.New(r)
		p := family.Random(torus, 9, uint64(i))
		checkPaths(t, r, p, coretest.Must(counter.Loads(p.Nodes(), nil)))
		for _, size := range []int{torus.N() * 3 / 4, 20} {
			next := family.Random(torus, size, uint64(i+size))
			for v := range torus.N() {
				counter.Put(v, 0)
				if next.Set().Has(v) {
					counter.Put(v, 1)
				}
			}
			checkPaths(t, r, next, coretest.Must(counter.Count(nil)))
		}
	}
}

// checkPaths compares loads with the paths of all pairs.
func checkPaths(t *testing.T, r *routing.Orders, p core.Placement, have []int64) {
	t.Helper()
	torus := r.Torus()
	want := map[core.Link]*big.Rat{}
	for _, from := range p.Nodes() {
		for _, to := range p.Nodes() {
			if from == to {
				continue
			}
			paths := int64(0)
			for range r.Paths(from, to, nil) {
				paths++
			}
			for path := range r.Paths(from, to, nil) {
				for _, l := range path {
					_, port := torus.LinkFrom(l)
					if want[l] == nil {
						want[l] = new(big.Rat)
					}
					want[l].Add(want[l], big.NewRat(1, paths*int64(torus.Bandwidth(port.Dim))))
				}
			}
		}
	}
	unit := r.Denominator().Int64() * int64(torus.CommonBandwidth())
	for l, load := range have {
		expected := want[core.Link(l)]
		if expected == nil {
			expected = new(big.Rat)
		}
		if load == 0 && expected.Sign() == 0 {
			continue
		}
		if big.NewRat(load, unit).Cmp(expected) != 0 {
			t.Fatalf("%s on %s, %v: link %d carries %d/%d, want %s", r, torus, p.Nodes(), l, load, unit, expected.RatString())
		}
	}
}
