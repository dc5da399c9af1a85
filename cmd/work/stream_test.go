package work

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results/check"
	"leeway/search/cuts"
	"leeway/search/learn"
	"leeway/search/orderly"
	"leeway/search/refuters"
	"leeway/search/searchtest"
	"leeway/search/slabs"
)

// TestRefuters has the kernel read what each engine writes about random questions: steps that it accepts exactly where
// no placement, of all that are listed, is below the value.
func TestRefuters(t *testing.T) {
	coretest.Alone(t)
	proved := map[string]int{}
	for i := range coretest.Cases(1000, 200) {
		r := coretest.Rng(11, i)
		p := searchtest.Conditioned(r, 12)
		if i%4 == 0 {
			p = searchtest.Clients(r, 12)
		}
		least := leastOf(p)
		if least == nil {
			continue
		}
		below := new(big.Rat).Set(least)
		if r.IntN(3) == 0 {
			below.Add(below, big.NewRat(1, 100))
		}
		list, _ := refuters.Supporting(p)
		for _, engine := range list {
			var out bytes.Buffer
			err := engine.Write(t.Context(), p, below, false, steps.Cut{}, &out)
			if errors.Is(err, cuts.ErrOpen) || errors.Is(err, slabs.ErrOpen) {
				continue
			}
			if answered := err != nil; answered != (below.Cmp(least) > 0) {
				t.Fatalf("case %d: %s of %s below %s, the least is %s: %v", i, engine.Name, p, below, least, err)
			}
			found := (*orderly.PlacementError)(nil)
			if errors.As(err, &found) {
				if value, _ := p.Naive(found.Placement).Max(); value.Cmp(below) >= 0 || !p.Admits(found.Placement) {
					t.Fatalf("case %d: %s below %s: found %v with %s", i, p, below, found.Placement.Nodes(), value)
				}
			}
			if err != nil {
				continue
			}
			proved[engine.Name]++
			follow := func(value *big.Rat, atMost bool) error {
				_, err := check.Follow(t.Context(), p, value, atMost, func(int64) error { return nil },
					func(_ context.Context, to io.Writer) error { _, err := to.Write(out.Bytes()); return err })
				return err
			}
			if err := follow(below, false); err != nil {
				t.Fatalf("case %d: %s of %s below %s: %v", i, engine.Name, p, below, err)
			}
			if err := follow(below, true); err == nil { // this has an answer
				t.Fatalf("case %d: %s of %s at most %s: accepted", i, engine.Name, p, below)
			}
		}
	}
	list, _ := refuters.Supporting(searchtest.Problem("3x3", "odr", 3))
	for _, engine := range list {
		want := 20
		if engine.Name == learn.Name { // few of the networks have two dimensions
			want = 4
		}
		if proved[engine.Name] < want {
			t.Errorf("%s proved only %d", engine.Name, proved[engine.Name])
		}
	}
}

// leastOf returns the smallest E_max of all placements that a problem admits, by the definition, nil without any.
func leastOf(p objective.Problem) (least *big.Rat) {
	eachPlacement(p, func(value *big.Rat) {
		if least == nil || value.Cmp(least) < 0 {
			least = value
		}
	})
	return least
}

// eachPlacement tells the E_max, by the definition, of all placements that a problem admits.
func eachPlacement(p objective.Problem, tell func(value *big.Rat)) {
	n := p.Torus().N()
	for mask := range 1 << n {
		var nodes []int
		for v := range n {
			if mask>>v&1 == 1 {
				nodes = append(nodes, v)
			}
		}
		if len(nodes) != p.Size {
			continue
		}
		if s := core.MustPlacement(p.Torus(), nodes); p.Admits(s) && routing.Covers(p.Routing, s) == nil {
			value, _ := p.Naive(s).Max()
			tell(value)
		}
	}
}
