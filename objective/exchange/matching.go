package exchange

// A matcher finds matchings of greatest weight between rows and columns. Rows come
// one after the other; each time the best alternating path is taken, which keeps
// the matching best for the rows so far.
type matcher struct {
	rowOf  []int // by column: its row, -1 if free
	column []int // by row: the index of its matched edge, -1 if none
	edges  [][]edge
	gain   []int // by row: the best gain of a path that frees it
	via    []int // by row: the row before it on that path
	by     []int // by row: the edge of via that leads to it
	queued []bool
}

// An edge joins a row, in whose list it stands, to a column.
type edge struct{ column, weight, tag int }

func newMatcher(rows, columns int) *matcher {
	return &matcher{rowOf: make([]int, columns), column: make([]int, rows), edges: make([][]edge, rows),
		gain: make([]int, rows), via: make([]int, rows), by: make([]int, rows), queued: make([]bool, rows)}
}

// clear drops all edges.
func (m *matcher) clear() {
	for r := range m.edges {
		m.edges[r] = m.edges[r][:0]
	}
}

// solve returns, for every row, the index of its edge in a matching of greatest
// weight, -1 if it has none. Weights are positive. Cost: O(rows * edges) as a rule.
func (m *matcher) solve() []int {
	for c := range m.rowOf {
		m.rowOf[c] = -1
	}
	for r := range m.column {
		m.column[r] = -1
	}
	for r := range m.edges {
		if len(m.edges[r]) > 0 {
			m.insert(r)
		}
	}
	return m.column
}

const unreached = -1 << 62

// insert adds a row. A path goes from it by an edge to a column, on to the row that
// has the column, and so on; it ends at a free column or leaves its last row
// without an edge. Gains add up along it.
func (m *matcher) insert(start int) {
	for r := range m.gain {
		m.gain[r] = unreached
	}
	m.gain[start] = 0
	best, bestRow, bestEdge := 0, start, -1 // leaving start without an edge
	queue := []int{start}
	for len(queue) > 0 {
		r := queue[0]
		queue = queue[1:]
		m.queued[r] = false
		if m.gain[r] > best {
			best, bestRow, bestEdge = m.gain[r], r, -1
		}
		for i, e := range m.edges[r] {
			gain := m.gain[r] + e.weight
			owner := m.rowOf[e.column]
			if owner < 0 {
				if gain > best {
					best, bestRow, bestEdge = gain, r, i
				}
				continue
			}
			if gain -= m.edges[owner][m.column[owner]].weight; gain <= m.gain[owner] || owner == start {
				continue
			}
			m.gain[owner], m.via[owner], m.by[owner] = gain, r, i
			if !m.queued[owner] {
				m.queued[owner] = true
				queue = append(queue, owner)
			}
		}
	}
	m.take(start, bestRow, bestEdge)
}

// take gives row its new edge and the rows before it on the path theirs.
func (m *matcher) take(start, row, edge int) {
	for {
		m.column[row] = edge
		if edge >= 0 {
			m.rowOf[m.edges[row][edge].column] = row
		}
		if row == start {
			return
		}
		row, edge = m.via[row], m.by[row]
	}
}
