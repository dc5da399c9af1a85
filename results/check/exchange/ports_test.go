package exchange

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/exchange"
	"leeway/objective/exchange/steps"
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
func replay(t *core.Torus, procs []int, phases []exchange.Phase) int {
	at := map[exchange.Block]int{}
	for _, s := range procs {
		for _, d := range procs {
			if s != d {
				at[exchange.NewBlock(s, d)] = s
			}
		}
	}
	for i, phase := range phases {
		carried, moved := map[core.Link]int{}, map[exchange.Block]int{}
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
			here, known := at[s.Blocks[0]]
			_, again := moved[s.Blocks[0]]
			if carried[l]++; to != int(s.To) || carried[l] > room || !known ||
				here != int(s.From) || again {
				return i
			}
			moved[s.Blocks[0]] = to
		}
		for b, v := range moved {
			at[b] = v
		}
	}
	for b, v := range at {
		if v != int(b.To) {
			return len(phases)
		}
	}
	return -1
}

// TestAllPorts: schedules on random networks, of all nodes and of some, are right by the checker and by a replay, reach
// no less than the bounds, and their weights show what they say. What is then changed is judged alike by both.
func TestAllPorts(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 0))
	optimal, forged := 0, 0
	cases := coretest.Cases(800, 60)
	for range cases {
		net := randomTorus(rng)
		if rng.IntN(4) == 0 {
			net = coretest.Given(rng, 12)
		}
		procs := core.Range(net.N())
		var participants []int
		if rng.IntN(2) == 0 && net.N() > 2 {
			procs = rng.Perm(net.N())[:2+rng.IntN(net.N()-1)]
			slices.Sort(procs)
			participants = procs
		}
		n := coretest.Must(steps.On(net, exchange.AllPort))
		p := coretest.Must(steps.AllPort(context.Background(), n, participants, nil))
		head, phases := asFile(p.Schedule)
		v := follow(head, listed(phases))
		if v.Verdict != valid || replay(net, procs, phases) != -1 || len(phases) != p.Steps {
			t.Fatalf("%v, %v: %s, %d phases, %d announced", net, participants, v.Reason, len(phases), p.Steps)
		}
		if idle := net.Capacity()*int64(p.Steps) - v.Hops; v.IdlePorts != idle {
			t.Fatalf("%v: %d idle links, want %d", net, v.IdlePorts, idle)
		}
		withoutWeights(t, p)
		if p.Steps < p.Bounds[0].Steps || v.LowerBound.Phases > int64(p.Steps) || p.Optimal !=
			(p.Steps == p.Bounds[0].Steps) {
			t.Fatalf("%v, %v: %d steps, bounds %v and %v", net, participants, p.Steps, p.Bounds, v.LowerBound)
		}
		if p.Optimal {
			optimal++
		}
		for range 5 {
			changed := cloned(phases)
			mutate(changed, rng)
			want := replay(net, procs, changed)
			have := follow(head, listed(changed))
			if want == -2 {
				continue
			}
			if (want < 0) != (have.Verdict == valid) {
				t.Fatalf("%v: the replay breaks at %d, the checker says %s: %s", net, want, have.Verdict, have.Reason)
			}
			if want >= 0 && want < len(changed) && have.Fault.Phase != want {
				t.Fatalf("%v: the replay breaks at %d, the checker at %d: %s", net, want, have.Fault.Phase, have.Reason)
			}
			if want >= 0 {
				forged++
			}
		}
	}
	t.Logf("%d of %d at the bound, %d forged", optimal, cases, forged)
	if forged < cases {
		t.Errorf("only %d schedules were forged", forged)
	}
}

// TestAxesOfAllPorts: what a head says about twists and bandwidths must make sense.
func TestAxesOfAllPorts(t *testing.T) {
	ring := func(nodes int, twist ...int) exchange.Axis {
		return exchange.Axis{Kind: exchange.Ring, Nodes: nodes, Twist: twist}
	}
	for want, head := range map[string]exchange.Head{
		"belong to the model all-port": {Model: exchange.StoreAndForward, Axes: []exchange.Axis{ring(4, 0, 1), ring(3)}},
		"in a circle":                  {Model: exchange.AllPort, Axes: []exchange.Axis{ring(4, 0, 1), ring(3, 1, 0)}},
		"shifts its own":               {Model: exchange.AllPort, Axes: []exchange.Axis{ring(4, 1, 1), ring(3)}},
		"a coordinate for every axis":  {Model: exchange.AllPort, Axes: []exchange.Axis{ring(4, 0), ring(3)}},
		"a twist belongs":              {Model: exchange.AllPort, Axes: []exchange.Axis{ring(4, 0, 3), ring(3)}},
		"no dimension of a twisted": {Model: exchange.AllPort,
			Axes: []exchange.Axis{ring(4, 0, 1), {Kind: exchange.Path, Nodes: 3}}},
		"bandwidth 0 is 5000": {Model: exchange.AllPort,
			Axes: []exchange.Axis{{Kind: exchange.Ring, Nodes: 3, Bandwidth: 5000}}},
	} {
		if v := follow(head, listed(nil)); v.Verdict != unreadable || !strings.Contains(v.Reason, want) {
			t.Errorf("%v: %s %q, want %q", head.Axes, v.Verdict, v.Reason, want)
		}
	}
}
