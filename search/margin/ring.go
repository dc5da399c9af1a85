package margin

import (
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// A ring holds the load of every link along one dimension as a form: the links
// of a line along it carry the sum of a[x] g[x][z] c[z] over x and z, where a is
// the content of the line and c the margin of the dimension. The sum over all
// lines is the same with a = c.
//
// A pair that leaves the line for another row or column uses it if it corrects
// this dimension first, one that enters it if it corrects this dimension last.
// Pairs inside count once in both roles, weighed w and 1-w: once in all.
type ring struct {
	k     int // length, at most MaxSide
	lines int // lines along it
	n     int // processors
	unit  int64
	forms [][][]int64 // distinct, in 1/unit
}

// newRing reads the forms of dimension s off the traffic of pairs that differ in
// s only.
func newRing(r *routing.Orders, s, n int) *ring {
	t := r.Torus()
	d := &ring{k: t.Side(s), lines: t.Side(1 - s), n: n, unit: r.Denominator().Int64()}
	first, of := r.Weight(s, 0, 1<<(1-s))
	links := map[core.Link]int{}
	for x := range d.k {
		for y := range d.k {
			if x == y {
				continue
			}
			for _, share := range r.Flow(x*t.Stride(s), y*t.Stride(s), nil).Shares {
				i, seen := links[share.Link]
				if !seen {
					i = len(d.forms)
					links[share.Link] = i
					d.forms = append(d.forms, square(d.k))
				}
				d.forms[i][x][y] += share.Num.Int64() * first / of
				d.forms[i][y][x] += share.Num.Int64() * (of - first) / of
			}
		}
	}
	d.forms = distinct(d.forms)
	return d
}

// alike reports whether both rings ask the same of their margins.
func (d *ring) alike(e *ring) bool {
	return d.k == e.k && d.lines == e.lines && slices.EqualFunc(d.forms, e.forms, equal)
}

func square(k int) [][]int64 {
	g := make([][]int64, k)
	for x := range g {
		g[x] = make([]int64, k)
	}
	return g
}

// distinct drops forms that repeat: under udr both directions of an edge often
// carry the same.
func distinct(forms [][][]int64) [][][]int64 {
	var list [][][]int64
	for _, g := range forms {
		if !slices.ContainsFunc(list, func(h [][]int64) bool { return equal(g, h) }) {
			list = append(list, g)
		}
	}
	return list
}

func equal(g, h [][]int64) bool { return slices.EqualFunc(g, h, slices.Equal) }
