package trees

import (
	"math/bits"
	"slices"

	"leeway/results/check/census"
)

// isClass reports whether column margin c and row margin r are a class.
func (w *marginTwin) isClass(c, r []int) bool {
	fits := func(s int, counts, sizes []int) bool {
		for line, size := range sizes {
			some := false
			for set := range 1 << len(counts) {
				some = some || bits.OnesCount(uint(set)) == size && w.may(s, line, set, counts)
			}
			if !some {
				return false
			}
		}
		return true
	}
	if !fits(1, c, r) || !fits(0, r, c) {
		return false
	}
	rank := func(s int, counts []int) int {
		return slices.IndexFunc(w.lists[s], func(m []int) bool { return slices.Equal(m, counts) })
	}
	ownColumn, ownRow := rank(1, c), rank(0, r)
	for _, nodes := range w.elements() {
		image := w.twinImage(nodes, [2][]int{r, c})
		column, row := rank(1, w.greatest(1, image[1])), rank(0, w.greatest(0, image[0]))
		if column >= 0 && row >= 0 && (column < ownColumn || column == ownColumn && row < ownRow) {
			return false
		}
	}
	return true
}

// elements returns the images of the nodes under the points, or under all elements that keep to the conditions.
func (w *marginTwin) elements() (list [][]int) {
	for i := range w.group.Points() {
		if !w.cond.Any() {
			list = append(list, w.group.Images(i, 0))
			continue
		}
		for _, shift := range w.group.Shifts() {
			image, keeps := w.group.Images(i, shift), true
			for v, to := range image {
				keeps = keeps && w.is(v) == w.is(to)
			}
			if keeps {
				list = append(list, image)
			}
		}
	}
	return list
}

// twinImage moves counts along both axes as the nodes on the axes go.
func (w *marginTwin) twinImage(nodes []int, counts [2][]int) (image [2][]int) {
	for s := range 2 {
		to := s
		if w.t.Coord(nodes[w.t.Stride(s)], s) == w.t.Coord(nodes[0], s) {
			to = 1 - s
		}
		image[to] = make([]int, w.t.Side(to))
		for x, v := range counts[s] {
			image[to][w.t.Coord(nodes[x*w.t.Stride(s)], to)] = v
		}
	}
	return image
}

// reverses reports whether some automorphism reverses dimension s and nothing else.
func (w *marginTwin) reverses(s int) bool {
	for i := range w.group.Points() {
		same := w.t.Side(s) > 2
		for v, to := range w.group.Images(i, 0) {
			image := w.t.Coords(v)
			if image[s] = w.t.Side(s) - image[s]; w.t.Open(s) {
				image[s]--
			}
			image[s] %= w.t.Side(s)
			same = same && slices.Equal(w.t.Coords(to), image)
		}
		if same {
			return true
		}
	}
	return false
}

// run visits what stands at and below one column margin. It goes on after placements, which it counts.
func (w *marginTwin) run(c []int) (nodes int64, sum uint64, placements int) {
	visit := func(list []int) {
		h := uint64(0)
		for _, v := range list {
			h = census.Hash(h, v)
		}
		nodes++
		sum += h
	}
	for _, r := range w.lists[0] {
		if !w.isClass(c, r) {
			continue
		}
		visit(append(slices.Clone(c), r...))
		var rows []int
		for size := w.t.Side(1); size >= 0; size-- {
			for i, v := range r {
				if v == size {
					rows = append(rows, i)
				}
			}
		}
		var fill func(contents []int)
		fill = func(contents []int) {
			if len(contents) == len(rows) {
				placements++
				return
			}
			for a := range 1 << w.t.Side(1) {
				if longer := append(slices.Clone(contents), a); w.visited(c, r, rows, longer) {
					visit(slices.Concat(c, r, longer))
					fill(longer)
				}
			}
		}
		fill(nil)
	}
	return nodes, sum, placements
}

// visited reports whether the last of some contents keeps the four rules.
func (w *marginTwin) visited(c, r, rows, contents []int) bool {
	last := len(contents) - 1
	if !w.may(1, rows[last], contents[last], c) || bits.OnesCount(uint(contents[last])) != r[rows[last]] {
		return false
	}
	if last == 0 && !w.isLeast(c, contents[0]) {
		return false
	}
	for _, g := range w.g[1] {
		gaps := int64(0)
		for _, a := range contents {
			gaps += w.limit[1] - w.load(g, a, c)
		}
		if gaps > w.spare(1, g, c) {
			return false
		}
	}
	for j, size := range c {
		some := false
		for b := range 1 << len(r) {
			agrees := bits.OnesCount(uint(b)) == size
			for i, a := range contents {
				agrees = agrees && b>>rows[i]&1 == a>>j&1
			}
			some = some || agrees && w.may(0, j, b, r)
		}
		if !some {
			return false
		}
	}
	return true
}

func (w *marginTwin) isLeast(c []int, a int) bool {
	k := len(c)
	if w.cond.Any() {
		return !slices.ContainsFunc(w.elements(), func(nodes []int) bool {
			image := 0
			for v, to := range nodes {
				if w.t.Coord(to, 0) != w.t.Coord(v, 0) || c[w.t.Coord(to, 1)] != c[w.t.Coord(v, 1)] {
					return false
				}
				image |= a >> w.t.Coord(v, 1) & 1 << w.t.Coord(to, 1)
			}
			return image < a
		})
	}
	for s := range k {
		for _, sign := range []int{1, -1} {
			keeps, image := sign == 1 || w.reverses(1), 0
			if w.t.Open(1) && (sign == 1 || s < k-1) {
				continue
			}
			for x := range k {
				to := (sign*x + s + k) % k
				keeps = keeps && c[to] == c[x]
				image |= a >> x & 1 << to
			}
			if keeps && image < a {
				return false
			}
		}
	}
	return true
}
