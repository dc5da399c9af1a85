package congestion

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"

	"leeway/core"
)

// Tolerances of guess.
const (
	tolerance = 1e-9
	nudge     = 1e-7 // by which right-hand sides are moved apart against cycling
	priceUnit = 1 << 30
)

// guess solves the problem of the classes by column generation: a master problem
// over the paths found so far,
//
//	minimise E  with  sum of shares = 1                      for each class of pairs
//	                  load of the shares + slack = links * E for each class of links
//
// with bandwidths added up in the place of links where they are not 1. Rows of pairs stand before rows of links,
// whose dual values, negated, are weights of links; a cheapest path under these that is
// cheaper than the dual value of its pair enters (Dantzig and Wolfe, Operations
// Research 8, 1960, applied to flows as Ford and Fulkerson 1958). It works in floating
// point; its weights and shares are rounded to whole numbers and then bound the optimum exactly,
// from both sides, and of few classes the corner where it ends is computed in fractions.
//
// Of few classes of links, as on a lattice with all nodes, the pairs have one row together: a share is of a path for
// each of them. Its basis has a row more than there are classes of links, whatever the number of pairs.
type guess struct {
	*classes
	rows    int // of pairs: one for each class, or one for all
	lower   dual
	members []variable
	value   []float64
	inverse [][]float64
	goal    int // row of the maximum
	pivots  int // left
}

// fewLinks is of how many classes of links at most all pairs have one row at first.
const fewLinks = 4

// rowOf returns the row of a class of pairs.
func (g *guess) rowOf(pair int) int { return min(pair, g.rows-1) }

func newGuess(c *classes, rows, pivots int) *guess {
	g := &guess{classes: c, pivots: pivots, rows: rows}
	k, m := g.rows, g.rows+len(c.linkCount)
	g.members, g.value, g.inverse = make([]variable, m), make([]float64, m), make([][]float64, m)
	for i := range m {
		g.inverse[i] = make([]float64, m)
		g.inverse[i][i] = 1
	}
	for l := range c.linkCount {
		g.members[k+l] = variable{kind: slack, index: l}
		g.value[k+l] = nudge * (1 + math.Mod(float64(l)*math.Phi, 1))
	}
	for i, v := range g.firstPaths() {
		g.members[i], g.value[i] = v, 1
		for _, x := range g.column(v)[1:] {
			g.inverse[x.row][i] = -float64(x.value)
			g.value[x.row] -= float64(x.value)
		}
	}
	worst := k
	d := g.direction(g.column(variable{kind: maximum}))
	for i := k; i < m; i++ {
		if g.value[i]/d[i] > g.value[worst]/d[worst] {
			worst = i
		}
	}
	g.pivot(worst, variable{kind: maximum}, d)
	g.goal = worst
	return g
}

func (g *guess) direction(column []entry) []float64 {
	d := make([]float64, len(g.value))
	for i, row := range g.inverse {
		for _, e := range column {
			d[i] += row[e.row] * float64(e.value)
		}
	}
	return d
}

// enter brings v into the basis, unless rounding errors leave no row for it.
func (g *guess) enter(v variable) bool {
	d := g.direction(g.column(v))
	best := -1
	for i, x := range d {
		if x > tolerance && i != g.goal && (best < 0 || g.value[i]*d[best] < g.value[best]*x) {
			best = i
		}
	}
	if best < 0 || g.pivots == 0 {
		return false
	}
	g.pivots--
	g.pivot(best, v, d)
	return true
}

func (g *guess) pivot(row int, v variable, d []float64) {
	g.members[row] = v
	pivot := g.inverse[row]
	for j := range pivot {
		pivot[j] /= d[row]
	}
	g.value[row] /= d[row]
	for i, factor := range d {
		if i == row || factor == 0 {
			continue
		}
		target := g.inverse[i]
		for j, x := range pivot {
			target[j] -= factor * x
		}
		g.value[i] -= factor * g.value[row]
	}
}

// run improves until no path is cheaper than its pair's price, the pivots are
// used up or the context ends.
func (g *guess) run(ctx context.Context) {
	for ctx.Err() == nil {
		if v, ok := g.negativeWeight(); ok {
			if !g.enter(v) {
				return
			}
			continue
		}
		entered := false
		for _, v := range g.cheaperPaths() {
			entered = g.price(v) > tolerance && g.enter(v) || entered
		}
		if !entered {
			return
		}
	}
}

// negativeWeight returns the slack of the class with the least weight below 0.
func (g *guess) negativeWeight() (variable, bool) {
	k, most := g.rows, -1
	prices := g.inverse[g.goal]
	for l := range g.linkCount {
		if prices[k+l] > tolerance && (most < 0 || prices[k+l] > prices[k+most]) {
			most = l
		}
	}
	return variable{kind: slack, index: most}, most >= 0
}

// price returns how fast the maximum falls as v grows.
func (g *guess) price(v variable) float64 {
	sum := 0.0
	for _, e := range g.column(v) {
		sum += g.inverse[g.goal][e.row] * float64(e.value)
	}
	return sum
}

// cheaperPaths returns the cheapest path of every pair for which it lowers the
// maximum, the best first, and takes the bound of the current weights.
func (g *guess) cheaperPaths() []variable {
	type priced struct {
		variable
		gain float64
	}
	var found []priced
	for _, v := range g.cheapestPaths(g.weights(priceUnit)) {
		if gain := g.price(v); gain > tolerance {
			found = append(found, priced{v, gain})
		}
	}
	slices.SortStableFunc(found, func(a, b priced) int { return cmp.Compare(b.gain, a.gain) })
	list := make([]variable, len(found))
	for i, p := range found {
		list[i] = p.variable
	}
	return list
}

