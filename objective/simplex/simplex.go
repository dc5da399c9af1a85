// Package simplex solves small linear programs in floating point: what it finds is to be rounded, and what the rounded
// numbers prove to be computed anew.
package simplex

// A Program maximises a sum under rows "sum <= right" with right >= 0 over numbers of at least 0, in floating point.
// The last row are the gains, negated, the last column the right hand sides.
type Program struct {
	rows, columns int
	table         [][]float64
	basis         []int // by row: its variable, columns and more for the slacks
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

// Run makes at most a given number of pivots and returns the values of the columns, and the prices of the rows: the
// gain is at most the sum of the prices times the right hand sides, if there were pivots enough.
func (s *Program) Run(pivots int) (values, prices []float64) {
	const tiny = 1e-9
	last := s.columns + s.rows
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
