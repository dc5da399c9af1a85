package wormhole

import (
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// Limits of the search for a relayed schedule: orders of the blocks, and trials of a send in a phase.
const (
	relayOrders = 2000
	relayEffort = 1 << 23
)

// Relayed returns the packing as a schedule of straight sends of one block: a block stops where its path turns and
// continues in a later phase, so nodes without a processor must be able to keep it. Each block takes a path of the
// routing with the fewest stops at processors, whose ports are scarce, and among these one with the fewest turns.
// Blocks go into the first phases with room for them. The order of the blocks is changed a little at a time, starting
// from the phases of the packing, until the schedule meets RelayedBound or the effort, which depends on the size
// alone, is spent.
func (k Packing) Relayed() exchange.Schedule {
	r := newRelayer(k)
	best := r.place()
	bound, random := k.RelayedBound(), rand.New(rand.NewPCG(1, 0))
	for round := 0; len(best) > bound && round < relayOrders && r.spent < relayEffort; round++ {
		before := slices.Clone(r.groups)
		r.reorder(random)
		if next := r.place(); len(next) <= len(best) {
			best = next
		} else {
			r.groups = before
		}
	}
	return k.schedule("packed", best)
}

// A relayer puts the straight parts of blocks into phases.
type relayer struct {
	torus  *core.Torus
	groups [][]relayBlock // in the order in which they are placed
	busy   []busyPhase
	phases []exchange.Phase
	spent  int // trials of a send in a phase
}

// A relayBlock is a block with the ways that it may go, each a list of straight sends.
type relayBlock [][]straightSend

// A straightSend is a send with the links that it takes.
type straightSend struct {
	exchange.Send
	links []core.Link
}

// ends returns the nodes of the send, as a pair.
func (s straightSend) ends() exchange.Block { return exchange.Block{From: s.From, To: s.To} }

// newRelayer groups the blocks by the phases of the packing, those that turn first.
func newRelayer(k Packing) *relayer {
	ways := map[exchange.Block]relayBlock{}
	for _, pair := range k.pairs {
		ways[pair.Block] = fewestStops(k.torus, k.set, pair)
	}
	r := &relayer{torus: k.torus}
	parts := func(group []relayBlock) (n int) {
		for _, b := range group {
			n += len(b[0])
		}
		return n
	}
	for _, blocks := range k.groups {
		var group []relayBlock
		for _, b := range blocks {
			group = append(group, ways[b])
		}
		r.groups = append(r.groups, group)
	}
	slices.SortStableFunc(r.groups, func(a, b []relayBlock) int { return parts(b) - parts(a) })
	return r
}

// fewestStops returns the ways of a pair with the fewest stops at processors, and among these those with the fewest
// stops.
func fewestStops(t *core.Torus, processors core.Set, pair pathPair) relayBlock {
	var best relayBlock
	fewest := 0
	for _, path := range pair.paths {
		if n := processorStops(t, processors, path)*len(path) + turns(t, path); best == nil || n < fewest {
			best, fewest = relayBlock{straightParts(t, pair.Block, path)}, n
		} else if n == fewest {
			best = append(best, straightParts(t, pair.Block, path))
		}
	}
	return best
}

// processorStops returns at how many processors a path turns.
func processorStops(t *core.Torus, processors core.Set, path []core.Link) int {
	count := 0
	for i := 1; i < len(path); i++ {
		if v, _ := t.LinkEnds(path[i]); turns(t, path[i-1:i+1]) > 0 && processors.Has(v) {
			count++
		}
	}
	return count
}

// reorder swaps two groups or moves one, or, now and then, one block to another group.
func (r *relayer) reorder(random *rand.Rand) {
	i, j := random.IntN(len(r.groups)), random.IntN(len(r.groups))
	switch random.IntN(4) {
	case 0:
		group := r.groups[i]
		r.groups = slices.Insert(slices.Delete(r.groups, i, i+1), j, group)
	case 1:
		if from := r.groups[i]; i != j && len(from) > 1 {
			n := random.IntN(len(from))
			block := from[n]
			r.groups[i] = slices.Delete(slices.Clone(from), n, n+1)
			r.groups[j] = append(slices.Clone(r.groups[j]), block)
		}
	default:
		r.groups[i], r.groups[j] = r.groups[j], r.groups[i]
	}
}

// place returns the phases of the blocks in their order, each on the way on which it arrives first.
func (r *relayer) place() []exchange.Phase {
	r.phases = nil
	for i := range r.busy {
		r.busy[i].clear()
	}
	for _, group := range r.groups {
		for _, block := range group {
			var best []int
			way := 0
			for i, sends := range block {
				if at := r.times(sends); best == nil || at[len(at)-1] < best[len(best)-1] {
					best, way = at, i
				}
			}
			for i, s := range block[way] {
				r.put(s, best[i])
			}
		}
	}
	return r.phases
}

// times returns the first phases in which the sends of a block have room, one after the other.
func (r *relayer) times(sends []straightSend) []int {
	at := make([]int, len(sends))
	next := 0
	for i, s := range sends {
		for next < len(r.phases) && (r.busy[next].ports(s.ends()) || !r.busy[next].free(s.links)) {
			next++
			r.spent++
		}
		at[i] = next
		next++
	}
	return at
}

// put adds a send to a phase, a new one if need be.
func (r *relayer) put(s straightSend, phase int) {
	for phase >= len(r.phases) {
		r.phases = append(r.phases, nil)
		if len(r.busy) < len(r.phases) {
			r.busy = append(r.busy, newBusyPhase(r.torus))
		}
	}
	r.busy[phase].add(s.ends(), s.links)
	r.phases[phase] = append(r.phases[phase], s.Send)
}

// turns returns how often a path turns.
func turns(t *core.Torus, path []core.Link) int {
	count := 0
	for i := 1; i < len(path); i++ {
		if int(path[i])/t.N() != int(path[i-1])/t.N() {
			count++
		}
	}
	return count
}

// straightParts returns a path as the sends of a block from turn to turn.
func straightParts(t *core.Torus, b exchange.Block, path []core.Link) []straightSend {
	var parts []straightSend
	for len(path) > 0 {
		length := 1
		for length < len(path) && turns(t, path[length-1:length+1]) == 0 {
			length++
		}
		from, port := t.LinkFrom(path[0])
		_, to := t.LinkEnds(path[length-1])
		parts = append(parts,
			straightSend{exchange.Send{From: int32(from), To: int32(to), Axis: port.Dim, Dir: port.Dir,
				Blocks: []exchange.Block{b}}, path[:length]})
		path = path[length:]
	}
	return parts
}

// RelayedBound returns a lower bound on the transmission of any schedule in which the blocks follow paths of the
// routing and stop where these turn. It is the largest of LowerBound, which stops do not change, StraightBound, and a
// bound from the ports of all processors together.
func (k Packing) RelayedBound() int {
	return max(k.LowerBound, k.StraightBound(), k.receiptBound())
}

// StraightBound returns a lower bound on the transmission of any schedule of straight sends among the processors,
// whichever way blocks take. A block whose ends differ in j coordinates takes at least j sends and so arrives in
// phase j, from 1, at the earliest. The blocks that one processor receives from phase j on are at most the
// transmission of these phases, and each earlier phase costs at least one block. Hence the bound is j-1 plus the
// blocks for one processor that differ in j coordinates or more.
func (k Packing) StraightBound() int {
	best := 0
	for _, to := range k.processors {
		differ := make([]int, k.torus.D()+1)
		for _, from := range k.processors {
			j := 0
			for dim := range k.torus.D() {
				if k.torus.Coord(from, dim) != k.torus.Coord(to, dim) {
					j++
				}
			}
			differ[j]++
		}
		blocks := 0
		for j := k.torus.D(); j > 0; j-- {
			if blocks += differ[j]; blocks > 0 {
				best = max(best, j-1+blocks)
			}
		}
	}
	return best
}

// receiptBound: n processors receive at least R blocks, one for each pair and one for each stop at a processor that
// no path of the pair avoids, so the transmission is at least R/n. It is more if some pair stops at another node
// whichever path it takes. For with exactly R/n every processor receives as many blocks in each phase as the largest
// send. In the first phase these come from processors, whose send ports are then all busy, so nothing goes to another
// node; hence the same holds for the second phase, and so on: no block ever stops at another node.
func (k Packing) receiptBound() int {
	n := len(k.processors)
	if n < 2 {
		return 0
	}
	receipts, outside := 0, false
	for _, pair := range k.pairs {
		within, always := -1, true // the fewest stops at processors; whether every path stops elsewhere
		for _, path := range pair.paths {
			stops := processorStops(k.torus, k.set, path)
			if within < 0 || stops < within {
				within = stops
			}
			always = always && turns(k.torus, path) > stops
		}
		receipts += 1 + within
		outside = outside || always
	}
	if outside {
		return receipts/n + 1
	}
	return (receipts + n - 1) / n
}
