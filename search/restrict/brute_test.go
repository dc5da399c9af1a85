package restrict_test

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/restrict"
)

const unit = 840 * 12 // common multiple of 1..8, the paths of a pair here, times that of bandwidths up to 4

// A brute tries all restrictions, from the definition.
type brute struct {
	items  [][][][]core.Link // by item, then path: the links of all its pairs, one list for each
	least  int               // paths that a pair keeps
	single bool
	loads  []int
	best   int
	// bandwidth of every link
	bandwidth []int
}

// messages yields what is sent under a traffic, by all paths, from the definition.
func messages(p core.Placement, traffic objective.Traffic) iter.Seq[objective.Message] {
	return objective.Problem{Routing: routing.NewUDR(p.Torus(), routing.TieBoth),
		Terms: objective.Terms{Traffic: traffic}}.Messages(p)
}

// choices returns how many restrictions of a placement by pair there are, as a float; +Inf where a pair has more than
// eight paths.
func choices(p core.Placement, traffic objective.Traffic) float64 {
	product, seen := 1.0, map[[2]int]bool{}
	for m := range messages(p, traffic) {
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

// newBrute groups the pairs of p by displacement, or leaves each alone.
func newBrute(p core.Placement, traffic objective.Traffic, byPair, single bool, least int) *brute {
	t := p.Torus()
	b := &brute{least: least, single: single, loads: make([]int, t.M()), best: -1}
	for l := range t.M() {
		_, port := t.LinkFrom(core.Link(l))
		b.bandwidth = append(b.bandwidth, t.Bandwidth(port.Dim))
	}
	place := map[int]int{}
	for m := range messages(p, traffic) {
		name := t.Displacement(m.From, m.To)
		if byPair {
			name = m.From*t.N() + m.To
		}
		if _, ok := place[name]; !ok {
			place[name] = len(b.items)
			b.items = append(b.items, nil)
		}
		item, i := place[name], 0
		// The paths of pairs of one displacement come in the same order.
		for path := range m.Routing.Paths(m.From, m.To, nil) {
			if i == len(b.items[item]) {
				b.items[item] = append(b.items[item], nil)
			}
			for range m.Count {
				b.items[item][i] = append(b.items[item][i], slices.Clone(path))
			}
			i++
		}
	}
	b.try(0, 0)
	return b
}

// try goes through the sets of the items from i on. Loads only grow.
func (b *brute) try(i, most int) {
	if b.best >= 0 && most >= b.best {
		return
	}
	if i == len(b.items) {
		b.best = most
		return
	}
	paths := b.items[i]
	for set := 1; set < 1<<len(paths); set++ {
		count := bits.OnesCount(uint(set))
		if count < min(b.least, len(paths)) || b.single && count > 1 {
			continue
		}
		b.try(i+1, max(most, b.add(paths, set, unit/count)))
		b.add(paths, set, -unit/count)
	}
}

// add loads the links of a set and returns the largest load among them.
func (b *brute) add(paths [][][]core.Link, set, share int) int {
	most := 0
	for k, pairs := range paths {
		if set>>k&1 == 0 {
			continue
		}
		for _, path := range pairs {
			for _, l := range path {
				b.loads[l] += share / b.bandwidth[l]
				most = max(most, b.loads[l])
			}
		}
	}
	return most
}

// TestAgainstAllRestrictions holds the search against every restriction.
func TestAgainstAllRestrictions(t *testing.T) {
	coretest.Alone(t)
	cases := []struct {
		sides []int
		most  int // processors
		tries int
	}{{[]int{2, 2}, 4, 3}, {[]int{2, 3}, 4, 30}, {[]int{3, 3}, 4, 40}, {[]int{4}, 4, 3}, {[]int{4, 3}, 3,
		20}, {[]int{2, 2, 3}, 2, 8}, {[]int{4, 4}, 2, 8}}
	random := rand.New(rand.NewPCG(14, 0))
	for _, c := range cases {
		if testing.Short() {
			c.tries = min(c.tries, 2)
		}
		for n := 2; n <= c.most; n++ {
			for range c.tries {
				p := draw(random, core.MustTorus(c.sides...), n)
				for _, least := range []int{0, 1, 2} { // 0: single paths
					agree(t, p, objective.Traffic{}, restrict.ByPair, least)
					agree(t, p, objective.Traffic{}, restrict.ByDisplacement, least)
				}
			}
		}
	}
}

// TestNetworks holds the search against every restriction on random networks.
func TestNetworks(t *testing.T) {
	for i := range coretest.Cases(400, 40) {
		rng := coretest.Rng(31, i)
		p := core.Placement{}
		for p.Torus() == nil || choices(p, objective.Traffic{}) > 1e5 {
			network := coretest.Network(rng, 24)
			if i%4 == 3 {
				network = coretest.Twisted(rng, 12)
			}
			p = draw(rng, network, min(network.N(), 2+rng.IntN(4)))
		}
		least := rng.IntN(3)
		agree(t, p, objective.Traffic{}, restrict.ByPair, least)
		if p.Torus().Closed() {
			agree(t, p, objective.Traffic{}, restrict.ByDisplacement, least)
		}
	}
}

// TestClients holds the search under client traffic against every restriction: by pair and by displacement.
func TestClients(t *testing.T) {
	for i := range coretest.Cases(300, 30) {
		rng := coretest.Rng(33, i)
		p, traffic := core.Placement{}, objective.Traffic{}
		for p.Torus() == nil || !traffic.Clients() || choices(p, traffic) > 1e5 {
			network := coretest.Network(rng, 10)
			if i%4 == 3 {
				network = coretest.Twisted(rng, 10)
			}
			p = draw(rng, network, min(network.N(), 1+rng.IntN(3)))
			traffic = objective.Traffic{Request: rng.IntN(4), Reply: rng.IntN(4)}
			if rng.IntN(2) == 0 {
				traffic.Reply = traffic.Request
			}
		}
		least := rng.IntN(3)
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

// TestDoubled holds the search on open dimensions against one on the torus with these doubled and all processors in the
// first half, by pair: the loads of a table there are the same.
func TestDoubled(t *testing.T) {
	for i := range coretest.Cases(100, 10) {
		rng := coretest.Rng(32, i)
		network := coretest.Network(rng, 30)
		p := draw(rng, network, min(network.N(), 2+rng.IntN(6)))
		params := restrict.Params{Placement: p, By: restrict.ByPair, Single: rng.IntN(2) == 0, Seed: 1, Evaluations: 3000,
			Workers: 1}
		r := coretest.Must(restrict.Run(t.Context(), params))
		sound(t, params, r)
		table, nodes := doubled(t, r.Table, p)
		if value, _ := objective.Naive(table, nodes).Max(); value.Cmp(r.Value) != 0 {
			t.Errorf("%s nodes %v: %s, on %s %s", network, p.Nodes(), r.Value.RatString(), nodes.Torus(), value.RatString())
		}
		params.Placement = nodes
		twin := coretest.Must(restrict.Run(t.Context(), params))
		if twin.Value.Cmp(r.Lower) < 0 || r.Value.Cmp(twin.Lower) < 0 {
			t.Errorf("%s nodes %v: %s at least %s, doubled %s at least %s", network, p.Nodes(), r.Value.RatString(),
				r.Lower.RatString(), twin.Value.RatString(), twin.Lower.RatString())
		}
	}
}

// doubled returns the same table and placement on the network with open sides doubled and closed.
func doubled(t *testing.T, table *routing.Table, p core.Placement) (*routing.Table, core.Placement) {
	t.Helper()
	network := p.Torus()
	sides, bandwidth := network.Dims(), make([]int, network.D())
	for j := range sides {
		bandwidth[j] = network.Bandwidth(j)
		if network.Open(j) {
			sides[j] *= 2
		}
	}
	wide := coretest.Must(core.MustTorus(sides...).WithLinks(nil, bandwidth))
	image := func(v int) int { return coretest.Must(wide.Node(network.Coords(v)...)) }
	var nodes []int
	var entries []routing.TableEntry
	for _, v := range p.Nodes() {
		nodes = append(nodes, image(v))
	}
	for from, to := range p.Pairs() {
		entries = append(entries, routing.TableEntry{From: image(from), To: image(to), Paths: table.Choices(from, to)})
	}
	return coretest.Must(routing.NewTable(wide, true, entries)), core.MustPlacement(wide, nodes)
}

// agree compares the value of a search with that of all restrictions.
func agree(t *testing.T, p core.Placement, traffic objective.Traffic, by restrict.By, least int) {
	t.Helper()
	single := least == 0
	params := restrict.Params{Placement: p, Traffic: traffic, By: by, Single: single, MinPaths: least, Seed: 1,
		Evaluations: 20_000, Workers: 1}
	r := coretest.Must(restrict.Run(context.Background(), params))
	b := newBrute(p, traffic, by == restrict.ByPair, single, least)
	if want := big.NewRat(int64(b.best), unit); r.Value.Cmp(want) != 0 {
		t.Errorf("%s nodes %v, %s, by %d, least %d: %s, all restrictions give %s", p.Torus(), p.Nodes(), traffic, by, least,
			r.Value.RatString(), want.RatString())
	}
	if b.best*int(r.Lower.Denom().Int64()) < unit*int(r.Lower.Num().Int64()) {
		t.Errorf("%s nodes %v: bound %s, but a restriction has %d/%d", p.Torus(), p.Nodes(), r.Lower.RatString(),
			b.best, unit)
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
	for m := range messages(p.Placement, p.Traffic) {
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

// draw returns n nodes of a torus, at random.
func draw(random *rand.Rand, t *core.Torus, n int) core.Placement {
	return core.MustPlacement(t, random.Perm(t.N())[:n])
}

// TestMatrix holds the search under what tasks send each other against every restriction.
func TestMatrix(t *testing.T) {
	for i := range coretest.Cases(300, 30) {
		rng := coretest.Rng(34, i)
		p, traffic := core.Placement{}, objective.Traffic{}
		for p.Torus() == nil || choices(p, traffic) > 1e5 || choices(p, traffic) == 1 {
			network := coretest.Network(rng, 10)
			if i%4 == 3 {
				network = coretest.Twisted(rng, 10)
			}
			at := rng.Perm(network.N())[:min(network.N(), 2+rng.IntN(3))]
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
		least := rng.IntN(3)
		agree(t, p, traffic, restrict.ByPair, least)
		if p.Torus().Closed() {
			agree(t, p, traffic, restrict.ByDisplacement, least)
		}
	}
}
