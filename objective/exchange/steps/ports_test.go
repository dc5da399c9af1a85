package steps

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/exchange"
)

// inSteps reports whether the blocks that are at the given nodes can be where they belong after some steps with all
// ports. It tries for every block to wait and to go over each link with room, from step to step.
func inSteps(t *core.Torus, blocks []exchange.Block, at []int, steps int, known map[string]bool) bool {
	key := string(rune(steps))
	far := 0
	for i, b := range blocks {
		key += string(rune(at[i]))
		far = max(far, t.LeeDistance(at[i], int(b.To)))
	}
	if far > steps {
		return false
	}
	if far == 0 {
		return true
	}
	if answer, ok := known[key]; ok {
		return answer
	}
	carried := make([]int, t.M())
	next := slices.Clone(at)
	var choose func(i int) bool
	choose = func(i int) bool {
		if i == len(blocks) {
			return inSteps(t, blocks, next, steps-1, known)
		}
		for port, p := range t.Ports() {
			l := core.Link(port*t.N() + at[i])
			if at[i] == int(blocks[i].To) || !t.HasLink(l) || carried[l] == t.Bandwidth(p.Dim) {
				continue
			}
			_, to := t.LinkEnds(l)
			if t.LeeDistance(to, int(blocks[i].To)) > steps-1 {
				continue
			}
			carried[l]++
			next[i] = to
			if choose(i + 1) {
				return true
			}
			carried[l]--
			next[i] = at[i]
		}
		return t.LeeDistance(at[i], int(blocks[i].To)) < steps && choose(i+1)
	}
	known[key] = choose(0)
	return known[key]
}

// ports returns a network with all ports.
func ports(net *core.Network) (*Network, error) { return NewNetwork(net, exchange.AllPort) }

// exchanging is AllPort for complete exchange.
func exchanging(n *Network, procs []int, r routing.Routing) (*Plan, error) {
	return AllPort(context.Background(), n, objective.Traffic{}, core.MustPlacement(n.Network, procs), r)
}

// TestFewestByTrying: on tiny networks complete exchange, or a few messages of any nodes, several for one other among
// them, take no fewer steps than the bounds say, and the schedules that are said to be optimal have as few as there
// are, by trying all.
func TestFewestByTrying(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	texts := []string{"3", "4", "5", "2x2", "1x5:twist=2", "2x3", "3:open=0", "2x2:bandwidth=2,1", "4:open=0",
		"2x3:twist=1", "1x7:twist=3", "3x3:open=0,1", "4:bandwidth=3", "2x4:twist=1", "3x3"}
	cases, above, open := coretest.Cases(3600, 240), 0, 0
	for i := range cases {
		net := coretest.Must(core.ParseNetwork(texts[rng.IntN(len(texts))]))
		amounts := map[[2]int]int{}
		var blocks []exchange.Block
		var at []int
		send := func(s, d int) {
			amounts[[2]int{s, d}]++
			blocks, at = append(blocks, exchange.NewBlock(s, d)), append(at, s)
		}
		traffic, place := objective.Traffic{}, core.MustPlacement(net, rng.Perm(net.N())[:2+rng.IntN(min(net.N(), 4)-1)])
		if i%6 == 0 {
			for s, d := range place.Pairs() {
				send(s, d)
			}
		} else {
			for len(blocks) < 5 && (len(blocks) == 0 || rng.IntN(6) > 0) {
				s, d := rng.IntN(net.N()), rng.IntN(net.N())
				for k := 1 + rng.IntN(5-len(blocks)); s != d && k > 0; k-- {
					send(s, d)
				}
			}
			var pairs [][2]int
			var sizes []*big.Rat
			for pair, size := range amounts {
				pairs, sizes = append(pairs, pair), append(sizes, big.NewRat(int64(size), 1))
			}
			m := coretest.Must(objective.NewMatrix(net.N(), pairs, sizes, func(int) string { return "" }))
			traffic, place = objective.Traffic{Matrix: m}, coretest.Must(core.PlaceTasks(net, core.Range(net.N())))
		}
		p := coretest.Must(AllPort(context.Background(), coretest.Must(ports(net)), traffic, place, nil))
		fewest := 0
		for !inSteps(net, blocks, at, fewest, map[string]bool{}) {
			fewest++
		}
		if p.Bounds[0].Steps > fewest || p.Steps < fewest || p.Optimal && p.Steps != fewest {
			t.Fatalf("%v, %v: %d steps, bounds %v, by trying %d", net, blocks, p.Steps, p.Bounds, fewest)
		}
		if p.Steps > fewest {
			above++
		}
		if !p.Optimal {
			open++
		}
	}
	t.Logf("of %d, %d above the fewest, %d not at the bound", cases, above, open)
	if above*50 > cases {
		t.Errorf("%d of %d above the fewest", above, cases)
	}
}

