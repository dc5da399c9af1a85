package bisect

import (
	"context"
	"math/big"
	"math/bits"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
)

// narrowest returns, by number of processors in S, the least capacity out over all
// node sets, from the links of the network one by one.
func narrowest(p core.Placement) []int {
	t := p.Torus()
	leaving := make([][]uint64, t.D()) // by dimension and node
	for j := range leaving {
		leaving[j] = make([]uint64, t.N())
	}
	for l := range t.M() {
		if t.HasLink(core.Link(l)) {
			from, to := t.LinkEnds(core.Link(l))
			leaving[t.Port(l/t.N()).Dim][from] |= 1 << to
		}
	}
	least := make([]int, p.Size()+1)
	for c := range least {
		least[c] = int(t.Capacity())
	}
	processors := uint64(0)
	for _, v := range p.Nodes() {
		processors |= 1 << v
	}
	for s := range uint64(1) << t.N() {
		out := 0
		for rest := s; rest != 0; rest &= rest - 1 {
			for j, to := range leaving {
				out += t.Bandwidth(j) * bits.OnesCount64(to[bits.TrailingZeros64(rest)]&^s)
			}
		}
		c := bits.OnesCount64(s & processors)
		least[c] = min(least[c], out)
	}
	return least
}

// regular returns a placement that translations leave unchanged.
func regular(t *testing.T, torus *core.Torus, modulus int) core.Placement {
	class := family.Residues{Coefficients: make([]int, torus.D()), Modulus: modulus, Residues: []int{0}}
	for j := range class.Coefficients {
		class.Coefficients[j] = j + 1
	}
	return coretest.Must(class.Placement(torus))
}

func leastOf(q Question, least []int) int {
	best := least[q.Least]
	for c := q.Least; c <= q.most(); c++ {
		best = min(best, least[c])
	}
	return best
}

// TestEnginesAgainstAllSets runs both exact engines and the driver on random
// placements of small tori, for bisections and alpha-separators.
func TestEnginesAgainstAllSets(t *testing.T) {
	cases, nodes := 600, 18
	if testing.Short() {
		cases, nodes = 300, 13
	}
	for i := range cases {
		rng := coretest.Rng(31, i)
		torus := coretest.Torus(rng, nodes)
		if i >= cases/2 {
			torus = coretest.AnyNetwork(rng, nodes)
		}
		p := coretest.Placement(rng, torus)
		if i%10 == 1 {
			torus = core.MustTorus([]int{2, 2, 2, 2}[:1+i/10%4]...)
			p = coretest.Placement(rng, torus)
		}
		if i%3 == 0 {
			p = regular(t, torus, 1+i%5)
		}
		least := narrowest(p)
		third := coretest.Must(Share(p, big.NewRat(1, 3)))
		for _, q := range []Question{Half(p), third, {Placement: p, Least: rng.IntN(p.Size()/2 + 1)}} {
			want := leastOf(q, least)
			for name, run := range engines(q, want+1) {
				if set := run(); set == nil || CapacityOut(torus, set) != want || !q.fits(processorsInside(p, set)) {
					t.Fatalf("case %d, %s, nodes %v, least %d: %s gives %v, want %d links out", i, torus, p.Nodes(),
						q.Least, name, set, want)
				}
			}
			for name, run := range engines(q, want) {
				if set := run(); set != nil {
					t.Fatalf("case %d, %s, nodes %v, least %d: %s gives %v below %d links out", i, torus, p.Nodes(),
						q.Least, name, set, want)
				}
			}
			if r := Width(context.Background(), q); !r.Exact || r.Out != want || r.LowerOut != want ||
				CapacityOut(torus, r.Side) != want {
				t.Fatalf("case %d, %s, nodes %v, least %d: %+v, want %d links out", i, torus, p.Nodes(), q.Least, r,
					want)
			}
			if r := guess(t.Context(), q); r.Out < want || r.LowerOut > want || CapacityOut(torus, r.Side) != r.Out ||
				!q.fits(processorsInside(p, r.Side)) {
				t.Fatalf("case %d, %s, nodes %v, least %d: guess %+v, want %d links out", i, torus, p.Nodes(),
					q.Least, r, want)
			}
		}
	}
}

// engines returns the exact engines, asked for a cut with fewer links out than a
// limit.
func engines(q Question, limit int) map[string]func() core.Set {
	return map[string]func() core.Set{
		"transfer": func() core.Set {
			set, _ := newTransfer(q.Placement, q.limits(limit), q.tighten).run(context.Background())
			return set
		},
		"branch": func() core.Set {
			set, _ := newBranch(q, limit).run(context.Background())
			return set
		},
	}
}

