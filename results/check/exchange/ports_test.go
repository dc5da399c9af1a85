package exchange

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/objective/exchange"
	"leeway/objective/exchange/steps"
	"leeway/results/resultstest"
)

// randomTorus returns a text of a small torus: plain, with open dimensions, bandwidths, or twisted.
func randomTorus(rng *rand.Rand) *core.Torus {
	for {
		sides := make([]string, 1+rng.IntN(3))
		for j := range sides {
			sides[j] = fmt.Sprint(1 + rng.IntN(6-len(sides)))
		}
		numbers := func(from, to int) string {
			list := make([]int, len(sides))
			for j := range list {
				list[j] = from + rng.IntN(to-from)
			}
			return core.JoinInts(list, ",")
		}
		text := strings.Join(sides, "x")
		switch rng.IntN(3) {
		case 0:
			text += fmt.Sprintf(":open=%d", rng.IntN(len(sides)))
		case 1:
			shifts := make([]string, len(sides))
			for j := range shifts {
				shifts[j] = strings.Join(append(slices.Repeat([]string{"0"}, j+1),
					strings.Split(numbers(0, 4), ",")[j+1:]...), ",")
			}
			text += ":twist=" + strings.Join(shifts, "+")
		}
		if rng.IntN(3) == 0 {
			text += ":bandwidth=" + numbers(1, 4)
		}
		if t, err := core.ParseNetwork(text); err == nil && t.N() <= 30 {
			return t
		}
	}
}

// replay plays a schedule with all ports on a torus, with maps and the links of package core. It returns the first
// phase that breaks a rule, len(phases) if blocks are left undelivered, -1 if all is right, -2 if a send does not say
// its link.
func replay(t *core.Torus, amounts map[exchange.Block]int, phases []exchange.Phase) int {
	type place struct {
		exchange.Block
		at int
	}
	blocks := map[place]int{}
	for b, n := range amounts {
		blocks[place{b, int(b.From)}] = n
	}
	for i, phase := range phases {
		carried, moved := map[core.Link]int{}, map[place]int{}
		for _, s := range phase {
			if s.Path != nil || len(s.Blocks) != 1 || s.Axis >= t.D() || s.From < 0 || int(s.From) >= t.N() {
				return i
			}
			if s.Axis < 0 || s.Dir == 0 {
				return -2
			}
			l, to, room := core.Link(int(s.From)*t.N()+int(s.To)), int(s.To), 0
			if t.HasDimensions() {
				l, room = t.Link(int(s.From), s.Axis, s.Dir), t.Bandwidth(s.Axis)
				if _, to = t.LinkEnds(l); !t.HasLink(l) {
					return i
				}
			} else { // all links between the two nodes together
				for _, e := range t.Edges() {
					if e.A == int(s.From) && e.B == to || e.B == int(s.From) && e.A == to {
						room += e.Bandwidth
					}
				}
			}
			here := place{s.Blocks[0], int(s.From)}
			blocks[here]--
			if carried[l]++; to != int(s.To) || carried[l] > room || blocks[here] < 0 {
				return i
			}
			moved[place{s.Blocks[0], to}]++
		}
		for p, n := range moved {
			blocks[p] += n
		}
	}
	for p, n := range blocks {
		if n > 0 && p.at != int(p.To) {
			return len(phases)
		}
	}
	return -1
}

// randomDemand returns complete exchange of all nodes or of some, clients with some processors, or a matrix of tasks on
// random nodes, several on one, and what nodes then have for each other, in units.
func randomDemand(rng *rand.Rand, net *core.Network) (objective.Traffic, core.Placement, map[exchange.Block]int) {
	amounts := map[exchange.Block]int{}
	switch rng.IntN(3) {
	case 0:
		p := core.MustPlacement(net, core.Range(net.N()))
		if rng.IntN(2) == 0 && net.N() > 2 {
			p = core.MustPlacement(net, rng.Perm(net.N())[:2+rng.IntN(net.N()-1)])
		}
		for from, to := range p.Pairs() {
			amounts[exchange.NewBlock(from, to)] = 1
		}
		return objective.Traffic{}, p, amounts
	case 1:
		t := objective.Traffic{Request: rng.IntN(3), Reply: 1 + rng.IntN(2)}
		p := core.MustPlacement(net, rng.Perm(net.N())[:1+rng.IntN(min(net.N(), 3))])
		for _, v := range p.Nodes() {
			for w := range net.N() {
				amounts[exchange.NewBlock(w, v)] += t.Request
				amounts[exchange.NewBlock(v, w)] += t.Reply
			}
		}
		return t, p, amounts
	}
	tasks := 2 + rng.IntN(8)
	var pairs [][2]int
	var sizes []*big.Rat
	at, units := make([]int, tasks), map[[2]int]*big.Rat{}
	for i := range at {
		at[i] = rng.IntN(net.N())
	}
	den := int64(1 + rng.IntN(3))
	for range rng.IntN(10) {
		pair := [2]int{rng.IntN(tasks), rng.IntN(tasks)}
		if pair[0] != pair[1] && !slices.Contains(pairs, pair) {
			size := big.NewRat(int64(rng.IntN(9)), den)
			pairs, sizes, units[pair] = append(pairs, pair), append(sizes, size), size
		}
	}
	m := coretest.Must(objective.NewMatrix(tasks, pairs, sizes, func(int) string { return "" }))
	for pair, size := range units {
		n := new(big.Rat).Mul(size, big.NewRat(m.Den, 1))
		amounts[exchange.NewBlock(at[pair[0]], at[pair[1]])] += int(n.Num().Int64())
	}
	return objective.Traffic{Matrix: m, PerNode: tasks}, coretest.Must(core.PlaceTasks(net, at)), amounts
}

