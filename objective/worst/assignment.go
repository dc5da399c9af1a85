package worst

import "math"

// An assigner finds assignments of the largest weight. Its buffers are reused.
type assigner struct {
	// Sends and receives are dual potentials: their sum over a row and a column is at least the weight there, and over all
	// rows and columns it is the weight of the assignment.
	sends, receives []int64
	row             []int // by column, from 1: the row that has it, from 1
	way             []int
	least           []int64
	used            []bool
	u, v            []int64
}

func newAssigner(n int) *assigner {
	return &assigner{sends: make([]int64, n), receives: make([]int64, n), row: make([]int, n+1), way: make([]int, n+1),
		least: make([]int64, n+1), used: make([]bool, n+1), u: make([]int64, n+1), v: make([]int64, n+1)}
}

// solve returns the largest weight of an assignment of rows to columns, of which weights has n of each, row by row. It
// is the Hungarian method by shortest augmenting paths (Jonker and Volgenant, 1987): rows come in one after the other,
// potentials are kept such that none of weight exceeds their sum. Cost O(n^3).
func (a *assigner) solve(n int, weights []int64) int64 {
	clear(a.u)
	clear(a.v)
	clear(a.row)
	for i := 1; i <= n; i++ {
		a.row[0] = i
		column := 0
		for j := range n + 1 {
			a.least[j], a.used[j] = math.MaxInt64, false
		}
		for {
			a.used[column] = true
			from, step, next := a.row[column], int64(math.MaxInt64), 0
			line := weights[(from-1)*n:][:n]
			for j := 1; j <= n; j++ {
				if a.used[j] {
					continue
				}
				if slack := -line[j-1] - a.u[from] - a.v[j]; slack < a.least[j] {
					a.least[j], a.way[j] = slack, column
				}
				if a.least[j] < step {
					step, next = a.least[j], j
				}
			}
			for j := 0; j <= n; j++ {
				if a.used[j] {
					a.u[a.row[j]] += step
					a.v[j] -= step
				} else {
					a.least[j] -= step
				}
			}
			if column = next; a.row[column] == 0 {
				break
			}
		}
		for column != 0 {
			before := a.way[column]
			a.row[column] = a.row[before]
			column = before
		}
	}
	total := int64(0)
	for i := range n {
		a.sends[i], a.receives[i] = -a.u[i+1], -a.v[i+1]
		total += a.sends[i] + a.receives[i]
	}
	return total
}
