package encode

import (
	"cmp"
	"slices"

	"leeway/core"
	"leeway/encode/card"
	"leeway/encode/cnf"
)

// lineRules is the body of a formula that needs no pairs: it counts the
// processors at every place along each dimension, adds up what a processor at a
// place of a line meets at a link (shares times counts, the same for all lines),
// and from that the load of the link in each line.
type lineRules struct {
	model *Model
	units int64
}

func (r *lineRules) write(b *cnf.Builder, nodes []int) {
	if r.units < 0 {
		b.Clause()
		return
	}
	for dim := range 2 {
		counts := r.model.writeCounts(b, dim, nodes)
		for _, l := range r.model.lines {
			if r.model.torus.Port(l.port).Dim == dim {
				r.writeLoad(b, l, counts, nodes)
			}
		}
	}
}

// writeCounts counts the processors at every place along a dimension, and writes
// that together they are as many as the problem has.
func (m *Model) writeCounts(b *cnf.Builder, dim int, nodes []int) []card.Unary {
	slabs := make([][]int, m.torus.Side(dim))
	for v, l := range nodes {
		z := m.torus.Coord(v, dim)
		slabs[z] = append(slabs[z], l)
	}
	counts := make([]card.Unary, len(slabs))
	for z, literals := range slabs {
		counts[z] = card.Count(b, literals)
	}
	n := m.problem.Size
	card.Equals(b, card.Total(b, counts, n+1), n)
	return counts
}

// writeLoad writes the rules of all links of a port.
func (r *lineRules) writeLoad(b *cnf.Builder, l lineLoad, counts []card.Unary, nodes []int) {
	share, units := scaled(l.share, r.units)
	dim := r.model.torus.Port(l.port).Dim
	k := len(share)
	for start := range k {
		if b.Err() != nil {
			return
		}
		met := r.writeMet(b, share, start, counts, units)
		for line := range r.model.torus.Side(1 - dim) {
			var load card.Unary
			for x, m := range met {
				if len(m) == 0 {
					continue
				}
				node := nodes[r.model.nodeAt(dim, line, (start+x)%k)]
				card.Within(b, load, node, m, units)
				load = card.Add(b, load, node, m, 1, units)
			}
		}
	}
}

// writeMet returns, by place counted from the start of the link, what a
// processor there meets. Sums that begin alike are written once.
func (r *lineRules) writeMet(b *cnf.Builder, share [][]int64, start int, counts []card.Unary,
	units int64) []card.Unary {
	k := len(share)
	met := make([]card.Unary, k)
	type prefix struct {
		place  int
		factor int64
		before int
	}
	known := map[prefix]int{}
	sums := []card.Unary{nil}
	for x := range share {
		at := 0
		for _, z := range outward(k) {
			if share[x][z] == 0 {
				continue
			}
			p := prefix{z, share[x][z], at}
			if _, ok := known[p]; !ok {
				known[p] = len(sums)
				sums = append(sums, card.Add(b, sums[at], 0, counts[(start+z)%k], share[x][z], units+1))
			}
			at = known[p]
		}
		met[x] = sums[at]
	}
	return met
}

// outward lists the places by their distance from the link between places 0
// and 1.
func outward(k int) []int {
	list := core.Range(k)
	slices.SortStableFunc(list, func(x, y int) int {
		return cmp.Compare(min((x+k-1)%k, (k-x)%k),
			min((y+k-1)%k, (k-y)%k))
	})
	return list
}

// scaled divides shares and units by the greatest common divisor of the shares.
func scaled(share [][]int64, units int64) ([][]int64, int64) {
	divisor := int64(0)
	for _, row := range share {
		for _, s := range row {
			divisor = core.GCD(divisor, s)
		}
	}
	divisor = max(divisor, 1)
	list := make([][]int64, len(share))
	for x, row := range share {
		for _, s := range row {
			list[x] = append(list[x], s/divisor)
		}
	}
	return list, units / divisor
}

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
