package exchange

import (
	"math/rand/v2"
	"slices"

	"leeway/core"
)

// relayOrders is how many orders of the blocks a relayed schedule is chosen from.
const relayOrders = 50

// Relayed returns the packing as a schedule of straight sends of one block: a block
// stops where its path turns, and goes on in a later phase, so nodes without a
// processor must be able to keep it. Stops overlap with what follows, so few phases come
// in addition. It is the shortest of a fixed number of attempts: sends go into the first
// phase with room for them, phases of the packing in one order or another.
func (k Packing) Relayed() Schedule {
	groups := slices.Clone(k.Phases)
	slices.SortStableFunc(groups, func(a, b []DirectSend) int { return k.turns(b) - k.turns(a) })
	best := k.relay(groups)
	random := rand.New(rand.NewPCG(1, 0))
	for range relayOrders {
		if len(best) <= k.LowerBound {
			break
		}
		i, j := random.IntN(len(groups)), random.IntN(len(groups))
		groups[i], groups[j] = groups[j], groups[i]
		if next := k.relay(groups); len(next) <= len(best) {
			best = next
		} else {
			groups[i], groups[j] = groups[j], groups[i]
		}
	}
	return Schedule{Name: "packed", Model: Wormhole, Sides: k.Torus.Dims(), Participants: k.Processors, Phases: slices.Values(best)}
}

// turns returns how often the paths of some sends turn, all together.
func (k Packing) turns(sends []DirectSend) int {
	count := 0
	for _, s := range sends {
		count += turns(k.Torus, s.Path)
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

// relay puts the straight parts of all sends into the first phases with room for them.
func (k Packing) relay(groups [][]DirectSend) []Phase {
	var phases []Phase
	var busy []busyPhase
	for _, sends := range groups {
		for _, s := range sends {
			earliest, path := 0, s.Path
			for len(path) > 0 {
				part, links := k.straight(s.Block, path)
				path = path[len(links):]
				at := earliest
				ends := Block{part.From, part.To}
				for at < len(busy) && (busy[at].ports(ends) || !busy[at].free(links)) {
					at++
				}
				if at == len(busy) {
					busy, phases = append(busy, newBusyPhase(k.Torus)), append(phases, nil)
				}
				busy[at].add(ends, links)
				phases[at] = append(phases[at], part)
				earliest = at + 1
			}
		}
	}
	return phases
}

// straight returns the send of a block along a path up to its first turn, and the links
// that it takes.
func (k Packing) straight(b Block, path []core.Link) (Send, []core.Link) {
	length := 1
	for length < len(path) && turns(k.Torus, path[:length+1]) == 0 {
		length++
	}
	from, port := k.Torus.LinkFrom(path[0])
	_, to := k.Torus.LinkEnds(path[length-1])
	return Send{From: int32(from), To: int32(to), Axis: port.Dim, Dir: port.Dir, Blocks: []Block{b}}, path[:length]
}

// RelayedBound returns a lower bound on the transmission of any schedule of straight sends
// among the processors. A block whose ends differ in j coordinates takes j sends at least,
// so that it does not come before phase j, from 1; and what comes to one processor from
// then on is no more than the transmission of these phases, those before costing a block
// each. So it is j-1 plus the blocks for a processor that differ in j coordinates or more.
func (k Packing) RelayedBound() int {
	best := 0
	for _, to := range k.Processors {
		differ := make([]int, k.Torus.D()+1)
		for _, from := range k.Processors {
			j := 0
			for dim := range k.Torus.D() {
				if k.Torus.Coord(from, dim) != k.Torus.Coord(to, dim) {
					j++
				}
			}
			differ[j]++
		}
		blocks := 0
		for j := k.Torus.D(); j > 0; j-- {
			if blocks += differ[j]; blocks > 0 {
				best = max(best, j-1+blocks)
			}
		}
	}
	return best
}
