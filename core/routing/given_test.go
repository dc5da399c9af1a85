package routing_test

import (
	"fmt"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
)

// allShortest lists the shortest paths from p to q by their edges, from the text of a network alone: it tries all walks
// of 0, 1, 2, ... edges that visit no node twice.
func allShortest(edges []core.Edge, p, q int) (paths [][]int) {
	var extend func(path []int, node, left int, seen map[int]bool)
	extend = func(path []int, node, left int, seen map[int]bool) {
		if left == 0 {
			if node == q {
				paths = append(paths, append([]int(nil), path...))
			}
			return
		}
		for i, e := range edges {
			for _, ends := range [][2]int{{e.A, e.B}, {e.B, e.A}} {
				if next := ends[1]; ends[0] == node && !seen[next] {
					seen[next] = true
					extend(append(path, i), next, left-1, seen)
					delete(seen, next)
				}
			}
		}
	}
	for length := 0; paths == nil; length++ {
		extend(nil, p, length, map[int]bool{p: true})
	}
	return paths
}

// edgeKey names a link by its ends, its bandwidth, and which of the parallel ones like it it is.
func linkKeys(t *core.Network) map[core.Link]string {
	keys, seen := map[core.Link]string{}, map[string]int{}
	for l := range core.Link(t.M()) {
		if t.HasLink(l) {
			from, to := t.LinkEnds(l)
			text := fmt.Sprintf("%d>%d*%d", from, to, t.LinkBandwidth(l))
			keys[l] = fmt.Sprintf("%s#%d", text, seen[text])
			seen[text]++
		}
	}
	return keys
}

// TestGivenShares compares paths and shares of minimal on random networks with all shortest paths, counted by brute
// force.
func TestGivenShares(t *testing.T) {
	for i := range coretest.Cases(4000, 100) {
		network := coretest.Given(coretest.Rng(34, i), 7)
		r := routing.NewMinimal(network, routing.TieBoth)
		edges := network.Edges()
		for p := range network.N() {
			for q := range network.N() {
				if p == q {
					continue
				}
				paths := allShortest(edges, p, q)
				if network.LeeDistance(p, q) != len(paths[0]) {
					t.Fatalf("%s: distance of %d and %d is %d, a shortest path has %d links", network, p, q,
						network.LeeDistance(p, q), len(paths[0]))
				}
				listed := 0
				for range r.Paths(p, q, nil) {
					listed++
				}
				if listed != len(paths) {
					t.Fatalf("%s: %d paths from %d to %d, there are %d", network, listed, p, q, len(paths))
				}
				// Parallel edges of one bandwidth carry the same, so they are compared added up.
				want, got := map[string]*big.Rat{}, map[string]*big.Rat{}
				add := func(sums map[string]*big.Rat, from, to, bandwidth int, share *big.Rat) {
					key := fmt.Sprintf("%d>%d*%d", from, to, bandwidth)
					if sums[key] == nil {
						sums[key] = new(big.Rat)
					}
					sums[key].Add(sums[key], share)
				}
				for _, path := range paths {
					node := p
					for _, e := range path {
						next := edges[e].A + edges[e].B - node
						add(want, node, next, edges[e].Bandwidth, big.NewRat(1, int64(len(paths))))
						node = next
					}
				}
				flow := r.Flow(p, q, nil)
				for _, s := range flow.Shares {
					from, to := network.LinkEnds(s.Link)
					add(got, from, to, network.LinkBandwidth(s.Link), new(big.Rat).SetFrac(s.Num, flow.Den))
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("%s: from %d to %d shares are %v, the paths give %v", network, p, q, got, want)
				}
			}
		}
	}
}

