package wormhole

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/exchange"
)

// A Packing is a complete exchange among the processors of a placement in which every block takes one path of a
// routing without a stop. In a phase no node sends twice or receives twice and no link is used twice. All sends carry
// one block, so startups and transmission are both the number of phases.
type Packing struct {
	Direct exchange.Schedule // its sends turn
	Phases int
	// LowerBound is how many phases any such packing needs under the routing, and Why the reason.
	LowerBound int
	Why        string

	torus      *core.Torus
	processors []int // ascending
	set        core.Set
	pairs      []pathPair         // what the packing chose from
	groups     [][]exchange.Block // by phase
}

// maxPathLinks bounds the paths that a packing chooses from, by their links.
const maxPathLinks = 1 << 22

// Pack packs the blocks that the processors of p have for each other into phases of direct sends along paths of r,
// one for each pair. It fills phases with the pairs of one displacement after the other. Then it repacks the phases
// in other orders, with a few pairs moved to the front (after Culberson's iterated greedy colouring), until it meets
// the lower bound or its effort, which depends on the size alone, is spent. The result depends on r and p only. A
// placement on another torus than that of r, or paths of more than 2^22 links in all, is an *core.InputError.
func Pack(r routing.Routing, p core.Placement) (Packing, error) {
	t := r.Torus()
	if !t.Equal(p.Torus()) {
		return Packing{}, &core.InputError{Text: r.String(),
			Problem: fmt.Sprintf("the routing is for torus %s, the placement for %s", t, p.Torus())}
	}
	pairs, err := pairPaths(r, p)
	if err != nil {
		return Packing{}, err
	}
	out := Packing{torus: t, processors: p.Nodes(), set: p.Set(), pairs: pairs}
	out.LowerBound, out.Why = packingBound(t, p.Size(), pairs)
	k := newPathPacker(t, pairs)
	k.improve(out.LowerBound)
	out.Phases, out.groups = k.used, make([][]exchange.Block, k.used)
	phases := make([]exchange.Phase, k.used)
	for i, pair := range pairs {
		phase := k.phase[i]
		out.groups[phase] = append(out.groups[phase], pair.Block)
		phases[phase] = append(phases[phase], exchange.Send{From: pair.From, To: pair.To, Axis: -1,
			Path: legsOf(t, pair.paths[k.choice[i]]), Blocks: []exchange.Block{pair.Block}})
	}
	out.Direct = out.schedule("direct", phases)
	return out, nil
}

// schedule returns phases as a schedule among the processors.
func (k Packing) schedule(name string, phases []exchange.Phase) exchange.Schedule {
	return exchange.Schedule{Head: exchange.Head{Name: name, Model: exchange.Wormhole,
		Axes:         exchange.Axes(k.torus),
		Participants: k.processors}, Phases: slices.Values(phases)}
}

// legsOf joins the links of a path that go straight on.
func legsOf(t *core.Torus, path []core.Link) []exchange.Leg {
	legs := []exchange.Leg{}
	for i, l := range path {
		_, port := t.LinkFrom(l)
		if i == 0 || turns(t, path[i-1:i+1]) > 0 {
			legs = append(legs, exchange.Leg{Axis: int32(port.Dim)})
		}
		legs[len(legs)-1].Links += int32(port.Dir)
	}
	return legs
}

// A pathPair is a block with the paths that it may take.
type pathPair struct {
	exchange.Block
	paths [][]core.Link
}