// weights returns the weights of the classes, the largest made unit, rounded.
func (g *guess) weights(unit float64) []int64 {
	prices := g.inverse[g.goal][g.rows:]
	most := 0.0
	for _, p := range prices {
		most = max(most, -p)
	}
	list := make([]int64, len(prices))
	for l, p := range prices {
		list[l] = int64(math.Round(max(-p, 0) / most * unit))
	}
	return list
}

// polish tries the weights with small denominators that are close to the ones
// found.
func (g *guess) polish() {
	fine := g.weights(priceUnit)
	floats := make([]float64, len(fine))
	for l, w := range fine {
		floats[l] = float64(w) / priceUnit
	}
	unit, ok := commonDenominator(floats)
	if !ok {
		return
	}
	g.lower.improve(g.classes, g.weights(float64(unit)), nil)
}

// commonDenominator returns the least of 1, ..., 5000 by which all values become
// whole numbers, up to rounding errors.
func commonDenominator(values []float64) (int64, bool) {
	for d := 1.0; d <= 5000; d++ {
		if !slices.ContainsFunc(values, func(v float64) bool { return math.Abs(v*d-math.Round(v*d)) > 1e-4 }) {
			return int64(d), true
		}
	}
	return 0, false
}

// routing returns the better of the shares rounded finely and, if there is one,
// rounded to a small denominator.
func (g *guess) routing() primal {
	best := g.rounded(priceUnit)
	var values []float64
	for row, v := range g.members {
		if v.kind == share {
			values = append(values, g.value[row])
		}
	}
	if d, ok := commonDenominator(values); ok {
		if r := g.rounded(d); r.value.Cmp(best.value) < 0 {
			best = r
		}
	}
	return best
}

// rounded returns the routing with shares of whole multiples of 1/den: all
// rounded, then the largest of every pair corrected so that they make up 1. A
// basis holds a share of every pair.
func (g *guess) rounded(den int64) primal {
	parts, left, largest := make([]int64, len(g.members)), make([]int64, g.rows), make([]int, g.rows)
	for i := range left {
		left[i], largest[i] = den, -1
	}
	for row, v := range g.members {
		if v.kind != share {
			continue
		}
		parts[row] = int64(math.Round(max(g.value[row], 0) * float64(den)))
		left[v.index] -= parts[row]
		if most := largest[v.index]; most < 0 || parts[row] > parts[most] {
			largest[v.index] = row
		}
	}
	for of, row := range largest {
		parts[row] += left[of]
	}
	r := newPrimal(len(g.pairs))
	for row, v := range g.members {
		switch {
		case v.kind != share || parts[row] == 0:
		case parts[largest[v.index]] < 0: // badly conditioned: the shares of the pair are worth nothing
			if row == largest[v.index] {
				g.spread(&r, v, big.NewRat(1, 1))
			}
		default:
			g.spread(&r, v, big.NewRat(parts[row], den))
		}
	}
	r.measure(g.classes)
	return r
}

// spread sends a part of the pairs of a share along its paths.
func (g *guess) spread(r *primal, v variable, part *big.Rat) {
	for i, path := range v.paths {
		r.add(v.index+i, path, part)
	}
}

// A variable of the master problem.
type variable struct {
	kind  kind
	index int           // class of link (slack), or row of pairs (share), which is that of the first pair
	paths [][]core.Link // of all pairs of the row
}

type kind int8

const (
	maximum kind = iota // the congestion, which is minimised
	slack               // what a class of links is below it
	share               // the part of a pair class on one path
)

// entry is one number of a sparse column.
type entry struct {
	row   int
	value int64
}

// firstPaths returns a share for every class of pairs: a shortest path, with
// which the program starts, and takes its bound, the mean.
func (g *guess) firstPaths() []variable {
	return g.cheapestPaths(slices.Repeat([]int64{1}, len(g.linkCount)))
}

// cheapestPaths returns a share of cheapest paths for every row, and takes the bound of the weights.
func (g *guess) cheapestPaths(weights []int64) []variable {
	list := make([]variable, g.rows)
	g.lower.improve(g.classes, weights, func(i int, _ int64, path []core.Link) {
		v := &list[g.rowOf(i)]
		v.kind, v.index, v.paths = share, g.rowOf(i), append(v.paths, slices.Clone(path))
	})
	return list
}

// column returns the coefficients of a variable; for a share that of its pair
// stands first.
func (g *guess) column(v variable) []entry {
	k := g.rows
	switch v.kind {
	case slack:
		return []entry{{row: k + v.index, value: 1}}
	case share:
		column := []entry{{row: v.index, value: 1}}
		return append(column, g.loads(v)...)
	}
	var column []entry
	for l, count := range g.linkCount {
		column = append(column, entry{row: k + l, value: -count})
	}
	return column
}

// loads returns what a share of 1 puts on every class of links.
func (g *guess) loads(v variable) []entry {
	var column []entry
	for i, path := range v.paths {
		for _, link := range path {
			row := g.rows + int(g.linkClass[link])
			at := slices.IndexFunc(column, func(e entry) bool { return e.row == row })
			if at < 0 {
				at = len(column)
				column = append(column, entry{row: row})
			}
			column[at].value += g.pairs[v.index+i].count
		}
	}
	return column
}
