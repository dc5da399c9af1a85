package congestion

import (
	"slices"

	"leeway/core"
)

// A master is the linear program over classes that exact and guess solve with
// columns of their own choice: minimise E with
//
//	sum of shares = 1                      for each class of pairs
//	load of the shares + slack = links * E for each class of links
//
// Rows of pairs stand before rows of links. The dual values of the latter,
// negated, are weights of links.
type master struct {
	*classes
	lower dual
}

// A variable of the master problem.
type variable struct {
	kind  kind
	index int // class of link (slack) or of pair (share)
	path  []core.Link
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
func (m *master) firstPaths() []variable {
	list := make([]variable, len(m.pairs))
	m.lower.improve(m.classes, slices.Repeat([]int64{1}, len(m.linkCount)), func(i int, _ int64, path []core.Link) {
		list[i] = variable{kind: share, index: i, path: slices.Clone(path)}
	})
	return list
}

// column returns the coefficients of a variable; for a share that of its pair
// stands first.
func (m *master) column(v variable) []entry {
	k := len(m.pairs)
	switch v.kind {
	case slack:
		return []entry{{row: k + v.index, value: 1}}
	case share:
		column := []entry{{row: v.index, value: 1}}
		return append(column, m.loads(v)...)
	}
	var column []entry
	for l, count := range m.linkCount {
		column = append(column, entry{row: k + l, value: -count})
	}
	return column
}

// loads returns what a share of 1 puts on every class of links.
func (m *master) loads(v variable) []entry {
	var column []entry
	for _, link := range v.path {
		row := len(m.pairs) + int(m.linkClass[link])
		at := slices.IndexFunc(column, func(e entry) bool { return e.row == row })
		if at < 0 {
			at = len(column)
			column = append(column, entry{row: row})
		}
		column[at].value += m.pairs[v.index].count
	}
	return column
}
