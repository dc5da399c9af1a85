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
	pairs      []pathPair // what the packing chose from
	groups     [][]int    // by phase: the pairs that are sent in it
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
	var blocks []choices
	for _, pair := range pairs {
		var ways choices
		for _, path := range pair.paths {
			send := exchange.Send{From: pair.From, To: pair.To, Axis: -1, Blocks: []exchange.Block{pair.Block}}
			for _, part := range straightParts(t, pair.Block, path) {
				send.Path = append(send.Path, exchange.Leg{Axis: int32(part.Axis), Links: int32(part.Dir) * part.length()})
			}
			ways = append(ways, []phaseSend{newPhaseSend(t, send, path)})
		}
		blocks = append(blocks, ways)
	}
	phases, first := newPacker(t, blocks).improve([][]int{core.Range(len(pairs))}, out.LowerBound)
	out.Phases, out.groups = len(phases), first
	out.Direct = out.schedule("direct", phases)
	return out, nil
}

// schedule returns phases as a schedule among the processors.
func (k Packing) schedule(name string, phases []exchange.Phase) exchange.Schedule {
	return exchange.Schedule{Head: exchange.Head{Name: name, Model: exchange.Wormhole,
		Axes:         exchange.Axes(k.torus),
		Participants: k.processors}, Phases: slices.Values(phases)}
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

// A packer stops after this many rounds, or after about this many trials of a send in a phase.
const (
	packRounds = 8000
	packEffort = 1 << 24
)

// choices are the ways that a block may go, each a list of sends, one after the other.
type choices [][]phaseSend

// A packer puts the sends of blocks into phases.
type packer struct {
	torus  *core.Torus
	blocks []choices
	way    []int      // by block
	at     [][]int    // by block: the phases of its sends
	used   int        // phases
	busy   []core.Set // by phase: what its sends need
	random *rand.Rand
	spent  int // trials of a send in a phase
}

// A phaseSend is a send with what no other of its phase may need: a port to send, one to receive, and links.
type phaseSend struct {
	exchange.Send
	needs []int
}

func newPhaseSend(t *core.Torus, s exchange.Send, path []core.Link) phaseSend {
	needs := append(make([]int, 0, 2+len(path)), int(s.From), t.N()+int(s.To))
	for _, l := range path {
		needs = append(needs, 2*t.N()+int(l))
	}
	return phaseSend{s, needs}
}

// fits reports whether nothing that the send needs is taken.
func (s phaseSend) fits(busy core.Set) bool {
	for _, n := range s.needs {
		if busy.Has(n) {
			return false
		}
	}
	return true
}

// length returns the number of links.
func (s phaseSend) length() int32 { return int32(len(s.needs) - 2) }

func newPacker(t *core.Torus, blocks []choices) *packer {
	return &packer{torus: t, blocks: blocks, way: make([]int, len(blocks)), at: make([][]int, len(blocks)),
		random: rand.New(rand.NewPCG(1, 0))}
}

// improve packs the blocks of groups, then again in other orders, each from the best packing so far, until there are
// target phases or the effort is spent. It returns the phases, and by phase the blocks that are sent in it first.
func (k *packer) improve(groups [][]int, target int) ([]exchange.Phase, [][]int) {
	k.pack(groups)
	for round := 0; k.used > target && round < packRounds && k.spent < packEffort; round++ {
		used, at, way := k.used, slices.Clone(k.at), slices.Clone(k.way)
		if k.pack(k.regroup()); k.used > used {
			k.used, k.at, k.way = used, at, way
		}
	}
	phases, first := make([]exchange.Phase, k.used), make([][]int, k.used)
	for i, at := range k.at {
		first[at[0]] = append(first[at[0]], i)
		for j, phase := range at {
			phases[phase] = append(phases[phase], k.blocks[i][k.way[i]][j].Send)
		}
	}
	return phases, first
}

// regroup returns the blocks by their first phase, with the phases in random order or, half of the time, the smallest
// last. Now and then some random blocks go to the front, each as a group of its own: some packings cannot be improved
// by any order of the phases.
func (k *packer) regroup() [][]int {
	var front [][]int
	moved := map[int]bool{}
	if k.random.IntN(4) == 0 {
		for range k.random.IntN(k.used + 1) {
			if i := k.random.IntN(len(k.blocks)); !moved[i] {
				moved[i] = true
				front = append(front, []int{i})
			}
		}
	}
	groups := make([][]int, k.used)
	for i, at := range k.at {
		if !moved[i] {
			groups[at[0]] = append(groups[at[0]], i)
		}
	}
	k.random.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	if k.random.IntN(2) == 0 {
		slices.SortStableFunc(groups, func(a, b []int) int { return len(b) - len(a) })
	}
	return slices.Concat(front, groups)
}

// pack puts the blocks, group by group, into the first phases that have room for them. Where a block has one send, it
// may take any path in a phase that was opened for an earlier group, and only the path that it had in one opened for
// its own. So blocks that shared a phase need at most one new phase, and if the groups are the phases their number
// never grows.
func (k *packer) pack(groups [][]int) {
	k.used = 0
	for i := range k.busy {
		clear(k.busy[i])
	}
	for _, group := range groups {
		opened := k.used
		for _, i := range group {
			best, way := k.times(k.blocks[i][k.way[i]]), k.way[i]
			start := k.random.IntN(len(k.blocks[i]))
			for n := range k.blocks[i] {
				w := (start + n) % len(k.blocks[i])
				if at := k.times(k.blocks[i][w]); at[len(at)-1] < min(best[len(best)-1], opened) {
					best, way = at, w
				}
			}
			k.at[i], k.way[i] = best, way
			for j, s := range k.blocks[i][way] {
				for best[j] >= len(k.busy) {
					k.busy = append(k.busy, core.NewSet(2*k.torus.N()+k.torus.M()))
				}
				k.used = max(k.used, best[j]+1)
				for _, n := range s.needs {
					k.busy[best[j]].Add(n)
				}
			}
		}
	}
}

// times returns the first phases in which the sends of a block have room, one after the other.
func (k *packer) times(sends []phaseSend) []int {
	at := make([]int, len(sends))
	next := 0
	for i, s := range sends {
		for next < k.used && !s.fits(k.busy[next]) {
			next++
			k.spent++
		}
		at[i] = next
		next++
	}
	return at
}
