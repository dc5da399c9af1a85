package orbit

import (
	"slices"

	"leeway/core"
)

// Limits of what is listed: lattices of one order, and points by which they are
// compared. Past them fewer subgroups are tried, or some that are conjugate.
const (
	maxLattices = 2000
	maxTurns    = 400
)

// A latticeList gathers translation groups of one order by the rows of their
// Hermite normal form: row i starts with i zeros, then a divisor of side i; what
// follows lies below the divisors of the rows below.
type latticeList struct {
	torus *core.Torus
	order int
	rows  [][]int // from the last dimension up to the one at hand
	found [][]element
}

// latticesOf returns the generators of the translation groups of some order.
func latticesOf(t *core.Torus, order int) [][]element {
	l := &latticeList{torus: t, order: order, rows: make([][]int, t.D())}
	l.extend(t.D()-1, order)
	return l.found
}

// extend chooses the rows of dimension j and below, where left is the order that
// they must contribute.
func (l *latticeList) extend(j, left int) {
	if j < 0 {
		if left == 1 && len(l.found) < maxLattices {
			l.found = append(l.found, l.generators())
		}
		return
	}
	k, room := l.torus.Side(j), l.torus.N()/l.torus.Stride(j) // of dimension j and those above
	for part := 1; part <= k; part++ {
		if k%part != 0 || left%part != 0 || room/k%(left/part) != 0 {
			continue
		}
		row := make([]int, l.torus.D())
		row[j] = k / part
		l.tails(row, j, j+1, left/part)
	}
}

// tails chooses the entries of row j from place i on.
func (l *latticeList) tails(row []int, j, i, left int) {
	if len(l.found) == maxLattices {
		return
	}
	if i < len(row) {
		for row[i] = 0; row[i] < l.rows[i][i]; row[i]++ {
			l.tails(row, j, i+1, left)
		}
		row[i] = 0
		return
	}
	if l.closes(row, j) {
		l.rows[j] = slices.Clone(row)
		l.extend(j-1, left)
	}
}

// closes reports whether the multiple of row j that comes round in dimension j
// lies in the lattice of the rows below, so that row j brings no more than its
// part.
func (l *latticeList) closes(row []int, j int) bool {
	rest := make([]int, len(row))
	for i := j + 1; i < len(row); i++ {
		rest[i] = row[i] * (l.torus.Side(j) / row[j]) % l.torus.Side(i)
	}
	for i := j + 1; i < len(row); i++ {
		below := l.rows[i]
		if rest[i]%below[i] != 0 {
			return false
		}
		times := rest[i] / below[i]
		for m := i; m < len(row); m++ {
			k := l.torus.Side(m)
			rest[m] = ((rest[m]-times*below[m])%k + k) % k
		}
	}
	return true
}

// generators returns the rows as translations, those that move nothing left out.
func (l *latticeList) generators() []element {
	var gens []element
	for j, row := range l.rows {
		shift := 0
		for i, c := range row {
			shift += c % l.torus.Side(i) * l.torus.Stride(i)
		}
		if row[j] < l.torus.Side(j) {
			gens = append(gens, pureShift(l.torus, shift))
		}
	}
	return gens
}

// lattices returns the translation groups whose order divides n, one of each set
// of those that points map to each other.
func (g *group) lattices(n int) []*Subgroup {
	var list []*Subgroup
	for order := 2; order <= n; order++ {
		if n%order != 0 || g.torus.N()%order != 0 {
			continue
		}
		seen := map[string]bool{}
		for _, gens := range latticesOf(g.torus, order) {
			s, ok := newSubgroup(g.torus, gens)
			if !ok {
				continue
			}
			if key := g.smallest(s.orbits[0]); !seen[key] {
				seen[key] = true
				list = append(list, s)
			}
		}
	}
	return list
}

// smallest names the smallest image of some nodes under the points.
func (g *group) smallest(nodes []int) string {
	var least []int
	image := make([]int, len(nodes))
	for _, images := range g.images[:min(maxTurns, len(g.images))] {
		for i, v := range nodes {
			image[i] = images[v]
		}
		slices.Sort(image)
		if least == nil || slices.Compare(image, least) < 0 {
			least = append(least[:0], image...)
		}
	}
	return joinInts(least)
}
