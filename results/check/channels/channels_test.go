package channels_test

import (
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/deadlock"
	"leeway/results/answers"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/compose"
	"leeway/results/layout"
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
		virtual, channels, err := g.Virtual(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		d := compose.NewDeadlock(q, s, g, virtual, channels, 0)
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
			other.ChannelOrder = append(other.ChannelOrder, w.LinkName)
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