// TestConnectivity compares the least capacity out of any set, and what divides all, with
// every set of nodes of small networks.
func TestConnectivity(t *testing.T) {
	for i := range coretest.Cases(600, 200) {
		torus := coretest.AnyNetwork(coretest.Rng(1102, i), 13)
		all := make([]int, torus.N())
		for v := range all {
			all[v] = v
		}
		least := narrowest(core.MustPlacement(torus, all))
		best := least[1]
		for _, out := range least[1:torus.N()] {
			best = min(best, out)
			if out%divisor(torus) != 0 {
				t.Fatalf("case %d, %s: a set has %d out, no multiple of %d", i, torus, out, divisor(torus))
			}
		}
		if got := connectivity(torus); got != best {
			t.Fatalf("case %d, %s: connectivity %d, the narrowest set has %d out", i, torus, got, best)
		}
	}
	// A node and all that the dimension of large bandwidth makes of it: less than a node, or a slab.
	if got := connectivity(coretest.Must(core.ParseNetwork("10x10x2:bandwidth=1,1,100"))); got != 8 {
		t.Errorf("10x10x2 of bandwidths 1, 1, 100: connectivity %d, want 8", got)
	}
}

// TestEnginesAgree compares the engines where all sets are too many.
func TestEnginesAgree(t *testing.T) {
	for i, sides := range [][]int{{5, 5}, {4, 6}, {3, 3, 3}, {2, 3, 4}, {2, 2, 2, 3}, {30}, {2, 14}, {5, 6}} {
		for n := 3; n <= 14; n += 3 {
			torus, rng := core.MustTorus(sides...), coretest.Rng(32, 100*i+n)
			switch {
			case n%6 == 3:
				torus = coretest.Twisted(rng, 40)
			case n%2 == 0:
				torus = coretest.Opened(rng, torus)
			}
			p := family.Draw(torus, min(n, torus.N()), rng)
			q := Half(p)
			r := guess(t.Context(), q)
			a, _ := newTransfer(p, q.limits(r.Out+1), q.tighten).run(context.Background())
			b, _ := newBranch(q, r.Out+1).run(context.Background())
			if a == nil || b == nil || CapacityOut(torus, a) != CapacityOut(torus, b) {
				t.Errorf("%s, nodes %v: transfer gives %v, branch %v", torus, p.Nodes(), a, b)
			}
		}
	}
}

// TestKnownWidths has the widths of full tori, in directed links, as a separate program computed them by trying every
// half; that of 4x4x8 with twists by a linear program in another solver, with characters summed over their powers.
func TestKnownWidths(t *testing.T) {
	for _, c := range []struct {
		torus     string
		placement string
		width     int
	}{{"3x3", "full", 16}, {"4x4", "full", 16}, {"5x5", "full", 24}, {"3^3", "full", 52},
		{"4x4x8:twist=0,0,4+0,0,4+0,0,0", "full", 128}} {
		torus := coretest.Must(core.ParseNetwork(c.torus))
		p := coretest.Must(family.Parse(torus, c.placement))
		if r := Width(context.Background(), Half(p)); r.Width() != c.width || !r.Exact {
			t.Errorf("%s %s: width %d, exact %v, want %d", c.torus, c.placement, r.Width(), r.Exact, c.width)
		}
	}
}

// TestLinearPlacements runs both engines on linear placements k x k without a cut
// to start from. Two slabs have width 4k. A square of floor(k/2) by floor(k/2)
// nodes holds floor(k/2) processors of the diagonal and has width 8 floor(k/2):
// less for odd k, as much for even k. That nothing is narrower was first seen by
// both engines; the test holds them to it.
func TestLinearPlacements(t *testing.T) {
	for k := 3; k <= 8; k++ {
		torus := core.MustTorus(k, k)
		p := coretest.Must(family.Parse(torus, "linear"))
		want := 4 * k
		if k%2 == 1 {
			want = 4*k - 4
		}
		for name, run := range engines(Half(p), torus.M()) {
			if set := run(); set == nil || 2*CapacityOut(torus, set) != want {
				t.Errorf("%s of linear %s: %v, want width %d", name, torus, set, want)
			}
		}
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := family.Random(core.MustTorus(7, 7), 23, 5)
	r := Width(ctx, Half(p))
	if r.Exact || r.LowerOut >= r.Out || r.Processors[0]+r.Processors[1] != 23 || CapacityOut(p.Torus(), r.Side) != r.Out {
		t.Errorf("with a context that has ended: %+v", r)
	}
}
