package routing_test

import (
	"math/big"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
)

// TestWeighted holds random tables to what their entries say: what a link from u to v carries is the sum of the shares
// of the paths that go there, alike over parallel links.
func TestWeighted(t *testing.T) {
	for i := range coretest.Cases(800, 60) {
		rng := coretest.Rng(38, i)
		network := coretest.Any(rng, 8)
		entries := coretest.WeightedEntries(rng, network)
		r := coretest.Must(routing.NewWeighted(network, entries))
		conformPaths(t, r, nil)
		parallel := map[[2]int]int64{}
		for l := range core.Link(network.M()) {
			if from, to := network.LinkEnds(l); network.HasLink(l) {
				parallel[[2]int{from, to}]++
			}
		}
		shortest := true
		for _, e := range entries {
			want := map[[2]int]*big.Rat{}
			for _, p := range e.Paths {
				for j, v := range p.Nodes[1:] {
					key := [2]int{p.Nodes[j], v}
					if want[key] == nil {
						want[key] = new(big.Rat)
					}
					want[key].Add(want[key], new(big.Rat).Mul(p.Share, big.NewRat(1, parallel[key])))
				}
				shortest = shortest && len(p.Nodes)-1 == network.LeeDistance(e.From, e.To)
			}
			links := 0
			flow := r.Flow(e.From, e.To, nil)
			for _, s := range flow.Shares {
				from, to := network.LinkEnds(s.Link)
				if share := want[[2]int{from, to}]; share == nil || share.Cmp(new(big.Rat).SetFrac(s.Num, flow.Den)) != 0 {
					t.Fatalf("%s, %v: link from %d to %d has %s/%s, want %v", network, e, from, to, s.Num, flow.Den, share)
				}
				links++
			}
			for key := range want {
				links -= int(parallel[key])
			}
			if links != 0 {
				t.Fatalf("%s, %v: the flow misses or adds %d links", network, e, links)
			}
		}
		if r.Shortest() != shortest {
			t.Fatalf("%s: shortest is %v", network, r.Shortest())
		}
	}
}

// TestWeightedErrors makes tables that are wrong.
func TestWeightedErrors(t *testing.T) {
	network := coretest.Must(core.ParseNetwork("4:links=0-1,1-2,2-3,0-3:names=a+b+c+d"))
	type paths = []routing.WeightedPath
	type entries = []routing.WeightedEntry
	one, half := big.NewRat(1, 1), big.NewRat(1, 2)
	path := func(share *big.Rat, nodes ...int) routing.WeightedPath {
		return routing.WeightedPath{Nodes: nodes, Share: share}
	}
	right := routing.WeightedEntry{From: 0, To: 1, Paths: paths{path(one, 0, 1)}}
	for _, c := range []struct {
		want    string
		entries entries
	}{
		{"its ends are not two of the nodes", entries{{0, 4, nil}}},
		{"its ends are not two of the nodes", entries{{1, 1, nil}}},
		{"entry 2\": from a to b: the entry is repeated", entries{right, right}},
		{"the shares add up to 0", entries{{0, 1, nil}}},
		{"the shares add up to 1/2", entries{{0, 2, paths{path(half, 0, 1, 2)}}}},
		{"is repeated", entries{{0, 1, paths{path(half, 0, 1), path(half, 0, 1)}}}},
		{"does not lead from one end", entries{{0, 1, paths{path(one, 0, 3)}}}},
		{"does not lead from one end", entries{{0, 1, paths{path(one)}}}},
		{"goes from a to c, where there is no link", entries{{0, 2, paths{path(one, 0, 2)}}}},
		{"visits a node twice", entries{{0, 1, paths{path(one, 0, 3, 0, 1)}}}},
		{"visits a node twice or one", entries{{0, 1, paths{path(one, 0, 9, 1)}}}},
		{"not above 0", entries{{0, 1, paths{path(new(big.Rat), 0, 1)}}}},
		{"the common denominator", entries{{0, 2, paths{path(big.NewRat(1, 1<<32), 0, 1, 2),
			path(big.NewRat(1<<32-1, 1<<32), 0, 3, 2)}}}},
	} {
		if _, err := routing.NewWeighted(network, c.entries); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.entries, err, c.want)
		}
	}
	r := coretest.Must(routing.NewWeighted(network, entries{right}))
	if err := routing.Covers(r, core.MustPlacement(network, []int{0, 1})); err == nil ||
		!strings.Contains(err.Error(), "there is no entry from") {
		t.Errorf("a table of one pair covers two: %v", err)
	}
	if routing.Complete(r) == nil || !routing.ByPair(r) || !routing.Tabled(r) {
		t.Error("a table of one pair is complete, or none by pair")
	}
}
