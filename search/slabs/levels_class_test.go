package slabs

import "slices"

// A twinClass is a class that the twin fills.
type twinClass struct {
	*levelsTwin
	counts [][]int
	widths []int
	stable [][]int // images under the automorphisms that leave the counts as they are
	forced [][]int64
	rests  [][]int64 // by pair of nodes, computed when asked for
}

// classes returns the classes in order.
func (w *levelsTwin) classes() (list []*twinClass) {
	d := w.t.D()
	sides, widths := make([][][]int, d), make([][]int, d)
	for s := range d {
		sides[s], widths[s] = w.slabCounts(s)
	}
	c := &twinClass{levelsTwin: w, counts: make([][]int, d), widths: make([]int, d)}
	var next func(s int)
	next = func(s int) {
		if s < d {
			for i := range sides[s] {
				c.counts[s], c.widths[s] = sides[s][i], widths[s][i]
				next(s + 1)
			}
			return
		}
		if c.isClass() {
			list = append(list, &twinClass{levelsTwin: w, counts: slices.Clone(c.counts), widths: slices.Clone(c.widths)})
		}
	}
	next(0)
	return list
}

func (c *twinClass) isClass() bool {
	for s := range c.counts {
		for t := range c.counts {
			for _, v := range c.counts[t] {
				if s != t && v > c.widths[s]*c.t.N()/(c.t.Side(s)*c.t.Side(t)) {
					return false
				}
			}
		}
	}
	for i := range c.group.Points() {
		if compareClasses(c.turned(i, c.counts), c.counts) < 0 {
			return false
		}
	}
	return true
}

// rotated returns the greatest rotation.
func rotated(c []int) []int {
	best := slices.Clone(c)
	for range c {
		c = append(slices.Clone(c[1:]), c[0])
		if slices.Compare(c, best) > 0 {
			best = slices.Clone(c)
		}
	}
	return best
}

// earlier compares slab counts in their order.
func earlier(a, b []int) int {
	sa, sb := 0, 0
	for i := range a {
		sa, sb = sa+a[i]*a[i], sb+b[i]*b[i]
	}
	if sa != sb {
		return sa - sb
	}
	return slices.Compare(b, a)
}

// compareClasses compares classes dimension by dimension.
func compareClasses(a, b [][]int) int {
	for s := range a {
		if c := earlier(a[s], b[s]); c != 0 {
			return c
		}
	}
	return 0
}

// turned returns the image of a class under point i of the group.
func (w *levelsTwin) turned(i int, class [][]int) [][]int {
	image, to := make([][]int, len(class)), w.group.Images(i, 0)
	for s, c := range class {
		moved := make([]int, len(c))
		at := 0
		for x := range c {
			v := to[x*w.t.Stride(s)]
			for j := range class {
				if y := w.t.Coord(v, j); y != 0 {
					at, moved[y] = j, c[x]
				}
			}
		}
		moved[0] = c[0]
		image[at] = rotated(moved)
	}
	return image
}
