package deadlock_test

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/deadlock"
)

// dependencies lists, path by path, which link follows which.
func dependencies(q objective.Problem, s core.Placement) (follows [][]bool, used []bool) {
	m := q.Torus().M()
	follows, used = make([][]bool, m), make([]bool, m)
	for l := range follows {
		follows[l] = make([]bool, m)
	}
	for message := range q.Messages(s) {
		for path := range message.Routing.Paths(message.From, message.To, s.Set()) {
			for i, l := range path {
				used[l] = true
				if i > 0 {
					follows[path[i-1]][l] = true
				}
			}
		}
	}
	return follows, used
}

// shortest returns the length of a shortest cycle by powers of the matrix, 0 if there is none.
func shortest(follows [][]bool) int {
	power := follows
	for length := 1; length <= len(follows); length++ {
		for l := range power {
			if power[l][l] {
				return length
			}
		}
		next := make([][]bool, len(follows))
		for i := range next {
			next[i] = make([]bool, len(follows))
			for j, reached := range power[i] {
				for k, step := range follows[j] {
					next[i][k] = next[i][k] || reached && step
				}
			}
		}
		power = next
	}
	return 0
}

// TestAgainstMatrices compares with powers of the matrix of dependencies, and follows every path through the virtual
// channels.
func TestAgainstMatrices(t *testing.T) {
	free := 0
	for i := range coretest.Cases(300, 50) {
		rng := coretest.Rng(381, i)
		torus := coretest.AnyNetwork(rng, 12)
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
		follows, used := dependencies(q, s)
		cycle, want := g.Cycle(), shortest(follows)
		if len(cycle) != want {
			t.Fatalf("%s: a cycle of %d links, the shortest has %d", what, len(cycle), want)
		}
		for j, d := range cycle {
			one := objective.Problem{Routing: r, Size: s.Size()}
			found := false
			for path := range one.Routing.Paths(d.Source, d.Target, s.Set()) {
				for k := 1; k < len(path); k++ {
					found = found || path[k-1] == d.Link && path[k] == d.Next
				}
			}
			if !found || cycle[(j+1)%len(cycle)].Link != d.Next {
				t.Fatalf("%s: %+v is no dependency of the cycle %+v", what, d, cycle)
			}
		}
		order, ok := g.Order()
		if ok != (want == 0) {
			t.Fatalf("%s: an order: %v, cycle of %d", what, ok, want)
		}
		channels := make([]deadlock.Channel, len(order))
		for j, l := range order {
			channels[j] = deadlock.Channel{Link: l}
		}
		if ok {
			follow(t, what, q, s, channels)
			free++
			if len(order) != count(used) {
				t.Fatalf("%s: %d links in the order, %d are used", what, len(order), count(used))
			}
		}
		virtual := coretest.Must(g.Virtual(t.Context()))
		if most := deadlock.Numbers(virtual); (most <= 1) != ok {
			t.Fatalf("%s: %d channels", what, most)
		}
		follow(t, what, q, s, virtual)
		if lines := coretest.Must(g.Datelines(t.Context())); lines != nil {
			follow(t, what, q, s, lines)
		}
	}
	if free == 0 {
		t.Error("nothing is free of deadlock")
	}
}

func count(list []bool) (n int) {
	for _, is := range list {
		if is {
			n++
		}
	}
	return n
}

// follow goes along every path: after a channel comes, later in the order, one of the next link.
func follow(t *testing.T, what string, q objective.Problem, s core.Placement, order []deadlock.Channel) {
	t.Helper()
	places := map[core.Link][]int{}
	for i, c := range order {
		places[c.Link] = append(places[c.Link], i)
	}
	for m := range q.Messages(s) {
		for path := range m.Routing.Paths(m.From, m.To, s.Set()) {
			at := -1
			for _, l := range path {
				next := -1
				for _, place := range places[l] {
					if place > at && (next < 0 || place < next) {
						next = place
					}
				}
				if next < 0 {
					t.Fatalf("%s: path %v from %d to %d does not go by the order", what, path, m.From, m.To)
				}
				at = next
			}
		}
	}
}

// TestKnown: what Dally and Seitz (1987), Glass and Ni (1992) and Seo et al. (2005) say.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		network, routing string
		cycle            int // links of the shortest
		datelines        int // channels with datelines, 0: not enough
		virtual          int // channels found
	}{
		{"5", "odr", 5, 2, 2},           // a ring in both directions, of which each is a cycle
		{"3", "odr", 0, 2, 1},           // no path has two links: datelines are not needed
		{"4x4:open=0,1", "xy", 0, 1, 1}, // XY on a mesh
		{"8x8:open=0,1", "odr", 0, 1, 1},
		{"4x4:open=0,1", "west-first", 0, 1, 1}, // turn models on meshes
		{"4x4:open=0,1", "north-last", 0, 1, 1},
		{"5x4:open=0,1", "negative-first", 0, 1, 1},
		{"3x3x3:open=0,1,2", "negative-first", 0, 1, 1},
		{"4x4:open=0,1", "o1turn", 4, 0, 2}, // two channels, one for each order
		{"4x4:open=0,1", "minimal", 4, 0, 2},
		{"8x8", "odr:tie=both", 8, 2, 2},
		{"5x5", "xy", 5, 2, 2},
		{"2x2x2x2", "odr", 0, 1, 1}, // e-cube on a hypercube
	} {
		torus := coretest.Must(core.ParseNetwork(c.network))
		s := core.MustPlacement(torus, core.Range(torus.N()))
		q := objective.Problem{Routing: coretest.Must(routing.Parse(torus, c.routing))}
		g := coretest.Must(deadlock.New(t.Context(), q, s))
		if have := len(g.Cycle()); have != c.cycle {
			t.Errorf("%s on %s: a cycle of %d links, want %d", c.routing, c.network, have, c.cycle)
		}
		if lines := deadlock.Numbers(coretest.Must(g.Datelines(t.Context()))); lines != c.datelines {
			t.Errorf("%s on %s: datelines with %d channels, want %d", c.routing, c.network, lines, c.datelines)
		}
		if virtual := deadlock.Numbers(coretest.Must(g.Virtual(t.Context()))); virtual != c.virtual {
			t.Errorf("%s on %s: %d virtual channels, want %d", c.routing, c.network, virtual, c.virtual)
		}
	}
}
