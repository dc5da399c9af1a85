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
	for _, to := range c.points {
		if compareClasses(c.turned(to, c.counts), c.counts) < 0 {
			return false
		}
	}
	return true
}

// representative returns the counts of dimension s that are listed of those that symmetries of s alone make of c.
func (w *levelsTwin) representative(s int, c []int) []int {
	switch {
	case w.problem.Conditioned():
		return c
	case !w.t.Open(s):
		return rotated(c)
	}
	back := slices.Clone(c)
	slices.Reverse(back)
	if w.mirrors[s] && slices.Compare(back, c) > 0 {
		return back
	}
	return c
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

// turned returns the image of a class under an automorphism that takes the nodes to others.
func (w *levelsTwin) turned(to []int, class [][]int) [][]int {
	image := make([][]int, len(class))
	for s, c := range class {
		at := 0
		for w.t.Coord(to[w.t.Stride(s)], at) == w.t.Coord(to[0], at) {
			at++
		}
		moved := make([]int, len(c))
		for x := range c {
			moved[w.t.Coord(to[x*w.t.Stride(s)], at)] = c[x]
		}
		image[at] = w.representative(at, moved)
	}
	return image
}
