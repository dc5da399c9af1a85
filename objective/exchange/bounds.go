package exchange

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
)

// A Bound says that no complete exchange of the same processors under the same model has fewer steps.
type Bound struct {
	Name    string
	Value   *big.Rat
	Steps   int   // Value, rounded up
	Weights []int // of WeightBound and CongestionBound: the witness
}

// NewBound returns a bound without weights; the value is not negative.
func NewBound(name string, v *big.Rat) Bound {
	up := new(big.Int).Add(v.Num(), new(big.Int).Sub(v.Denom(), big.NewInt(1)))
	return Bound{Name: name, Value: v, Steps: int(up.Div(up, v.Denom()).Int64())}
}

// BestFirst sorts bounds: the most steps first, then the larger exact value.
func BestFirst(bounds []Bound) []Bound {
	slices.SortStableFunc(bounds, func(a, b Bound) int { return b.Value.Cmp(a.Value) })
	return bounds
}

// Bounds returns the lower bounds on the steps of an exchange that need no witness, the best first; any node may pass
// blocks on. With all ports:
//
//   - distance: the greatest distance of a block, and where a node has several for another, when the last of them
//     arrives if they go over all links of either node.
//   - mean: the distances of all blocks, divided by what all links carry in a step.
//   - degree: a node sends all its blocks over its own links, and gets all that are for it over them.
//
// By store and forward, of a complete exchange among P processors:
//
//   - status: every block needs its distance in hops, and a step has at most N hops; for all nodes this is AS(G)
//     (seed 003, (1)).
//   - degree: a processor sends all its blocks.
//   - ramp: at most P blocks leave the P processors in a step, so that only (k+1)P nodes can send in step k, from 0;
//     and likewise at the end, backwards.
//   - flight: the blocks of a processor leave in different steps and come to a processor in different steps; between
//     lies the distance. So the mean distance + P-2.
//   - node: one node sends its own blocks, and those between the parts of the network that fall apart without it: on
//     a path (i+1)(n-1-i)+i(n-i) for node i.
//   - cut: see CutBound.
//
// Cost: O(D side^2 + P D) where shortest paths go along dimensions, else O(P^2) after all distances; for node a search
// from every node.
func Bounds(model Model, n *core.Network, d Demand) []Bound {
	procs, p := d.Nodes, int64(len(d.Nodes))
	if p < 2 {
		return []Bound{NewBound("degree", new(big.Rat))}
	}
	if model == AllPort {
		return BestFirst(portBounds(n, d))
	}
	work, nodes := distances(n, procs), int64(n.N())
	// the fewest steps with room for the work: one step more adds room in the middle, where most nodes can send
	ramp := int64(0)
	for room := int64(0); room < work; ramp++ {
		room += min(nodes, (ramp/2+1)*p)
	}
	flight := big.NewRat(work, p*(p-1))
	return BestFirst([]Bound{
		NewBound("status", big.NewRat(work, nodes)),
		NewBound("degree", big.NewRat(p-1, 1)),
		NewBound("ramp", big.NewRat(ramp, 1)),
		// blocks of a processor leave in steps 0, 1, .. at best, those for it come at the ends of steps T, T-1, ..
		NewBound("flight", flight.Add(flight, big.NewRat(p-2, 1))),
		NewBound("node", big.NewRat(nodeSends(n, procs), 1)),
		NewBound("cut", CutBound(n, procs)),
	})
}

// WormholeBounds returns lower bounds on the startups and the transmission, in blocks, of an exchange among processors
// by wormhole routing: as many startups as it takes to spread one block to all, and the larger of what a processor
// sends and CutBound.
func WormholeBounds(n *core.Network, procs []int) (startups, transmission int64) {
	p := int64(len(procs))
	if p < 2 {
		return 0, 0
	}
	return int64(bits.Len64(uint64(p - 1))), max(p-1, int64(NewBound("cut", CutBound(n, procs)).Steps))
}

