package orbit

import (
	"slices"

	"leeway/core"
	"leeway/objective"
)

// A model is the question in terms of orbits: which of them, of sizes that sum to
// n, keep every row low. A row stands for all links that carry the same whatever
// is chosen.
//
// Rows are found by comparing loads, so the model does not rest on the symmetry:
// for any union of its orbits the largest row is E_max.
type model struct {
	size   int // the n to be reached
	orbits [][]int
	unit   int64     // loads are multiples of 1/unit
	rows   int       // number of rows
	loads  [][]int32 // by pair (below): what two orbits, or the nodes of one, send each other, by row
	most   int64     // a load that no choice passes
	ends   [][]end   // by orbit: the links out of its first node, and those into it, by row
	turns  [][]int16 // permutations of the orbits that map placements to placements of the same E_max
}

// An end is the rows of the links that leave a node, or of those that enter it.
type end []int

// pair returns the place of orbits i and j among the pairs.
func pair(i, j int) int {
	if i < j {
		i, j = j, i
	}
	return i*(i+1)/2 + j
}

// newModel returns the model for n processors, and false if it would not fit
// maxEntries. Cost: that of all pairs of nodes, and entries.
func newModel(f *objective.PairLoads, g *group, s *Subgroup, n int) (*model, bool) {
	m := &model{size: n, unit: f.Den()}
	for _, o := range s.orbits {
		if len(o) <= n {
			m.orbits = append(m.orbits, o)
		}
	}
	links := f.Links()
	if pairs := pair(len(m.orbits), 0); pairs > maxEntries/links {
		return nil, false
	}
	for i := range m.orbits {
		for j := range i + 1 {
			m.loads = append(m.loads, m.between(f, i, j))
		}
	}
	row := m.merge(links)
	m.reduce()
	m.findEnds(g.torus, row)
	m.turns = turnsOf(g, f, m.orbits)
	return m, true
}

// between returns what orbits i and j send each other on every link.
func (m *model) between(f *objective.PairLoads, i, j int) []int32 {
	loads := make([]int32, f.Links())
	for _, p := range m.orbits[i] {
		for _, q := range m.orbits[j] {
			if i != j || p < q {
				f.Add(loads, p, q, 1)
			}
		}
	}
	return loads
}

// merge makes one row of all links that carry the same for every pair of orbits
// and returns the row of every link.
func (m *model) merge(links int) []int {
	hash := make([]uint64, links)
	for _, loads := range m.loads {
		for l, v := range loads {
			hash[l] = (hash[l] ^ uint64(v)) * 0x9e3779b97f4a7c15
			hash[l] ^= hash[l] >> 29
		}
	}
	row := make([]int, links)
	first := []int{} // by row: its first link
	byHash := map[uint64][]int{}
	for l, h := range hash {
		at := slices.IndexFunc(byHash[h], func(r int) bool { return m.same(first[r], l) })
		if at < 0 {
			at = len(byHash[h])
			byHash[h] = append(byHash[h], len(first))
			first = append(first, l)
		}
		row[l] = byHash[h][at]
	}
	for i, loads := range m.loads {
		merged := make([]int32, len(first))
		for r, l := range first {
			merged[r] = loads[l]
		}
		m.loads[i] = merged
	}
	m.rows = len(first)
	return row
}

// same reports whether two links carry the same for every pair of orbits.
func (m *model) same(a, b int) bool {
	for _, loads := range m.loads {
		if loads[a] != loads[b] {
			return false
		}
	}
	return true
}

// reduce takes the common divisor out of the loads and bounds them.
func (m *model) reduce() {
	divisor := m.unit
	for _, loads := range m.loads {
		for _, v := range loads {
			for a := int64(v); a != 0; { // the greatest common divisor ends in divisor
				divisor, a = a, divisor%a
			}
		}
	}
	m.unit /= divisor
	for _, loads := range m.loads {
		for r := range loads {
			loads[r] /= int32(divisor)
		}
	}
	m.most = int64(m.size) * int64(m.size) * m.unit
}

// findEnds notes the rows around the first node of every orbit.
func (m *model) findEnds(t *core.Torus, row []int) {
	m.ends = make([][]end, len(m.orbits))
	for i, o := range m.orbits {
		var out, in end
		for n, port := range t.Ports() {
			out = append(out, row[n*t.N()+o[0]])
			in = append(in, row[n*t.N()+t.Shift(o[0], port.Dim, -int(port.Dir))])
		}
		slices.Sort(out)
		slices.Sort(in)
		if m.ends[i] = []end{out}; !slices.Equal(in, out) {
			m.ends[i] = append(m.ends[i], in)
		}
	}
}

// nodes returns the nodes of chosen orbits, ascending.
func (m *model) nodes(chosen []int) []int {
	var list []int
	for _, i := range chosen {
		list = append(list, m.orbits[i]...)
	}
	slices.Sort(list)
	return list
}
