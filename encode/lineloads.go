package encode

import "slices"

// A lineLoad says what the processors put on the links along one dimension of a
// torus of two. The link of a line (the nodes that differ in this dimension
// only) that starts at place 0 of it carries the sum over the processors x of the
// line and all places z of share[x][z] c[z], where c[z] counts the processors of
// all lines at place z: for given counts it is linear in the line
// (docs/margin-bound.md, part 3). Shares are in units of 1/D.
type lineLoad struct {
	port  int
	share [][]int64
}

// lineLoads returns the loads of the ports as lineLoads, leaving out the idle
// ones; false if they are none. It trusts no theory of the routing: what a pair
// with one end in the line puts on the link must depend on the place of the
// other end only, what a pair inside puts there must be the sum of both shares,
// and no other pair may use it.
func (m *Model) lineLoads() ([]lineLoad, bool) {
	if m.torus.D() != 2 {
		return nil, false
	}
	var list []lineLoad
	for port := range m.loads {
		if m.idle[port] {
			continue
		}
		share, ok := m.shares(port)
		if !ok {
			return nil, false
		}
		list = append(list, lineLoad{port: port, share: share})
	}
	return list, true
}

// shares returns the shares of a port, false if its loads have none. Cost O(its
// pairs).
func (m *Model) shares(port int) ([][]int64, bool) {
	dim := m.torus.Port(port).Dim
	share := make([][]int64, m.torus.Side(dim))
	for x := range share {
		share[x] = make([]int64, len(share))
	}
	place := func(v int) int { return m.torus.Coord(v, dim) }
	line := func(v int) int { return m.torus.Coord(v, 1-dim) }
	for _, l := range m.loads[port] {
		for _, ends := range [2][2]int{{l.a, l.b}, {l.b, l.a}} {
			if line(ends[0]) == 0 && line(ends[1]) == 1 {
				share[place(ends[0])][place(ends[1])] = l.weight
			}
		}
	}
	load := func(a, b int) int64 { // what a pair puts there if there are shares
		sum := int64(0)
		if line(a) == 0 {
			sum += share[place(a)][place(b)]
		}
		if line(b) == 0 {
			sum += share[place(b)][place(a)]
		}
		return sum
	}
	for _, l := range m.loads[port] {
		if load(l.a, l.b) != l.weight {
			return nil, false
		}
	}
	return share, m.loaded(dim, load) == len(m.loads[port])
}

// loaded counts the pairs with an end in line 0 to which load gives anything; a
// node with itself counts too.
func (m *Model) loaded(dim int, load func(a, b int) int64) int {
	count := 0
	for x := range m.torus.Side(dim) {
		a := m.nodeAt(dim, 0, x)
		for b := range m.torus.N() {
			inside := m.torus.Coord(b, 1-dim) == 0
			if (b >= a || !inside) && load(a, b) != 0 {
				count++
			}
		}
	}
	return count
}

// nodeAt returns the node at a place of a line along a dimension; lines are
// numbered by the other coordinate.
func (m *Model) nodeAt(dim, line, place int) int {
	return place*m.torus.Stride(dim) + line*m.torus.Stride(1-dim)
}

// idlePorts returns the ports whose links always carry what those in the other
// direction do, so that one of the two needs rules.
func (m *Model) idlePorts() []bool {
	idle := make([]bool, len(m.loads))
	for port := 1; port < len(m.loads); port++ {
		before, here := m.torus.Port(port-1), m.torus.Port(port)
		if before.Dim != here.Dim {
			continue
		}
		// The links are reverse to each other after a step by the port before.
		step := m.torus.Shift(0, before.Dim, 1)
		moved := slices.Clone(m.loads[port])
		for i, l := range moved {
			a, b := m.sums.At(step, l.a), m.sums.At(step, l.b)
			moved[i].a, moved[i].b = min(a, b), max(a, b)
		}
		sortLoads(moved)
		idle[port] = slices.Equal(moved, m.loads[port-1])
	}
	return idle
}