// TestDemands: schedules of all traffic on random networks are right by the checker and by a replay, as files too, and
// no shorter than the bounds, whose weights show what they say. What is then changed is judged alike by both: sends,
// and the amounts of the demand, which also must be those of the traffic.
func TestDemands(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 0))
	optimal, forged, cases := 0, 0, coretest.Cases(2400, 120)
	for range cases {
		net := randomTorus(rng)
		if rng.IntN(4) == 0 {
			net = coretest.Given(rng, 12)
		}
		traffic, place, amounts := randomDemand(rng, net)
		maps.DeleteFunc(amounts, func(b exchange.Block, n int) bool { return b.From == b.To || n == 0 })
		n := coretest.Must(steps.NewNetwork(net, exchange.AllPort))
		p := coretest.Must(steps.AllPort(context.Background(), n, traffic, place, nil))
		head, phases := asFile(p.Schedule)
		v := follow(head, listed(phases))
		if v.Verdict != valid || replay(net, amounts, phases) != -1 || len(phases) != p.Steps {
			t.Fatalf("%v, %v on %v: %s, %d phases, %d announced", net, traffic, place.List(), v.Reason, len(phases), p.Steps)
		}
		if idle := net.Capacity()*int64(p.Steps) - v.Hops; v.IdlePorts != idle {
			t.Fatalf("%v: %d idle links, want %d", net, v.IdlePorts, idle)
		}
		withoutWeights(t, p)
		if p.Steps < p.Bounds[0].Steps || v.LowerBound.Phases > int64(p.Steps) ||
			p.Optimal != (p.Steps == p.Bounds[0].Steps) {
			t.Fatalf("%v, %v: %d steps, bounds %v and %v", net, traffic, p.Steps, p.Bounds, v.LowerBound)
		}
		if p.Optimal {
			optimal++
		}
		for range 4 {
			changed := cloned(phases)
			if len(changed) == 0 {
				break
			}
			mutate(changed, rng)
			want := replay(net, amounts, changed)
			have := follow(head, listed(changed))
			if want == -2 {
				continue
			}
			if (want < 0) != (have.Verdict == valid) ||
				want >= 0 && want < len(changed) && have.Fault.Phase != want {
				t.Fatalf("%v: the replay breaks at %d, the checker says %s: %s", net, want, have.Verdict, have.Reason)
			}
			if want >= 0 {
				forged++
			}
		}
		if len(head.Demand) == 0 {
			continue
		}
		forge := head // another amount, or a demand less; with the traffic and without it
		forge.Demand = slices.Clone(head.Demand)
		i := rng.IntN(len(forge.Demand))
		e := slices.Clone(forge.Demand[i])
		if forge.Demand[i] = e; rng.IntN(2) == 0 || e[2] == 1 {
			forge.Demand = slices.Delete(forge.Demand, i, i+1)
		} else {
			e[2] += rng.IntN(2)*2 - 1
		}
		if v := follow(forge, listed(phases)); v.Verdict != wrong || v.Fault.Rule != ruleDemand {
			t.Fatalf("%v: the demand %v in place of %v is %s", net, forge.Demand, head.Demand, v.Verdict)
		}
		forge.Traffic, forge.Placement, forge.Matrix = "", nil, nil
		if v := follow(forge, listed(phases)); v.Verdict != wrong && v.Verdict != valid {
			t.Fatalf("%v: the demand %v in place of %v is %s: %s", net, forge.Demand, head.Demand, v.Verdict, v.Reason)
		} else if delete(amounts, exchange.NewBlock(e[0], e[1])); (v.Verdict == valid) != (replay(net,
			withDemand(amounts, forge.Demand), phases) == -1) {
			t.Fatalf("%v: the demand %v in place of %v is %s: %s", net, forge.Demand, head.Demand, v.Verdict, v.Reason)
		}
	}
	t.Logf("%d of %d at the bound, %d forged", optimal, cases, forged)
	if forged < cases || optimal*5 < cases*4 {
		t.Errorf("only %d schedules were forged, and %d of %d reach a bound", forged, optimal, cases)
	}
}

// withDemand returns amounts with those of a demand in their place.
func withDemand(amounts map[exchange.Block]int, demand [][]int) map[exchange.Block]int {
	out := maps.Clone(amounts)
	for _, e := range demand {
		out[exchange.NewBlock(e[0], e[1])] = e[2]
	}
	return out
}

