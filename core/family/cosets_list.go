package family

import (
	"iter"
	"slices"

	"leeway/core"
)

// Lattices yields every sublattice of t with the given number of nodes once, in
// the order of their Hermite normal forms from the last row up. There is none
// unless order divides N.
func Lattices(t *core.Torus, order int) iter.Seq[Lattice] {
	return func(yield func(Lattice) bool) {
		if order < 1 {
			return
		}
		l := latticeLister{Lattice: Lattice{torus: t, rows: make([][]int, t.D())}, yield: yield}
		l.extend(t.D()-1, order)
	}
}

// A latticeLister chooses the rows of a Hermite normal form from the last up.
type latticeLister struct {
	Lattice
	yield func(Lattice) bool
}

// extend chooses row i and those above it; together they must multiply the order
// by left. It reports whether more is wanted.
func (l *latticeLister) extend(i, left int) bool {
	if i < 0 {
		return left > 1 || l.yield(Lattice{torus: l.torus, rows: cloneRows(l.rows)})
	}
	k := l.torus.Side(i)
	for times := 1; times <= k; times++ {
		if k%times != 0 || left%times != 0 {
			continue
		}
		row := make([]int, len(l.rows))
		row[i] = k / times
		l.rows[i] = row
		if !l.fill(i, i+1, left/times) {
			return false
		}
	}
	return true
}

// fill chooses the entries of row i from column j on, then the rows above.
func (l *latticeLister) fill(i, j, left int) bool {
	row := l.rows[i]
	if j == len(row) {
		return !l.closes(i) || l.extend(i-1, left)
	}
	most := l.rows[j][j]
	if row[i] == l.torus.Side(i) {
		most = 1
	}
	for x := range most {
		row[j] = x
		if !l.fill(i, j+1, left) {
			return false
		}
	}
	row[j] = 0
	return true
}

// closes reports whether row i, repeated until it has gone around dimension i,
// comes to a node of the lattice of the rows below it. Otherwise it would bring
// more nodes than its pivot says.
func (l *latticeLister) closes(i int) bool {
	times := l.torus.Side(i) / l.rows[i][i]
	around := make([]int, len(l.rows))
	for j := i + 1; j < len(around); j++ {
		around[j] = l.rows[i][j] * times
	}
	l.reduce(around, i+1)
	for j := i + 1; j < len(around); j++ {
		if around[j] != 0 {
			return false
		}
	}
	return true
}

func cloneRows(rows [][]int) [][]int {
	clone := make([][]int, len(rows))
	for i, row := range rows {
		clone[i] = slices.Clone(row)
	}
	return clone
}
