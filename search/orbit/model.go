package orbit

import (
	"cmp"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/fast"
)

// A model is the question in terms of orbits: which of them, of sizes that sum to n, keep every row low. A row stands
// for all links that carry the same whatever is chosen.
//
// Rows are found by comparing loads, so the model does not rest on the symmetry: for any union of its orbits the
// largest row is E_max.
type model struct {
	torus  *core.Torus
	size   int // the n to be reached
	orbits [][]int
	must   []int     // orbits that have a fixed node
	none   bool      // fixed nodes leave no choice at all
	unit   int64     // loads are multiples of 1/unit
	rows   int       // number of rows
	loads  [][]int32 // by pair (below): what two orbits, or the nodes of one, send each other, by row
	most   int64     // a load that no choice passes
	ends   [][]end   // by orbit: the links out of its first node, and those into it, by row
	perms  [][]int16 // permutations of the orbits that map placements to placements of the same E_max
}

// An end is the links that leave a node, or those that enter it.
type end []spot

// A spot is a link: its row and its bandwidth.
type spot struct{ row, bandwidth int }

// pair returns the place of orbits i and j among the pairs.
func pair(i, j int) int {
	if i < j {
		i, j = j, i
	}
	return i*(i+1)/2 + j
}

// newModel returns the model for a problem, and false if it would not fit maxEntries. Cost: that of all pairs of
// nodes, and entries.
func newModel(f *fast.PairLoads, g *group, s *Subgroup, p objective.Problem) (*model, bool) {
	m := &model{torus: g.torus, size: p.Size, unit: f.Den()}
	for _, o := range s.orbits {
		must, may := standing(p, o)
		may = may && len(o) <= p.Size
		if m.none = m.none || must && !may; may {
			if must {
				m.must = append(m.must, len(m.orbits))
			}
			m.orbits = append(m.orbits, o)
		}
	}
	m.none = m.none || len(m.nodes(m.must)) > m.size
	links := f.Links()
	if pairs := pair(len(m.orbits), 0); pairs > maxEntries/links {
		return nil, false
	}
	for i := range m.orbits {
		for j := range i + 1 {
			m.loads = append(m.loads, m.pairLoads(f, i, j))
		}
	}
	row := m.merge(links)
	m.reduce()
	m.findEnds(row)
	m.perms = permsOf(g, m.orbits)
	return m, true
}

// pairLoads returns what orbits i and j send each other on every link.
func (m *model) pairLoads(f *fast.PairLoads, i, j int) []int32 {
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

// merge makes one row of all links that carry the same for every pair of orbits and returns the row of every link.
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
func (m *model) findEnds(row []int) {
	t := m.torus
	m.ends = make([][]end, len(m.orbits))
	for i, o := range m.orbits {
		var out, in end
		for n := range t.Degree() {
			there := core.Link(n*t.N() + o[0])
			if !t.HasLink(there) {
				continue
			}
			back := t.Reverse(there)
			out = append(out, spot{row[there], t.LinkBandwidth(there)})
			in = append(in, spot{row[back], t.LinkBandwidth(back)})
		}
		slices.SortFunc(out, spot.compare)
		slices.SortFunc(in, spot.compare)
		if m.ends[i] = []end{out}; !slices.Equal(in, out) {
			m.ends[i] = append(m.ends[i], in)
		}
	}
}

func (s spot) compare(other spot) int {
	return cmp.Or(cmp.Compare(s.row, other.row), cmp.Compare(s.bandwidth, other.bandwidth))
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

// Limits of the permutations: the images of orbits that a model keeps, and the elements of the group beyond which only
// translations are looked at.
const (
	maxPermEntries = 1 << 22
	maxPermuted    = 1 << 18
)

// permsOf returns the distinct permutations of the orbits by kin that map orbits to orbits. They form a group. It
// returns the identity alone where they would take too much room.
func permsOf(g *group, orbits [][]int) [][]int16 {
	of := make([]int16, g.torus.N())
	for v := range of {
		of[v] = -1
	}
	for i, o := range orbits {
		for _, v := range o {
			of[v] = int16(i)
		}
	}
	identity := make([]int16, len(orbits))
	for i := range identity {
		identity[i] = int16(i)
	}
	kin := g.kin
	if len(kin)*len(g.shifts) > maxPermuted {
		kin = kin[:1]
	}
	perms := [][]int16{identity}
	seen := map[string]bool{name(identity): true}
	for _, e := range kin {
		images := e.Images(g.torus)
		for _, shift := range g.shifts {
			perm, ok := permBy(func(v int) int16 { return of[g.sums.Node(shift, images[v])] }, orbits)
			if !ok || seen[name(perm)] {
				continue
			}
			seen[name(perm)] = true
			if perms = append(perms, perm); len(perms)*len(orbits) > maxPermEntries {
				return perms[:1]
			}
		}
	}
	return perms
}

// permBy returns the permutation of the orbits by an element, given as the orbit of the image of each node (-1 for
// none), if there is one.
func permBy(orbitOf func(v int) int16, orbits [][]int) ([]int16, bool) {
	perm := make([]int16, len(orbits))
	for i, o := range orbits {
		perm[i] = orbitOf(o[0])
		if perm[i] < 0 || len(orbits[perm[i]]) != len(o) {
			return nil, false
		}
		for _, v := range o {
			if orbitOf(v) != perm[i] {
				return nil, false
			}
		}
	}
	return perm, true
}

func name(perm []int16) string {
	b := make([]byte, 0, 2*len(perm))
	for _, i := range perm {
		b = append(b, byte(i), byte(i>>8))
	}
	return string(b)
}

// fixing returns the permutations that leave orbit i where it is.
func fixing(perms [][]int16, i int) [][]int16 {
	if len(perms) == 1 {
		return perms
	}
	return slices.DeleteFunc(slices.Clone(perms), func(perm []int16) bool { return int(perm[i]) != i })
}
