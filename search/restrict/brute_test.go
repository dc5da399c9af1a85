package restrict_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/restrict"
	"leeway/search/searchtest"
)

// choices returns how many restrictions of a placement by pair there are, as a float; +Inf where a pair has more than
// eight paths.
func choices(p core.Placement, traffic objective.Traffic) float64 {
	product, seen := 1.0, map[[2]int]bool{}
	for _, m := range searchtest.Messages(p, traffic) {
		if seen[[2]int{m.From, m.To}] {
			continue
		}
		seen[[2]int{m.From, m.To}] = true
		count := 0
		for range m.Routing.Paths(m.From, m.To, nil) {
			count++
		}
		if count > 8 {
			return math.Inf(1)
		}
		product *= float64(int(1)<<count - 1)
	}
	return product
}

// TestAgainstAllRestrictions holds the search against every restriction on random networks: of what all processors send
// each other, under client traffic, and under what tasks send each other.
func TestAgainstAllRestrictions(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(1200, 140) {
		rng := coretest.Rng(31, i)
		p, traffic := core.Placement{}, objective.Traffic{}
		for p.Torus() == nil || choices(p, traffic) > 1e5 || i%3 > 0 && choices(p, traffic) == 1 {
			network := coretest.Network(rng, []int{24, 10, 10}[i%3])
			switch i % 4 {
			case 2:
				network = coretest.Torus(rng, 16)
			case 3:
				network = coretest.Twisted(rng, 10)
			}
			at := rng.Perm(network.N())[:min(network.N(), 1+rng.IntN(5))]
			switch p = core.MustPlacement(network, at); i % 3 {
			case 1:
				p = core.MustPlacement(network, at[:min(len(at), 3)])
				if traffic = (objective.Traffic{Request: rng.IntN(4), Reply: 1 + rng.IntN(3)}); rng.IntN(2) == 0 {
					traffic.Request = traffic.Reply
				}
			case 2:
				var pairs [][2]int
				var amounts []*big.Rat
				for task := range at {
					for other := range at {
						if task != other && rng.IntN(2) == 0 {
							pairs, amounts = append(pairs, [2]int{task, other}), append(amounts, big.NewRat(int64(1+rng.IntN(4)), 1))
						}
					}
				}
				m := coretest.Must(objective.NewMatrix(len(at), pairs, amounts, func(int) string { return "" }))
				p, traffic = coretest.Must(core.PlaceTasks(network, at)), objective.Traffic{Matrix: m}
			}
		}
		least := rng.IntN(3) // 0: single paths
		agree(t, p, traffic, restrict.ByPair, least)
		if p.Torus().Closed() {
			agree(t, p, traffic, restrict.ByDisplacement, least)
		}
	}
}

// TestWhatClientsCannot has what no table of client traffic is made of refused.
func TestWhatClientsCannot(t *testing.T) {
	tor := core.MustTorus(24, 24)
	p := restrict.Params{Placement: core.MustPlacement(tor, []int{0, 30}),
		Traffic: objective.Traffic{Request: 1, Reply: 1}, By: restrict.ByPair, Evaluations: 10, Workers: 1}
	for name, change := range map[string]func(){
		"pairs of 576 nodes": func() {},
		"replies":            func() { p.Traffic.Replies = routing.NewUDR(tor, routing.TieBoth) },
		"numbers":            func() { p.Traffic = objective.Traffic{Request: -1} },
	} {
		good := p
		change()
		var wrong *core.InputError
		if _, err := restrict.Run(t.Context(), p); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", name, err)
		}
		p = good
	}
}

// agree compares the value of a search with that of all restrictions.
func agree(t *testing.T, p core.Placement, traffic objective.Traffic, by restrict.By, least int) {
	t.Helper()
	single := least == 0
	params := restrict.Params{Placement: p, Traffic: traffic, By: by, Single: single, MinPaths: least, Seed: 1,
		Evaluations: 20_000, Workers: 1}
	r := coretest.Must(restrict.Run(context.Background(), params))
	want := searchtest.LeastOfTables(p, traffic, routing.Free{Single: single, MinPaths: least}, by == restrict.ByPair, nil)
	if r.Value.Cmp(want) != 0 || r.Lower.Cmp(want) > 0 {
		t.Errorf("%s nodes %v, %s, by %d, least %d: %s, at least %s, all restrictions give %s", p.Torus(), p.Nodes(), traffic,
			by, least, r.Value.RatString(), r.Lower.RatString(), want.RatString())
	}
	sound(t, params, r)
}

// sound checks a result by the naive evaluator and the requirements.
func sound(t *testing.T, p restrict.Params, r restrict.Restriction) {
	t.Helper()
	q := objective.Problem{Routing: r.Table, Terms: objective.Terms{Traffic: p.Traffic}}
	if exact, _ := q.Naive(p.Placement).Max(); exact.Cmp(r.Value) != 0 {
		t.Errorf("%s nodes %v: claimed %s, naive %s", p.Placement.Torus(), p.Placement.Nodes(), r.Value.RatString(),
			exact.RatString())
	}
	if r.Value.Cmp(r.Lower) < 0 {
		t.Errorf("value %s below the bound %s", r.Value.RatString(), r.Lower.RatString())
	}
	open := !p.Placement.Torus().Closed()
	if (open || p.By != restrict.ByAny) && r.Table.ByPair() != (open || p.By == restrict.ByPair) {
		t.Errorf("by %d, the table is by pair: %v", p.By, r.Table.ByPair())
	}
	fewest := -1
	for _, m := range searchtest.Messages(p.Placement, p.Traffic) {
		available, kept := 0, len(r.Table.Choices(m.From, m.To))
		for range m.Routing.Paths(m.From, m.To, nil) {
			available++
		}
		if kept < min(p.MinPaths, available) || p.Single && kept != 1 {
			t.Errorf("from %d to %d: %d of %d paths, asked for %d, single %v", m.From, m.To, kept, available,
				p.MinPaths, p.Single)
		}
		if fewest < 0 || kept < fewest {
			fewest = kept
		}
	}
	if r.MinPaths != max(fewest, 0) {
		t.Errorf("fewest paths %d, claimed %d", fewest, r.MinPaths)
	}
}
