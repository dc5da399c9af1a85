package exchange

import (
	"fmt"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// A DirectSend takes one block all the way along one path, turns included.
type DirectSend struct {
	Block
	Path []core.Link
}

// A Packing is a complete exchange among the processors of a placement in which every
// block takes one path of a routing without a stop. In a phase no node sends twice or
// receives twice and no link is used twice. All sends carry one block, so startups and
// transmission are both the number of phases.
type Packing struct {
	Torus      *core.Torus
	Processors []int // ascending
	Phases     [][]DirectSend
	// LowerBound is how many phases any such packing needs under the routing, and
	// Why the reason.
	LowerBound int
	Why        string

	pairs []pathPair // what the packing chose from
}

// maxPathLinks bounds the paths that a packing chooses from, by their links.
const maxPathLinks = 1 << 22

// PackWormhole packs the blocks that the processors of p have for each other into phases
// of direct sends along paths of r, one for each pair. It fills phases with the pairs of
// one displacement after the other, then again and again with the phases themselves in
// other orders, a few pairs moved to the front (after Culberson's iterated greedy
// colouring), until it meets the lower bound or its effort, fixed by the size alone, is
// spent. The result depends on r and p only. A placement on another torus than that of r,
// or paths of more than 2^22 links in all, is an *core.InputError.
func PackWormhole(r routing.Routing, p core.Placement) (Packing, error) {
	t := r.Torus()
	if !t.Equal(p.Torus()) {
		return Packing{}, &core.InputError{Text: r.String(), Problem: fmt.Sprintf("the routing is for torus %s, the placement for %s", t, p.Torus())}
	}
	pairs, err := pairPaths(r, p)
	if err != nil {
		return Packing{}, err
	}
	out := Packing{Torus: t, Processors: p.Nodes(), pairs: pairs}
	out.LowerBound, out.Why = packingBound(t, p.Size(), pairs)
	k := newPathPacker(t, pairs)
	k.improve(out.LowerBound)
	out.Phases = make([][]DirectSend, k.used)
	for i, pair := range pairs {
		phase := k.phase[i]
		out.Phases[phase] = append(out.Phases[phase], DirectSend{pair.Block, pair.paths[k.choice[i]]})
	}
	return out, nil
}

// A pathPair is a block with the paths that it may take.
type pathPair struct {
	Block
	paths [][]core.Link
}

// pairPaths returns the ordered pairs of processors with their paths under r, those with
// few turns first. Pairs are sorted by displacement and then by sender.
func pairPaths(r routing.Routing, p core.Placement) ([]pathPair, error) {
	t, nodes, set := r.Torus(), p.Nodes(), p.Set()
	var pairs []pathPair
	links := 0
	for _, from := range nodes {
		for _, to := range nodes {
			if from == to {
				continue
			}
			pair := pathPair{Block: Block{int32(from), int32(to)}}
			for path := range r.Paths(from, to, set) {
				if links += len(path); links > maxPathLinks {
					return nil, &core.InputError{Text: r.String(), Hint: "a routing with one path a pair, as odr, takes the most processors",
						Problem: fmt.Sprintf("the paths of %d processors have more than %d links", len(nodes), maxPathLinks)}
				}
				pair.paths = append(pair.paths, slices.Clone(path))
			}
			slices.SortStableFunc(pair.paths, func(a, b []core.Link) int { return turns(t, a) - turns(t, b) })
			pairs = append(pairs, pair)
		}
	}
	slices.SortStableFunc(pairs, func(a, b pathPair) int {
		return t.Displacement(int(a.From), int(a.To)) - t.Displacement(int(b.From), int(b.To))
	})
	return pairs, nil
}

// packingBound returns the largest of three lower bounds: what a processor sends, what
// goes over one link whichever paths are taken, and what must cross between two
// neighbouring layers over the links there are.
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
			best, why = forced, fmt.Sprintf("%d blocks must use the link from node %d along axis %d, %s", forced, from, port.Dim, port.Dir)
		}
		lines := t.N() / t.Side(t.Port(l/t.N()).Dim)
		if forced := across[layerOf(t, core.Link(l))]; (forced+lines-1)/lines > best {
			best = (forced + lines - 1) / lines
			from, port := t.LinkFrom(core.Link(l))
			why = fmt.Sprintf("%d blocks must leave layer %d of axis %d, %s, over %d links", forced, t.Coord(from, port.Dim), port.Dim, port.Dir, lines)
		}
	}
	return best, why
}

// layerOf returns a number that the links have in common that leave one layer of an
// axis in one direction.
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
