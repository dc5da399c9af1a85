package check

import (
	"fmt"
	"math/big"
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
)

// An orbitLoads holds the loads of a routing on one torus against a limit, in
// units of 1/u (docs/proofs.md), many links to a word. A link has a lane of
// width bits. In a vector of loads the lane holds the load plus a bias that
// makes its top bit show a load above the limit; in a vector of additions it
// holds the units to add.
type orbitLoads struct {
	torus  *core.Torus
	unit   int64 // u: the units of a whole message
	limit  int64 // L in units, 0 if it is negative
	none   bool  // L is negative
	width  int   // bits of a lane
	words  int   // of a vector
	top    uint64
	stride int             // words of one port: the links out of a node are so far apart
	lanes  []orbitLane     // by node: that of its first link
	pairs  [][][]orbitTerm // by nodes p < v: what they send each other
}

// An orbitTerm adds to one word of a vector.
type orbitTerm struct {
	word int
	add  uint64
}

// An orbitLane is the place of a link in the words of its port.
type orbitLane struct{ word, shift int }

// A linkUnits is the load of a pair on a link, in units.
type linkUnits struct {
	link  core.Link
	units int64
}

// newOrbitLoads lists the paths of all displacements. The limit is the largest
// multiple of 1/u below the value, or at most the value if inclusive. It fails
// with a *core.InputError when units or sums pass 62 bits.
func newOrbitLoads(m *meter, r routing.Routing, n int, value *big.Rat, inclusive bool) (*orbitLoads, error) {
	c := &orbitLoads{torus: r.Torus()}
	unit, joint := jointUnits(m, r)
	most := new(big.Int).Mul(unit, big.NewInt(int64(n*n)))
	// Lanes go up to four times the limit, and those of a node are added up.
	if wide := new(big.Int).Mul(most, big.NewInt(int64(4*c.torus.Degree()))); wide.BitLen() > 62 {
		return nil, &core.InputError{Text: r.String(),
			Problem: fmt.Sprintf("on torus %s loads are multiples of 1/%s: sums of %d processors pass 62 bits", c.torus, unit, n)}
	}
	c.unit = unit.Int64()
	units := new(big.Rat).Mul(value, new(big.Rat).SetInt(unit))
	limit := new(big.Int).Sub(ceil(units), big.NewInt(1))
	if inclusive {
		limit.Div(units.Num(), units.Denom()) // rounds down, as the denominator is positive
	}
	// A limit of n*n messages or more is no limit: no link carries that many, and
	// a node that all pass has room for n more.
	switch {
	case limit.Sign() < 0:
		c.none = true
	case limit.Cmp(most) > 0:
		c.limit = most.Int64()
	default:
		c.limit = limit.Int64()
	}
	c.pack(m, joint)
	return c, nil
}

// jointUnits returns the unit u of docs/proofs.md and, by displacement v, what
// nodes 0 and v send each other on every link, in multiples of 1/u.
func jointUnits(m *meter, r routing.Routing) (*big.Int, [][]linkUnits) {
	t := r.Torus()
	shares, unit := make([]map[core.Link]*big.Rat, t.N()), big.NewInt(1)
	for v := 1; v < t.N(); v++ {
		shares[v] = jointShares(m, r, v)
		for _, share := range shares[v] {
			unit = lcm(unit, share.Denom())
		}
	}
	joint := make([][]linkUnits, t.N())
	if unit.BitLen() > 62 {
		return unit, joint // refused by the caller
	}
	for v := 1; v < t.N(); v++ {
		for link, share := range shares[v] { // sums do not depend on the order
			whole := new(big.Int).Mul(share.Num(), new(big.Int).Div(unit, share.Denom()))
			joint[v] = append(joint[v], linkUnits{link, whole.Int64()})
		}
	}
	return unit, joint
}

// jointShares returns what nodes 0 and v send each other on every link.
func jointShares(m *meter, r routing.Routing, v int) map[core.Link]*big.Rat {
	shares := map[core.Link]*big.Rat{}
	addShares(m, shares, r, 0, v)
	addShares(m, shares, r, v, 0)
	m.chargeAll(64, len(shares))
	return shares
}

