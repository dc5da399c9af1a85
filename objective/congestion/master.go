package congestion

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
	finder *finder
	lower  dual
}

func newMaster(c *classes) master { return master{classes: c, finder: newFinder(c.torus)} }

// A variable of the master problem.
type variable struct {
	kind  kind
	index int // class of link (slack) or of pair (share)
	path  []int32
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
	weights, costs := make([]int64, len(m.linkCount)), make([]int64, len(m.pairs))
	for l := range weights {
		weights[l] = 1
	}
	list := make([]variable, len(m.pairs))
	for i, p := range m.pairs {
		cost, path := m.finder.cheapest(p.from, p.to, weights, m.linkClass)
		costs[i], list[i] = cost, variable{kind: share, index: i, path: toInts(path)}
	}
	m.lower.improve(m.classes, weights, costs)
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
		found := false
		for i := range column {
			if column[i].row == row {
				column[i].value += m.pairs[v.index].count
				found = true
			}
		}
		if !found {
			column = append(column, entry{row: row, value: m.pairs[v.index].count})
		}
	}
	return column
}
