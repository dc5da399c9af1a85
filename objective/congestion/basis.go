package congestion

import (
	"math/big"
	"slices"
)

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
		if d[i].Sign() > 0 && (best < 0 || b.before(i, best, d)) {
			best = i
		}
	}
	if best < 0 {
		panic("congestion: an unbounded master problem")
	}
	return best
}

// before reports whether row i comes before row r in the ratio test.
func (b *basis) before(i, r int, d []*big.Rat) bool {
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