// pairPaths returns the ordered pairs of processors with their paths under r, those with few turns first. Pairs are
// sorted by displacement and then by sender.
func pairPaths(r routing.Routing, p core.Placement) ([]pathPair, error) {
	t, set := r.Torus(), p.Set()
	var pairs []pathPair
	links := 0
	for from, to := range p.Pairs() {
		pair := pathPair{Block: exchange.NewBlock(from, to)}
		for path := range r.Paths(from, to, set) {
			if links += len(path); links > maxPathLinks {
				return nil, &core.InputError{Text: r.String(),
					Hint:    "a routing with one path a pair, as odr, takes the most processors",
					Problem: fmt.Sprintf("the paths of %d processors have more than %d links", p.Size(), maxPathLinks)}
			}
			pair.paths = append(pair.paths, slices.Clone(path))
		}
		slices.SortStableFunc(pair.paths, func(a, b []core.Link) int { return turns(t, a) - turns(t, b) })
		pairs = append(pairs, pair)
	}
	slices.SortStableFunc(pairs, func(a, b pathPair) int {
		return t.Displacement(int(a.From), int(a.To)) - t.Displacement(int(b.From), int(b.To))
	})
	return pairs, nil
}

// packingBound returns the largest of three lower bounds: the blocks that a processor sends, those that must use one
// link whichever paths they take, and those that must cross between two neighbouring layers, divided by the links
// there.
func packingBound(t *core.Torus, n int, pairs []pathPair) (int, string) {
	best, why := max(0, n-1), "each processor sends to all others"
	onLink, across := map[int]int{}, map[int]int{}
	for _, pair := range pairs {
		countForced(onLink, pair.paths, func(l core.Link) int { return int(l) })
		countForced(across, pair.paths, func(l core.Link) int { return layerOf(t, l) })
	}
	for l := range t.M() {
		if forced := onLink[l]; forced > best {
			from, port := t.LinkFrom(core.Link(l))
			best, why = forced, fmt.Sprintf("%d blocks must use the link from node %d along axis %d, %s", forced, from,
				port.Dim, port.Dir)
		}
		lines := t.N() / t.Side(t.Port(l/t.N()).Dim)
		if forced := across[layerOf(t, core.Link(l))]; (forced+lines-1)/lines > best {
			best = (forced + lines - 1) / lines
			from, port := t.LinkFrom(core.Link(l))
			why = fmt.Sprintf("%d blocks must leave layer %d of axis %d, %s, over %d links", forced,
				t.Coord(from, port.Dim), port.Dim, port.Dir, lines)
		}
	}
	return best, why
}

// layerOf returns a number shared by the links that leave one layer of an axis in one direction.
func layerOf(t *core.Torus, l core.Link) int {
	from, port := t.LinkFrom(l)
	return t.PortIndex(port.Dim, port.Dir)*t.N() + t.Coord(from, port.Dim)
}

// countForced adds one for every key that some link of every path has.
func countForced(count map[int]int, paths [][]core.Link, key func(core.Link) int) {
	meets := map[int]int{} // by key: how many of the first paths meet it, while all do
	for i, path := range paths {
		for _, l := range path {
			if meets[key(l)] == i {
				meets[key(l)]++
			}
		}
	}
	for k, met := range meets {
		if met == len(paths) {
			count[k]++
		}
	}
}

// A packer stops after this many rounds, or after about this many trials of a pair in a phase.
const (
	packRounds = 8000
	packEffort = 1 << 24
)

// A pathPacker assigns pairs to phases and chooses their paths.
type pathPacker struct {
	torus  *core.Torus
	pairs  []pathPair
	phase  []int // by pair
	choice []int // by pair: the number of its path
	used   int   // phases
	busy   []busyPhase
	random *rand.Rand
}

// A busyPhase is what sends of one phase use.
type busyPhase struct{ sends, receives, links core.Set }

func newPathPacker(t *core.Torus, pairs []pathPair) *pathPacker {
	return &pathPacker{torus: t, pairs: pairs, phase: make([]int, len(pairs)), choice: make([]int, len(pairs)),
		random: rand.New(rand.NewPCG(1, 0))}
}

