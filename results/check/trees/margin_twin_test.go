package trees

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/results/check/census"
	"leeway/results/check/shares"
)

// A marginTwin walks the tree margin word by word as docs/proofs.md has it, with every list and every content tried.
// Loads are in quarters.
type marginTwin struct {
	r     *routing.Orders
	t     *core.Torus
	n     int
	cond  census.Conditions
	limit [2]int64       // by dimension that the links run along
	g     [2][][][]int64 // by dimension that the links run along, class, x, z: g[x][z]
	lists [2][][]int     // margins: [1] of the columns, [0] of the rows
	group *symmetry.Group
}

func newMarginTwin(r *routing.Orders, n int, c census.Conditions, below *big.Rat) *marginTwin {
	w := &marginTwin{r: r, t: r.Torus(), n: n, cond: c}
	for s := range w.limit {
		carried := new(big.Rat).Mul(below, big.NewRat(int64(w.t.Bandwidth(s)), 1))
		v := int64(0)
		for w.multiple(v).Cmp(carried) < 0 {
			v++
		}
		for v--; v >= 0 && !new(big.Rat).Mul(w.multiple(v), new(big.Rat).SetInt(r.Denominator())).IsInt(); {
			v--
		}
		w.limit[s] = v
	}
	var err error
	if w.group, err = symmetry.Of(r); err != nil {
		panic(err)
	}
	for s := range 2 {
		w.g[s] = w.coefficients(s)
		w.lists[s] = w.margins(s)
	}
	return w
}

func (w *marginTwin) multiple(quarters int64) *big.Rat { return big.NewRat(quarters, 4) }

// part returns in quarters what links along s with the given start and direction in lines of the other coordinate take
// of the traffic of a pair.
func (w *marginTwin) part(p, q, s, place, other int, dir core.Dir) int64 {
	flow := w.r.Flow(p, q, nil)
	for _, share := range flow.Shares {
		from, port := w.t.LinkFrom(share.Link)
		if port.Dim == s && port.Dir == dir && w.t.Coord(from, s) == place && w.t.Coord(from, 1-s) == other {
			v := new(big.Rat).SetFrac(share.Num, flow.Den)
			return v.Mul(v, big.NewRat(4, 1)).Num().Int64()
		}
	}
	return 0
}

// coefficients returns g[x][z] of every class, by definition: w is what the link from node 0 along s takes of the pair
// from node 0 to the node one up in both.
func (w *marginTwin) coefficients(s int) (list [][][]int64) {
	first := w.part(0, w.t.Stride(0)+w.t.Stride(1), s, 0, 0, core.Plus)
	for place := range w.t.Side(s) {
		for _, dir := range []core.Dir{core.Plus, core.Minus} {
			if dir == core.Minus && w.t.Side(s) == 2 || !w.t.HasLink(w.t.Link(place*w.t.Stride(s), s, dir)) {
				continue
			}
			g := shares.NewTable(w.t.Side(s))
			for x := range g {
				for z := range g {
					if x != z {
						there := w.part(x*w.t.Stride(s), z*w.t.Stride(s), s, place, 0, dir)
						back := w.part(z*w.t.Stride(s), x*w.t.Stride(s), s, place, 0, dir)
						g[x][z] = (first*there + (4-first)*back) / 4
					}
				}
			}
			list = append(list, g)
		}
	}
	return list
}

func (w *marginTwin) load(g [][]int64, set int, counts []int) (load int64) {
	for x := range counts {
		for z, v := range counts {
			if set>>x&1 != 0 {
				load += g[x][z] * int64(v)
			}
		}
	}
	return load
}

func (w *marginTwin) spare(s int, g [][]int64, counts []int) int64 {
	spare := int64(w.t.Side(1-s)) * w.limit[s]
	for x, u := range counts {
		for z, v := range counts {
			spare -= int64(u) * g[x][z] * int64(v)
		}
	}
	return spare
}

