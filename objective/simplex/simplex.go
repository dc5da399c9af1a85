// Package simplex solves small linear programs in floating point: what it finds is to be rounded, and what the rounded
// numbers prove to be computed anew; or the corner where it ends is computed in fractions.
package simplex

import (
	"math/big"
	"slices"
)

// A Program maximises a sum under rows "sum <= right" with right >= 0 over numbers of at least 0, in floating point.
// Its variables are the columns, and a slack for each row. The table has a row for each variable of the corner, and the
// gains, negated, below; a column for each other variable, and the right hand sides at the end.
type Program struct {
	rows, columns int
	table         [][]float64
	inside        []int       // by row: its variable, columns and more for the slacks
	outside       []int       // the same by column
	given         [][]float64 // the table as it was set
	nudge         float64
}

// New returns a program without gains, all of whose numbers are 0. Memory: rows times columns.
func New(rows, columns int) *Program {
	s := &Program{rows: rows, columns: columns}
	for i := range rows + 1 {
		s.table = append(s.table, make([]float64, columns+1))
		if i < rows {
			s.inside = append(s.inside, columns+i)
		}
	}
	for j := range columns {
		s.outside = append(s.outside, j)
	}
	return s
}

// Set sets a number of a row.
func (s *Program) Set(row, column int, v float64) { s.table[row][column] = v }

// Right sets what the sum of a row is at most, 0 or more.
func (s *Program) Right(row int, v float64) { s.table[row][s.columns] = v }

// Gain sets what a column adds to the sum.
func (s *Program) Gain(column int, v float64) { s.table[s.rows][column] = -v }

// Nudge has the next Run add a little to the right hand sides, each another, so that no two corners are one and pivots
// do not go in circles.
func (s *Program) Nudge() { s.nudge = 1e-7 }

// Run makes at most a given number of pivots and returns the values of the columns, and the prices of the rows: the
// gain is at most the sum of the prices times the right hand sides, if there were pivots enough. Cost: rows times
// columns for each pivot, less where there are many 0.
func (s *Program) Run(pivots int) (values, prices []float64) {
	const tiny = 1e-9
	last := s.columns
	for i, row := range s.table {
		s.given = append(s.given, slices.Clone(row))
		if i < s.rows {
			row[last] += s.nudge * float64(1+i%97) / 97
		}
	}
	for range pivots {
		enter, gains := -1, s.table[s.rows]
		for j, v := range gains[:last] {
			if v < -tiny && (enter < 0 || v < gains[enter] || v == gains[enter] && s.outside[j] < s.outside[enter]) {
				enter = j
			}
		}
		if enter < 0 {
			break
		}
		leave := -1
		for i := range s.rows {
			if a := s.table[i][enter]; a > tiny &&
				(leave < 0 || s.table[i][last]*s.table[leave][enter] < s.table[leave][last]*a) {
				leave = i
			}
		}
		if leave < 0 {
			break // unbounded, which rounding alone can make it
		}
		s.pivot(leave, enter)
	}
	values, prices = make([]float64, s.columns), make([]float64, s.rows)
	for i, in := range s.inside {
		if in < s.columns {
			values[in] = max(0, s.table[i][last])
		}
	}
	for j, out := range s.outside {
		if out >= s.columns {
			prices[out-s.columns] = max(0, s.table[s.rows][j])
		}
	}
	return values, prices
}

// pivot exchanges the variables of a row and a column.
func (s *Program) pivot(leave, enter int) {
	row := s.table[leave]
	scale := 1 / row[enter]
	row[enter] = 1
	var at []int // not 0
	for j, v := range row {
		if v != 0 {
			row[j] *= scale
			at = append(at, j)
		}
	}
	for i, other := range s.table {
		factor := other[enter]
		if i == leave || factor == 0 {
			continue
		}
		other[enter] = 0
		for _, j := range at {
			other[j] -= factor * row[j]
		}
	}
	s.inside[leave], s.outside[enter] = s.outside[enter], s.inside[leave]
}

// set returns the number of a row, the last are the gains, and a variable as it was set.
func (s *Program) set(row, variable int) *big.Rat {
	switch {
	case variable < s.columns:
		return new(big.Rat).SetFloat64(s.given[row][variable])
	case variable-s.columns == row:
		return big.NewRat(1, 1)
	}
	return new(big.Rat)
}

// Exact returns the values and prices of the corner where Run ended, in fractions: of the numbers that were set,
// without what Nudge added. It returns false where rounding led to no corner. Cost: O(rows^3) operations with
// fractions.
func (s *Program) Exact() (values, prices []*big.Rat, ok bool) {
	parts, duals := make([][]*big.Rat, s.rows), make([][]*big.Rat, s.rows)
	for i, in := range s.inside {
		for _, j := range s.inside {
			parts[i] = append(parts[i], s.set(i, j))
		}
		for row := range s.rows {
			duals[i] = append(duals[i], s.set(row, in))
		}
		parts[i] = append(parts[i], new(big.Rat).SetFloat64(s.given[i][s.columns]))
		gain := s.set(s.rows, in)
		duals[i] = append(duals[i], gain.Neg(gain))
	}
	solved, determined := Solve(parts)
	prices, ok = Solve(duals)
	values = make([]*big.Rat, s.columns)
	for j := range values {
		values[j] = new(big.Rat)
	}
	for i, j := range s.inside {
		if determined && j < s.columns {
			values[j] = solved[i]
		}
	}
	return values, prices, ok && determined
}

// Solve returns the numbers that solve equations, as many as there are, each with its right hand side last, and false
// if these do not determine them. It changes the equations. Cost: O(n^3).
func Solve(rows [][]*big.Rat) (values []*big.Rat, ok bool) {
	factor, term := new(big.Rat), new(big.Rat)
	for j := range rows {
		at := slices.IndexFunc(rows[j:], func(row []*big.Rat) bool { return row[j].Sign() != 0 })
		if at < 0 {
			return nil, false
		}
		rows[j], rows[j+at] = rows[j+at], rows[j]
		pivot := rows[j][j:]
		factor.Inv(pivot[0])
		for _, v := range pivot {
			v.Mul(v, factor)
		}
		for i, row := range rows {
			if i == j || row[j].Sign() == 0 {
				continue
			}
			factor.Set(row[j])
			for k, v := range pivot {
				if v.Sign() != 0 {
					row[j+k].Sub(row[j+k], term.Mul(factor, v))
				}
			}
		}
	}
	for _, row := range rows {
		values = append(values, row[len(rows)])
	}
	return values, true
}