// TestManyPaths asks for the shares of pairs with 2^1 to 2^80 shortest paths, over edges that are all double.
func TestManyPaths(t *testing.T) {
	var edges []core.Edge
	for v := range 80 {
		edges = append(edges, core.Edge{A: v, B: v + 1, Bandwidth: 1}, core.Edge{A: v, B: v + 1, Bandwidth: 1})
	}
	r := routing.NewMinimal(coretest.Must(core.NewGiven(81, nil, edges)), routing.TieBoth)
	for q := 1; q <= 80; q++ {
		flow := r.Flow(0, q, nil)
		if want := new(big.Int).Lsh(big.NewInt(1), uint(q)); flow.Den.Cmp(want) != 0 || len(flow.Shares) != 2*q {
			t.Fatalf("%d paths over %d links, want %d over %d", flow.Den, len(flow.Shares), want, 2*q)
		}
		for _, s := range flow.Shares {
			if share := new(big.Rat).SetFrac(s.Num, flow.Den); share.Cmp(big.NewRat(1, 2)) != 0 {
				t.Fatalf("a link has %v", share)
			}
		}
	}
	if r.Denominator() != nil {
		t.Error("there is a denominator of use")
	}
}

// TestGivenConforms holds minimal on random networks to the promises of a routing.
func TestGivenConforms(t *testing.T) {
	for i := range coretest.Cases(800, 40) {
		rng := coretest.Rng(35, i)
		network := coretest.Given(rng, 9)
		conform(t, routing.NewMinimal(network, routing.TieBoth), coretest.Placement(rng, network).Set())
	}
}

// TestTorusAsList compares what minimal puts on links of a torus, a mesh or a twisted torus with what it puts on those
// of the same network as a list of links. Parallel links carry the same.
func TestTorusAsList(t *testing.T) {
	for i := range coretest.Cases(800, 40) {
		torus := coretest.AnyNetwork(coretest.Rng(36, i), 24)
		listed := coretest.Listed(torus)
		there, here := routing.NewMinimal(torus, routing.TieBoth), routing.NewMinimal(listed, routing.TieBoth)
		theirs, ours := linkKeys(torus), linkKeys(listed)
		if len(theirs) != len(ours) || torus.Links() != listed.Links() || torus.Capacity() != listed.Capacity() {
			t.Fatalf("%s has %d links of capacity %d, as a list %d of %d", torus, torus.Links(), torus.Capacity(),
				listed.Links(), listed.Capacity())
		}
		for p := range torus.N() {
			for q := range torus.N() {
				if p == q {
					continue
				}
				a, b, shares := there.Flow(p, q, nil), here.Flow(p, q, nil), map[string]*big.Rat{}
				for _, s := range a.Shares {
					shares[theirs[s.Link]] = new(big.Rat).SetFrac(s.Num, a.Den)
				}
				if len(a.Shares) != len(b.Shares) {
					t.Fatalf("%s: from %d to %d there are %d links with a share, as a list %d", torus, p, q, len(a.Shares),
						len(b.Shares))
				}
				for _, s := range b.Shares {
					if want := shares[ours[s.Link]]; want == nil || want.Cmp(new(big.Rat).SetFrac(s.Num, b.Den)) != 0 {
						t.Fatalf("%s: from %d to %d link %s has %v, as a list %s/%s", torus, p, q, ours[s.Link], want, s.Num, b.Den)
					}
				}
			}
		}
	}
}

// TestGivenRoutings asks for routings that need dimensions.
func TestGivenRoutings(t *testing.T) {
	network := coretest.Must(core.ParseNetwork("3:links=0-1,1-2,0-2*4"))
	for _, text := range []string{"odr", "udr", "avoid", "orders:0", "xy", "minimal:tie=plus"} {
		if _, err := routing.Parse(network, text); err == nil {
			t.Errorf("%s is read on %s", text, network)
		}
	}
	for _, text := range []string{"minimal", "Minimal:tie=both"} {
		if r, err := routing.Parse(network, text); err != nil || r.String() != "minimal:tie=both" {
			t.Errorf("%s: %v, %v", text, r, err)
		}
	}
}