// TestColouring: of random vectors on random ports with bandwidths every hop gets a step of its own at its
// displacement, and no port more than its bandwidth, in as many steps as Koenig's theorem says.
func TestColouring(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	for range coretest.Cases(4000, 300) {
		var out []step
		for range 1 + rng.IntN(6) {
			out = append(out, step{room: 1 + rng.IntN(3)})
		}
		choices := make([][]portVector, 1+rng.IntN(30))
		for d := 1; d < len(choices); d++ {
			v := make(portVector, 1+rng.IntN(5))
			for i := range v {
				v[i] = int16(rng.IntN(len(out)))
			}
			slices.Sort(v)
			choices[d] = []portVector{v}
		}
		var room []int
		for _, o := range out {
			room = append(room, o.room)
		}
		b := newBalance(choices, room, rng)
		s := colour(nil, out, b)
		want := 0
		for port, o := range out {
			load := 0
			for d := 1; d < len(choices); d++ {
				for _, p := range choices[d][0] {
					if int(p) == port {
						load++
					}
				}
				want = max(want, len(choices[d][0]))
			}
			want = max(want, (load+o.room-1)/o.room)
		}
		if s.steps != want || len(s.at) != want {
			t.Fatalf("%v: %d steps, want %d", choices, s.steps, want)
		}
		took := make([]portVector, len(choices))
		for step, moving := range s.at {
			used, seen := make([]int, len(out)), map[int32]bool{}
			for i, d := range moving {
				port := s.ports[step][i]
				if used[port]++; used[port] > out[port].room || seen[d] {
					t.Fatalf("%v: step %d: %v over %v", choices, step, moving, s.ports[step])
				}
				seen[d] = true
				took[d] = append(took[d], int16(port))
			}
		}
		for d := 1; d < len(choices); d++ {
			if slices.Sort(took[d]); !slices.Equal(took[d], choices[d][0]) {
				t.Fatalf("%v: displacement %d takes %v", choices, d, took[d])
			}
		}
	}
}

// TestBalanced: a choice is found wherever there is one, by trying all, on few places.
func TestBalanced(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	for range coretest.Cases(2000, 150) {
		room := make([]int, 2+rng.IntN(4))
		for i := range room {
			room[i] = 1 + rng.IntN(2)
		}
		choices := make([][]portVector, 1+rng.IntN(7))
		for d := 1; d < len(choices); d++ {
			for range 1 + rng.IntN(3) {
				v := make(portVector, 1+rng.IntN(4))
				for i := range v {
					v[i] = int16(rng.IntN(len(room)))
				}
				choices[d] = append(choices[d], v)
			}
		}
		fewest := 1 << 20
		load := make([]int, len(room))
		var try func(d, longest int)
		try = func(d, longest int) {
			if d == len(choices) {
				for place, n := range load {
					longest = max(longest, (n+room[place]-1)/room[place])
				}
				fewest = min(fewest, longest)
				return
			}
			for _, v := range choices[d] {
				for _, place := range v {
					load[place]++
				}
				try(d+1, max(longest, len(v)))
				for _, place := range v {
					load[place]--
				}
			}
		}
		try(1, 0)
		for d, list := range choices { // too long a choice is no place with too much load
			choices[d] = slices.DeleteFunc(list, func(v portVector) bool { return len(v) > fewest })
		}
		if balanced(choices, room, fewest-1, 4, 1<<7, nil) != nil {
			t.Fatalf("%v on %v: less than %d", choices, room, fewest)
		}
		if b := balanced(choices, room, fewest, 4, 1<<10, nil); b == nil || b.steps() != fewest {
			t.Fatalf("%v on %v: not in %d", choices, room, fewest)
		}
	}
}

