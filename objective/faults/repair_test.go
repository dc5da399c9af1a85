package faults_test

import (
	"fmt"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/congestion"
	"leeway/objective/faults"
)

// TestRepairedRing: a ring of k nodes without an edge is a path, whose middle edge half of the nodes send over to the
// other half.
func TestRepairedRing(t *testing.T) {
	for k := 3; k < 9; k++ {
		p := coretest.Must(family.Parse(core.MustTorus(k), "full"))
		list := coretest.Must(faults.Repairs(t.Context(), p, objective.Traffic{}, congestion.DefaultOptions()))
		want := big.NewRat(int64(k/2*(k-k/2)), 1)
		if len(list) != 1 || list[0].Alike != k || list[0].Upper.Cmp(want) != 0 || list[0].Lower.Cmp(want) != 0 {
			t.Errorf("ring of %d: %+v", k, list)
		}
	}
}

// TestRepairsOfAlikeEdges: every edge of a network is in one class, and has the value of that class. The weights bound
// what the shortest paths that are left carry, each listed.
func TestRepairsOfAlikeEdges(t *testing.T) {
	apart := 0
	for i := range coretest.Cases(60, 15) {
		rng := coretest.Rng(391, i)
		network := coretest.AnyNetwork(rng, 9)
		if i%3 == 0 {
			network = coretest.Given(rng, 7)
		}
		p := family.Draw(network, min(network.N(), 2+rng.IntN(4)), rng)
		list := coretest.Must(faults.Repairs(t.Context(), p, objective.Traffic{}, congestion.DefaultOptions()))
		values, sum := map[string]int{}, 0
		for _, r := range list {
			sum += r.Alike
			if r.Left == nil {
				values["apart"] += r.Alike
				apart++
				continue
			}
			values[fmt.Sprint(r.Lower, r.Upper)] += r.Alike
			if have := weighed(r, p.Nodes()); have.Cmp(r.Lower) != 0 || !r.Optimal {
				t.Fatalf("%s, %v: weights give %s, not %s, up to %s", network, p.Nodes(), have, r.Lower, r.Upper)
			}
		}
		if edges := len(network.Edges()); sum != edges {
			t.Fatalf("%s, %v: %d of %d edges", network, p.Nodes(), sum, edges)
		}
		for cut := range network.Edges() {
			edges := network.Edges()
			edges = append(edges[:cut], edges[cut+1:]...)
			left, err := core.NewGiven(network.N(), nil, edges)
			if err != nil {
				values["apart"]--
				continue
			}
			s := coretest.Must(congestion.Solve(t.Context(), core.MustPlacement(left, p.Nodes()), congestion.DefaultOptions()))
			values[fmt.Sprint(s.Lower, s.Upper)]--
		}
		for value, count := range values {
			if count != 0 {
				t.Fatalf("%s, %v: %d edges too many with %s", network, p.Nodes(), count, value)
			}
		}
	}
	if apart == 0 {
		t.Error("no network fell apart")
	}
}

// weighed returns what the weights of a repair show, from lists of all shortest paths.
func weighed(r faults.Repair, nodes []int) *big.Rat {
	t, sum, total := r.Left, int64(0), int64(0)
	var cheapest func(v, to int) int64
	cheapest = func(v, to int) int64 {
		best := int64(-1)
		for l := range core.Link(t.M()) {
			from, end := t.LinkEnds(l)
			if v == to || !t.HasLink(l) || from != v || t.LeeDistance(end, to) >= t.LeeDistance(v, to) {
				continue
			}
			if cost := r.Weights[l] + cheapest(end, to); best < 0 || cost < best {
				best = cost
			}
		}
		return max(best, 0)
	}
	for _, u := range nodes {
		for _, v := range nodes {
			sum += cheapest(u, v)
		}
	}
	for l, w := range r.Weights {
		if t.HasLink(core.Link(l)) {
			total += w * int64(t.LinkBandwidth(core.Link(l)))
		}
	}
	return big.NewRat(sum, total)
}
