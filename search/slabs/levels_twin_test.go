package slabs

import (
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
	f, h    []*big.Rat    // by dimension
	points  [][]int       // images of the nodes under the points, or under the elements that keep to the conditions
	all     [][]int       // under all elements that do
	mirrors []bool        // by dimension: some point reverses it alone

	listed []*twinClass // by Prefixes
}

// A lineTraffic says by link of the line through node 0 what crosses.
type lineTraffic map[core.Link]*crossing

// A crossing holds, by two places x and z, the traffic b from x to z that crosses a link, and in 1/D b itself, f b(x,z)
// + h b(z,x), and (1-f-h) b.
type crossing struct {
	b                  [][]*big.Rat
	whole, term, inner [][]int64
}

func newLevelsTwin(p objective.Problem, below *big.Rat) *levelsTwin {
	g, err := symmetry.Of(p.Routing)
	if err != nil {
		panic(err)
	}
	w := &levelsTwin{problem: p, t: p.Torus(), r: p.Routing, n: p.Size}
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
		w.f = append(w.f, w.least(func(path []core.Link) bool { return w.dim(path[0]) == s }, s))
		w.h = append(w.h, w.least(func(path []core.Link) bool { return w.dim(path[len(path)-1]) == s }, s))
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
	flow, paths := map[core.Link]*big.Rat{}, int64(0)
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

// least returns the least part of paths that are wanted, of pairs of node 0 that differ in s and more.
func (w *levelsTwin) least(wanted func([]core.Link) bool, s int) *big.Rat {
	least := big.NewRat(1, 1)
	for q := range w.t.N() {
		differ := 0
		for j := range w.t.D() {
			if w.t.Coord(q, j) != 0 {
				differ++
			}
		}
		if w.t.Coord(q, s) == 0 || differ < 2 {
			continue
		}
		num, den := int64(0), int64(0)
		for path := range w.r.Paths(0, q, nil) {
			den++
			if wanted(path) {
				num++
			}
		}
		if part := big.NewRat(num, den); part.Cmp(least) < 0 {
			least = part
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
	times := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	inner := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).Add(w.f[s], w.h[s]))
	for _, c := range w.b[s] {
		for x := range c.b {
			c.whole, c.term, c.inner = append(c.whole, nil), append(c.term, nil), append(c.inner, nil)
			for z := range c.b {
				b := c.b[x][z]
				c.whole[x] = append(c.whole[x], w.units(b))
				c.term[x] = append(c.term[x], w.units(new(big.Rat).Add(times(w.f[s], b), times(w.h[s], c.b[z][x]))))
				c.inner[x] = append(c.inner[x], w.units(times(inner, b)))
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
