package trees

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// A levelsSide is what the links of the lines along one dimension carry, by class of links, in units, not divided by
// their bandwidth. Class i is place
// i in direction +, class places+i the same place in direction -; a side of 2 has no direction -.
type levelsSide struct {
	axis
	limit  int64        // on loads not divided by the bandwidth, in units, rounded down
	carry  int64        // the bandwidth
	slab   int          // nodes of a slab
	cross  [][][]int64  // b(x,y)
	forced [][][]int64  // F(x,z)
	inner  [][][]int64  // b(x,z) - F(x,z)
	counts []slabCounts // in their order
}

// link returns the link of a class on the line of node v along s.
func (s *levelsSide) link(t *core.Torus, dim, class, v int) core.Link {
	dir := core.Plus
	if class >= s.places {
		dir = core.Minus
	}
	return t.Link(v+(class%s.places-t.Coord(v, dim))*t.Stride(dim), dim, dir)
}

// weigh finds the unit, the limit, the forced loads and the rests. It fails with a *core.InputError when sums pass 62
// bits.
func (w *levelsWalk) weigh(m *meter.Meter, r routing.Routing, below *big.Rat) error {
	d := shares.PartDenominator(m, r)
	unit, joint := pairUnits(m, r)
	// Forced loads of n processors and rests of their pairs are at most 2*n*n messages.
	most := new(big.Int).Mul(unit, big.NewInt(int64(2*w.size*w.size)))
	if d == nil || most.BitLen() > 54 {
		return &core.InputError{Text: r.String(),
			Problem: fmt.Sprintf("on torus %s loads are multiples of 1/%s: sums of %d processors pass 62 bits",
				w.torus, unit, w.size)}
	}
	for s := range w.torus.D() {
		side := &levelsSide{axis: axis{places: w.torus.Side(s), open: w.torus.Open(s)},
			carry: int64(w.torus.Bandwidth(s)), slab: w.torus.N() / w.torus.Side(s)}
		side.limit = limitBelow(new(big.Rat).Mul(below, big.NewRat(side.carry, 1)), d, unit, most)
		side.weigh(m, r, s, unit.Int64(), joint)
		w.sides = append(w.sides, side)
	}
	w.limit = limitBelow(below, d.Mul(d, big.NewInt(int64(w.torus.CommonBandwidth()))), unit, most)
	rests := w.rests(joint)
	w.loads = &orderlyLoads{torus: w.torus, unit: unit.Int64(), limit: max(0, w.limit), twice: w.twice(m, rests)}
	w.loads.pack(m, rests)
	w.placeLinks()
	return nil
}

// weigh finds what links of dimension s carry, in units, of which a message has so many, given what pairs send each
// other as pairUnits has it.
func (s *levelsSide) weigh(m *meter.Meter, r routing.Routing, dim int, unit int64, joint [][]linkUnits) {
	t, k := r.Torus(), s.places
	for class, b := range shares.Slab(m, r, dim) {
		if k == 2 && class >= k {
			break
		}
		cross, forced := shares.NewTable(k), shares.NewTable(k)
		for x := range k {
			for z := range k {
				cross[x][z], forced[x][z] = unit*b[x][z]/2, math.MaxInt64
			}
			forced[x][x] = 0
		}
		s.cross, s.forced, s.inner = append(s.cross, cross), append(s.forced, forced), append(s.inner, shares.NewTable(k))
	}
	for x := range k {
		for v := range t.N() {
			if z := t.Coord(v, dim); z != x && v != z*t.Stride(dim) {
				s.force(m, t, dim, x, v, joint)
			}
		}
	}
	for class, inner := range s.inner {
		for x := range k {
			for z := range k {
				inner[x][z] = s.cross[class][x][z] - s.forced[class][x][z]
			}
		}
	}
}

// force takes in what place x of the line through node 0 and node v, off this line, send each other on its links.
func (s *levelsSide) force(m *meter.Meter, t *core.Torus, dim, x, v int, joint [][]linkUnits) {
	p, moved := x*t.Stride(dim), 0
	at := max(p, v)*(max(p, v)-1)/2 + min(p, v)
	if t.Closed() {
		at, moved = t.Displacement(p, v), x // what 0 sends, moved by x places
	}
	m.Charge(int64(len(joint[at]) + len(s.cross)))
	on := make([]int64, len(s.cross))
	for _, l := range joint[at] {
		from, port := t.LinkFrom(l.link)
		if port.Dim != dim || from != t.Coord(from, dim)*t.Stride(dim) {
			continue
		}
		class := (t.Coord(from, dim) + moved) % s.places
		if port.Dir == core.Minus {
			class += s.places
		}
		on[class] = s.carry * l.units
	}
	for class, units := range on {
		have := &s.forced[class][x][t.Coord(v, dim)]
		*have = min(*have, units)
	}
}

// rests returns the rests of pairs on every link, given what they send each other, both as pairUnits has them.
func (w *levelsWalk) rests(joint [][]linkUnits) [][]linkUnits {
	rests := make([][]linkUnits, len(joint))
	find := func(p, v, at int) {
		units := map[core.Link]int64{}
		for _, l := range joint[at] {
			units[l.link] = l.units
		}
		for s, side := range w.sides {
			x, z := w.torus.Coord(p, s), w.torus.Coord(v, s)
			for class, forced := range side.forced {
				units[side.link(w.torus, s, class, p)] -= forced[x][z] / side.carry
				units[side.link(w.torus, s, class, v)] -= forced[z][x] / side.carry
			}
		}
		for link, rest := range units { // sums do not depend on the order
			if rest != 0 {
				rests[at] = append(rests[at], linkUnits{link, rest})
			}
		}
	}
	for v := range w.torus.N() {
		if w.torus.Closed() && v > 0 {
			find(0, v, v)
		}
		for p := range v {
			if !w.torus.Closed() {
				find(p, v, v*(v-1)/2+p)
			}
		}
	}
	return rests
}

// twice reports, by dimension, whether links opposite to each other have the same rests of all pairs and the same
// forced loads.
func (w *levelsWalk) twice(m *meter.Meter, rests [][]linkUnits) []bool {
	same := opposite(m, w.torus, rests)
	for s, side := range w.sides {
		for class, forced := range side.forced {
			back := w.torus.Reverse(side.link(w.torus, s, class, 0))
			for other, term := range side.forced {
				if side.link(w.torus, s, other, 0) == back && !slices.EqualFunc(forced, term, slices.Equal) {
					same[s] = false
				}
			}
		}
	}
	return same
}

// placeLinks finds the links on the lines of every node that some forced load is on, of those whose loads are held.
func (w *levelsWalk) placeLinks() {
	n := w.torus.N()
	for v := range n {
		for s, side := range w.sides {
			for class, forced := range side.forced {
				x := w.torus.Coord(v, s)
				if slices.Max(forced[x]) == 0 {
					continue
				}
				link := int(side.link(w.torus, s, class, v))
				if start, to := w.loads.starts[link/n], w.loads.lanes[link%n]; start >= 0 {
					w.at[v].links = append(w.at[v].links, levelsLink{s, class, x, start + to.word, to.shift})
				}
			}
		}
	}
}
