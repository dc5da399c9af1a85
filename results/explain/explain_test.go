package explain_test

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/congestion"
	"leeway/results"
	"leeway/results/explain"
)

// The pairs on the busiest link are those whose listed paths use it, and their shares add up to its load.
func TestBusiestLink(t *testing.T) {
	for i := range 200 {
		rng := coretest.Rng(15, i)
		c := coretest.Random(rng, 30)
		if i%2 == 0 {
			c = coretest.RandomOn(rng, coretest.Network(rng, 30))
		}
		e, err := explain.Parts(context.Background(), c.Placement, congestion.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		best := explain.Known{MaxLoad: "1/4", LowerBound: "0", Source: "atlas"}
		if err := e.SetUnder(context.Background(), c.Routing, c.Placement, &best); err != nil {
			t.Fatal(err)
		}
		checkBusiest(t, c.Routing, c.Placement, *e.Under)
	}
}

func checkBusiest(t *testing.T, r routing.Routing, p core.Placement, u explain.Under) {
	t.Helper()
	torus, b := p.Torus(), u.Busiest
	dir := core.Plus
	if b.Dir == "-" {
		dir = core.Minus
	}
	from, _ := torus.Node(b.From...)
	link := torus.Link(from, b.Dim, dir)
	naive := objective.Naive(r, p)
	most, _ := naive.Max()
	if naive.At(link).Cmp(most) != 0 || u.MaxLoad != most.RatString() {
		t.Fatalf("%v %v: link %v has load %v, E_max is %v", r, p.Coords(), b, naive.At(link), most)
	}
	listed := map[[2]int]bool{}
	for _, v := range p.Nodes() {
		for _, w := range p.Nodes() {
			if v == w {
				continue
			}
			for path := range r.Paths(v, w, p.Set()) {
				if slices.Contains(path, link) {
					listed[[2]int{v, w}] = true
				}
			}
		}
	}
	sum := new(big.Rat)
	for _, pair := range b.Pairs {
		share, err := results.ParseFraction(pair.Share)
		if err != nil {
			t.Fatal(err)
		}
		sum.Add(sum, share)
		v, _ := torus.Node(pair.From...)
		w, _ := torus.Node(pair.To...)
		if !listed[[2]int{v, w}] {
			t.Errorf("%v %v: no path of %v uses link %v", r, p.Coords(), pair, b)
		}
		delete(listed, [2]int{v, w})
	}
	if sum.Cmp(most) != 0 || len(listed) > 0 {
		t.Errorf("%v %v: shares of %v add up to %v, E_max is %v", r, p.Coords(), b, sum, most)
	}
	lost := new(big.Rat).Sub(most, big.NewRat(1, 4))
	if lost.Sign() < 0 {
		lost.SetInt64(0)
	}
	if *u.LostToPlacement != lost.RatString() {
		t.Errorf("%s is lost to the placement, want %v", *u.LostToPlacement, lost)
	}
}
