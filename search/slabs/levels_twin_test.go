package slabs

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
)

// A levelsTwin follows the definition of the tree in docs/proofs.md literally, from the listed paths of single pairs
// and without anything of the engine.
type levelsTwin struct {
	problem objective.Problem
	t       *core.Torus
	r       routing.Routing
	n       int
	limits  []int64       // by dimension, in 1/D
	b       []lineTraffic // by dimension
	flows   map[[2]int]map[core.Link]*big.Rat
	points  [][]int // images of the nodes under the points, or under the elements that keep to the conditions
	all     [][]int // under all elements that do
	mirrors []bool  // by dimension: some point reverses it alone

	listed []*twinClass // by Prefixes
}

// A lineTraffic says by link of the line through node 0 what crosses.
type lineTraffic map[core.Link]*crossing

// A crossing holds, by two places x and z, the traffic b from x to z that crosses a link, and in 1/D b itself, the
// forced load F(x,z), and b-F.
type crossing struct {
	b                  [][]*big.Rat
	whole, term, inner [][]int64
}

func newLevelsTwin(p objective.Problem, below *big.Rat) *levelsTwin {
	g, err := symmetry.Of(p.Routing)
	if err != nil {
		panic(err)
	}
	w := &levelsTwin{problem: p, t: p.Torus(), r: p.Routing, n: p.Size, flows: map[[2]int]map[core.Link]*big.Rat{}}
	den := p.Routing.Denominator().Int64()
	for s := range w.t.D() {
		limit := int64(-1)
		for big.NewRat(limit+1, den*int64(w.t.Bandwidth(s))).Cmp(below) < 0 {
			limit++
		}
		w.limits = append(w.limits, limit)
	}
	for i := range g.Points() {
		for _, shift := range g.Shifts() {
			image, keeps := g.Images(i, shift), true
			for v, to := range image {
				keeps = keeps && p.MustHave(v) == p.MustHave(to) && p.MayHave(v) == p.MayHave(to)
			}
			if keeps {
				w.all = append(w.all, image)
			}
		}
		w.points = append(w.points, g.Images(i, 0))
	}
	if p.Conditioned() {
		w.points = w.all
	}
	for s := range w.t.D() {
		w.mirrors = append(w.mirrors, !p.Conditioned() && w.t.Open(s) && slices.ContainsFunc(w.points, func(to []int) bool {
			for v := range to {
				from, at := w.t.Coords(v), w.t.Coords(to[v])
				from[s] = w.t.Side(s) - 1 - from[s]
				if !slices.Equal(from, at) {
					return false
				}
			}
			return true
		}))
		w.b = append(w.b, w.along(s))
		w.settle(s)
	}
	return w
}

func (w *levelsTwin) dim(l core.Link) int {
	_, port := w.t.LinkFrom(l)
	return port.Dim
}

// flow returns by link what p sends q, by listing paths.
func (w *levelsTwin) flow(p, q int) map[core.Link]*big.Rat {
	if flow, ok := w.flows[[2]int{p, q}]; ok {
		return flow
	}
	flow, paths := map[core.Link]*big.Rat{}, int64(0)
	w.flows[[2]int{p, q}] = flow
	for path := range w.r.Paths(p, q, nil) {
		paths++
		for _, l := range path {
			if flow[l] == nil {
				flow[l] = new(big.Rat)
			}
			flow[l].Add(flow[l], big.NewRat(1, 1))
		}
	}
	for _, v := range flow {
		v.Quo(v, big.NewRat(paths, 1))
	}
	return flow
}

func (w *levelsTwin) along(s int) lineTraffic {
	k, b := w.t.Side(s), lineTraffic{}
	for x := range k {
		for z := range k {
			if x == z {
				continue
			}
			for l, v := range w.flow(x*w.t.Stride(s), z*w.t.Stride(s)) {
				if b[l] == nil {
					b[l] = &crossing{b: make([][]*big.Rat, k)}
					for i := range k {
						b[l].b[i] = make([]*big.Rat, k)
						for j := range k {
							b[l].b[i][j] = new(big.Rat)
						}
					}
				}
				b[l].b[x][z] = v
			}
		}
	}
	return b
}

