package slabs

import (
	"slices"

	"leeway/search/census"
	"leeway/search/census/censustest"
)

// Prefixes returns the column margins.
func (w *marginTwin) Prefixes() [][]int { return w.margins[1] }

// Walk visits the nodes below one column margin until a placement is found.
func (w *marginTwin) Walk(i int) (nodes int64, sum uint64, found bool) {
	c := w.margins[1][i]
	for _, r := range w.margins[0] {
		if !w.isClass(c, r) {
			continue
		}
		f := &twinFill{marginTwin: w, c: c, r: r, order: censustest.Largest(r)}
		f.visit(nil)
		nodes, sum = nodes+f.nodes, sum+f.sum
		if f.found {
			return nodes, sum, true
		}
	}
	return nodes, sum, false
}

// A twinFill fills one class.
type twinFill struct {
	*marginTwin
	c, r  []int
	order []int
	nodes int64
	sum   uint64
	found bool
}

// visit counts the node with the given contents and visits those below it.
func (f *twinFill) visit(masks []int) {
	h := uint64(0)
	for _, v := range slices.Concat(f.c, f.r, masks) {
		h = census.Hash(h, v)
	}
	f.nodes++
	f.sum += h
	if len(masks) == len(f.r) {
		f.found = true
		return
	}
	for mask := range 1 << len(f.c) {
		if next := append(slices.Clip(masks), mask); f.visited(next) {
			f.visit(next)
		}
	}
}

// visited checks conditions 1 to 4 of a list whose last content is new.
func (f *twinFill) visited(masks []int) bool {
	i := len(masks)
	a := content(masks[i-1], len(f.c))
	if total(a) != f.r[f.order[i-1]] || !f.allows(1, f.order[i-1], a, f.c) || i == 1 && !f.leads(a) {
		return false
	}
	for class, g := range f.forms[1] {
		gaps := int64(0)
		for _, mask := range masks {
			gaps += f.limits[1] - load(content(mask, len(f.c)), g, f.c)
		}
		if gaps > f.spare(1, class, f.c) {
			return false
		}
	}
	for j := range f.c {
		if !f.completes(masks, j) {
			return false
		}
	}
	return true
}

// completes reports whether column j can be completed.
func (f *twinFill) completes(masks []int, j int) bool {
	for mask := range 1 << len(f.r) {
		b := content(mask, len(f.r))
		agrees := total(b) == f.c[j] && f.allows(0, j, b, f.r)
		for i, row := range masks {
			agrees = agrees && b[f.order[i]] == row>>j&1
		}
		if agrees {
			return true
		}
	}
	return false
}

// leadsKept checks condition 2 where nodes are fixed or forbidden: the images are those under automorphisms that keep
// every row where it is.
func (f *twinFill) leadsKept(a []int) bool {
	own := 0
	for x, v := range a {
		own += v << x
	}
	for _, to := range f.points {
		same, number := true, 0
		for v := range to {
			from, at := f.torus.Coords(v), f.torus.Coords(to[v])
			same = same && from[0] == at[0] && f.c[from[1]] == f.c[at[1]]
		}
		for x, v := range a {
			number += v << f.torus.Coord(to[x], 1)
		}
		if same && number < own {
			return false
		}
	}
	return true
}

// leads checks condition 2: no image of the content under a rotation of the places that leaves c as it is has a smaller
// number.
func (f *twinFill) leads(a []int) bool {
	if f.problem.Conditioned() {
		return f.leadsKept(a)
	}
	pairs := make([]int, len(a)) // count and content of every place
	back := make([]int, len(a))
	for x := range a {
		pairs[x] = 2*f.c[x] + a[x]
		back[len(a)-1-x] = pairs[x]
	}
	images := f.rotations(1, pairs)
	if f.mirrors[1] {
		images = append(images, f.rotations(1, back)...)
	}
	for _, image := range images {
		same, number := true, 0
		for x, v := range image {
			same = same && v/2 == f.c[x]
			number += v % 2 << x
		}
		own := 0
		for x, v := range a {
			own += v << x
		}
		if same && number < own {
			return false
		}
	}
	return true
}
