package exchange

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/exchange"
	"leeway/objective/exchange/steps"
	"leeway/results/schedules"
)

// verdictOn puts a schedule of the generators through the checker.
func verdictOn(s exchange.Schedule) Verdict {
	return follow(s.Head, schedules.WithContext(context.Background(), s.Phases))
}

func parsed(t *testing.T, text string) *steps.Network {
	t.Helper()
	return coretest.Must(steps.ParseNetwork(text))
}

type planner func(*steps.Network) (*steps.Plan, error)

func packAll(n *steps.Network) (*steps.Plan, error) { return steps.Pack(n, nil) }

// planned returns a plan that the checker finds valid, with its verdict; bounds and number of steps must be those that
// the checker finds. The bound by weights, which the checker does not look for, must be what it makes of the weights.
func planned(t *testing.T, n *steps.Network, make planner) (*steps.Plan, Verdict) {
	t.Helper()
	p := coretest.Must(make(n))
	v := verdictOn(p.Schedule)
	switch {
	case v.Verdict != valid:
		t.Fatalf("%s on %v: %s", p.Schedule.Name, n, v.Reason)
	case v.Phases != p.Steps:
		t.Fatalf("%s on %v: %d steps, announced as %d", p.Schedule.Name, n, v.Phases, p.Steps)
	case v.LowerBound.Phases != int64(withoutWeights(t, p)):
		t.Fatalf("%s on %v: bounds %v, the checker has %d", p.Schedule.Name, n, p.Bounds, v.LowerBound.Phases)
	case p.Optimal != (p.Steps == p.Bounds[0].Steps) || p.Steps < p.Bounds[0].Steps:
		t.Fatalf("%s on %v: %d steps with bounds %v, optimal: %v", p.Schedule.Name, n, p.Steps, p.Bounds, p.Optimal)
	}
	return p, v
}

// withoutWeights returns the best of the other bounds.
func withoutWeights(t *testing.T, p *steps.Plan) int {
	t.Helper()
	best := 0
	for _, b := range p.Bounds {
		if b.Weights == nil {
			best = max(best, b.Steps)
			continue
		}
		if value, err := weightedSteps(p.Schedule.Head, b.Weights); err != nil || value.Cmp(b.Value) != 0 {
			t.Fatalf("%v: weights %v show %v, not %v: %v", p.Network, b.Weights, value, b.Value, err)
		}
	}
	return best
}

// TestRingsAndCompleteGraphs: floor(n^2/4) and n-1 steps without an idle port.
func TestRingsAndCompleteGraphs(t *testing.T) {
	largest := 64
	if testing.Short() {
		largest = 24
	}
	for n := 2; n <= largest; n++ {
		for kind, want := range map[string]int{"ring": n * n / 4, "complete": n - 1} {
			p, v := planned(t, parsed(t, fmt.Sprintf("%s:%d", kind, n)), steps.ProductA2)
			if p.Steps != want || !p.Optimal || v.IdlePorts != 0 {
				t.Errorf("%s of %d: %d steps, want %d; %d idle ports, optimal %v", kind, n, p.Steps, want, v.IdlePorts,
					p.Optimal)
			}
		}
	}
}

// TestPaths: floor((n^2-1)/2) steps, which the node in the middle needs.
func TestPaths(t *testing.T) {
	for n := 2; n <= 24; n++ {
		p, _ := planned(t, parsed(t, fmt.Sprintf("path:%d", n)), steps.ProductA2)
		if p.Steps != max((n*n-1)/2, 1) || !p.Optimal {
			t.Errorf("path of %d: %d steps, optimal %v", n, p.Steps, p.Optimal)
		}
	}
}

// TestProductsOfRingsAndCompleteGraphs (seed 003, section 4): A2 takes AS(G) steps, no port is idle, and the sequence
// of the axes changes nothing.
func TestProductsOfRingsAndCompleteGraphs(t *testing.T) {
	for _, c := range []struct {
		axes []string
		want int // N times the sum of T_i/n_i
	}{
		{[]string{"ring:4", "ring:3"}, 12*4/4 + 12*2/3}, {[]string{"ring:5", "ring:6"}, 30*6/5 + 30*9/6},
		{[]string{"circulant:8:1+3"}, 4*1 + 3*2}, {[]string{"circulant:7:1+2", "ring:3"}, 21*(4+2*2)/7 + 21*2/3},
		{[]string{"complete:4", "ring:5"}, 20*3/4 + 20*6/5}, {[]string{"ring:2", "ring:2", "path:2", "complete:2"}, 32},
		{[]string{"ring:8", "complete:3", "ring:3"}, 72*16/8 + 72*2/3 + 72*2/3},
	} {
		for range c.axes {
			c.axes = append(c.axes[1:], c.axes[0])
			n := parsed(t, strings.Join(c.axes, ","))
			p, v := planned(t, n, steps.ProductA2)
			if p.Steps != c.want || !p.Optimal || v.IdlePorts != 0 || v.Hops != int64(n.N()*c.want) {
				t.Errorf("%v: %d steps, want %d; %d idle ports, %d hops", n, p.Steps, c.want, v.IdlePorts, v.Hops)
			}
		}
	}
}

