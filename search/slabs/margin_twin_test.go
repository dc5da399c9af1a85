package slabs

import (
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/objective"
)

// A marginTwin walks the tree margin straight from its definition in docs/proofs.md: it tries all lists of counts and
// all contents, keeps nothing for later and skips nothing.
type marginTwin struct {
	problem objective.Problem
	torus   *core.Torus
	n       int
	den     int64            // D
	limits  [2]int64         // by dimension: L, in 1/D
	forms   [2][][][]int64   // by dimension and link class: g[x][z], in 1/D
	margins [2][][]int       // by dimension: of its slabs
	numbers [2]map[int64]int // by dimension: where a margin stands
	points  [][]int          // images of the nodes; under conditions those of every element that keeps to them
	mirrors [2]bool          // by dimension: some automorphism of G reverses it and nothing else
}

func newMarginTwin(p objective.Problem, below *big.Rat) *marginTwin {
	w := &marginTwin{problem: p, torus: p.Torus(), n: p.Size, den: p.Routing.Denominator().Int64()}
	g, err := symmetry.Of(p.Routing)
	if err != nil {
		panic(err)
	}
	for i := range g.Points() {
		shifts := []int{0}
		if p.Conditioned() {
			shifts = g.Shifts()
		}
		for _, shift := range shifts {
			image, keeps := g.Images(i, shift), true
			for v, to := range image {
				keeps = keeps && p.MustHave(v) == p.MustHave(to) && p.MayHave(v) == p.MayHave(to)
			}
			if keeps {
				w.points = append(w.points, image)
			}
		}
	}
	for s := range 2 {
		for big.NewRat(w.limits[s]+1, w.den*int64(w.torus.Bandwidth(s))).Cmp(below) < 0 {
			w.limits[s]++
		}
		w.forms[s] = twinForms(p, s, w.den)
		w.mirrors[s] = slices.ContainsFunc(w.points, func(to []int) bool { return w.isMirror(s, to) })
	}
	for s := range 2 {
		w.margins[s], w.numbers[s] = w.listMargins(s), map[int64]int{}
		for i, c := range w.margins[s] {
			w.numbers[s][digits(c)] = i
		}
	}
	return w
}

// isMirror reports whether an automorphism reverses dimension s and nothing else.
func (w *marginTwin) isMirror(s int, to []int) bool {
	k := w.torus.Side(s)
	for v := range to {
		a, b := w.torus.Coords(v), w.torus.Coords(to[v])
		sum := k // of the places of a node and its mirror image, modulo the side
		if w.torus.Open(s) {
			sum--
		}
		if k == 2 || a[1-s] != b[1-s] || (a[s]+b[s]-sum)%k != 0 {
			return false
		}
	}
	return true
}

// twinForms returns g of every link class along dimension s, from the paths.
func twinForms(p objective.Problem, s int, den int64) (forms [][][]int64) {
	t := p.Torus()
	first, all := int64(0), int64(0) // paths that correct s first
	for path := range p.Routing.Paths(0, t.Stride(0)+t.Stride(1), nil) {
		_, next := t.LinkEnds(path[0])
		if all++; t.Coord(next, s) != 0 {
			first++
		}
	}
	k := t.Side(s)
	crossing := func(x, z int, l core.Link) int64 {
		count, paths := int64(0), int64(0)
		if x == z {
			return 0
		}
		for path := range p.Routing.Paths(x*t.Stride(s), z*t.Stride(s), nil) {
			if paths++; slices.Contains(path, l) {
				count++
			}
		}
		return count * den / paths
	}
	for place := range k {
		for _, dir := range []core.Dir{core.Plus, core.Minus} {
			if k == 2 && dir == core.Minus {
				continue
			}
			l := t.Link(place*t.Stride(s), s, dir)
			if !t.HasLink(l) {
				continue
			}
			g := make([][]int64, k)
			for x := range k {
				for z := range k {
					g[x] = append(g[x], (first*crossing(x, z, l)+(all-first)*crossing(z, x, l))/all)
				}
			}
			forms = append(forms, g)
		}
	}
	return forms
}

// load returns sum over x, z of a[x] g[x][z] c[z].
func load(a []int, g [][]int64, c []int) (sum int64) {
	for x := range a {
		for z := range c {
			sum += int64(a[x]) * g[x][z] * int64(c[z])
		}
	}
	return sum
}

// content returns the places of a mask as counts of 0 and 1.
func content(mask, k int) []int {
	a := make([]int, k)
	for x := range a {
		a[x] = mask >> x & 1
	}
	return a
}

func total(c []int) (sum int) {
	for _, v := range c {
		sum += v
	}
	return sum
}

// digits returns a list of counts as one number.
func digits(c []int) (v int64) {
	for _, d := range c {
		v = v*int64(MaxSide+1) + int64(d)
	}
	return v
}

// same returns the counts of which a margin is the greatest: its rotations; where dimension s is open, itself, and its
// reverse if an automorphism reverses s and nothing else.
func (w *marginTwin) same(s int, c []int) [][]int {
	list := w.rotations(s, c)
	if w.problem.Conditioned() {
		return [][]int{c}
	}
	if w.torus.Open(s) && w.mirrors[s] {
		back := slices.Clone(c)
		slices.Reverse(back)
		list = append(list, back)
	}
	return list
}

// rotations returns the list turned by 0, 1, ... places, as it is where dimension s is open.
func (w *marginTwin) rotations(s int, c []int) (list [][]int) {
	if w.torus.Open(s) {
		return [][]int{c}
	}
	return rotations(c)
}

