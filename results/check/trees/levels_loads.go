package trees

import (
	"fmt"
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
	forced [][][]int64  // f b(x,z) + h b(z,x)
	inner  [][][]int64  // (1-f-h) b(x,z)
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
func (w *levelsWalk) weigh(m *meter.Meter, r *routing.Orders, below *big.Rat) error {
	d := shares.OrdersDenominator(m, r)
	unit, joint := pairUnits(m, r)
	scale := new(big.Int).Set(unit)
	first, last := shares.EndParts(m, r)
	parts := make([][][][]int64, w.torus.D())
	for s := range parts {
		parts[s] = shares.Slab(m, r, s)
		if k := w.torus.Side(s); k == 2 {
			parts[s] = parts[s][:k]
		}
		half := big.NewInt(wholeOrHalf(parts[s]) * int64(w.torus.Bandwidth(s)))
		scale = shares.LCM(scale, new(big.Int).Mul(half, first[s].Denom()))
		scale = shares.LCM(scale, new(big.Int).Mul(half, last[s].Denom()))
	}
	// Forced loads of n processors and rests of their pairs are at most 2*n*n messages.
	most := new(big.Int).Mul(scale, big.NewInt(int64(2*w.size*w.size)))
	if most.BitLen() > 54 || scale.BitLen() > 54 {
		return &core.InputError{Text: r.String(),
			Problem: fmt.Sprintf("on torus %s loads are multiples of 1/%s: sums of %d processors pass 62 bits",
				w.torus, scale, w.size)}
	}
	u := scale.Int64()
	for s, b := range parts {
		side := newLevelsSide(w.torus, s, b, u, part(first[s], u), part(last[s], u))
		side.limit = limitBelow(new(big.Rat).Mul(below, big.NewRat(side.carry, 1)), d, scale, most)
		w.sides = append(w.sides, side)
	}
	w.limit = limitBelow(below, d.Mul(d, big.NewInt(int64(w.torus.CommonBandwidth()))), scale, most)
	rests := w.rests(joint, u/unit.Int64())
	w.loads = &orderlyLoads{torus: w.torus, unit: u, limit: max(0, w.limit), twice: w.twice(m, rests)}
	w.loads.pack(m, rests)
	w.placeLinks()
	return nil
}

// wholeOrHalf returns 1 if all parts, given in halves, are whole, else 2.
func wholeOrHalf(parts [][][]int64) int64 {
	for _, b := range parts {
		for _, row := range b {
			for _, v := range row {
				if v%2 != 0 {
					return 2
				}
			}
		}
	}
	return 1
}

// part returns a fraction of a message in units of which it has u, a multiple of its denominator.
func part(fraction *big.Rat, u int64) int64 {
	return u / fraction.Denom().Int64() * fraction.Num().Int64()
}

// newLevelsSide returns the side of dimension s from what crosses its links, in halves, the units of a message, and f
// and h in units.
func newLevelsSide(t *core.Torus, s int, parts [][][]int64, unit, first, last int64) *levelsSide {
	k := t.Side(s)
	side := &levelsSide{axis: axis{places: k, open: t.Open(s)}, carry: int64(t.Bandwidth(s)), slab: t.N() / k}
	for _, b := range parts {
		cross, forced, inner := shares.NewTable(k), shares.NewTable(k), shares.NewTable(k)
		for x := range k {
			for z := range k {
				cross[x][z] = unit * b[x][z] / 2
				forced[x][z] = (first*b[x][z] + last*b[z][x]) / 2
				inner[x][z] = (unit - first - last) * b[x][z] / 2
			}
		}
		side.cross, side.forced, side.inner = append(side.cross, cross), append(side.forced, forced),
			append(side.inner, inner)
	}
	return side
}

// rests returns the rests of pairs on every link, given what they send each other in units so many times as large, both
// as pairUnits has them.
func (w *levelsWalk) rests(joint [][]linkUnits, times int64) [][]linkUnits {
	rests := make([][]linkUnits, len(joint))
	find := func(p, v, at int) {
		units := map[core.Link]int64{}
		for _, l := range joint[at] {
			units[l.link] = times * l.units
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