// TestWaysAlong: by all sequences of a vector, which lead to the same node and take these places.
func TestWaysAlong(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	for _, text := range []string{"4x6", "2x8:twist=3", "3x4", "2x2x4"} {
		net := coretest.Must(core.ParseNetwork(text))
		n := coretest.Must(ports(net))
		choices := shortestVectors(net)
		for _, shifts := range n.subgroups() {
			p := newPacking(n, n.complete(nil), shifts)
			for range coretest.Cases(100, 10) {
				from, d := rng.IntN(net.N()), 1+rng.IntN(net.N()-1)
				v := choices[d][0]
				all := map[string]bool{}
				var walk func(at int, left, places portVector)
				walk = func(at int, left, places portVector) {
					for i, port := range left {
						rest := slices.Delete(slices.Clone(left), i, i+1)
						walk(p.out[at][port].to, rest, append(slices.Clone(places), int16(p.places[at][port][0])))
					}
					if slices.Sort(places); len(left) == 0 {
						all[fmt.Sprint(places)] = true
					}
				}
				walk(from, v, nil)
				ways := p.waysAlong(from, v)
				if len(ways) != len(all) && (len(v) < 4 || len(ways) > len(all)) {
					t.Fatalf("%s, %v from %d: %d ways, want %d", text, v, from, len(ways), len(all))
				}
				for _, w := range ways {
					if w.at != net.Sum(from, d) || !all[fmt.Sprint(w.places)] || len(w.by) != len(v) {
						t.Fatalf("%s, %v from %d: %+v", text, v, from, w)
					}
					delete(all, fmt.Sprint(w.places))
				}
			}
		}
	}
}

// TestVectors: all vectors of a box, by the node that they lead to, and none that another is part of.
func TestVectors(t *testing.T) {
	for _, text := range []string{"5", "2x4:twist=1", "3x4", "1x9:twist=2", "2x2x3"} {
		net := coretest.Must(core.ParseNetwork(text))
		for limit := 1; limit <= 6; limit++ {
			have := vectors(net, slices.Repeat([]int{1}, net.Degree()), 2, limit)
			all := make([][]portVector, net.N()) // of walks that never take both ports of a dimension
			var walk func(v int, took portVector)
			walk = func(v int, took portVector) {
				if len(took) <= min(limit, net.LeeDistance(0, v)+2) {
					all[v] = append(all[v], slices.Sorted(slices.Values(took)))
				}
				for i, p := range net.Ports() {
					back := net.PortIndex(p.Dim, -p.Dir)
					if len(took) < limit && (len(took) == 0 || int16(i) >= took[len(took)-1]) &&
						!slices.Contains(took, int16(back)) {
						walk(net.Shift(v, p.Dim, int(p.Dir)), append(slices.Clone(took), int16(i)))
					}
				}
			}
			walk(0, nil)
			for d := 1; d < net.N(); d++ {
				var want []portVector
				for i, v := range all[d] {
					if !slices.ContainsFunc(core.Range(len(all[d])), func(k int) bool {
						return k != i && partOf(all[d][k], v)
					}) {
						want = append(want, v)
					}
				}
				slices.SortFunc(want, slices.Compare)
				slices.SortFunc(have[d], slices.Compare)
				if !slices.EqualFunc(have[d], want, slices.Equal[portVector]) {
					t.Fatalf("%s, %d hops to %d: %v, want %v", text, limit, d, have[d], want)
				}
			}
		}
	}
}

