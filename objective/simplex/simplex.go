// Package simplex solves small linear programs in floating point: what it finds is to be rounded, and what the rounded
// numbers prove to be computed anew; or the corner where it ends is computed in fractions.
package simplex

import (
	"math/big"
	"slices"
)

// A Program maximises a sum under rows "sum <= right" with right >= 0 over numbers of at least 0, in floating point.
// The last row are the gains, negated, the last column the right hand sides.
type Program struct {
	rows, columns int
	table         [][]float64
	basis         []int       // by row: its variable, columns and more for the slacks
	given         [][]float64 // the table as it was set
	nudge         float64
}

// New returns a program without gains, all of whose numbers are 0. Memory: rows times rows and columns.
func New(rows, columns int) *Program {
	s := &Program{rows: rows, columns: columns}
	for range rows + 1 {
		s.table = append(s.table, make([]float64, columns+rows+1))
	}
	for i := range rows {
		s.table[i][columns+i] = 1
		s.basis = append(s.basis, columns+i)
	}
	return s
}

// Set sets a number of a row.
func (s *Program) Set(row, column int, v float64) { s.table[row][column] = v }

// Right sets what the sum of a row is at most, 0 or more.
func (s *Program) Right(row int, v float64) { s.table[row][s.columns+s.rows] = v }

// Gain sets what a column adds to the sum.
func (s *Program) Gain(column int, v float64) { s.table[s.rows][column] = -v }

// Nudge has the next Run add a little to the right hand sides, each another, so that no two corners are one and pivots
// do not go in circles.
func (s *Program) Nudge() { s.nudge = 1e-7 }

// Run makes at most a given number of pivots and returns the values of the columns, and the prices of the rows: the
// gain is at most the sum of the prices times the right hand sides, if there were pivots enough.
func (s *Program) Run(pivots int) (values, prices []float64) {
	const tiny = 1e-9
	last := s.columns + s.rows
	for i, row := range s.table {
		s.given = append(s.given, slices.Clone(row))
		if i < s.rows {
			row[last] += s.nudge * float64(1+i%97) / 97
		}
	}
	for range pivots {
		enter := -1
		for j, v := range s.table[s.rows][:last] {
			if v < -tiny && (enter < 0 || v < s.table[s.rows][enter]) {
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
	values = make([]float64, s.columns)
	for i, j := range s.basis {
		if j < s.columns {
			values[j] = max(0, s.table[i][last])
		}
	}
	for i := range s.rows {
		prices = append(prices, max(0, s.table[s.rows][s.columns+i]))
	}
	return values, prices
}

func (s *Program) pivot(leave, enter int) {
	row := s.table[leave]
	scale := 1 / row[enter]
	for j := range row {
		row[j] *= scale
	}
	for i, other := range s.table {
		factor := other[enter]
		if i == leave || factor == 0 {
			continue
		}
		for j, v := range row {
			other[j] -= factor * v
		}
	}
	s.basis[leave] = enter
}

// Exact returns the values and prices of the corner where Run ended, in fractions: of the numbers that were set,
// without what Nudge added. It returns false where rounding led to no corner. Cost: O(rows^3) operations with
// fractions.
func (s *Program) Exact() (values, prices []*big.Rat, ok bool) {
	last := s.columns + s.rows
	parts, duals := make([][]*big.Rat, s.rows), make([][]*big.Rat, s.rows)
	for i, in := range s.basis {
		for _, j := range s.basis {
			parts[i] = append(parts[i], new(big.Rat).SetFloat64(s.given[i][j]))
		}
		for row := range s.rows {
			duals[i] = append(duals[i], new(big.Rat).SetFloat64(s.given[row][in]))
		}
		parts[i] = append(parts[i], new(big.Rat).SetFloat64(s.given[i][last]))
		duals[i] = append(duals[i], new(big.Rat).SetFloat64(-s.given[s.rows][in]))
	}
	solved, determined := Solve(parts)
	prices, ok = Solve(duals)
	values = make([]*big.Rat, s.columns)
	for j := range values {
		values[j] = new(big.Rat)
	}
	for i, j := range s.basis {
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
