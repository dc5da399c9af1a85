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
	noted *[2]Lines // what write notes, where it is not nil
}

func (r *lineRules) write(b *cnf.Builder, nodes []int) {
	if r.units < 0 {
		b.Clause()
		return
	}
	for dim := range 2 {
		counts := r.writeCounts(b, dim, nodes)
		for _, l := range r.model.lines {
			if l.dim == dim {
				r.writeLoad(b, l, counts, nodes)
			}
		}
	}
}

// writeCounts counts the processors at every place along a dimension, and writes
// that together they are as many as the problem has.
func (r *lineRules) writeCounts(b *cnf.Builder, dim int, nodes []int) []card.Unary {
	m := r.model
	slabs := make([][]int, m.torus.Side(dim))
	for v, l := range nodes {
		z := m.torus.Coord(v, dim)
		slabs[z] = append(slabs[z], l)
	}
	counts := make([]card.Unary, len(slabs))
	for z, literals := range slabs {
		begin := partOf(b)
		counts[z] = card.Count(b, literals)
		r.note(b, begin, 1-dim, func(l *Lines, p Part) {
			l.Nodes, l.Size, l.Counter = append(l.Nodes, literals), append(l.Size, counts[z]), append(l.Counter, p)
		})
	}
	n, begin := m.problem.Size, partOf(b)
	card.Equals(b, card.Total(b, counts, n+1), n)
	r.note(b, begin, 1-dim, func(l *Lines, p Part) { l.Total = p })
	return counts
}

// writeLoad writes the rules of all links with a load.
func (r *lineRules) writeLoad(b *cnf.Builder, l lineLoad, counts []card.Unary, nodes []int) {
	share, units := scaled(l.share, r.units)
	k := len(share)
	for _, start := range r.model.starts(l) {
		if b.Err() != nil {
			return
		}
		begin := partOf(b)
		met := r.writeMet(b, share, start, counts, units)
		r.note(b, begin, l.dim, func(l *Lines, p Part) { l.Met = append(l.Met, p) })
		for line := range r.model.torus.Side(1 - l.dim) {
			begin := partOf(b)
			var load card.Unary
			for x, m := range met {
				if len(m) == 0 {
					continue
				}
				node := nodes[r.model.nodeAt(l.dim, line, (start+x)%k)]
				card.LimitSum(b, load, node, m, units)
				load = card.Add(b, load, node, m, 1, units)
			}
			r.note(b, begin, l.dim, func(l *Lines, p Part) { l.Loads[line] = append(l.Loads[line], p) })
		}
	}
}

// starts returns the places where links with a load start: around a ring all have the same, on a path each has its own.
func (m *Model) starts(l lineLoad) []int {
	if m.torus.Open(l.dim) {
		return []int{l.start}
	}
	return core.Range(m.torus.Side(l.dim))
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
// torus of two, in one direction. The link of a line (the nodes that differ in this dimension
// only) that starts at a place carries the sum over the processors x of the
// line and all places z of share[x][z] c[z], where c[z] counts the processors of
// all lines at place z: for given counts it is linear in the line
// (docs/margin-bound.md, part 3). Places count from the start of the link, on a path too. Shares are in units of 1/D.
type lineLoad struct {
	port, dim int
	start     int // of the links, on a path; around a ring 0 stands for all
	share     [][]int64
}

// lineLoads returns the loads of the links as lineLoads, leaving out the idle
// ones; false if the loads are of another kind. It trusts no theory of the routing: what a pair
// with one end in the line puts on the link must depend on the place of the
// other end only, what a pair inside puts there must be the sum of both shares,
// no other pair may use it, and all lines must be alike.
func (m *Model) lineLoads() ([]lineLoad, bool) {
	if m.torus.D() != 2 || !m.torus.Separable() {
		return nil, false
	}
	var list []lineLoad
	idle := map[[2]int]bool{} // by port and start: in all lines
	for _, class := range m.classes {
		share, ok := m.shares(class)
		if !ok {
			return nil, false
		}
		dim := m.torus.Port(class.port).Dim
		l := lineLoad{port: class.port, dim: dim, start: m.torus.Coord(class.from, dim), share: share}
		key := [2]int{l.port, l.start}
		if i := slices.IndexFunc(list, func(o lineLoad) bool { return o.port == l.port && o.start == l.start }); i < 0 {
			list, idle[key] = append(list, l), class.idle
		} else if idle[key] = idle[key] && class.idle; !slices.EqualFunc(list[i].share, share, slices.Equal) {
			return nil, false
		}
	}
	return slices.DeleteFunc(list, func(l lineLoad) bool { return idle[[2]int{l.port, l.start}] }), true
}

// shares returns the shares of the link of a class, false if its loads have none. Cost O(its
// pairs).
func (m *Model) shares(class linkClass) ([][]int64, bool) {
	dim := m.torus.Port(class.port).Dim
	k, lines := m.torus.Side(dim), m.torus.Side(1-dim)
	share := make([][]int64, k)
	for x := range share {
		share[x] = make([]int64, k)
	}
	start, own := m.torus.Coord(class.from, dim), m.torus.Coord(class.from, 1-dim)
	place := func(v int) int { return (m.torus.Coord(v, dim) - start + k) % k }
	line := func(v int) int { return m.torus.Coord(v, 1-dim) }
	for _, l := range class.loads {
		for _, ends := range [2][2]int{{l.a, l.b}, {l.b, l.a}} {
			if line(ends[0]) == own && line(ends[1]) == (own+1)%lines {
				share[place(ends[0])][place(ends[1])] = l.weight
			}
		}
	}
	load := func(a, b int) int64 { // what a pair puts there if there are shares
		sum := int64(0)
		if line(a) == own {
			sum += share[place(a)][place(b)]
		}
		if line(b) == own {
			sum += share[place(b)][place(a)]
		}
		return sum
	}
	for _, l := range class.loads {
		if load(l.a, l.b) != l.weight {
			return nil, false
		}
	}
	return share, m.loaded(dim, own, load) == len(class.loads)
}

// loaded counts the pairs with an end in a line to which load gives anything; a
// node with itself counts too.
func (m *Model) loaded(dim, line int, load func(a, b int) int64) int {
	count := 0
	for x := range m.torus.Side(dim) {
		a := m.nodeAt(dim, line, x)
		for b := range m.torus.N() {
			inside := m.torus.Coord(b, 1-dim) == line
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

// findIdle marks the classes whose links always carry what those in the other
// direction do, so that one of the two needs rules.
func (m *Model) findIdle() {
	for i := range m.classes {
		class := &m.classes[i]
		port := m.torus.Port(class.port)
		if port.Dir == core.Plus {
			continue
		}
		// The reverse link leaves the node before by the port before, the one of its class leaves a base.
		before := m.torus.Shift(class.from, port.Dim, -1)
		by := m.torus.ClosedPart(before)
		other := slices.IndexFunc(m.classes, func(c linkClass) bool {
			return c.port == class.port-1 && c.from == before-by
		})
		moved := slices.Clone(m.classes[other].loads)
		for i, l := range moved {
			a, b := m.sums.Node(by, l.a), m.sums.Node(by, l.b)
			moved[i].a, moved[i].b = min(a, b), max(a, b)
		}
		sortLoads(moved)
		class.idle = slices.Equal(moved, class.loads)
	}
}
