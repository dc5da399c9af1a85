package findings

import (
	"context"
	"math/rand/v2"
	"testing"

	"leeway/core/coretest"
	"leeway/core/lattices"
	"leeway/objective/exchange"
	timing "leeway/objective/exchange/steps"
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
		if (e.fewest > e.lowerBound) != (e.invariant > e.lowerBound) || e.invariant > 0 && own != 2 {
			t.Errorf("%v: %d steps, bound %d, %d the same at every node, %d nodes of order 1 and 2", e.network, e.fewest,
				e.lowerBound, e.invariant, own)
		}
		if n <= 20 && e.fewest == e.lowerBound && rng.IntN(8) == 0 {
			n := coretest.Must(timing.On(e.network, exchange.AllPort))
			p := coretest.Must(timing.AllPort(context.Background(), n, nil, nil))
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
