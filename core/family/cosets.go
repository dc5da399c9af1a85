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
// the pivots of their columns. A row whose pivot is the whole side is otherwise
// zero and adds no node.
type Lattice struct {
	torus *core.Torus
	rows  [][]int
}

// Span returns the smallest sublattice of t that contains the given nodes.
func Span(t *core.Torus, nodes ...int) Lattice {
	l := Lattice{torus: t, rows: make([][]int, t.D())}
	for i := range l.rows {
		l.rows[i] = make([]int, t.D())
		l.rows[i][i] = t.Side(i)
	}
	for _, v := range nodes {
		l.insert(t.Coords(v))
	}
	for i, row := range l.rows {
		l.reduce(row, i+1)
	}
	return l
}

// insert adds a vector to the rows: in each column Euclid's algorithm turns the
// row and the vector into the new row and a vector that is zero there.
func (l Lattice) insert(v []int) {
	for i, row := range l.rows {
		for v[i] != 0 {
			times := row[i] / v[i]
			row[i] -= times * v[i]
			for j := i + 1; j < len(row); j++ {
				row[j] = core.Mod(row[j]-times*v[j], l.torus.Side(j))
			}
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

// Representative returns the smallest node of the coset of v.
func (l Lattice) Representative(v int) int {
	c := l.torus.Coords(v)
	l.reduce(c, 0)
	return nodeAt(l.torus, c)
}

// Contains reports whether v is a node of the lattice.
func (l Lattice) Contains(v int) bool { return l.Representative(v) == 0 }

// Representatives returns the smallest nodes of all cosets, ascending.
func (l Lattice) Representatives() []int {
	list := []int{0}
	for i, row := range l.rows {
		list = sums(l.torus, list, l.torus.Stride(i), row[i])
	}
	return list
}

// Nodes returns the nodes of the lattice, ascending.
func (l Lattice) Nodes() []int {
	list := []int{0}
	for i, row := range l.rows {
		list = sums(l.torus, list, nodeAt(l.torus, row), l.torus.Side(i)/row[i])
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
		if row[i] < l.torus.Side(i) {
			list = append(list, nodeAt(l.torus, row))
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

// nodeAt returns the node with the given coordinates, taken modulo the sides.
func nodeAt(t *core.Torus, c []int) int {
	node := 0
	for j, x := range c {
		node += core.Mod(x, t.Side(j)) * t.Stride(j)
	}
	return node
}

// Lattices yields every sublattice of t with the given number of nodes, 0 in all open
// dimensions, once: by whose nodes translations move. They come in the order of their
// Hermite normal forms from the last row up. There is none unless order divides N.
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
		if k%times != 0 || left%times != 0 || times > 1 && l.torus.Open(i) {
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
	if row[i] == l.torus.Side(i) || l.torus.Open(j) {
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
