package congestion

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
)

// maxWeightBits bounds the weights that paths are priced with, so that the cost
// of any path fits in an int64.
const maxWeightBits = 40

// exact solves the problem of the classes by column generation: a master problem
// over the paths found so far,
//
//	minimise E  with  sum of shares = 1                      for each class of pairs
//	                  load of the shares + slack = links * E for each class of links
//
// whose dual values are weights of links; a cheapest path under these that is
// cheaper than the dual value of its pair enters (Dantzig and Wolfe, Operations
// Research 8, 1960, applied to flows as Ford and Fulkerson 1958). All arithmetic
// is rational. It stops at the optimum, after steps pivots, when the context
// ends, or when weights pass maxWeightBits; the master is a routing at any time.
type exact struct {
	master
	basis *basis
}

func newExact(c *classes) *exact {
	e := &exact{master: master{classes: c}}
	e.start()
	return e
}

// start makes the basis in which every pair takes its first path, with the
// maximum in the row of the most loaded class of links.
func (e *exact) start() {
	k, m := len(e.pairs), len(e.pairs)+len(e.linkCount)
	b := &basis{members: make([]variable, m), value: make([]*big.Rat, m), inverse: identityMatrix(m)}
	for i := range b.value {
		b.value[i] = new(big.Rat)
	}
	for l := range e.linkCount {
		b.members[k+l] = variable{kind: slack, index: l}
	}
	for i, v := range e.firstPaths() {
		b.members[i] = v
		b.value[i].SetInt64(1)
		for _, x := range e.column(v)[1:] {
			b.inverse[x.row][i].SetInt64(-x.value)
			b.value[x.row].SetInt64(b.value[x.row].Num().Int64() - x.value)
		}
	}
	d := b.direction(e.column(variable{kind: maximum}))
	worst := k
	for i := k; i < m; i++ { // all values are at most 0 here, and so is d
		if new(big.Rat).Quo(b.value[i], d[i]).Cmp(new(big.Rat).Quo(b.value[worst], d[worst])) > 0 {
			worst = i
		}
	}
	b.order = make([][]*big.Rat, m) // counts from the basis after this pivot
	b.pivot(worst, variable{kind: maximum}, d)
	b.order = identityMatrix(m)
	e.basis = b
}

// run improves until the optimum and reports whether it was reached.
func (e *exact) run(ctx context.Context, steps int) bool {
	for range steps {
		if ctx.Err() != nil {
			return false
		}
		v, optimal, priced := e.entering()
		if optimal || !priced {
			return optimal
		}
		d := e.basis.direction(e.column(v))
		e.basis.pivot(e.basis.leaving(d), v, d)
	}
	return false
}

// entering returns a variable that lowers the maximum. It reports whether there
// is none, and whether the prices were small enough to tell.
func (e *exact) entering() (v variable, optimal, priced bool) {
	k := len(e.pairs)
	prices := e.basis.inverse[e.basis.objective()]
	for l := range e.linkCount {
		if prices[k+l].Sign() > 0 {
			return variable{kind: slack, index: l}, false, true
		}
	}
	weights, den, ok := wholeWeights(prices[k:])
	if !ok {
		return variable{}, false, false
	}
	best := new(big.Rat)
	optimal = true
	e.lower.improve(e.classes, weights, func(i int, cost int64, path []core.Link) {
		// How much cheaper the path is than the price of its pair.
		total := new(big.Int).Mul(big.NewInt(e.pairs[i].count), big.NewInt(cost))
		if gain := new(big.Rat).Sub(prices[i], new(big.Rat).SetFrac(total, den)); gain.Cmp(best) > 0 {
			best, optimal = gain, false
			v = variable{kind: share, index: i, path: slices.Clone(path)}
		}
	})
	return v, optimal, true
}

// wholeWeights returns the negated prices times their common denominator, and
// that; ok is false when one is too large.
func wholeWeights(prices []*big.Rat) (weights []int64, den *big.Int, ok bool) {
	units, den := objective.Whole(prices)
	for _, w := range units {
		if w.BitLen() > maxWeightBits {
			return nil, nil, false
		}
		weights = append(weights, -w.Int64())
	}
	return weights, den, true
}