// improve packs the pairs as they are sorted, then in other orders, each from the best packing so far, until there
// are target phases or the effort is spent.
func (k *pathPacker) improve(target int) {
	k.pack([][]int{core.Range(len(k.pairs))})
	for round, spent := 0, 0; k.used > target && round < packRounds && spent < packEffort; round++ {
		used, phase, choice := k.used, slices.Clone(k.phase), slices.Clone(k.choice)
		k.pack(k.regroup())
		spent += len(k.pairs) * k.used
		if k.used > used {
			k.used, k.phase, k.choice = used, phase, choice
		}
	}
}

// regroup returns the pairs by phase, with the phases in random order or, half of the time, the smallest last. Now
// and then some random pairs go to the front, each as a group of its own: some packings cannot be improved by any
// order of the phases.
func (k *pathPacker) regroup() [][]int {
	var front [][]int
	moved := map[int]bool{}
	if k.random.IntN(4) == 0 {
		for range k.random.IntN(k.used + 1) {
			if i := k.random.IntN(len(k.pairs)); !moved[i] {
				moved[i] = true
				front = append(front, []int{i})
			}
		}
	}
	groups := make([][]int, k.used)
	for i, phase := range k.phase {
		if !moved[i] {
			groups[phase] = append(groups[phase], i)
		}
	}
	k.random.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	if k.random.IntN(2) == 0 {
		slices.SortStableFunc(groups, func(a, b []int) int { return len(b) - len(a) })
	}
	return slices.Concat(front, groups)
}

// pack puts the pairs, group by group, into the first phases that have room for them. In a phase that was opened for
// an earlier group a pair may take any path, in a phase opened for its own group only the path that it had. So pairs
// that shared a phase need at most one new phase, and if the groups are the phases their number never grows.
func (k *pathPacker) pack(groups [][]int) {
	k.used = 0
	for _, group := range groups {
		opened := k.used
		for _, i := range group {
			phase := 0
			for phase < k.used && !k.fits(i, phase, phase < opened) {
				phase++
			}
			if phase == k.used {
				k.open()
			}
			k.phase[i] = phase
			k.busy[phase].add(k.pairs[i].Block, k.pairs[i].paths[k.choice[i]])
		}
	}
}

// open starts a new phase.
func (k *pathPacker) open() {
	if k.used == len(k.busy) {
		k.busy = append(k.busy, newBusyPhase(k.torus))
	} else {
		k.busy[k.used].clear()
	}
	k.used++
}

// fits reports whether a phase has room for pair i. If any path will do, it tries them from a random one on and
// chooses the first that is free.
func (k *pathPacker) fits(i, phase int, any bool) bool {
	pair, busy := k.pairs[i], k.busy[phase]
	if busy.ports(pair.Block) {
		return false
	}
	if !any {
		return busy.free(pair.paths[k.choice[i]])
	}
	start := k.random.IntN(len(pair.paths))
	for n := range pair.paths {
		if c := (start + n) % len(pair.paths); busy.free(pair.paths[c]) {
			k.choice[i] = c
			return true
		}
	}
	return false
}

func newBusyPhase(t *core.Torus) busyPhase {
	return busyPhase{core.NewSet(t.N()), core.NewSet(t.N()), core.NewSet(t.M())}
}

// ports reports whether one of the ports that a send needs is in use.
func (b busyPhase) ports(ends exchange.Block) bool {
	return b.sends.Has(int(ends.From)) || b.receives.Has(int(ends.To))
}

// free reports whether no link of a path is in use.
func (b busyPhase) free(path []core.Link) bool {
	return !slices.ContainsFunc(path, func(l core.Link) bool { return b.links.Has(int(l)) })
}

// add notes what a send from ends.From to ends.To uses.
func (b busyPhase) add(ends exchange.Block, path []core.Link) {
	b.sends.Add(int(ends.From))
	b.receives.Add(int(ends.To))
	for _, l := range path {
		b.links.Add(int(l))
	}
}

func (b busyPhase) clear() {
	clear(b.sends)
	clear(b.receives)
	clear(b.links)
}
