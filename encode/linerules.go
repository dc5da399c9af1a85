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
	list := make([]int, k)
	for i := range list {
		list[i] = i
	}
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