func portBounds(n *core.Network, d Demand) []Bound {
	late, total := 0, int64(0)
	own := map[[2]int]int64{} // by node: its blocks, and with 1 those for it
	for _, p := range d.Nodes {
		for q, blocks := range d.Receivers(p) {
			own[[2]int{p, 0}] += int64(blocks)
			own[[2]int{q, 1}] += int64(blocks)
			distance := n.LeeDistance(p, q)
			total += int64(blocks * distance)
			if late = max(late, distance); blocks > 1 {
				late = max(late, pairSteps(n, p, q, blocks), pairSteps(n, q, p, blocks))
			}
		}
	}
	degree := new(big.Rat)
	for at, blocks := range own {
		if v := big.NewRat(blocks, int64(n.CapacityAt(at[0]))); v.Cmp(degree) > 0 {
			degree = v
		}
	}
	return []Bound{NewBound("mean", big.NewRat(total, n.Capacity())), NewBound("distance", big.NewRat(int64(late), 1)),
		NewBound("degree", degree)}
}

// pairSteps returns in how many steps, at the fewest, some blocks go over the links at a node, towards another or from
// it: in T steps a link carries T - d times its bandwidth, d the distance of its other end.
func pairSteps(n *core.Network, at, other, blocks int) int {
	type exit struct{ distance, width int }
	var exits []exit
	for l := range n.LinksFrom(at) {
		_, to := n.LinkEnds(l)
		exits = append(exits, exit{n.LeeDistance(to, other), n.LinkBandwidth(l)})
	}
	slices.SortFunc(exits, func(a, b exit) int { return a.distance - b.distance })
	fewest, room := math.MaxInt, 0
	for _, e := range exits { // of the links so far, where these have as many steps as that
		room += e.width
		blocks += e.distance * e.width
		fewest = min(fewest, (blocks+room-1)/room)
	}
	return fewest
}

// distances returns the sum of the distances of all blocks, dimension by dimension where they add up.
func distances(n *core.Network, procs []int) (total int64) {
	if !n.Separable() {
		for _, p := range procs {
			for _, q := range procs {
				total += int64(n.LeeDistance(p, q))
			}
		}
		return total
	}
	for j := range n.D() {
		count := perCoordinate(n, procs, j)
		for a := range count {
			for b := range count {
				total += count[a] * count[b] * int64(n.Distance(j, a, b))
			}
		}
	}
	return total
}

// perCoordinate returns how many processors have each coordinate in a dimension.
func perCoordinate(n *core.Network, procs []int, dim int) []int64 {
	count := make([]int64, n.Side(dim))
	for _, p := range procs {
		count[n.Coord(p, dim)]++
	}
	return count
}

// maxSearched bounds the nodes times links of networks that are searched without each of their nodes.
const maxSearched = 1 << 28

// nodeSends returns the most blocks that one node must send. Networks of several dimensions never fall apart without a
// node.
func nodeSends(n *core.Network, procs []int) int64 {
	most := int64(len(procs) - 1)
	if n.D() > 1 || !n.Open(0) || n.N()*(n.N()+n.M()) > maxSearched {
		return most
	}
	neighbours, number := Neighbours(n), slices.Repeat([]int64{0}, n.N())
	for _, p := range procs {
		number[p] = 1
	}
	for v, links := range neighbours {
		neighbours[v] = nil // a path may still end there
		all, same, seen := int64(0), int64(0), make([]bool, n.N())
		seen[v] = true
		for _, p := range procs {
			if seen[p] {
				continue
			}
			size := int64(0) // of the processors in its part
			for q, d := range Distances(neighbours, p) {
				if d < Unreachable && q != v {
					seen[q], size = true, size+number[q]
				}
			}
			all, same = all+size, same+size*size
		}
		most = max(most, all*all-same+number[v]*all)
		neighbours[v] = links
	}
	return most
}

// CutBound returns the best bound of a cut between a run of coordinates and the rest, where shortest paths go along
// dimensions: the blocks that cross it one way, divided by how many can cross at once, which is at most the number of
// links, and of nodes on either side.
func CutBound(n *core.Network, procs []int) *big.Rat {
	most, over := int64(0), int64(1) // the best bound, as a fraction
	for j := 0; n.Separable() && j < n.D(); j++ {
		count, side := perCoordinate(n, procs, j), n.Side(j)
		for first := range side {
			inside := int64(0)
			for end := first + 1; end <= side && end-first < side; end++ {
				inside += count[end-1]
				width := min(2, end-first, side-end+first)
				if n.Open(j) && (first == 0 || end == side) {
					width = 1
				}
				across, room := inside*(int64(len(procs))-inside), int64(width*(n.N()/side))
				if across*over > most*room {
					most, over = across, room
				}
			}
		}
	}
	return big.NewRat(most, over)
}