// partOf reports whether a vector takes no port more often than another.
func partOf(v, of portVector) bool {
	left := slices.Clone(of)
	for _, port := range v {
		i := slices.Index(left, port)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// TestPublishedSlices: the slices of large machines for which schedules were published in 2026, of 23, 188, 78, 223 and
// 1360 steps, and plain tori; the checker follows such schedules elsewhere.
func TestPublishedSlices(t *testing.T) {
	slices := map[string]int{"4x8:twist=4": 21, "8x16:twist=8": 170, "4x4x8:twist=0,0,4+0,0,4+0,0,0": 74,
		"4x8x8:twist=0,4,4+0,0,0+0,0,0": 184, "4x4": 8, "5x5": 15, "6x6": 27, "8x8": 64, "4x4x4": 32, "5x5x5": 75,
		"4x4x8": 128, "2x4:twist=1": 3, "3x4": 6, "1x12:twist=5": 5}
	if coretest.Long() {
		slices["8x8x16:twist=0,0,8+0,0,8+0,0,0"] = 1190
	}
	for text, want := range slices {
		n := coretest.Must(ports(coretest.Must(core.ParseNetwork(text))))
		if p := coretest.Must(exchanging(n, core.Range(n.N()), nil)); p.Steps != want || !p.Optimal {
			t.Errorf("%s: %d steps, want %d; bounds %v", text, p.Steps, want, p.Bounds)
		}
	}
}

// TestPathsOfRoutings: blocks take paths of the routing, whatever it is, and where every pair has one path the bound is
// E_max by the definition or more, but no more than there are steps.
func TestPathsOfRoutings(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	nets := []string{"4x4", "5x3", "3x3:open=0,1", "2x6:twist=2", "6:bandwidth=2", "4x4:open=1:bandwidth=1,2", "2x2x3"}
	ways := []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "avoid", "val"}
	optimal, count := 0, coretest.Cases(320, 20)
	for range count {
		net := coretest.Must(core.ParseNetwork(nets[rng.IntN(len(nets))]))
		r, err := routing.Parse(net, ways[rng.IntN(len(ways))])
		if err != nil {
			continue
		}
		procs := rng.Perm(net.N())[:2+rng.IntN(min(net.N(), 8)-1)]
		slices.Sort(procs)
		p := coretest.Must(exchanging(coretest.Must(ports(net)), procs, r))
		place := core.MustPlacement(net, procs)
		took := map[exchange.Block][]core.Link{}
		for phase := range p.Schedule.Phases {
			for _, s := range phase {
				took[s.Blocks[0]] = append(took[s.Blocks[0]], net.Link(int(s.From), s.Axis, s.Dir))
			}
		}
		single := true
		for from, to := range place.Pairs() {
			listed, paths := false, 0
			for links := range r.Paths(from, to, place.Set()) {
				listed = listed || slices.Equal(links, took[exchange.NewBlock(from, to)])
				paths++
			}
			if single = single && paths == 1; !listed {
				t.Fatalf("%v, %v, %v: the block from %d for %d goes by %v", net, r, procs, from, to,
					took[exchange.NewBlock(from, to)])
			}
		}
		i := slices.IndexFunc(p.Bounds, func(b exchange.Bound) bool { return b.Name == PathBound })
		loads := objective.Naive(r, place)
		if most, _ := loads.Max(); p.Bounds[i].Steps > p.Steps || single && p.Bounds[i].Value.Cmp(most) < 0 {
			t.Fatalf("%v, %v, %v: the bound is %v, E_max %v", net, r, procs, p.Bounds[i].Value, most)
		}
		if p.Optimal {
			optimal++
		}
	}
	t.Logf("%d of %d at the bound", optimal, count)
}

// TestSubgroups: by all sets of nodes closed under sums, on small groups.
func TestSubgroups(t *testing.T) {
	for _, text := range []string{"6", "2x4", "2x4:twist=1", "3x3", "1x8:twist=3", "2x2x2", "4x3"} {
		net := coretest.Must(core.ParseNetwork(text))
		n := coretest.Must(ports(net))
		var want [][]int
		for set := 1; set < 1<<net.N(); set += 2 {
			var nodes []int
			for v := range net.N() {
				if set>>v&1 > 0 {
					nodes = append(nodes, v)
				}
			}
			closed := func(a, b int) bool { return set>>net.Sum(a, b)&1 > 0 }
			group := !slices.ContainsFunc(nodes, func(a int) bool {
				return slices.ContainsFunc(nodes, func(b int) bool { return !closed(a, b) })
			})
			index := net.N() / len(nodes)
			cyclic := slices.ContainsFunc(core.Range(net.N()), func(v int) bool { // v generates the factor group
				at, order := v, 1
				for set>>at&1 == 0 {
					at, order = net.Sum(at, v), order+1
				}
				return order == index
			})
			if group && cyclic && index >= 2 && index <= 8 {
				want = append(want, nodes)
			}
		}
		have := n.subgroups()
		have = have[:len(have)-1]
		if len(have) != len(want) {
			t.Fatalf("%s: %v, want %v", text, have, want)
		}
		for _, nodes := range want {
			if !slices.ContainsFunc(have, func(h []int) bool { return slices.Equal(h, nodes) }) {
				t.Errorf("%s: %v is missing", text, nodes)
			}
		}
	}
}

// TestAllPortErrors: what is too large, and a context that has ended.
func TestAllPortErrors(t *testing.T) {
	var e *core.InputError
	if _, err := ports(core.MustTorus(65, 64)); !errors.As(err, &e) {
		t.Error(err)
	}
	ring, square := coretest.Must(ports(core.MustTorus(4096))), coretest.Must(ports(core.MustTorus(8, 8)))
	if _, err := exchanging(ring, core.Range(ring.N()), nil); !errors.As(err, &e) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	all := core.MustPlacement(square.Network, core.Range(64))
	if _, err := AllPort(ctx, square, objective.Traffic{}, all, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
