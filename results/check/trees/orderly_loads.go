package trees

import (
	"fmt"
	"math/big"
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// An orderlyLoads holds the loads of a routing on one torus against a limit, in units of 1/u (docs/proofs.md), many
// links to a word. A link has a lane of width bits. In a vector of loads the lane holds the load plus a bias that makes
// its top bit show a load above the limit; in a vector of additions it holds the units to add.
type orderlyLoads struct {
	torus  *core.Torus
	unit   int64 // u: the units of a whole message
	limit  int64 // L in units, 0 if it is negative
	none   bool  // L is negative
	width  int   // bits of a lane
	words  int   // of a vector
	top    uint64
	twice  []bool            // by dimension: opposite links always carry the same, one is held
	starts []int             // by port: its first word, -1 if it is not held
	lanes  []orderlyLane     // by node: that of its first link
	ends   [][]orderlyEnd    // by node: the links out of it, or those that carry the same
	pairs  [][][]orderlyTerm // by nodes p < v: what they send each other
}

// An orderlyTerm adds to one word of a vector.
type orderlyTerm struct {
	word int
	add  uint64
}

// An orderlyLane is the place of a link in the words of its port.
type orderlyLane struct{ word, shift int }

// An orderlyEnd is where the load of a link is held, and its bandwidth.
type orderlyEnd struct {
	orderlyLane
	carry uint64
}

// A linkUnits is the load of a pair on a link, in units.
type linkUnits struct {
	link  core.Link
	units int64
}

// newOrderlyLoads lists the paths of all displacements. The limit is the largest multiple of 1/u below the value, or at
// most the value if inclusive. It fails with a *core.InputError when units or sums pass 62 bits.
func newOrderlyLoads(m *meter.Meter, r routing.Routing, n int, value *big.Rat, inclusive bool) (*orderlyLoads, error) {
	c := &orderlyLoads{torus: r.Torus()}
	unit, joint := pairUnits(m, r)
	most := new(big.Int).Mul(unit, big.NewInt(int64(n*n)))
	// Lanes go up to four times the limit, and those of a node are added up.
	factor := big.NewInt(int64(4 * c.torus.Degree() * c.torus.CommonBandwidth()))
	if wide := factor.Mul(factor, most); wide.BitLen() > 62 {
		return nil, &core.InputError{Text: r.String(),
			Problem: fmt.Sprintf("on torus %s loads are multiples of 1/%s: sums of %d processors pass 62 bits",
				c.torus, unit, n)}
	}
	c.unit = unit.Int64()
	limit := shares.Below(value, unit)
	if inclusive && new(big.Rat).SetFrac(new(big.Int).Add(limit, big.NewInt(1)), unit).Cmp(value) == 0 {
		limit.Add(limit, big.NewInt(1))
	}
	// A limit of n*n messages or more is no limit: no link carries that many, and a node that all pass has room for n
	// more.
	switch {
	case limit.Sign() < 0:
		c.none = true
	case limit.Cmp(most) > 0:
		c.limit = most.Int64()
	default:
		c.limit = limit.Int64()
	}
	c.twice = opposite(m, c.torus, joint)
	c.pack(m, joint)
	c.ends = make([][]orderlyEnd, c.torus.N())
	for l := range core.Link(c.torus.M()) {
		from, port := c.torus.LinkFrom(l)
		if !c.torus.HasLink(l) {
			continue
		}
		if c.twice[port.Dim] && port.Dir == core.Minus {
			l = c.torus.Reverse(l)
		}
		at := c.lanes[int(l)%c.torus.N()]
		at.word += c.starts[int(l)/c.torus.N()]
		c.ends[from] = append(c.ends[from], orderlyEnd{at, uint64(c.torus.Bandwidth(port.Dim))})
	}
	return c, nil
}

// pairUnits is jointUnits, by pair of nodes p < v at v(v-1)/2+p if some dimension is open.
func pairUnits(m *meter.Meter, r routing.Routing) (*big.Int, [][]linkUnits) {
	type units struct {
		unit  *big.Int
		joint [][]linkUnits
	}
	u := meter.OncePer(m, "pairs", r, func() (u units) {
		u.unit, u.joint = listPairUnits(m, r)
		return u
	})
	return u.unit, u.joint
}

// listPairUnits is pairUnits, listed anew.
func listPairUnits(m *meter.Meter, r routing.Routing) (*big.Int, [][]linkUnits) {
	t := r.Torus()
	if t.Closed() {
		return jointUnits(m, r)
	}
	var parts []map[core.Link]*big.Rat
	for v := range t.N() {
		for p := range v {
			parts = append(parts, shares.Between(m, r, p, v))
		}
	}
	return inUnits(t, parts)
}

// jointUnits returns the unit u of docs/proofs.md and, by displacement v, what nodes 0 and v send each other on every
// link, in multiples of 1/u.
func jointUnits(m *meter.Meter, r routing.Routing) (*big.Int, [][]linkUnits) {
	t := r.Torus()
	parts := make([]map[core.Link]*big.Rat, t.N())
	for v := 1; v < t.N(); v++ {
		parts[v] = shares.Joint(m, r, v)
	}
	return inUnits(t, parts)
}

// inUnits returns the least u such that all shares, divided by the bandwidths of their links, are multiples of 1/u, and
// the shares in these.
func inUnits(t *core.Torus, parts []map[core.Link]*big.Rat) (*big.Int, [][]linkUnits) {
	unit := big.NewInt(1)
	for _, part := range parts {
		for link, share := range part {
			if _, port := t.LinkFrom(link); t.Bandwidth(port.Dim) > 1 {
				share.Quo(share, big.NewRat(int64(t.Bandwidth(port.Dim)), 1))
			}
			unit = shares.LCM(unit, share.Denom())
		}
	}
	joint := make([][]linkUnits, len(parts))
	if unit.BitLen() > 62 {
		return unit, joint // refused by the caller
	}
	for i, part := range parts {
		for link, share := range part { // sums do not depend on the order
			whole := new(big.Int).Mul(share.Num(), new(big.Int).Div(unit, share.Denom()))
			joint[i] = append(joint[i], linkUnits{link, whole.Int64()})
		}
	}
	return unit, joint
}

// opposite reports, by dimension, whether links opposite to each other carry the same of every pair.
func opposite(m *meter.Meter, t *core.Torus, pairs [][]linkUnits) []bool {
	same, units := make([]bool, t.D()), make([]int64, t.M())
	for s := range same {
		same[s] = t.Side(s) > 2
	}
	for _, list := range pairs {
		m.Charge(int64(3 * len(list)))
		for _, l := range list {
			units[l.link] = l.units
		}
		for _, l := range list {
			if _, port := t.LinkFrom(l.link); units[t.Reverse(l.link)] != l.units {
				same[port.Dim] = false
			}
		}
		for _, l := range list {
			units[l.link] = 0
		}
	}
	return same
}

// pack chooses the lanes and writes the terms of all pairs.
func (c *orderlyLoads) pack(m *meter.Meter, joint [][]linkUnits) {
	most := int64(1)
	for _, list := range joint {
		for _, u := range list {
			most = max(most, min(u.units, c.limit+1))
		}
	}
	// A lane takes a load and an addition, both within the limit, and what one more pair adds, without touching its
	// neighbour.
	c.width = 1 + bits.Len64(uint64(c.limit+most-1))
	each := 64 / c.width
	for _, port := range c.torus.Ports() {
		if c.twice[port.Dim] && port.Dir == core.Minus {
			c.starts = append(c.starts, -1)
			continue
		}
		c.starts, c.words = append(c.starts, c.words), c.words+(c.torus.N()+each-1)/each
	}
	for i := range each {
		c.top |= 1 << (i*c.width + c.width - 1)
	}
	for v := range c.torus.N() {
		c.lanes = append(c.lanes, orderlyLane{word: v / each, shift: v % each * c.width})
	}
	c.packPairs(m, joint)
}

// packPairs writes the loads of all pairs p < v, translations of those of their displacement if no dimension is open.
// What alone passes the limit is cut to one unit above it.
func (c *orderlyLoads) packPairs(m *meter.Meter, joint [][]linkUnits) {
	n := c.torus.N()
	vector, plus := make([]uint64, c.words), translations(c.torus)
	c.pairs = make([][][]orderlyTerm, n)
	for p := range n {
		c.pairs[p] = make([][]orderlyTerm, n)
		for v := p + 1; v < n; v++ {
			at, moved := v*(v-1)/2+p, plus[0]
			if c.torus.Closed() {
				at, moved = c.torus.Displacement(p, v), plus[p]
			}
			list := joint[at]
			m.Charge(int64(len(vector) + len(list)))
			clear(vector)
			for _, u := range list {
				start, to := c.starts[int(u.link)/n], c.lanes[moved[int(u.link)%n]]
				if start >= 0 {
					vector[start+to.word] += uint64(min(u.units, c.limit+1)) << to.shift
				}
			}
			for i, add := range vector {
				if add != 0 {
					m.Charge(16)
					c.pairs[p][v] = append(c.pairs[p][v], orderlyTerm{i, add})
				}
			}
		}
	}
}

// empty returns the loads of no processors.
func (c *orderlyLoads) empty() []uint64 {
	bias := uint64(1)<<(c.width-1) - 1 - uint64(c.limit)
	vector := make([]uint64, c.words)
	for i := range vector {
		for shift := 0; shift+c.width <= 64; shift += c.width {
			vector[i] |= bias << shift
		}
	}
	return vector
}

// held returns where the load of a link is in a vector.
func (c *orderlyLoads) held(l core.Link) orderlyLane {
	if c.starts[int(l)/c.torus.N()] < 0 {
		l = c.torus.Reverse(l)
	}
	lane := c.lanes[int(l)%c.torus.N()]
	lane.word += c.starts[int(l)/c.torus.N()]
	return lane
}

// full returns what a lane of loads has at the limit.
func (c *orderlyLoads) full() int64 { return 1<<(c.width-1) - 1 }

// room reports whether the links out of a node can carry so many messages more.
func (c *orderlyLoads) room(loads []uint64, v, messages int) bool {
	free, full := uint64(0), uint64(1)<<(c.width-1)-1 // a lane at the limit
	for _, end := range c.ends[v] {
		free += end.carry * (full - loads[end.word]>>(end.shift&63)&full)
	}
	return free >= uint64(messages)*uint64(c.unit)
}

// fits reports whether no link passes the limit when a node joins: cross is what it exchanges with the others, terms
// what it exchanges with the last of them.
func (c *orderlyLoads) fits(loads, cross []uint64, terms []orderlyTerm) bool {
	top := c.top
	for _, t := range terms {
		if (loads[t.word]+cross[t.word]+t.add)&top != 0 {
			return false
		}
	}
	const stride = 8 // words looked at together
	for ; len(loads) >= stride && len(cross) >= stride; loads, cross = loads[stride:], cross[stride:] {
		l, c := (*[stride]uint64)(loads), (*[stride]uint64)(cross)
		if ((l[0]+c[0])|(l[1]+c[1])|(l[2]+c[2])|(l[3]+c[3])|(l[4]+c[4])|(l[5]+c[5])|(l[6]+c[6])|(l[7]+c[7]))&top != 0 {
			return false
		}
	}
	for i, load := range loads {
		if (load+cross[i])&top != 0 {
			return false
		}
	}
	return true
}

// exchange finds what a candidate of a list exchanges with it: what it exchanged with the list before, and terms, what
// it exchanges with its last node.
func exchange(cross, before []uint64, terms []orderlyTerm) {
	copy(cross, before)
	for _, t := range terms {
		cross[t.word] += t.add
	}
}
