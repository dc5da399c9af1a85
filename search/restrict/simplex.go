package restrict

import (
	"context"
	"math/big"
)

// A tableau is a linear program in condensed form: maximise zero + cost*free with basic = value - rows*free, all at
// least 0. Variables have numbers; the values are at least 0 at the start, so that no first phase is needed.
type tableau struct {
	rows  [][]*big.Rat
	value []*big.Rat
	cost  []*big.Rat
	basic []int // by row: number of its variable
	free  []int // by column
}

// newTableau returns the program without entries: the variables of the columns
// are numbered first, then those of the rows.
func newTableau(rows, columns int) *tableau {
	t := &tableau{rows: make([][]*big.Rat, rows), value: zeros(rows), cost: zeros(columns)}
	for r := range rows {
		t.rows[r] = zeros(columns)
		t.basic = append(t.basic, columns+r)
	}
	for j := range columns {
		t.free = append(t.free, j)
	}
	return t
}

func zeros(n int) []*big.Rat {
	list := make([]*big.Rat, n)
	for i := range list {
		list[i] = new(big.Rat)
	}
	return list
}

// maximise makes at most a given number of pivots, none after the context ends, and reports whether it reached the
// optimum. The program must be bounded. The second half of the pivots follow the rule of Bland (Mathematics of
// Operations Research 2, 1977), which cannot cycle.
func (t *tableau) maximise(ctx context.Context, pivots int) bool {
	for n := 0; n < pivots && ctx.Err() == nil; n++ {
		j := t.entering(n >= pivots/2)
		if j < 0 {
			return true
		}
		t.pivot(t.leaving(j), j)
	}
	return false
}

// entering returns the column to bring in, -1 at the optimum: that of the largest cost, or of the smallest number.
func (t *tableau) entering(smallest bool) int {
	best := -1
	for j, c := range t.cost {
		switch {
		case c.Sign() <= 0:
		case best < 0, smallest && t.free[j] < t.free[best], !smallest && c.Cmp(t.cost[best]) > 0:
			best = j
		}
	}
	return best
}

// leaving returns the row that a growing column brings to 0 first, of equal ones that of the smallest number.
func (t *tableau) leaving(j int) int {
	best := -1
	var least *big.Rat
	for r, row := range t.rows {
		if row[j].Sign() <= 0 {
			continue
		}
		ratio := new(big.Rat).Quo(t.value[r], row[j])
		if best < 0 || ratio.Cmp(least) < 0 || ratio.Cmp(least) == 0 && t.basic[r] < t.basic[best] {
			best, least = r, ratio
		}
	}
	if best < 0 {
		panic("restrict: an unbounded program")
	}
	return best
}

// pivot exchanges the variables of a row and a column.
func (t *tableau) pivot(r, j int) {
	inverse := new(big.Rat).Inv(t.rows[r][j])
	row := t.rows[r]
	for i := range row {
		row[i].Mul(row[i], inverse)
	}
	row[j].Set(inverse)
	t.value[r].Mul(t.value[r], inverse)
	term := new(big.Rat)
	eliminate := func(other []*big.Rat) *big.Rat {
		factor := new(big.Rat).Set(other[j])
		if factor.Sign() == 0 {
			return factor
		}
		other[j].SetInt64(0)
		for i := range other {
			if row[i].Sign() != 0 {
				other[i].Sub(other[i], term.Mul(factor, row[i]))
			}
		}
		return factor
	}
	for k, other := range t.rows {
		if k != r {
			factor := eliminate(other)
			t.value[k].Sub(t.value[k], term.Mul(factor, t.value[r]))
		}
	}
	eliminate(t.cost)
	t.basic[r], t.free[j] = t.free[j], t.basic[r]
}

// values returns the values of the variables numbered below n.
func (t *tableau) values(n int) []*big.Rat {
	list := zeros(n)
	for r, v := range t.basic {
		if v < n {
			list[v].Set(t.value[r])
		}
	}
	return list
}
