package margin

import (
	"math/big"
	"slices"

	"leeway/core"
)

// A weight is the exact share of the pairs differing in two dimensions s and o
// that correct s first.
type weight struct{ num, den int64 }

// A side is one dimension of a projection of the torus on two dimensions: its
// ring of slabs with everything that a margin must satisfy; a path of slabs where the
// dimension is open.
type side struct {
	k      int               // slabs
	open   bool              // they form a path
	band   int64             // the bandwidth of the links between them
	n      int               // processors
	room   int               // processors that fit in a slab
	depth  int               // processors that fit where a slab of this dimension meets one of the other
	unit   int64             // loads are counted in 1/unit
	forms  []form            // one for every class of links
	lines  []form            // these, and what two of them say together about the links in one slab of the other dimension
	limit  *big.Rat          // on the load of a link
	total  []int64           // by form: the most that all links of the class may carry
	listed map[int]*patterns // by total
	ranges []Range           // by slab; nil: 0 to room, and the slabs of a ring are alike
	cut    int64             // the most that the product of the processors on the sides of two cuts may be
}

// A form gives the load of a class of links in one slab across the other
// dimension: the sum of a[x] g[x][z] c[z] over x and z, where a is the pattern
// of that slab and c the margin. With a = c it is the load of the whole class.
type form struct {
	g     [][]int64
	sum   [][]int64 // g[x][z] + g[z][x]
	links int64
}

// newSide returns the side for dimension s, lines of which depth processors fit on each
// slab of the other dimension. With w a pair that starts in
// the pattern counts for w and one that ends there for 1-w; a pair inside counts
// for both, which is what it is: one.
func newSide(t *core.Torus, s, n, depth int, ties split, w weight, ranges []Range) *side {
	k := t.Side(s)
	d := &side{k: k, open: t.Open(s), band: int64(t.Bandwidth(s)), n: n, room: t.N() / k, depth: depth, unit: 2 * w.den,
		listed: map[int]*patterns{}, ranges: ranges}
	classes := pathCrossings(k)
	if !d.open {
		classes = crossings(k, ties)
	}
	d.forms = formsOf(classes, w)
	d.lines = formsOf(append(classes, intervals(k, d.open)...), w)
	d.total = make([]int64, len(d.forms))
	return d
}

// formsOf returns the forms of some classes, each once.
func formsOf(classes []crossing, w weight) (list []form) {
	for _, c := range classes {
		k := len(c.share)
		f := form{g: make([][]int64, k), links: c.links}
		for x := range k {
			f.g[x] = make([]int64, k)
			for z := range k {
				f.g[x][z] = w.num*c.share[x][z] + (w.den-w.num)*c.share[z][x]
			}
		}
		f.sum = symmetric(f.g)
		if !slices.ContainsFunc(list, f.equal) {
			list = append(list, f)
		}
	}
	return list
}

// symmetric returns the sum of a table and its transpose.
func symmetric(g [][]int64) [][]int64 {
	sum := make([][]int64, len(g))
	for x := range g {
		for z := range g {
			sum[x] = append(sum[x], g[x][z]+g[z][x])
		}
	}
	return sum
}

func (f form) equal(g form) bool {
	return f.links == g.links && slices.EqualFunc(f.g, g.g, slices.Equal)
}

// setLimit fixes the limit on the load of every link. Loads of classes are whole
// numbers of units, so the limits on them are rounded down.
func (d *side) setLimit(limit *big.Rat) {
	d.limit = limit
	for i, f := range d.forms {
		d.total[i] = d.units(d.unit * f.links * int64(d.room))
	}
	d.cut = d.units(2 * int64(d.room))
	if d.k == 2 { // one link each way where longer rings have two
		d.cut = d.units(int64(d.room))
	}
}

// line returns the most that the links of a form in one slab of the other dimension may carry.
func (d *side) line(f form) int64 { return d.units(d.unit * f.links * int64(d.depth)) }

// units returns factor times the limit on what a link carries, rounded down.
func (d *side) units(factor int64) int64 {
	v := new(big.Int).Mul(d.limit.Num(), big.NewInt(factor*d.band))
	return v.Div(v, d.limit.Denom()).Int64()
}

// balanced reports whether a given number of processors on one side of two cuts, half the
// ring apart, send too much across them. On a path every boundary is a class of its own.
func (d *side) balanced(inside int) bool {
	return !d.open && int64(inside)*int64(d.n-inside) > d.cut
}

// exist answers whether both sides of the projection have margins within the
// limit that leave room for each other.
//
// Let p be the largest count of the first margin and q that of the second. Then
// the first has room for a pattern of q processors, since some slab across the
// other dimension holds q, and the second has room for one of p. Whichever count is
// smaller, that margin has room for a pattern of at least as many: few do, and only
// where one does the other side is asked.
func (pr projection) exist(limit *big.Rat, b *budget) verdict {
	pr.first.setLimit(limit)
	if pr.second == nil {
		return pr.first.any(b)
	}
	pr.second.setLimit(limit)
	for p := range min(pr.first.most(), pr.second.most()) + 1 {
		v := pr.solve(pr.first, pr.second, p, b)
		if v == none && !pr.alike {
			v = pr.solve(pr.second, pr.first, p, b)
		}
		if v != none {
			return v
		}
	}
	return none
}

// solve answers whether there are margins of d with largest count p and of e with one of at least p.
func (pr projection) solve(d, e *side, p int, b *budget) verdict {
	if p < d.least() {
		return none
	}
	for q := max(p, e.least()); q <= e.most(); q++ {
		if v := d.find(p, q, b); v != some {
			return v
		}
		if p == q && pr.alike {
			return some
		}
		if v := e.find(q, p, b); v != none {
			return v
		}
	}
	return none
}

// any answers whether a side has a margin within the limit.
func (d *side) any(b *budget) verdict {
	for most := d.least(); most <= d.most(); most++ {
		if v := d.find(most, 0, b); v != none {
			return v
		}
	}
	return none
}

// least and most return what the fullest slab of a side can hold.
func (d *side) least() int { return (d.n + d.k - 1) / d.k }
func (d *side) most() int  { return min(d.room, d.n) }
