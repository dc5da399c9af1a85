package trees

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/results/check/census"
	"leeway/results/check/shares"
)

// A levelsTwin walks the tree levels word by word as docs/proofs.md has it, with every list tried. Loads are in units
// of 1/u, u the denominator.
type levelsTwin struct {
	r      routing.Routing
	t      *core.Torus
	n      int
	cond   census.Conditions
	limits []int64 // by dimension
	u      int64
	b      [][][][]int64 // by dimension, class, x, y: b_e(x,y)
	forced [][][][]int64 // likewise: F_e(x,y)
	joint  [][][]int64   // by two nodes and link: what they send each other
	rests  [][][]int64   // likewise: the rest of the pair
	group  [][]int       // images of the nodes under all elements that keep to the conditions, the points first
	points int           // how many of these reduce classes: the points, or all under conditions
	lists  [][][]int     // by dimension: its slab counts
}

func newLevelsTwin(r routing.Routing, c census.Conditions) *levelsTwin {
	w := &levelsTwin{r: r, t: r.Torus(), cond: c}
	w.u = r.Denominator().Int64()
	group, err := symmetry.Of(r)
	if err != nil {
		panic(err)
	}
	for _, shift := range group.Shifts() {
		for i := range group.Points() {
			image, keeps := group.Images(i, shift), true
			for v, to := range image {
				keeps = keeps && w.is(v) == w.is(to)
			}
			if keeps {
				w.group = append(w.group, image)
			}
		}
	}
	if w.points = group.Points(); c.Any() {
		w.points = len(w.group)
	}
	w.joint = w.pairs(func(p, q int) (joint []int64) {
		loads := objective.Naive(r, core.MustPlacement(w.t, []int{p, q}))
		for l := range w.t.M() {
			joint = append(joint, w.units(new(big.Rat).Mul(loads.At(core.Link(l)), w.bandwidth(l))))
		}
		return joint
	})
	for s := range w.t.D() {
		w.parts(s)
	}
	w.rests = w.pairs(w.rest)
	return w
}

// is returns 1 if a node is fixed, -1 if it is forbidden, else 0.
func (w *levelsTwin) is(v int) int {
	switch {
	case slices.Contains(w.cond.Fixed.Nodes(), v):
		return 1
	case slices.Contains(w.cond.Forbidden.Nodes(), v):
		return -1
	}
	return 0
}

// bandwidth returns that of a link.
func (w *levelsTwin) bandwidth(l int) *big.Rat {
	_, port := w.t.LinkFrom(core.Link(l))
	return big.NewRat(int64(w.t.Bandwidth(port.Dim)), 1)
}

// greatest returns the counts that are listed of those that stand for each other.
func (w *levelsTwin) greatest(s int, c []int) []int {
	switch {
	case w.cond.Any():
		return c
	case !w.t.Open(s):
		return twinGreatest(c)
	}
	back := slices.Clone(c)
	slices.Reverse(back)
	if slices.Compare(back, c) <= 0 {
		return c
	}
	for _, g := range w.group { // is there one that reverses s alone?
		reverses := true
		for v, to := range g {
			at := w.t.Coords(v)
			at[s] = w.t.Side(s) - 1 - at[s]
			reverses = reverses && slices.Equal(w.t.Coords(to), at)
		}
		if reverses {
			return back
		}
	}
	return c
}

// pairs tabulates what is said of the nodes p < q, either way round.
func (w *levelsTwin) pairs(of func(p, q int) []int64) [][][]int64 {
	table := make([][][]int64, w.t.N())
	for q := range table {
		table[q] = make([][]int64, w.t.N())
		for p := range q {
			table[q][p] = of(p, q)
			table[p][q] = table[q][p]
		}
	}
	return table
}

// units returns a multiple of 1/u in units.
func (w *levelsTwin) units(v *big.Rat) int64 {
	whole := new(big.Rat).Mul(v, big.NewRat(w.u, 1))
	if !whole.IsInt() {
		panic("the unit is too large")
	}
	return whole.Num().Int64()
}

// through returns what part of the traffic from p to q takes a link.
func (w *levelsTwin) through(p, q int, link core.Link) int64 {
	flow := w.r.Flow(p, q, nil)
	for _, share := range flow.Shares {
		if share.Link == link {
			return w.units(new(big.Rat).SetFrac(share.Num, flow.Den))
		}
	}
	return 0
}

