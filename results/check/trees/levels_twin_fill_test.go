package trees

import (
	"slices"

	"leeway/core"
	"leeway/results/check/census"
)

// classList lists the classes in their order.
func (w *levelsTwin) classList() (list [][][]int) {
	var choose func(class [][]int)
	choose = func(class [][]int) {
		if len(class) == w.t.D() {
			if w.isClass(class) {
				list = append(list, slices.Clone(class))
			}
			return
		}
		for _, c := range w.lists[len(class)] {
			choose(append(slices.Clone(class), c))
		}
	}
	choose(nil)
	return list
}

func (w *levelsTwin) isClass(class [][]int) bool {
	for s, c := range class {
		for t, other := range class {
			if s != t && slices.Max(other) > w.width(s, c)*(w.t.N()/w.t.Side(s)/w.t.Side(t)) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(w.group[:w.points], func(g []int) bool {
		image := w.move(g, class)
		for s := range image {
			if order := twinOrder(w.greatest(s, image[s]), class[s]); order != 0 {
				return order < 0
			}
		}
		return false
	})
}

// move returns the counts of a placement with those of a class after an automorphism, by where it takes the nodes on
// the axes.
func (w *levelsTwin) move(g []int, class [][]int) [][]int {
	image := make([][]int, len(class))
	for s, c := range class {
		to := 0
		for w.t.Coord(g[0], to) == w.t.Coord(g[w.t.Stride(s)], to) {
			to++
		}
		image[to] = make([]int, w.t.Side(to))
		for x, v := range c {
			image[to][w.t.Coord(g[x*w.t.Stride(s)], to)] = v
		}
	}
	return image
}

// A twinResult is what stands at and below a class.
type twinResult struct {
	nodes      int64
	sum        uint64
	placements [][]int
}

// run visits what stands at and below a class. It goes on after placements.
func (w *levelsTwin) run(class [][]int) (result twinResult) {
	head := slices.Concat(class...)
	keeping := slices.Clone(w.group)
	keeping = slices.DeleteFunc(keeping,
		func(g []int) bool { return !slices.EqualFunc(w.move(g, class), class, slices.Equal) })
	var visit func(list []int)
	visit = func(list []int) {
		h := uint64(0)
		for _, v := range slices.Concat(head, list) {
			h = census.Hash(h, v)
		}
		result.nodes++
		result.sum += h
		if len(list)+w.cond.Fixed.Count() == w.n {
			result.placements = append(result.placements, slices.Sorted(slices.Values(w.processors(list))))
		}
		if !w.goesOn(class, list) {
			return
		}
		for _, v := range w.candidates(class, list) {
			longer := append(slices.Clone(list), v)
			if w.goesOn(class, longer) &&
				!slices.ContainsFunc(keeping, func(g []int) bool { return slices.Compare(imageList(g, longer), longer) < 0 }) {
				visit(longer)
			}
		}
	}
	visit(nil)
	return result
}

// processors returns the fixed nodes and those of a list.
func (w *levelsTwin) processors(list []int) []int { return slices.Concat(w.cond.Fixed.Nodes(), list) }

// within reports whether no link carries more than its limit.
func (w *levelsTwin) within(loads []int64) bool {
	for l, load := range loads {
		if _, port := w.t.LinkFrom(core.Link(l)); load > w.limits[port.Dim] {
			return false
		}
	}
	return true
}

// held returns how many of a list are in slab x of s.
func (w *levelsTwin) held(list []int, s, x int) (held int) {
	for _, v := range w.processors(list) {
		if w.t.Coord(v, s) == x {
			held++
		}
	}
	return held
}

func (w *levelsTwin) candidates(class [][]int, list []int) (candidates []int) {
	for v := range w.t.N() {
		some := (len(list) == 0 || v > list[len(list)-1]) && w.is(v) == 0
		for s, c := range class {
			x := w.t.Coord(v, s)
			some = some && w.held(list, s, x) < c[x]
		}
		if some && w.within(w.loads(class, append(slices.Clone(list), v))) {
			candidates = append(candidates, v)
		}
	}
	return candidates
}

// loads returns the load of a list on every link.
func (w *levelsTwin) loads(class [][]int, list []int) []int64 {
	loads := make([]int64, w.t.M())
	list = w.processors(list)
	for i, p := range list {
		for s, c := range class {
			x := w.t.Coord(p, s)
			for e := range w.b[s] {
				for z, count := range c {
					loads[w.linkOn(p, s, e)] += w.forced[s][e][x][z] * int64(count)
				}
			}
		}
		for _, q := range list[:i] {
			for l, rest := range w.rests[p][q] {
				loads[l] += rest
			}
		}
	}
	return loads
}

// linkOn returns the link of a class on the line of a node along s.
func (w *levelsTwin) linkOn(v, s, class int) core.Link {
	k, dir := w.t.Side(s), core.Plus
	if class >= k {
		dir = core.Minus
	}
	return w.t.Link(v+(class%k-w.t.Coord(v, s))*w.t.Stride(s), s, dir)
}

// rest returns the rest of a pair on every link.
func (w *levelsTwin) rest(p, q int) []int64 {
	rests := slices.Clone(w.joint[p][q])
	for s := range w.b {
		for e := range w.b[s] {
			rests[w.linkOn(p, s, e)] -= w.forced[s][e][w.t.Coord(p, s)][w.t.Coord(q, s)]
			rests[w.linkOn(q, s, e)] -= w.forced[s][e][w.t.Coord(q, s)][w.t.Coord(p, s)]
		}
	}
	if slices.Min(rests) < 0 {
		panic("a rest is negative")
	}
	return rests
}

func (w *levelsTwin) goesOn(class [][]int, list []int) bool {
	if len(list) == 0 && !w.within(w.loads(class, nil)) {
		return false
	}
	candidates := w.candidates(class, list)
	for s, c := range class {
		width := w.width(s, c)
		for t, sizes := range class {
			if s == t {
				continue
			}
			for x, size := range sizes {
				room := 0
				for start := range w.t.N() {
					if w.t.Coord(start, s) == 0 && w.t.Coord(start, t) == x {
						room += min(w.onLine(candidates, start, s), width-w.onLine(w.processors(list), start, s))
					}
				}
				if room < size-w.held(list, t, x) {
					return false
				}
			}
		}
	}
	return true
}

// onLine returns how many of a list are on the line along s of a node of slab 0.
func (w *levelsTwin) onLine(list []int, start, s int) (on int) {
	for _, v := range list {
		if v-w.t.Coord(v, s)*w.t.Stride(s) == start {
			on++
		}
	}
	return on
}