// least returns the least of what a node at place x along s and one of slab z off its line exchange on a link of that
// line, given as that of the line through node 0.
func (w *levelsTwin) least(l core.Link, s, x, z int) (least int64) {
	least = math.MaxInt64
	for p := range w.t.N() {
		for q := range w.t.N() {
			if w.t.Coord(p, s) != x || w.t.Coord(q, s) != z || q-p == (z-x)*w.t.Stride(s) {
				continue
			}
			load := int64(0)
			for _, pair := range [][2]int{{p, q}, {q, p}} {
				if part := w.flow(pair[0], pair[1])[w.online(l, p)]; part != nil {
					load += w.units(part)
				}
			}
			least = min(least, load)
		}
	}
	return least
}

// units returns v in 1/D; a fraction of that is an error of the text.
func (w *levelsTwin) units(v *big.Rat) int64 {
	v = new(big.Rat).Mul(v, new(big.Rat).SetInt(w.r.Denominator()))
	if !v.IsInt() {
		panic("not a multiple of 1/D: " + v.RatString())
	}
	return v.Num().Int64()
}

// settle turns what crosses along s into 1/D.
func (w *levelsTwin) settle(s int) {
	for l, c := range w.b[s] {
		for x := range c.b {
			c.whole, c.term, c.inner = append(c.whole, nil), append(c.term, nil), append(c.inner, nil)
			for z := range c.b {
				whole, term := w.units(c.b[x][z]), int64(0)
				if x != z {
					term = w.least(l, s, x, z)
				}
				c.whole[x], c.term[x], c.inner[x] = append(c.whole[x], whole), append(c.term[x], term),
					append(c.inner[x], whole-term)
			}
		}
	}
}

// fits reports whether a content fits the counts of s.
func (w *levelsTwin) fits(s, content int, c []int) bool {
	for _, b := range w.b[s] {
		sum := int64(0)
		for x := range c {
			if content>>x&1 == 0 {
				continue
			}
			if c[x] == 0 {
				return false
			}
			for z := range c {
				sum += b.term[x][z] * int64(c[z])
				if content>>z&1 != 0 {
					sum += b.inner[x][z]
				}
			}
		}
		if sum > w.limits[s] {
			return false
		}
	}
	return true
}

// slabCounts returns the slab counts of s in order, with their widths.
func (w *levelsTwin) slabCounts(s int) (list [][]int, widths []int) {
	k, all := w.t.Side(s), w.t.N()/w.t.Side(s)
	c := make([]int, k)
	var next func(i, left int)
	next = func(i, left int) {
		if i < k {
			for c[i] = 0; c[i] <= min(all, left); c[i]++ {
				next(i+1, left-c[i])
			}
			return
		}
		if left == 0 && w.counted(s, c) {
			list = append(list, slices.Clone(c))
		}
	}
	next(0, w.n)
	slices.SortFunc(list, earlier)
	for _, c := range list {
		widths = append(widths, w.width(s, c))
	}
	return list, widths
}

func (w *levelsTwin) width(s int, c []int) (width int) {
	for content := range 1 << len(c) {
		if w.fits(s, content, c) {
			width = max(width, bits.OnesCount(uint(content)))
		}
	}
	return width
}

// counted reports whether a list of sum n are slab counts.
func (w *levelsTwin) counted(s int, c []int) bool {
	if !slices.Equal(c, w.representative(s, c)) {
		return false
	}
	for x, v := range c {
		fixed, allowed := 0, 0
		for u := range w.t.N() {
			if w.t.Coord(u, s) == x && w.problem.MustHave(u) {
				fixed++
			}
			if w.t.Coord(u, s) == x && w.problem.MayHave(u) {
				allowed++
			}
		}
		if v < fixed || v > allowed {
			return false
		}
	}
	lines := int64(w.t.N() / len(c))
	for _, b := range w.b[s] {
		sum := int64(0)
		for x := range c {
			for z := range c {
				sum += b.whole[x][z] * int64(c[x]*c[z])
			}
		}
		if sum > w.limits[s]*lines {
			return false
		}
	}
	for x, v := range c {
		if v > 0 && !w.fits(s, 1<<x, c) {
			return false
		}
	}
	return w.width(s, c)*int(lines) >= w.n
}