// is returns 1 if a node is fixed, -1 if it is forbidden, else 0.
func (w *marginTwin) is(v int) int {
	switch {
	case slices.Contains(w.cond.Fixed.Nodes(), v):
		return 1
	case slices.Contains(w.cond.Forbidden.Nodes(), v):
		return -1
	}
	return 0
}

// slab counts the nodes of slab x of dimension s that are fixed, or forbidden.
func (w *marginTwin) slab(s, x, sign int) (count int) {
	for v := range w.t.N() {
		if w.t.Coord(v, s) == x && w.is(v) == sign {
			count++
		}
	}
	return count
}

// may reports whether a line along s may have a content under counts.
func (w *marginTwin) may(s, line, set int, counts []int) bool {
	for x, v := range counts {
		in, at := set>>x&1 != 0, w.is(x*w.t.Stride(s)+line*w.t.Stride(1-s))
		if at == 1 && !in || at == -1 && in {
			return false
		}
		if at == 0 && (v == w.slab(s, x, 1) && in || v == w.t.Side(1-s)-w.slab(s, x, -1) && !in) {
			return false
		}
	}
	for _, g := range w.g[s] {
		gap := w.limit[s] - w.load(g, set, counts)
		if gap < 0 || gap > w.spare(s, g, counts) {
			return false
		}
	}
	return true
}

// margins lists the counts by places of lines along s.
func (w *marginTwin) margins(s int) (list [][]int) {
	for _, c := range marginCompositions(w.t.Side(s), w.t.Side(1-s), w.n) {
		within := true
		for x, v := range c {
			within = within && v >= w.slab(s, x, 1) && v <= w.t.Side(1-s)-w.slab(s, x, -1)
		}
		if within && slices.Equal(c, w.greatest(s, c)) && w.isMargin(s, c) {
			list = append(list, c)
		}
	}
	squares := func(c []int) (sum int) {
		for _, v := range c {
			sum += v * v
		}
		return sum
	}
	slices.SortFunc(list, func(a, b []int) int { return cmp.Or(squares(a)-squares(b), slices.Compare(b, a)) })
	return list
}

func (w *marginTwin) isMargin(s int, c []int) bool {
	for _, g := range w.g[s] {
		if w.spare(s, g, c) < 0 {
			return false
		}
	}
	m, sets, room := (w.n+w.t.Side(1-s)-1)/w.t.Side(1-s), 0, false
	for set := range 1 << len(c) {
		if bits.OnesCount(uint(set)) == m {
			sets++
			fits := !slices.ContainsFunc(w.g[s], func(g [][]int64) bool { return w.load(g, set, c) > w.limit[s] })
			for x, v := range c {
				fits = fits && (set>>x&1 == 0 || v > 0)
			}
			room = room || fits
		}
	}
	return sets > 4096 || room
}

func marginCompositions(k, most, n int) (list [][]int) {
	if k == 0 {
		if n == 0 {
			return [][]int{{}}
		}
		return nil
	}
	for v := 0; v <= min(n, most); v++ {
		for _, rest := range marginCompositions(k-1, most, n-v) {
			list = append(list, append([]int{v}, rest...))
		}
	}
	return list
}

// greatest returns the greatest rotation of counts by places along s; where that is open there is but one, and the
// reverse if an automorphism reverses s and nothing else.
func (w *marginTwin) greatest(s int, c []int) []int {
	if w.cond.Any() {
		return c
	}
	if !w.t.Open(s) {
		return twinGreatest(c)
	}
	back := slices.Clone(c)
	slices.Reverse(back)
	if w.reverses(s) && slices.Compare(back, c) > 0 {
		return back
	}
	return c
}

func twinGreatest(c []int) []int {
	best := c
	for s := range c {
		if turned := append(slices.Clone(c[s:]), c[:s]...); slices.Compare(turned, best) > 0 {
			best = turned
		}
	}
	return best
}
