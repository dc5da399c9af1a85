package fast_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
)

// TestSimGrid compares E_max with the time that SimGrid, a simulator of networks, takes for complete exchange: if all
// messages start at once and share the bandwidth of every link fairly, the last ends at E_max. Under dimension-ordered
// routing on tori of odd sides the paths are those of its own torus; on even sides that is not the same under
// translation, so on all other networks it gets the paths one by one.
//
// Model: A. Legrand et al., CM02 in SimGrid 3.32, latency 0. Where the compiler or the library is missing the test says
// so; with LEEWAY_SIMGRID=required it fails then.
func TestSimGrid(t *testing.T) {
	// Two placements on a ring of 4 that are the same but for a translation, see docs/tools.md.
	input := bytes.NewBufferString("torus 1 4 3 0 1 2\ntorus 1 4 3 2 3 0\n")
	type drawn struct {
		objective.Problem
		placement core.Placement
	}
	var cases []drawn
	for i := range coretest.Cases(320, 80) {
		rng := coretest.Rng(31, i)
		draw := listedRoutes
		switch i % 4 {
		case 0:
			draw = ownTorus
		case 1:
			p, s := listedClients(rng, input)
			cases = append(cases, drawn{p, s})
			continue
		}
		in := draw(rng, input)
		cases = append(cases, drawn{objective.Problem{Routing: in.Routing, Size: in.Placement.Size()}, in.Placement})
	}
	times := coretest.SimGrid(t, "testdata/simgrid.cpp", input.Bytes())
	if len(times) != 2+len(cases) {
		t.Fatalf("%d times for %d cases", len(times), len(cases))
	}
	if math.Abs(times[0]-2) > 1e-6 || math.Abs(times[1]-1) > 1e-6 {
		t.Errorf("%v for processors 0, 1, 2 and for 2, 3, 0 of a ring of 4, want 2 and 1", times[:2])
	}
	times = times[2:]
	for i, in := range cases {
		got := times[i]
		load, _ := fast.Evaluate(in.Problem, in.placement).Max()
		want, _ := load.Float64()
		// Loads are multiples of one over the common bandwidth, far apart from each other.
		if unit := float64(in.Torus().CommonBandwidth()); math.Round(got*unit) != want*unit || math.Abs(got-want) > 1e-6 {
			t.Errorf("%s, nodes %v: E_max is %s, SimGrid takes %v", in, in.placement.Nodes(), load.RatString(), got)
		}
	}
}

// ownTorus draws a torus of odd sides, whose nodes have the same numbers in SimGrid if its sides are given last first,
// and writes the case. There the first of its dimensions comes first in paths, so here the last.
func ownTorus(rng *rand.Rand, to *bytes.Buffer) coretest.Instance {
	dims := make([]int, 1+rng.IntN(3))
	for j := range dims {
		dims[j] = 3 + 2*rng.IntN(3)
	}
	torus := core.MustTorus(dims...)
	p := family.Draw(torus, 2+rng.IntN(min(torus.N(), 24)-1), rng)
	order := core.Range(len(dims))
	slices.Reverse(order)
	slices.Reverse(dims)
	fmt.Fprintf(to, "torus %d %s %d %s\n", len(dims), core.JoinInts(dims, " "), p.Size(), core.JoinInts(p.Nodes(), " "))
	return coretest.Instance{Torus: torus, Placement: p,
		Routing: coretest.Must(routing.NewODR(torus, order, routing.TiePlus))}
}

// listedRoutes draws a network, with one path for every pair, and writes the case with all paths.
func listedRoutes(rng *rand.Rand, to *bytes.Buffer) coretest.Instance {
	torus := coretest.AnyNetwork(rng, 60)
	p := family.Draw(torus, 2+rng.IntN(min(torus.N(), 20)-1), rng)
	var r routing.Routing = coretest.Must(routing.NewODR(torus, rng.Perm(torus.D()), routing.TiePlus))
	if rng.IntN(3) == 0 {
		r = onePath(rng, torus)
	}
	var paths []string
	for v, w := range p.Pairs() {
		paths = append(paths, fmt.Sprintf("%d %d %s", v, w, onlyPath(r, v, w)))
	}
	writeRoutes(to, torus, torus.N(), paths)
	return coretest.Instance{Torus: torus, Routing: r, Placement: p}
}

// writeRoutes writes a case whose messages have their ends and paths listed.
func writeRoutes(to *bytes.Buffer, torus *core.Torus, hosts int, paths []string) {
	fmt.Fprintf(to, "routes %d %d", hosts, torus.M())
	for l := range torus.M() {
		_, port := torus.LinkFrom(core.Link(l))
		fmt.Fprintf(to, " %d", torus.Bandwidth(port.Dim))
	}
	fmt.Fprintf(to, " %d\n%s\n", len(paths), strings.Join(paths, "\n"))
}

// onlyPath spells the path of a pair that has but one: its length and its links.
func onlyPath(r routing.Routing, v, w int) string {
	text := ""
	for path := range r.Paths(v, w, nil) {
		text = fmt.Sprint(len(path))
		for _, l := range path {
			text += fmt.Sprintf(" %d", l)
		}
	}
	return text
}

// listedClients draws a network with client traffic, and writes the case: every request and reply is a message between
// two hosts of its own, since a pair of hosts has one route.
func listedClients(rng *rand.Rand, to *bytes.Buffer) (objective.Problem, core.Placement) {
	torus := coretest.AnyNetwork(rng, 14)
	one := func() routing.Routing {
		return coretest.Must(routing.NewODR(torus, rng.Perm(torus.D()), routing.TiePlus))
	}
	traffic := objective.Traffic{Request: 1 + rng.IntN(2), Reply: rng.IntN(3)}
	if traffic.Reply > 0 {
		traffic.Replies = one()
	}
	p := coretest.Must(objective.Problem{Routing: one()}.WithTraffic(traffic))
	s := family.Draw(torus, 1+rng.IntN(min(torus.N(), 3)), rng)
	var paths []string
	send := func(r routing.Routing, from, to, messages int) {
		for range messages {
			paths = append(paths, fmt.Sprintf("%d %d %s", 2*len(paths), 2*len(paths)+1, onlyPath(r, from, to)))
		}
	}
	for _, processor := range s.Nodes() {
		for v := range torus.N() {
			if v != processor {
				send(p.Routing, v, processor, traffic.Request)
				send(p.ReplyRouting(), processor, v, traffic.Reply)
			}
		}
	}
	writeRoutes(to, torus, 2*len(paths), paths)
	return p, s
}

// onePath draws a table with one path for every pair of nodes.
func onePath(rng *rand.Rand, torus *core.Torus) *routing.Table {
	var entries []routing.TableEntry
	for _, e := range coretest.Table(rng, torus, true).Entries() {
		entries = append(entries, routing.TableEntry{From: e.From, To: e.To, Paths: e.Paths[:1]})
	}
	return coretest.Must(routing.NewTable(torus, true, entries))
}
