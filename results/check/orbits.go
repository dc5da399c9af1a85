package check

import (
	"math"
	"math/big"
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
)

// Limits of the full count by orbits.
const (
	maxOrbitNodes = 64          // a set of nodes is one word
	maxOrbitSteps = 200_000_000 // candidates looked at: some minutes
)

// orbitCensus looks at every placement of n >= 1 nodes up to the symmetry of a
// routing that does not depend on the placement, on a torus of at most 64 nodes.
// It returns a placement with E_max below the limit, nil if there is none, and
// whether it came to the end within maxOrbitSteps.
//
// Sets grow node by node in ascending order. A set that is not the
// lexicographically first of its images is dropped with all that grow from it:
// the first of an orbit only has first ones as its beginnings. Loads only grow,
// so a node is dropped where adding it reaches the limit, and a set where the
// links out of a processor cannot take the units it still has to send.
func orbitCensus(r routing.Routing, n int, below *big.Rat) (found *core.Placement, complete bool, err error) {
	group, err := symmetry.Of(r)
	if err != nil {
		return nil, false, err
	}
	c := newOrbitCounter(r, group, n, below)
	if c.limit > 0 && c.extend(1, bit(0), ^bit(0)&c.all) {
		p := core.MustPlacement(r.Torus(), c.nodes)
		return &p, true, nil
	}
	return nil, c.steps <= maxOrbitSteps, nil
}

// countOrbits returns how many orbits of placements of n processors have E_max at
// most a value, and whether it came to the end; see orbitCensus.
func countOrbits(r routing.Routing, n int, most *big.Rat) (orbits int, complete bool, err error) {
	group, err := symmetry.Of(r)
	if err != nil {
		return 0, false, err
	}
	c := newOrbitCounter(r, group, n, most)
	units := new(big.Rat).Mul(most, new(big.Rat).SetInt64(c.unit))
	c.limit = new(big.Int).Div(units.Num(), units.Denom()).Int64() + 1 // the first load that is too much
	c.count = true
	c.extend(1, bit(0), ^bit(0)&c.all)
	return c.orbits, c.steps <= maxOrbitSteps, nil
}

// bit returns the word of node v: earlier nodes are more significant, so that a
// larger word is a lexicographically earlier set.
func bit(v int) uint64 { return 1 << (63 - v) }

// An orbitCounter grows sets of nodes.
type orbitCounter struct {
	torus  *core.Torus
	size   int
	all    uint64
	images [][]uint64 // by group element: the word of the image of every node
	joint  [][]unit   // by pair p*N+q: what p and q load together
	unit   int64      // load of a whole message
	limit  int64      // a load of so much is not below the limit
	loads  [][]int64  // by number of nodes
	nodes  []int
	steps  int64
	orbits int  // complete sets that are first of their orbit, with count
	count  bool // go on at complete sets
}

// A unit is a load on one link.
type unit struct {
	link core.Link
	load int64
}

func newOrbitCounter(r routing.Routing, group *symmetry.Group, n int, below *big.Rat) *orbitCounter {
	t := r.Torus()
	c := &orbitCounter{torus: t, size: n, nodes: make([]int, n), loads: make([][]int64, n+1)}
	for v := range t.N() {
		c.all |= bit(v)
	}
	for i := range c.loads {
		c.loads[i] = make([]int64, t.M())
	}
	for i := range group.Points() {
		for shift := range t.N() {
			image := make([]uint64, t.N())
			for v, to := range group.Images(i, shift) {
				image[v] = bit(to)
			}
			c.images = append(c.images, image)
		}
	}
	c.listPairs(r)
	c.limit = math.MaxInt64
	if limit := ceil(new(big.Rat).Mul(below, new(big.Rat).SetInt64(c.unit))); limit.IsInt64() {
		c.limit = limit.Int64()
	}
	return c
}

// listPairs counts the paths of all pairs through every link.
func (c *orbitCounter) listPairs(r routing.Routing) {
	n := c.torus.N()
	uses, paths := make([]map[core.Link]int64, n*n), make([]int64, n*n)
	whole := big.NewInt(1)
	for p := range n {
		for q := range n {
			if p == q {
				continue
			}
			uses[p*n+q] = map[core.Link]int64{}
			for path := range r.Paths(p, q, nil) {
				paths[p*n+q]++
				for _, l := range path {
					uses[p*n+q][l]++
				}
			}
			whole = lcm(whole, big.NewInt(paths[p*n+q]))
		}
	}
	c.unit = whole.Int64()
	c.joint = make([][]unit, n*n)
	for p := range n {
		for q := range n {
			if p == q {
				continue
			}
			both := map[core.Link]int64{}
			for _, i := range []int{p*n + q, q*n + p} {
				for l, count := range uses[i] {
					both[l] += count * (c.unit / paths[i])
				}
			}
			for l, load := range both { // sums do not depend on the order
				c.joint[p*n+q] = append(c.joint[p*n+q], unit{l, load})
			}
		}
	}
}

// extend adds the nodes that are missing, all from candidates, to a set of m
// nodes, and reports whether that gave a placement below the limit.
func (c *orbitCounter) extend(m int, set, candidates uint64) bool {
	left := c.size - m
	if left == 0 {
		if c.count && c.first(set) {
			c.orbits++
		}
		return !c.count
	}
	keep := uint64(0)
	for rest := candidates; rest != 0 && c.steps <= maxOrbitSteps; {
		v := bits.LeadingZeros64(rest)
		rest &^= bit(v)
		c.steps++
		if c.load(m, v) {
			keep |= bit(v)
		}
	}
	for bits.OnesCount64(keep) >= left && c.steps <= maxOrbitSteps {
		v := bits.LeadingZeros64(keep)
		keep &^= bit(v)
		larger := set | bit(v)
		if left > 2 && !c.first(larger) {
			continue
		}
		c.load(m, v)
		c.nodes[m] = v
		if c.canSend(m+1) && c.extend(m+1, larger, keep) {
			return true
		}
	}
	return false
}

// load puts the loads of the first m nodes and v into loads[m+1] and reports
// whether all are below the limit.
func (c *orbitCounter) load(m, v int) bool {
	to := c.loads[m+1]
	copy(to, c.loads[m])
	for _, p := range c.nodes[:m] {
		for _, u := range c.joint[p*c.torus.N()+v] {
			if to[u.link] += u.load; to[u.link] >= c.limit {
				return false
			}
		}
	}
	return true
}

// first reports whether no image of the set comes before it.
func (c *orbitCounter) first(set uint64) bool {
	for _, image := range c.images {
		moved := uint64(0)
		for rest := set; rest != 0; {
			v := bits.LeadingZeros64(rest)
			rest &^= bit(v)
			moved |= image[v]
		}
		if moved > set {
			return false
		}
	}
	return true
}

// canSend reports whether the links out of each of m processors can take one
// more message to each processor still to come.
func (c *orbitCounter) canSend(m int) bool {
	need := int64(c.size-m) * c.unit
	for _, p := range c.nodes[:m] {
		room := int64(0)
		for port := range c.torus.Degree() {
			room += c.limit - c.loads[m][port*c.torus.N()+p]
		}
		if room < need {
			return false
		}
	}
	return true
}