// TestForgedDemands: two blocks of one node for another, on a ring of three, and what is wrong with such schedules and
// heads.
func TestForgedDemands(t *testing.T) {
	tasks := json.RawMessage(`{"schema":"leeway/matrix/1","tasks":3,"demands":[[0,1,2],[2,1,"1"]]}`)
	ring := exchange.Head{Model: exchange.AllPort, Axes: []exchange.Axis{{Kind: exchange.Ring, Nodes: 3}},
		Demand: [][]int{{0, 1, 2}, {2, 1, 1}}, Traffic: "matrix", Matrix: &tasks,
		Placement: []int{0, 1, 2}}
	for _, c := range []struct{ phases, rule string }{
		{"0+1:01 2-1:21|0+1:01", ""},
		{"0+1:01 0-2:01 2-1:21|2-1:01", ""}, // both ways
		{"0+1:01 2-1:21", ruleDelivery},
		{"0+1:01 2-1:21|0+1:01|0+1:01", rulePosition},
		{"0+1:01 0+1:01 2-1:21", ruleLink},
		{"0-2:01 2-1:01 2-1:21", rulePosition}, // too early
		{"1-0:10", rulePosition},               // of nobody
		{"0+1:01 0-2:01 2-1:21", ruleDelivery}, // on the way
		{"0+1:01 2-1:21|0+1:01 1-0:01", ruleDelivery},
	} {
		v := follow(ring, listed(played(c.phases)))
		if c.rule == "" && v.Verdict != valid || c.rule != "" && (v.Verdict != wrong || v.Fault.Rule != c.rule) {
			t.Errorf("%s: %s, %s, want %q", c.phases, v.Verdict, v.Reason, c.rule)
		}
	}
	right := played("0+1:01 2-1:21|0+1:01")
	for _, c := range []struct{ changes, verdict, reason string }{
		{"demand=[[0,1,3],[2,1,1]]", wrong, "-1 blocks more"},
		{"demand.2=[2,0,1]", unreadable, "ascending"},
		{"-demand.1", wrong, "from node 2 for node 1 there are 1"},
		{`traffic="clients"; -matrix`, wrong, "blocks more"},
		{`matrix.demands.1.2="1/2"`, wrong, "2 blocks more"},
		{"matrix.demands=[[0,1,-2]]", wrong, "negative"},
		{"-matrix", wrong, "goes with a matrix"},
		{`traffic="clients"`, wrong, "goes with a matrix"},
		{"-traffic; -placement; -matrix", valid, ""},
		{"-placement", wrong, "3 tasks, and nodes for 0"},
		{"placement=[0,1]", wrong, "3 tasks, and nodes for 2"},
		{"placement=[0,1,3]", wrong, "3"},
		{"placement=[1,0,2]", wrong, "blocks more"},
		{`traffic="some"; -matrix`, wrong, "unknown traffic"},
		{"participants=[0,1]", unreadable, "without participants"},
		{`model="store-and-forward"`, unreadable, "belongs to the model"},
		{"demand=[[0,1,0]]", unreadable, "0 blocks are none"},
		{"demand=[[0,1,-1]]", unreadable, "-1 blocks are none"},
		{"demand=[[0,1,4611686018427387904]]", unreadable, "more than"},
		{"demand=[[0,1,4294967296],[2,1,1]]", unreadable, "more"},
		{"demand=[[0,1]]", unreadable, "2 numbers"},
		{"demand=[[1,1,1]]", unreadable, "does not join"},
		{"demand=[[0,3,1]]", unreadable, "does not join"},
		{"demand=[[0,1,1],[0,1,1]]", unreadable, "ascending"},
		{"demand=[]", wrong, "blocks more"},
		{"-demand", wrong, "blocks more"},
	} {
		head := resultstest.Changed(ring, c.changes)
		if v := follow(head, listed(right)); v.Verdict != c.verdict || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s: %s, %s, want %s, %q", c.changes, v.Verdict, v.Reason, c.verdict, c.reason)
		}
	}
}

// TestAxesOfAllPorts: what a head says about twists and bandwidths must make sense.
func TestAxesOfAllPorts(t *testing.T) {
	twisted := exchange.Head{Model: exchange.AllPort, Axes: []exchange.Axis{
		{Kind: exchange.Ring, Nodes: 4, Twist: []int{0, 1}}, {Kind: exchange.Ring, Nodes: 3}}}
	for want, changes := range map[string]string{
		"belong to the model all-port": `model="store-and-forward"`,
		"in a circle":                  "axes.1.twist=[1,0]",
		"shifts its own":               "axes.0.twist=[1,1]",
		"a coordinate for every axis":  "axes.0.twist=[0]",
		"a twist belongs":              "axes.0.twist=[0,3]",
		"no dimension of a twisted":    `axes.1.kind="path"`,
		"bandwidth 0 is 5000":          `axes=[{"kind":"ring","nodes":3,"bandwidth":5000}]`,
	} {
		head := resultstest.Changed(twisted, changes)
		if v := follow(head, listed(nil)); v.Verdict != unreadable || !strings.Contains(v.Reason, want) {
			t.Errorf("%v: %s %q, want %q", head.Axes, v.Verdict, v.Reason, want)
		}
	}
}
