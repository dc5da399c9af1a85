package channels_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/deadlock"
	"leeway/objective/lowerbound"
	"leeway/results/answers"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/results/resultstest"
)

func judge(t *testing.T, d answers.Deadlock) check.Verdict {
	t.Helper()
	return documents.Document(t.Context(), coretest.Must(layout.Encode(d)), "", check.Options{})
}

// TestAnswersAreVerified: what the graph of dependencies says is valid, on every kind of network and routing, and no
// longer is with two channels exchanged, one left out, another link in the cycle, or messages that are not sent.
func TestAnswersAreVerified(t *testing.T) {
	forged := map[string]int{}
	for i := range coretest.Cases(400, 80) {
		rng := coretest.Rng(382, i)
		torus := coretest.AnyNetwork(rng, 16)
		if i%7 == 1 {
			torus = coretest.Given(rng, 9)
		}
		r := coretest.Routing(rng, torus)
		if i%4 == 0 && torus.HasDimensions() {
			r = coretest.Table(rng, torus, !torus.Closed() || i%8 == 0)
		}
		s := family.Draw(torus, rng.IntN(torus.N()+1), rng)
		q := objective.Problem{Routing: r, Size: s.Size()}
		if i%5 == 0 && !r.DependsOnPlacement() {
			q = coretest.Must(q.WithTraffic(objective.Traffic{Request: 1, Reply: 1}))
		}
		what := coretest.Instance{Torus: torus, Routing: r, Placement: s}.String()
		g := coretest.Must(deadlock.New(t.Context(), q, s))
		d := compose.NewDeadlock(q, s, g, coretest.Must(g.Virtual(t.Context())), nil)
		if v := judge(t, d); v.Verdict != check.Valid || v.ProofVerdict != check.Verified {
			t.Fatalf("%s: %s, %v", what, v.Verdict, v.Reasons)
		}
		refused := func(name, reason string, d answers.Deadlock) {
			t.Helper()
			v := judge(t, d)
			if v.Verdict != check.Wrong || !strings.Contains(strings.Join(v.Reasons, ";"), reason) {
				t.Fatalf("%s, %s: %s, %v", what, name, v.Verdict, v.Reasons)
			}
			forged[name]++
		}
		other := d
		if d.DeadlockFree {
			if len(d.ChannelOrder) == 0 {
				continue
			}
			other.ChannelOrder = slices.Clone(d.ChannelOrder)[1:]
			refused("a link left out", "does not go by channel_order", other)
			other.ChannelOrder = append(slices.Clone(d.ChannelOrder), d.ChannelOrder[0])
			refused("a link twice", "stands twice", other)
			continue
		}
		other.DeadlockFree, other.Cycle, other.VirtualOrder, other.VirtualChannels = true, nil, nil, 1
		for _, w := range d.Cycle {
			other.ChannelOrder = append(other.ChannelOrder, w.Name)
		}
		refused("called free", "does not go by channel_order", other)
		other = d
		other.Cycle = d.Cycle[1:]
		refused("a cycle that is open", "dependency", other)
		other = d
		other.VirtualOrder = slices.Clone(d.VirtualOrder)
		slices.Reverse(other.VirtualOrder)
		refused("an order turned around", "does not go by virtual_order", other)
		other = d
		other.VirtualChannels = 1
		refused("fewer channels", "channel 1 of a link", other)
	}
	if len(forged) != 6 {
		t.Errorf("forgeries: %v", forged)
	}
}

// TestSearchedTables: of a table of single shortest paths E_max and a lower bound are judged, too.
func TestSearchedTables(t *testing.T) {
	d := searched(t, false)
	if v := judge(t, d); v.Verdict != check.Valid || len(v.Reasons) > 0 {
		t.Fatalf("%s, %v", v.Verdict, v.Reasons)
	}
	for reason, changes := range map[string]string{
		"max_load is 6":        `max_load="5"`,
		"rounded up":           `lower_bound="7"`,
		"bound is missing":     "bound=null",
		"lower_bound is above": `lower_bound="7"; bound={"name":"","value":"7","witness":{}}`,
		"more than 0":          "channels=0",
		"bound: ":              "-bound.witness.set.2",
	} {
		if v := judge(t, resultstest.Changed(d, changes)); v.Verdict != check.Wrong ||
			!strings.Contains(strings.Join(v.Reasons, ";"), reason) {
			t.Errorf("%s: %s, %v", reason, v.Verdict, v.Reasons)
		}
	}
	if v := judge(t, searched(t, true)); !strings.Contains(strings.Join(v.Reasons, ";"), "not a single shortest path") {
		t.Errorf("a path around: %s, %v", v.Verdict, v.Reasons)
	}
}

// searched returns the answer about dimension order on a mesh of 3 x 3 as a table, of which one message may go around a
// square.
func searched(t *testing.T, around bool) answers.Deadlock {
	torus, order := coretest.Parse("3x3:open=0,1", "odr")
	s := coretest.Must(family.Parse(torus, "full"))
	var entries []routing.WeightedEntry
	for from, to := range s.Pairs() {
		for path := range order.Paths(from, to, s.Set()) {
			nodes := []int{from}
			for _, l := range path {
				_, end := torus.LinkEnds(l)
				nodes = append(nodes, end)
			}
			if around && from == 0 && to == 3 {
				nodes = []int{0, 1, 4, 3}
			}
			entries = append(entries, routing.WeightedEntry{From: from, To: to,
				Paths: []routing.WeightedPath{{Nodes: nodes, Share: big.NewRat(1, 1)}}})
		}
	}
	q := objective.Problem{Routing: coretest.Must(routing.NewWeighted(torus, entries)), Size: 9}
	g := coretest.Must(deadlock.New(t.Context(), q, s))
	d := compose.NewDeadlock(q, s, g, coretest.Must(g.Virtual(t.Context())), nil)
	// 3 nodes of a row send 6 others over 3 links.
	var set [][]int
	for b := range 3 {
		set = append(set, []int{0, b})
	}
	d.Channelled = answers.Channelled{Channels: 1, MaxLoad: "6", LowerBound: "6", BoundReason: "slab",
		Bound: &answers.Bound{Name: "separator", Value: "6", Witness: lowerbound.Witness{Set: set, Links: 3}}}
	return d
}