// parts finds b and F of dimension s.
func (w *levelsTwin) parts(s int) {
	classes := 2 * w.t.Side(s) // direction + first, a side of 2 has no other
	if w.t.Side(s) == 2 {
		classes = 2
	}
	var list, forced [][][]int64
	for e := range classes {
		forced = append(forced, w.least(s, e))
		b := shares.NewTable(w.t.Side(s))
		for x := range b {
			for y := range b {
				if x != y {
					b[x][y] = w.through(x*w.t.Stride(s), y*w.t.Stride(s), w.linkOn(0, s, e))
				}
			}
		}
		list = append(list, b)
	}
	w.b, w.forced = append(w.b, list), append(w.forced, forced)
}

// least returns, by two places of a line along s, the least that a node at the first and any of the slab of the second
// off its line send each other on a class of links.
func (w *levelsTwin) least(s, class int) [][]int64 {
	least := shares.NewTable(w.t.Side(s))
	for x := range least {
		for z := range least {
			first := true
			for p := range w.t.N() {
				for q := range w.t.N() {
					if x == z || w.t.Coord(p, s) != x || w.t.Coord(q, s) != z || w.linkOn(p, s, class) == w.linkOn(q, s, class) {
						continue
					}
					if load := w.joint[p][q][w.linkOn(p, s, class)]; first || load < least[x][z] {
						first, least[x][z] = false, load
					}
				}
			}
		}
	}
	return least
}

// prepare sets size and limit and lists the slab counts.
func (w *levelsTwin) prepare(n int, below *big.Rat) {
	w.n, w.limits, w.lists = n, nil, nil
	for s := range w.t.D() {
		limit := -w.u
		for steps := int64(0); big.NewRat(steps, w.u*int64(w.t.Bandwidth(s))).Cmp(below) < 0; steps++ {
			limit = steps
		}
		w.limits = append(w.limits, limit)
		var list [][]int
		for _, c := range marginCompositions(w.t.Side(s), w.t.N()/w.t.Side(s), n) {
			if slices.Equal(c, w.greatest(s, c)) && w.areSlabCounts(s, c) {
				list = append(list, c)
			}
		}
		slices.SortFunc(list, twinOrder)
		w.lists = append(w.lists, list)
	}
}

// twinOrder is the order of slab counts.
func twinOrder(a, b []int) int {
	squares := func(c []int) (sum int) {
		for _, v := range c {
			sum += v * v
		}
		return sum
	}
	return cmp.Or(squares(a)-squares(b), slices.Compare(b, a))
}

func (w *levelsTwin) areSlabCounts(s int, c []int) bool {
	slab := w.t.N() / w.t.Side(s)
	for x, v := range c {
		least, most := 0, slab
		for u := range w.t.N() {
			if w.t.Coord(u, s) == x && w.is(u) == 1 {
				least++
			} else if w.t.Coord(u, s) == x && w.is(u) == -1 {
				most--
			}
		}
		if v < least || v > most {
			return false
		}
	}
	for _, b := range w.b[s] {
		sum := int64(0)
		for x, u := range c {
			for z, v := range c {
				sum += b[x][z] * int64(u*v)
			}
		}
		if sum > w.limits[s]*int64(slab) {
			return false
		}
	}
	for x, v := range c {
		if v > 0 && !w.fits(s, 1<<x, c) {
			return false
		}
	}
	return w.width(s, c)*slab >= w.n
}

func (w *levelsTwin) fits(s, content int, c []int) bool {
	for class := range w.b[s] {
		load := int64(0)
		for x, v := range c {
			if content>>x&1 == 0 {
				continue
			}
			if v == 0 {
				return false
			}
			for z := range c {
				load += w.forced[s][class][x][z] * int64(c[z])
				if content>>z&1 != 0 {
					load += w.b[s][class][x][z] - w.forced[s][class][x][z]
				}
			}
		}
		if load > w.limits[s] {
			return false
		}
	}
	return true
}

func (w *levelsTwin) width(s int, c []int) (width int) {
	for content := range 1 << len(c) {
		if w.fits(s, content, c) {
			width = max(width, bits.OnesCount(uint(content)))
		}
	}
	return width
}
