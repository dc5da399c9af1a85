// Package family names placements: linear, spaced, residues, those of memory controllers and lists of nodes, with their
// text form; it recognises sublattices and unions of cosets.
package family

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"leeway/core"
)

// A Lattice is a sublattice of a torus: a set of nodes that contains node 0 and,
// with any two nodes, their sum. It is immutable.
//
// It is held by its Hermite normal form, which is unique: row i starts with i
// zeros, then its pivot, a divisor of side i; right of that stand numbers below
// the pivots of their columns. A row whose pivot is the whole side adds no node. Rows
// and columns are those of the dimensions in the order of core.Torus.Axes.
type Lattice struct {
	torus *core.Torus
	axes  []int
	rows  [][]int
}

// Span returns the smallest sublattice of t that contains the given nodes.
func Span(t *core.Torus, nodes ...int) Lattice {
	l := Lattice{torus: t, axes: t.Axes(), rows: make([][]int, t.D())}
	for i := range l.rows {
		l.rows[i] = l.turn(i)
	}
	for _, v := range nodes {
		l.insert(l.vector(v))
	}
	for i, row := range l.rows {
		l.reduce(row, i+1)
	}
	return l
}

// turn returns the vector that goes round axis i and back over the shift at its end.
func (l Lattice) turn(i int) []int {
	row := make([]int, len(l.axes))
	if shifts := l.torus.Twist(); shifts != nil {
		for j, axis := range l.axes {
			row[j] = -shifts[l.axes[i]][axis]
		}
	}
	row[i] = l.torus.Side(l.axes[i])
	return row
}

// vector returns the coordinates of a node, by axis.
func (l Lattice) vector(v int) []int {
	c := make([]int, len(l.axes))
	for i, axis := range l.axes {
		c[i] = l.torus.Coord(v, axis)
	}
	return c
}

// node returns the node that a vector leads to.
func (l Lattice) node(vector []int) int {
	v := make([]int, len(vector))
	for i, axis := range l.axes {
		v[axis] = vector[i]
	}
	return l.torus.NodeAt(v)
}

// insert adds a vector to the rows: in each column Euclid's algorithm turns the
// row and the vector into the new row and a vector that is zero there.
func (l Lattice) insert(v []int) {
	for i, row := range l.rows {
		for v[i] != 0 {
			times := row[i] / v[i]
			for j := i; j < len(row); j++ {
				row[j] -= times * v[j]
			}
			l.reduce(row, i+1)
			row, v = v, row
		}
		l.rows[i] = row
	}
}

// reduce subtracts multiples of the rows from v so that its entries from column
// from on come to lie between 0 and the pivots.
func (l Lattice) reduce(v []int, from int) {
	for i := from; i < len(v); i++ {
		row := l.rows[i]
		times := (v[i] - core.Mod(v[i], row[i])) / row[i]
		for j := i; j < len(v); j++ {
			v[j] -= times * row[j]
		}
	}
}

// Torus returns the torus that the lattice lies in.
func (l Lattice) Torus() *core.Torus { return l.torus }

// Order returns the number of nodes of the lattice.
func (l Lattice) Order() int { return l.torus.N() / l.Index() }

// Index returns the number of its cosets.
func (l Lattice) Index() int {
	index := 1
	for i, row := range l.rows {
		index *= row[i]
	}
	return index
}

// Representative returns one node of the coset of v, the same for all of it: the smallest if the axes are in sequence.
func (l Lattice) Representative(v int) int {
	c := l.vector(v)
	l.reduce(c, 0)
	return l.node(c)
}

// Contains reports whether v is a node of the lattice.
func (l Lattice) Contains(v int) bool { return l.Representative(v) == 0 }

// Representatives returns those of all cosets, ascending.
func (l Lattice) Representatives() []int {
	list := []int{0}
	for i, row := range l.rows {
		list = sums(l.torus, list, l.torus.Shift(0, l.axes[i], 1), row[i])
	}
	slices.Sort(list)
	return list
}

// Nodes returns the nodes of the lattice, ascending.
func (l Lattice) Nodes() []int {
	list := []int{0}
	for i, row := range l.rows {
		list = sums(l.torus, list, l.node(row), l.torus.Side(l.axes[i])/row[i])
	}
	slices.Sort(list)
	return list
}

// sums returns v, v+step, ..., v+(count-1) step for every v of the list.
func sums(t *core.Torus, list []int, step, count int) []int {
	all := make([]int, 0, len(list)*count)
	for _, v := range list {
		for range count {
			all = append(all, v)
			v = t.Sum(v, step)
		}
	}
	return all
}

// Generators returns nodes that span the lattice, at most one for each dimension.
func (l Lattice) Generators() []int {
	var list []int
	for i, row := range l.rows {
		if row[i] < l.torus.Side(l.axes[i]) {
			list = append(list, l.node(row))
		}
	}
	return list
}

// Compare orders the lattices of one torus by their Hermite normal forms, row by
// row.
func (l Lattice) Compare(m Lattice) int { return slices.CompareFunc(l.rows, m.rows, slices.Compare) }

// String returns the generators as coordinates: "(1,3) (0,4)"; node 0 stands for
// the lattice that has no other.
func (l Lattice) String() string {
	gens := l.Generators()
	if len(gens) == 0 {
		gens = []int{0}
	}
	words := make([]string, len(gens))
	for i, v := range gens {
		words[i] = fmt.Sprintf("(%s)", core.JoinInts(l.torus.Coords(v), ","))
	}
	return strings.Join(words, " ")
}

// Lattices yields every sublattice of t with the given number of nodes, 0 in all open
// dimensions, once: by whose nodes translations move. They come in the order of their
// Hermite normal forms from the last row up. There is none unless order divides N.
func Lattices(t *core.Torus, order int) iter.Seq[Lattice] {
	return func(yield func(Lattice) bool) {
		if order < 1 {
			return
		}
		l := latticeLister{Lattice: Lattice{torus: t, axes: t.Axes(), rows: make([][]int, t.D())}, yield: yield}
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
		return left > 1 || l.yield(Lattice{torus: l.torus, axes: l.axes, rows: cloneRows(l.rows)})
	}
	k := l.torus.Side(l.axes[i])
	for times := 1; times <= k; times++ {
		if k%times != 0 || left%times != 0 || times > 1 && l.torus.Open(l.axes[i]) {
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
	if t := l.torus; t.Separable() && (row[i] == t.Side(i) || t.Open(j)) {
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

// closes reports whether row i, repeated until it has gone around its axis,
// comes to a node of the lattice of the rows below it. Otherwise it would bring
// more nodes than its pivot says.
func (l *latticeLister) closes(i int) bool {
	around := l.turn(i)
	times := around[i] / l.rows[i][i]
	for j := i; j < len(around); j++ {
		around[j] -= l.rows[i][j] * times
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
