package work

import (
	"bytes"
	"errors"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results/check/kernel"
	"leeway/search/orderly"
)

// TestStreamsOfOrderly has the kernel read what the engine writes about random questions: a stream that it accepts
// exactly where no placement, of all that are listed, is below the value.
func TestStreamsOfOrderly(t *testing.T) {
	for i := range coretest.Cases(600, 100) {
		r := coretest.Rng(11, i)
		network := coretest.AnyNetwork(r, 12)
		p, err := objective.NewProblem(coretest.Routing(r, network), 1+r.IntN(network.N()))
		if r.IntN(3) == 0 && err == nil {
			nodes := r.Perm(network.N())
			p, err = p.WithNodes(nodes[:r.IntN(2)], nodes[1:1+r.IntN(min(3, network.N()))])
		}
		if err != nil || p.Routing.DependsOnPlacement() || (orderly.Engine{}).Supports(p) != nil {
			continue
		}
		least := leastOf(p)
		if least == nil {
			continue
		}
		below := new(big.Rat).Set(least)
		if r.IntN(3) == 0 {
			below.Add(below, big.NewRat(1, 100))
		}
		var out bytes.Buffer
		_, err = orderly.Refute(t.Context(), p, below, steps.NewWriter(&out, 1+network.N()))
		found := (*orderly.PlacementError)(nil)
		if answered := errors.As(err, &found); answered != (below.Cmp(least) > 0) || !answered && err != nil {
			t.Fatalf("case %d: %s below %s, the least is %s: %v", i, p, below, least, err)
		}
		if found != nil {
			if value, _ := p.Naive(found.Placement).Max(); value.Cmp(below) >= 0 || !p.Admits(found.Placement) {
				t.Fatalf("case %d: %s below %s: found %v with %s", i, p, below, found.Placement.Nodes(), value)
			}
			continue
		}
		q := kernel.Question{Routing: p.Routing, Size: p.Size, Limit: below, Fixed: p.Fixed.Nodes(),
			Forbidden: p.Forbidden.Nodes()}
		stream := out.Bytes()
		if _, err := kernel.Check(q, bytes.NewReader(stream), false, func(int64) error { return nil }); err != nil {
			t.Fatalf("case %d: %s below %s: %v", i, p, below, err)
		}
		q.AtMost = true // this has an answer
		if _, err := kernel.Check(q, bytes.NewReader(stream), false, func(int64) error { return nil }); err == nil {
			t.Fatalf("case %d: %s at most %s: accepted", i, p, below)
		}
	}
}

// leastOf returns the smallest E_max of all placements that a problem admits, by the definition, nil without any.
func leastOf(p objective.Problem) (least *big.Rat) {
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
		s := core.MustPlacement(p.Torus(), nodes)
		if !p.Admits(s) || routing.Covers(p.Routing, s) != nil {
			continue
		}
		if value, _ := p.Naive(s).Max(); least == nil || value.Cmp(least) < 0 {
			least = value
		}
	}
	return least
}
