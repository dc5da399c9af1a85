package rounds_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/rounds"
)

// TestRoundsAgainstListing draws the same receivers and adds up listed paths.
func TestRoundsAgainstListing(t *testing.T) {
	for i := range coretest.Cases(400, 60) {
		rng := coretest.Rng(380, i)
		torus := coretest.AnyNetwork(rng, 14)
		if i%7 == 1 {
			torus = coretest.Given(rng, 9)
		}
		r := coretest.Routing(rng, torus)
		s := family.Draw(torus, 2+rng.IntN(torus.N()-1), rng)
		if r.DependsOnPlacement() {
			continue
		}
		q := objective.Problem{Routing: r, Size: s.Size()}
		if i%2 == 0 {
			q = coretest.Must(q.WithTraffic(objective.Traffic{Request: rng.IntN(3), Reply: 1 + rng.IntN(3)}))
		}
		const count = 7
		got := coretest.Must(rounds.Draw(t.Context(), q, s, count, uint64(i)))
		draws := rand.New(rand.NewPCG(uint64(i), 0))
		var want []*big.Rat
		for range count {
			loads := make([]*big.Rat, torus.M())
			senders := s.Nodes()
			if q.Traffic.Clients() {
				senders = core.Range(torus.N())
			}
			for _, from := range senders {
				to := s.Nodes()[draws.IntN(s.Size())]
				if to == from {
					continue
				}
				if !q.Traffic.Clients() {
					send(loads, r, from, to, 1)
				} else {
					send(loads, r, from, to, int64(q.Traffic.Request))
					send(loads, r, to, from, int64(q.Traffic.Reply))
				}
			}
			most := new(big.Rat)
			for _, load := range loads {
				if load != nil && load.Cmp(most) > 0 {
					most = load
				}
			}
			want = append(want, most)
		}
		slices.SortFunc(want, (*big.Rat).Cmp)
		if !slices.EqualFunc(got.Max, want, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }) {
			t.Fatalf("%s, nodes %v: %v, want %v", q, s.Nodes(), got.Max, want)
		}
		mean := new(big.Rat)
		for _, v := range want {
			mean.Add(mean, new(big.Rat).Quo(v, big.NewRat(count, 1)))
		}
		if got.Mean.Cmp(mean) != 0 || got.Percentile(50).Cmp(want[3]) != 0 || got.Percentile(99).Cmp(want[6]) != 0 ||
			got.Percentile(1).Cmp(want[0]) != 0 {
			t.Fatalf("%s: mean %v, want %v", q, got.Mean, mean)
		}
	}
}

// send adds what some messages put on links, path by path.
func send(loads []*big.Rat, r routing.Routing, from, to int, messages int64) {
	t, total := r.Torus(), int64(0)
	for _, weight := range r.Paths(from, to, nil) {
		total += weight
	}
	for path, weight := range r.Paths(from, to, nil) {
		for _, l := range path {
			if loads[l] == nil {
				loads[l] = new(big.Rat)
			}
			loads[l].Add(loads[l], big.NewRat(messages*weight, total*int64(t.LinkBandwidth(l))))
		}
	}
}

// TestMemoryControllers: the means of Abts et al. (ISCA 2009) for 16 controllers on the mesh 8x8 under XY.
func TestMemoryControllers(t *testing.T) {
	mesh := coretest.Must(core.ParseNetwork("8x8:open=0,1"))
	for placement, want := range map[string]string{"rows:at=0,7": "13.50", "x": "8.93", "diamond": "8.90"} {
		s := coretest.Must(family.Parse(mesh, placement))
		q := objective.Problem{Routing: coretest.Must(routing.Parse(mesh, "xy")), Size: s.Size()}
		q = coretest.Must(q.WithTraffic(objective.Traffic{Request: 1, Reply: 1}))
		got := coretest.Must(rounds.Draw(t.Context(), q, s, 10_000, 1))
		published, _ := new(big.Rat).SetString(want)
		if off := new(big.Rat).Sub(got.Mean, published); off.Abs(off).Cmp(big.NewRat(1, 10)) > 0 {
			t.Errorf("%s: %s, published %s", placement, got.Mean.FloatString(3), want)
		}
	}
}
