package wormhole

import (
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// Relayed returns the packing as a schedule of straight sends of one block: a block stops where its path turns and
// continues in a later phase, so nodes without a processor must be able to keep it. Each block takes a path of the
// routing with the fewest stops at processors, whose ports are scarce, and among these one with the fewest turns.
// Blocks go into the first phases with room for them. The order of the blocks is changed a little at a time, starting
// from the phases of the packing, until the schedule meets RelayedBound or the effort, which depends on the size
// alone, is spent.
func (k Packing) Relayed() exchange.Schedule {
	var blocks []choices
	for _, pair := range k.pairs {
		blocks = append(blocks, fewestStops(k.torus, k.set, pair))
	}
	groups := slices.Clone(k.groups) // those that turn first
	parts := func(group []int) (n int) {
		for _, i := range group {
			n += len(blocks[i][0])
		}
		return n
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return parts(b) - parts(a) })
	phases, _ := newPacker(k.torus, blocks).improve(groups, k.RelayedBound())
	return k.schedule("packed", phases)
}

// fewestStops returns the ways of a pair with the fewest stops at processors, and among these those with the fewest
// stops.
func fewestStops(t *core.Torus, processors core.Set, pair pathPair) choices {
	var best choices
	fewest := 0
	for _, path := range pair.paths {
		if n := processorStops(t, processors, path)*len(path) + turns(t, path); best == nil || n < fewest {
			best, fewest = choices{straightParts(t, pair.Block, path)}, n
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
func straightParts(t *core.Torus, b exchange.Block, path []core.Link) []phaseSend {
	var parts []phaseSend
	for len(path) > 0 {
		length := 1
		for length < len(path) && turns(t, path[length-1:length+1]) == 0 {
			length++
		}
		from, port := t.LinkFrom(path[0])
		_, to := t.LinkEnds(path[length-1])
		parts = append(parts,
			newPhaseSend(t, exchange.Send{From: int32(from), To: int32(to), Axis: port.Dim, Dir: port.Dir,
				Blocks: []exchange.Block{b}}, path[:length]))
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