// routing returns the current routing.
func (e *exact) routing() primal {
	b := e.basis
	r := newPrimal(len(e.pairs))
	for row, v := range b.members {
		if v.kind == share && b.value[row].Sign() > 0 {
			r.add(v.index, v.path, b.value[row])
		}
	}
	r.measure(e.classes)
	return r
}

// A basis is the state of the primal simplex method in exact arithmetic, for
// minimising one variable over equations with non-negative variables. Columns
// are not stored: whoever prices them passes the one that enters.
//
// Ties in the ratio test are broken lexicographically on the rows of inverse
// times first (Dantzig, Orden and Wolfe, Pacific J. Math. 5, 1955), so that no
// basis comes back and the method ends.
type basis struct {
	members []variable // by row
	value   []*big.Rat // of the basic variables
	inverse [][]*big.Rat
	order   [][]*big.Rat // inverse times the first basis
}

// identityMatrix returns the m by m identity.
func identityMatrix(m int) [][]*big.Rat {
	rows := make([][]*big.Rat, m)
	for i := range rows {
		rows[i] = make([]*big.Rat, m)
		for j := range rows[i] {
			rows[i][j] = new(big.Rat)
		}
		rows[i][i].SetInt64(1)
	}
	return rows
}

// direction returns inverse times a column: how the basic variables fall as the
// column's variable grows.
func (b *basis) direction(column []entry) []*big.Rat {
	d := make([]*big.Rat, len(b.value))
	factor, term := new(big.Rat), new(big.Rat)
	for i := range d {
		d[i] = new(big.Rat)
		for _, e := range column {
			if b.inverse[i][e.row].Sign() != 0 {
				d[i].Add(d[i], term.Mul(b.inverse[i][e.row], factor.SetInt64(e.value)))
			}
		}
	}
	return d
}

// leaving returns the row of the variable that first reaches 0 as the entering
// one grows. It panics when none does: the minimum is bounded by 0.
func (b *basis) leaving(d []*big.Rat) int {
	best := -1
	for i := range d {
		if d[i].Sign() > 0 && (best < 0 || b.precedes(i, best, d)) {
			best = i
		}
	}
	if best < 0 {
		panic("congestion: an unbounded master problem")
	}
	return best
}

// precedes reports whether row i comes before row r in the ratio test.
func (b *basis) precedes(i, r int, d []*big.Rat) bool {
	x, y := new(big.Rat), new(big.Rat)
	if c := x.Mul(b.value[i], d[r]).Cmp(y.Mul(b.value[r], d[i])); c != 0 {
		return c < 0
	}
	for j := range b.order[i] {
		if b.order[i][j].Sign() == 0 && b.order[r][j].Sign() == 0 {
			continue
		}
		if c := x.Mul(b.order[i][j], d[r]).Cmp(y.Mul(b.order[r][j], d[i])); c != 0 {
			return c < 0
		}
	}
	return false
}

// pivot brings v into the basis in a row, along its direction d. Cost O(m^2) for
// m rows.
func (b *basis) pivot(row int, v variable, d []*big.Rat) {
	b.members[row] = v
	scale := new(big.Rat).Inv(d[row])
	b.value[row] = new(big.Rat).Mul(b.value[row], scale)
	scaleRow(b.inverse[row], scale)
	scaleRow(b.order[row], scale)
	term := new(big.Rat)
	for i := range d {
		if i == row || d[i].Sign() == 0 {
			continue
		}
		b.value[i].Sub(b.value[i], term.Mul(d[i], b.value[row]))
		subtractRow(b.inverse[i], d[i], b.inverse[row])
		subtractRow(b.order[i], d[i], b.order[row])
	}
}

func scaleRow(row []*big.Rat, by *big.Rat) {
	for j, x := range row {
		if x.Sign() != 0 {
			row[j].Mul(x, by)
		}
	}
}

func subtractRow(row []*big.Rat, factor *big.Rat, pivot []*big.Rat) {
	term := new(big.Rat)
	for j, x := range pivot {
		if x.Sign() != 0 {
			row[j].Sub(row[j], term.Mul(factor, x))
		}
	}
}

// objective returns the row of the minimised variable. It is always basic: its
// value is above 0 as soon as there is traffic.
func (b *basis) objective() int {
	return slices.IndexFunc(b.members, func(v variable) bool { return v.kind == maximum })
}
