package channels_test

import (
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/deadlock"
	"leeway/search/channels"
)

func search(t *testing.T, p channels.Params) channels.Result {
	t.Helper()
	p.Goal, p.Seed = new(big.Rat), 1
	p.Observe = func(*big.Rat, int64) {}
	r, err := channels.Search(t.Context(), p)
	if err != nil && p.Channels > 1 {
		t.Fatal(err)
	}
	return r
}

// TestTablesAreWhatTheySay: on every kind of network, with any start, every pair has one shortest path, along which
// channels come later and later in the order, of the numbers that there are; the value is that of the definition.
func TestTablesAreWhatTheySay(t *testing.T) {
	found := 0
	for i := range coretest.Cases(100, 25) {
		rng := coretest.Rng(392, i)
		network := coretest.AnyNetwork(rng, 12)
		if i%3 == 0 {
			network = coretest.Given(rng, 8)
		}
		s := family.Draw(network, 1+rng.IntN(min(6, network.N())), rng)
		p := channels.Params{Placement: s, Channels: 1 + rng.IntN(3), Evaluations: 300}
		if i%2 == 0 && network.HasDimensions() {
			p.Start = coretest.Must(routing.NewODR(network, nil, routing.TiePlus))
		}
		if i%5 == 0 {
			p.Traffic = objective.Traffic{Request: 2, Reply: 1}
		}
		if parallel(network) {
			continue
		}
		r := search(t, p)
		if r.Table == nil {
			continue
		}
		found++
		q := objective.Problem{Routing: r.Table, Size: s.Size(), Terms: objective.Terms{Traffic: p.Traffic}}
		if value, _ := q.Naive(s).Max(); value.Cmp(r.Value) != 0 {
			t.Fatalf("%s, %v: E_max %s, claimed %s", network, s.Nodes(), value, r.Value)
		}
		if deadlock.Numbers(r.Order) > p.Channels {
			t.Fatalf("%s, %v: more than %d channels", network, s.Nodes(), p.Channels)
		}
		for m := range q.Messages(s) {
			paths := 0
			for path := range r.Table.Paths(m.From, m.To, s.Set()) {
				at := -1
				for _, l := range path {
					next := slices.IndexFunc(r.Order[at+1:], func(c deadlock.Channel) bool { return c.Link == l })
					if next < 0 {
						t.Fatalf("%s, %v: path %v does not go by the order", network, s.Nodes(), path)
					}
					at += 1 + next
				}
				if paths++; len(path) != network.LeeDistance(m.From, m.To) {
					t.Fatalf("%s, %v: path %v is not a shortest one", network, s.Nodes(), path)
				}
			}
			if paths != 1 {
				t.Fatalf("%s, %v: %d paths", network, s.Nodes(), paths)
			}
		}
	}
	if found == 0 {
		t.Error("no table was found")
	}
}

// parallel reports whether two links join the same nodes.
func parallel(t *core.Network) bool {
	seen := map[[2]int]bool{}
	for l := range core.Link(t.M()) {
		from, to := t.LinkEnds(l)
		if t.HasLink(l) && seen[[2]int{from, to}] {
			return true
		}
		seen[[2]int{from, to}] = true
	}
	return false
}

// TestAgainstAllTables: with one channel no table of all that there are, each tried, has less than what is found, and
// where some are free of deadlock one is found.
func TestAgainstAllTables(t *testing.T) {
	tried, met, none := 0, 0, 0
	for i := range coretest.Cases(300, 80) {
		rng := coretest.Rng(393, i)
		network := coretest.AnyNetwork(rng, 10)
		s := family.Draw(network, 2+rng.IntN(min(4, network.N()-1)), rng)
		all := routing.NewMinimal(network, routing.TieBoth)
		var lists [][][]core.Link
		tables := 1
		for from, to := range s.Pairs() {
			var list [][]core.Link
			for path := range all.Paths(from, to, s.Set()) {
				list = append(list, slices.Clone(path))
			}
			lists, tables = append(lists, list), min(tables*len(list), 1<<20)
		}
		if tables > 3000 || parallel(network) {
			continue
		}
		tried++
		best := big.NewRat(-1, 1)
		for k := range tables {
			follows, loads := map[[2]core.Link]bool{}, make([]int64, network.M())
			for _, list := range lists {
				path := list[k%len(list)]
				k /= len(list)
				for j, l := range path {
					if loads[l] += int64(network.LinkScale(l)); j > 0 {
						follows[[2]core.Link{path[j-1], l}] = true
					}
				}
			}
			value := big.NewRat(slices.Max(loads), int64(network.CommonBandwidth()))
			if acyclic(follows) && (best.Sign() < 0 || value.Cmp(best) < 0) {
				best = value
			}
		}
		r := search(t, channels.Params{Placement: s, Channels: 1, Evaluations: 2000})
		switch {
		case r.Table == nil && best.Sign() < 0:
			none++
		case r.Table == nil || best.Sign() < 0 || r.Value.Cmp(best) < 0:
			t.Fatalf("%s, %v: found %v, the best of all tables is %s", network, s.Nodes(), r.Value, best)
		case r.Value.Cmp(best) == 0:
			met++
		}
	}
	if tried == 0 || met+none < tried-tried/20 {
		t.Errorf("of %d the best is found for %d, and for %d there is none", tried, met, none)
	}
}

// acyclic takes links away that nothing follows, as long as there are any.
func acyclic(follows map[[2]core.Link]bool) bool {
	for {
		before := len(follows)
		for edge := range follows {
			leads := false
			for other := range follows {
				leads = leads || other[0] == edge[1]
			}
			if !leads {
				delete(follows, edge)
			}
		}
		switch len(follows) {
		case 0:
			return true
		case before:
			return false
		}
	}
}

// TestKnownTables: a mesh has dimension order with one channel. On a ring of 5 every pair has one shortest path, and
// every two links in sequence are such a path, so that one channel is not enough for any table; on one of 4 paths of 2
// links have a choice, and go both ways around from each of two neighbours.
func TestKnownTables(t *testing.T) {
	for _, c := range []struct {
		network  string
		channels int
		value    string
	}{{"4x4:open=0,1", 1, "16"}, {"4", 1, "2"}, {"5", 2, "3"}, {"4x4", 2, "8"}, {"5x5", 2, "15"}} {
		network := coretest.Must(core.ParseNetwork(c.network))
		r := search(t, channels.Params{Placement: coretest.Must(family.Parse(network, "full")), Channels: c.channels,
			Evaluations: 20000, Start: coretest.Must(routing.NewODR(network, nil, routing.TiePlus))})
		if r.Table == nil || r.Value.RatString() != c.value {
			t.Errorf("%s with %d: %v, want %s", c.network, c.channels, r.Value, c.value)
		}
	}
	ring := coretest.Must(family.Parse(core.MustTorus(5), "full"))
	p := channels.Params{Placement: ring, Channels: 1, Goal: new(big.Rat)}
	if _, err := channels.Search(t.Context(), p); err == nil {
		t.Error("a ring of 5 has a table with one channel")
	}
}