// TestMeshes: A2 is not optimal on meshes, and is not called so; packing takes 9 steps on 2x3, the bound; the bound by
// weights shows that 18 and 43 on 3x3 and 4x4 cannot be improved.
func TestMeshes(t *testing.T) {
	for _, c := range []struct {
		text  string
		make  planner
		steps int
		best  bool
	}{
		{"path:2,path:3", steps.ProductA2, 11, false}, {"path:2,path:3", packAll, 9, true},
		{"path:3", packAll, 4, true},
		{"path:3,path:3", steps.ProductA2, 24, false}, {"path:3,path:3", packAll, 18, true},
		{"path:4,path:4", packAll, 43, true},
	} {
		p, _ := planned(t, parsed(t, c.text), c.make)
		if p.Steps != c.steps || p.Optimal != c.best {
			t.Errorf("%s on %s: %d steps, optimal %v; want %d, %v", p.Schedule.Name, c.text, p.Steps, p.Optimal,
				c.steps, c.best)
		}
	}
}

// randomNetwork has one to three factors and at most 24 nodes.
func randomNetwork(t *testing.T, rng *rand.Rand) *steps.Network {
	t.Helper()
	for {
		var factors []exchange.Axis
		nodes := 1
		for range 1 + rng.IntN(3) {
			f := exchange.Axis{Nodes: 2 + rng.IntN(5)}
			f.Kind = []exchange.Kind{exchange.Ring, exchange.Path, exchange.Complete, exchange.Graph}[rng.IntN(4)]
			if f.Kind == exchange.Graph {
				for v := 1; v < f.Nodes; v++ { // a tree and some more
					f.Edges = append(f.Edges, []int{v, rng.IntN(v)})
				}
				if f.Nodes > 3 && rng.IntN(2) == 0 {
					f.Edges = append(f.Edges, []int{0, f.Nodes - 1})
				}
			}
			factors = append(factors, f)
			nodes *= f.Nodes
		}
		if nodes > 24 {
			continue
		}
		return coretest.Must(steps.NewProduct(exchange.StoreAndForward, "random", factors...))
	}
}

// rounds returns how many random cases to try: fewer in short tests.
func rounds(all int) int {
	if testing.Short() {
		return all / 8
	}
	return all
}

// TestRandomProducts puts A2 on random products through the checker: every block takes a shortest path.
func TestRandomProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range rounds(60) {
		n := randomNetwork(t, rng)
		_, v := planned(t, n, steps.ProductA2)
		hops := 0
		for p := range n.N() {
			for q := range n.N() {
				hops += n.LeeDistance(p, q)
			}
		}
		if v.Hops != int64(hops) {
			t.Errorf("%v: %d hops, not %d", n, v.Hops, hops)
		}
	}
}

// TestParticipants packs exchanges among random nodes of random products.
func TestParticipants(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range rounds(24) {
		n := randomNetwork(t, rng)
		procs := rng.Perm(n.N())[:1+rng.IntN(min(n.N(), 6))]
		slices.Sort(procs)
		_, v := planned(t, n, func(n *steps.Network) (*steps.Plan, error) { return steps.Pack(n, procs) })
		if v.Processors != len(procs) {
			t.Errorf("%d processors, want %d", v.Processors, len(procs))
		}
	}
}

// TestPlacements: among the processors of linear placements and of spaced:t=2 on 8x8, packing takes as few steps as the
// bounds allow.
func TestPlacements(t *testing.T) {
	for _, c := range []struct{ side, modulus, steps int }{{4, 4, 5}, {5, 5, 6}, {6, 6, 8}, {7, 7, 9}, {8, 8, 11},
		{8, 4, 19}} {
		if testing.Short() && c.side == 8 {
			continue
		}
		n := parsed(t, fmt.Sprintf("ring:%d,ring:%d", c.side, c.side))
		var procs []int
		for v := range n.N() {
			if (v/c.side+v%c.side)%c.modulus == 0 {
				procs = append(procs, v)
			}
		}
		p, _ := planned(t, n, func(n *steps.Network) (*steps.Plan, error) { return steps.Pack(n, procs) })
		if p.Steps != c.steps || !p.Optimal {
			t.Errorf("residue 0 modulo %d on side %d: %d steps, want %d", c.modulus, c.side, p.Steps, c.steps)
		}
	}
}

func TestParticipantsAreNodesInOrder(t *testing.T) {
	for _, procs := range [][]int{{-1, 2}, {2, 1}, {1, 1}, {0, 6}} {
		var e *core.InputError
		if _, err := steps.Pack(parsed(t, "ring:6"), procs); !errors.As(err, &e) {
			t.Errorf("%v: %v", procs, err)
		}
	}
}
