package bisect

import "leeway/core"

// graph is the network as a list of neighbours: those of node v are
// next[v*degree:(v+1)*degree], in the order of the ports. Where an open dimension ends
// there is no link, and v stands in the place of the neighbour: no set has the two on
// different sides.
type graph struct {
	nodes, degree int
	next          []int32
	weight        []int // by port: the bandwidth of its links; without dimensions by v*degree + port
	capacity      int   // the most of the links of a node: of one away from the ends
}

func newGraph(t *core.Torus) *graph {
	g := &graph{nodes: t.N(), degree: t.Degree(), next: make([]int32, t.N()*t.Degree())}
	for at := range g.next {
		v, port := at/g.degree, at%g.degree
		l := core.Link(port*g.nodes + v)
		g.next[at] = int32(v)
		if t.HasLink(l) {
			_, to := t.LinkEnds(l)
			g.next[at] = int32(to)
		}
		if !t.HasDimensions() {
			g.weight, g.capacity = append(g.weight, t.LinkBandwidth(l)), max(g.capacity, t.CapacityAt(v))
		} else if v == 0 {
			g.weight, g.capacity = append(g.weight, t.LinkBandwidth(l)), g.capacity+t.LinkBandwidth(l)
		}
	}
	return g
}

// neighbours returns the neighbours of v.
func (g *graph) neighbours(v int) []int32 { return g.next[v*g.degree : (v+1)*g.degree] }

// linkCapacity returns the capacity of the link of node v with a number.
func (g *graph) linkCapacity(v, i int) int {
	if len(g.weight) > g.degree {
		i += v * g.degree
	}
	return g.weight[i]
}

// nodeCapacity returns the capacity of the links that leave v.
func (g *graph) nodeCapacity(v int) int {
	sum := 0
	for i, w := range g.neighbours(v) {
		if int(w) != v {
			sum += g.linkCapacity(v, i)
		}
	}
	return sum
}

// crossing returns the capacity of the links between v and nodes on the other side.
func (g *graph) crossing(s core.Set, v int) int {
	sum := 0
	for i, w := range g.neighbours(v) {
		if s.Has(int(w)) != s.Has(v) {
			sum += g.linkCapacity(v, i)
		}
	}
	return sum
}

// capacityOut adds up the capacity of the links from nodes in s to nodes outside.
func (g *graph) capacityOut(s core.Set) int {
	sum := 0
	for _, v := range s.Nodes() {
		sum += g.crossing(s, v)
	}
	return sum
}

// CapacityOut returns the capacity of the directed links of t that leave the set s: the sum of
// their bandwidths, which is their number on a torus. Cost O(M).
func CapacityOut(t *core.Torus, s core.Set) int { return newGraph(t).capacityOut(s) }

// flip moves a node to the other side of a cut.
func flip(s core.Set, v int) { s[v>>6] ^= 1 << (v & 63) }

// processorsInside returns the number of processors of p in s.
func processorsInside(p core.Placement, s core.Set) int {
	count := 0
	for _, v := range p.Nodes() {
		if s.Has(v) {
			count++
		}
	}
	return count
}

// divisor returns a number that divides the capacity out of every set: walking once
// around a line one leaves the set as often as one enters it, and on more than
// two nodes each of these steps has a link out of its own, one way or the other. It is 1 without dimensions.
func divisor(t *core.Torus) int {
	if !t.HasDimensions() {
		return 1
	}
	common := 0
	for j := range t.D() {
		common = core.GCD(common, leastCut(t, j)*t.Bandwidth(j))
	}
	return common
}

// leastCut returns how many links out a set with some, but not all, nodes of a line along
// dimension j has there at least: two on a ring, one on a path and on two nodes.
func leastCut(t *core.Torus, j int) int {
	if t.Open(j) || !t.BothWays(j) {
		return 1
	}
	return 2
}

// Limits of subsets of dimensions that are all looked at: dimensions, and on twisted tori nodes for all subsets.
const (
	maxConnectedDims  = 12
	maxConnectedNodes = 1 << 22
)

// connectivity returns the least capacity out of any set of nodes but none and all.
//
// Let J be the dimensions along which the set has lines with nodes of both sides; it is
// the same everywhere along the others. If J is not all, the links out are those of a set
// of classes of nodes that steps along the others join, once for each node of a class. In
// each dimension of J at least one line of classes has at least around links out. So there
// are at least K (sum over J of around times bandwidth), K the nodes of a class: the
// product of the other sides, or what these steps reach on a twisted torus. A node, with
// all that the other dimensions make of it, has just this many where the ends of open
// dimensions are. On a torus of bandwidth 1 J of all dimensions is least: the degree. Without dimensions it
// is at least 1, which stands for it.
func connectivity(t *core.Torus) int {
	if !t.HasDimensions() {
		return 1
	}
	d := t.D()
	if t.Plain() {
		return t.Degree()
	}
	least := int(t.Capacity())
	if d > maxConnectedDims || !t.Separable() && t.N()<<d > maxConnectedNodes { // one line is a part of every cut
		for j := range d {
			least = min(least, leastCut(t, j)*t.Bandwidth(j))
		}
		return least
	}
	for set := 1; set < 1<<d; set++ {
		sum := 0
		class, single := reached(t, set)
		for j := range d {
			if set>>j&1 != 0 {
				sum += leastCut(t, j) * t.Bandwidth(j)
			}
		}
		if single {
			least = min(least, class*sum)
		}
	}
	return least
}

// reached returns how many nodes steps along the dimensions outside a set reach from node 0, and whether no single step
// along those inside does.
func reached(t *core.Torus, set int) (count int, single bool) {
	if count = 1; t.Separable() {
		for j := range t.D() {
			if set>>j&1 == 0 {
				count *= t.Side(j)
			}
		}
		return count, true
	}
	seen, list := core.NewSet(t.N()), []int{0}
	seen.Add(0)
	for i := 0; i < len(list); i++ {
		for j := range t.D() {
			if to := t.Shift(list[i], j, 1); set>>j&1 == 0 && !seen.Has(to) {
				seen.Add(to)
				list = append(list, to)
			}
		}
	}
	single = true
	for j := range t.D() {
		single = single && (set>>j&1 == 0 || !seen.Has(t.Shift(0, j, 1)))
	}
	return len(list), single
}
