package findings

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/lattices"
	"leeway/objective"
	"leeway/objective/exchange"
	timing "leeway/objective/exchange/steps"
	"leeway/results/atlas"
	checking "leeway/results/check/exchange"
	"leeway/results/check/meter"
	"leeway/results/schedules"
)

// TestExchanges: every network is there once, none has fewer steps than the mean distance makes links carry, and the
// program finds what is shipped for some of them.
func TestExchanges(t *testing.T) {
	coretest.Alone(t)
	list := coretest.Must(readExchanges())
	count := map[[2]int]int{}
	seen := map[string]bool{}
	rng := rand.New(rand.NewPCG(36, 36))
	for _, e := range list {
		n := e.network.N()
		count[[2]int{e.network.D(), n}]++
		if seen[e.network.String()] {
			t.Errorf("%v is listed twice", e.network)
		}
		seen[e.network.String()] = true
		total := 0
		for v := range n {
			total += e.network.LeeDistance(0, v)
		}
		if e.fewest < e.lowerBound || e.lowerBound*e.network.Degree() < total {
			t.Errorf("%v: %d steps, bound %d, mean %d/%d", e.network, e.fewest, e.lowerBound, total, e.network.Degree())
		}
		own := 0 // nodes that are their own opposites
		for v := range n {
			if e.network.Sum(v, v) == 0 {
				own++
			}
		}
		if e.invariant > 0 && (e.invariant <= e.lowerBound || own != 2) {
			t.Errorf("%v: %d steps, bound %d, %d the same at every node, %d nodes of order 1 and 2", e.network, e.fewest,
				e.lowerBound, e.invariant, own)
		}
		if n <= 20 && e.fewest == e.lowerBound && rng.IntN(8) == 0 {
			n := coretest.Must(timing.NewNetwork(e.network, exchange.AllPort))
			p := coretest.Must(timing.AllPort(context.Background(), n, objective.Traffic{},
				core.MustPlacement(e.network, core.Range(e.network.N())), nil))
			if p.Steps != e.fewest || p.Bounds[0].Steps != e.lowerBound {
				t.Errorf("%v: %d steps, bound %d, shipped %d and %d", e.network, p.Steps, p.Bounds[0].Steps, e.fewest,
					e.lowerBound)
			}
		}
	}
	for size, have := range count {
		if want := len(coretest.Must(lattices.List(size[1], size[0]))); have != want {
			t.Errorf("%d nodes, %d dimensions: %d networks, want %d", size[1], size[0], have, want)
		}
	}
}

// TestPlacementExchanges: every schedule is of the placement of a proved cell and a complete exchange among its
// processors in the steps that the table says, every block takes one of the paths of the routing, and the links carry
// in all what the bounds say at least.
func TestPlacementExchanges(t *testing.T) {
	used := 0
	view := coretest.Must(atlas.Shipped())
	for _, sides := range []string{"4x4", "5x5", "6x6", "7x7", "8x8"} {
		cells, _ := view.Cells(atlas.Filter{Torus: sides})
		for _, c := range cells {
			d, _, err := view.Detail(c.Key())
			if err != nil {
				t.Fatal(err)
			}
			e, ok := ExchangeOf(d.Record.ClaimSHA256)
			if !ok {
				continue
			}
			used++
			network := coretest.Must(d.ReadGrid())
			placement := coretest.Must(core.PlacementFromCoords(network, d.Record.Nodes))
			head, phases, paths := unfold(t, network, placement, e)
			ctx := context.Background()
			v := checking.Follow(head, schedules.WithContext(ctx, slices.Values(phases)), meter.Unlimited(ctx))
			if v.Verdict != "valid" || len(phases) != e.Steps || e.Bound > e.Steps ||
				e.Any > e.Steps || e.AnyBound > e.Any || c.Status != atlas.Optimal {
				t.Errorf("%v: %+v, shipped %+v", c.Key(), v, e)
			}
			r := coretest.Must(d.Record.ReadRouting(network))
			for b, taken := range paths {
				found := false
				for path := range r.Paths(int(b.From), int(b.To), placement.Set()) {
					found = found || slices.Equal(path, taken)
				}
				if !found {
					t.Errorf("%v: %v takes a path which the routing does not have", c.Key(), b)
				}
			}
		}
	}
	if used != len(placementExchanges()) {
		t.Errorf("%d of %d exchanges are of a cell: make exchanges", used, len(placementExchanges()))
	}
}

// unfold returns a schedule from its moves, with the links that each block takes.
func unfold(t *testing.T, n *core.Torus, p core.Placement, e Exchange) (exchange.Head, []exchange.Phase,
	map[exchange.Block][]core.Link) {
	head := exchange.Head{Model: exchange.AllPort, Axes: exchange.Axes(n), Participants: p.Nodes()}
	phases := make([]exchange.Phase, e.Steps)
	paths := map[exchange.Block][]core.Link{}
	moves := e.Moves
	for _, from := range p.Nodes() {
		for _, to := range p.Nodes() {
			b := exchange.NewBlock(from, to)
			for at, step := from, 0; at != to; step++ {
				wait := 0
				for ; moves[0] <= '9'; moves = moves[1:] {
					wait = 10*wait + int(moves[0]-'0')
				}
				step += wait
				axis, dir := int(moves[0]-'a')/2, core.Plus
				if moves[0] == 'b' || moves[0] == 'd' {
					dir = core.Minus
				}
				moves = moves[1:]
				next := n.Shift(at, axis, int(dir))
				phases[step] = append(phases[step], exchange.Send{From: int32(at), To: int32(next), Axis: axis, Dir: dir,
					Blocks: []exchange.Block{b}})
				paths[b] = append(paths[b], n.Link(at, axis, dir))
				at = next
			}
		}
	}
	if moves != "" {
		t.Errorf("moves after all have arrived: %s", moves)
	}
	return head, phases, paths
}