// rotations returns the list turned by 0, 1, ... places.
func rotations(c []int) (list [][]int) {
	for s := range c {
		list = append(list, slices.Concat(c[s:], c[:s]))
	}
	return list
}

// lines returns how many lines run along dimension s.
func (w *marginTwin) lines(s int) int { return w.torus.Side(1 - s) }

func (w *marginTwin) spare(s, class int, c []int) int64 {
	return int64(w.lines(s))*w.limits[s] - load(c, w.forms[s][class], c)
}

// listMargins lists the margins of the slabs of dimension s.
func (w *marginTwin) listMargins(s int) (list [][]int) {
	k := w.torus.Side(s)
	c := make([]int, k)
	for {
		if total(c) == w.n && w.bears(s, c) && w.isMargin(s, c) {
			list = append(list, slices.Clone(c))
		}
		x := 0
		for x < k && c[x] == w.lines(s) {
			c[x] = 0
			x++
		}
		if x == k {
			break
		}
		c[x]++
	}
	slices.SortFunc(list, func(a, b []int) int {
		sums := [2]int{}
		for x := range a {
			sums[0], sums[1] = sums[0]+a[x]*a[x], sums[1]+b[x]*b[x]
		}
		if sums[0] != sums[1] {
			return sums[0] - sums[1]
		}
		return slices.Compare(b, a)
	})
	return list
}

// node returns the node at place x of a line along dimension s.
func (w *marginTwin) node(s, line, x int) int { return x*w.torus.Stride(s) + line*w.torus.Stride(1-s) }

// given returns how many nodes of slab x of dimension s are fixed, and how many are not forbidden.
func (w *marginTwin) given(s, x int) (fixed, allowed int) {
	for line := range w.lines(s) {
		if v := w.node(s, line, x); w.problem.MustHave(v) {
			fixed++
			allowed++
		} else if w.problem.MayHave(v) {
			allowed++
		}
	}
	return fixed, allowed
}

// bears reports whether every slab has its fixed nodes and none of the forbidden ones.
func (w *marginTwin) bears(s int, c []int) bool {
	for x, v := range c {
		if fixed, allowed := w.given(s, x); v < fixed || v > allowed {
			return false
		}
	}
	return true
}

// isMargin checks conditions 1 to 3 of a margin.
func (w *marginTwin) isMargin(s int, c []int) bool {
	for _, turned := range w.same(s, c) {
		if slices.Compare(turned, c) > 0 {
			return false
		}
	}
	for class := range w.forms[s] {
		if w.spare(s, class, c) < 0 {
			return false
		}
	}
	m := (w.n + w.lines(s) - 1) / w.lines(s)
	sets, room := 0, false
	for mask := range 1 << len(c) {
		a := content(mask, len(c))
		if total(a) != m {
			continue
		}
		sets++
		fits := true
		for x := range a {
			fits = fits && (a[x] == 0 || c[x] > 0)
		}
		for _, g := range w.forms[s] {
			fits = fits && load(a, g, c) <= w.limits[s]
		}
		room = room || fits
	}
	return sets > 4096 || room
}

// allows reports whether a line along dimension s may have content a under c.
func (w *marginTwin) allows(s, line int, a, c []int) bool {
	for x := range a {
		v := w.node(s, line, x)
		fixed, allowed := w.given(s, x)
		must := w.problem.MustHave(v) || c[x] == allowed && w.problem.MayHave(v)
		may := w.problem.MustHave(v) || c[x] > fixed && w.problem.MayHave(v)
		if a[x] == 1 && !may || a[x] == 0 && must {
			return false
		}
	}
	for class, g := range w.forms[s] {
		gap := w.limits[s] - load(a, g, c)
		if gap < 0 || gap > w.spare(s, class, c) {
			return false
		}
	}
	return true
}

// sizes returns the sizes of a line that c allows.
func (w *marginTwin) sizes(s, line int, c []int) map[int]bool {
	sizes := map[int]bool{}
	for mask := range 1 << len(c) {
		if a := content(mask, len(c)); w.allows(s, line, a, c) {
			sizes[total(a)] = true
		}
	}
	return sizes
}

// isClass reports whether c and r make a class.
func (w *marginTwin) isClass(c, r []int) bool {
	for i, v := range r {
		if !w.sizes(1, i, c)[v] {
			return false
		}
	}
	for j, v := range c {
		if !w.sizes(0, j, r)[v] {
			return false
		}
	}
	i, j := w.numbers[1][digits(c)], w.numbers[0][digits(r)]
	for _, to := range w.points {
		ci, cj, listed := w.image(to, c, r)
		if listed && (ci < i || ci == i && cj < j) {
			return false
		}
	}
	return true
}

// image returns where the margins stand to which a turn takes a pair of them.
func (w *marginTwin) image(to []int, c, r []int) (i, j int, listed bool) {
	images := [2][]int{}
	for s, m := range [2][]int{r, c} {
		along := 0
		if w.torus.Coord(to[w.torus.Stride(s)], 1) != w.torus.Coord(to[0], 1) {
			along = 1
		}
		image := make([]int, len(m))
		for x, v := range m {
			image[w.torus.Coord(to[x*w.torus.Stride(s)], along)] = v
		}
		images[along] = slices.MaxFunc(w.same(along, image), slices.Compare)
	}
	i, inColumns := w.numbers[1][digits(images[1])]
	j, inRows := w.numbers[0][digits(images[0])]
	return i, j, inColumns && inRows
}