// addShares counts the paths from p to q through every link and adds their part
// of all of them.
func addShares(m *meter, to map[core.Link]*big.Rat, r routing.Routing, p, q int) {
	paths, through := int64(0), map[core.Link]int64{}
	for path := range m.paths(r, p, q, nil) {
		paths++
		m.chargeAll(8, len(path))
		for _, l := range path {
			through[l]++
		}
	}
	for l, count := range through {
		share := big.NewRat(count, paths)
		if have := to[l]; have != nil {
			share.Add(share, have)
		}
		to[l] = share
	}
}

// pack chooses the lanes and writes the terms of all pairs.
func (c *orbitLoads) pack(m *meter, joint [][]linkUnits) {
	most := int64(0)
	for _, list := range joint {
		for _, u := range list {
			most = max(most, min(u.units, c.limit+1))
		}
	}
	// A lane takes a load and an addition, both within the limit, and what one
	// more pair adds, without touching its neighbour.
	c.width = 1 + bits.Len64(uint64(c.limit+most-1))
	each := 64 / c.width
	c.stride = (c.torus.N() + each - 1) / each
	c.words = c.stride * c.torus.Degree()
	for i := range each {
		c.top |= 1 << (i*c.width + c.width - 1)
	}
	for v := range c.torus.N() {
		c.lanes = append(c.lanes, orbitLane{word: v / each, shift: v % each * c.width})
	}
	c.packPairs(m, joint)
}

// packPairs translates the loads of every displacement to all pairs p < v. What
// alone passes the limit is cut to one unit above it.
func (c *orbitLoads) packPairs(m *meter, joint [][]linkUnits) {
	n := c.torus.N()
	vector, plus := make([]uint64, c.words), translations(c.torus)
	c.pairs = make([][][]orbitTerm, n)
	for p := range n {
		c.pairs[p] = make([][]orbitTerm, n)
		for v := p + 1; v < n; v++ {
			m.charge(int64(len(vector) + len(joint[c.torus.Displacement(p, v)])))
			clear(vector)
			for _, u := range joint[c.torus.Displacement(p, v)] {
				port, from := int(u.link)/n, int(u.link)%n
				to := c.lanes[plus[p][from]]
				vector[port*c.stride+to.word] += uint64(min(u.units, c.limit+1)) << to.shift
			}
			for i, add := range vector {
				if add != 0 {
					m.charge(16)
					c.pairs[p][v] = append(c.pairs[p][v], orbitTerm{i, add})
				}
			}
		}
	}
}

// empty returns the loads of no processors.
func (c *orbitLoads) empty() []uint64 {
	bias := uint64(1)<<(c.width-1) - 1 - uint64(c.limit)
	vector := make([]uint64, c.words)
	for i := range vector {
		for shift := 0; shift+c.width <= 64; shift += c.width {
			vector[i] |= bias << shift
		}
	}
	return vector
}

// room reports whether the links out of a node can carry so many messages more.
func (c *orbitLoads) room(loads []uint64, v, messages int) bool {
	lane, full := c.lanes[v], uint64(1)<<(c.width-1)-1 // a lane at the limit
	free := uint64(0)
	for i := lane.word; i < len(loads); i += c.stride {
		free += full - loads[i]>>(lane.shift&63)&full
	}
	return free >= uint64(messages)*uint64(c.unit)
}

// fits reports whether no link passes the limit when a node joins: cross is what
// it exchanges with the others, terms what it exchanges with the last of them.
func (c *orbitLoads) fits(loads, cross []uint64, terms []orbitTerm) bool {
	for _, t := range terms {
		if (loads[t.word]+cross[t.word]+t.add)&c.top != 0 {
			return false
		}
	}
	cross = cross[:len(loads)]
	for i, load := range loads {
		if (load+cross[i])&c.top != 0 {
			return false
		}
	}
	return true
}
