package bisect

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/objective/simplex"
)

// Limits of the bound by metrics.
const (
	maxMetricNodes   = 1024
	maxMetricClasses = 128
	maxMetricPoints  = 1024
	metricRounds     = 30
	metricPivots     = 4000
	metricUnit       = 1 << 20 // rows and prices are multiples of 1/metricUnit
)

// A metric is what is asked of the cuts of all nodes of a torus whose translations are symmetries.
//
// Let S have a nodes and the rest b, and let d(x) be the part of the nodes v for which v and v+x lie on different
// sides. Then the sum of d(x) over all x is 2 a b / N, and half the capacity of the links along j, times d of a step
// along j, added up over j, is out(S). Further
//
//	d(x+y) <= d(x) + d(y),    sum over x of d(x) chi(x) <= 0 for every character chi but 1,
//
// the latter since 1 - 2 d(x) is the mean of f(v) f(v+x), f being 1 on S and -1 elsewhere, so that its transform is the
// square of that of f. Multiples of these rows bound the sum of d(x) by a multiple of out(S), so that out(S) >= ratio
// a b. (Goemans, Semidefinite programming in combinatorial optimization, 1997, has this relaxation of the sparsest cut;
// where the metric depends on differences alone it is a linear program.) Nodes that automorphisms map to each other are
// taken together.
type metric struct {
	torus *core.Torus
	class []int     // by node
	nodes [][]int   // by class; the last is node 0 alone, and counts for nothing
	links []int64   // by class: the capacity of the links whose steps are in it
	ways  [][]int64 // by class: steps of each class on a way to it
}

// newMetric returns nil where it would be too large.
func newMetric(t *core.Torus) *metric {
	if t.N() > maxMetricNodes || !t.Closed() {
		return nil
	}
	m := &metric{torus: t, class: slices.Repeat([]int{-1}, t.N())}
	points := symmetry.Points(t, maxMetricPoints)
	for v := t.N() - 1; v >= 0; v-- { // node 0 last
		if m.class[v] >= 0 {
			continue
		}
		var nodes []int
		for _, g := range points {
			for _, u := range [2]int{g.Node(t, v), g.Node(t, t.Displacement(v, 0))} {
				if m.class[u] < 0 {
					m.class[u] = len(m.nodes)
					nodes = append(nodes, u)
				}
			}
		}
		m.nodes = append(m.nodes, nodes)
	}
	if m.size() > maxMetricClasses {
		return nil
	}
	m.links, m.ways = make([]int64, m.size()), make([][]int64, m.size()+1)
	m.ways[m.size()] = make([]int64, m.size())
	for j := range t.D() {
		m.links[m.class[t.Shift(0, j, 1)]] += int64(t.LinksAlong(j) * t.Bandwidth(j))
	}
	for list := []int{0}; len(list) > 0; list = list[1:] { // steps from the nearest nodes on
		for j := range t.D() {
			next := t.Shift(list[0], j, 1)
			if c := m.class[next]; m.ways[c] == nil {
				m.ways[c] = slices.Clone(m.ways[m.class[list[0]]])
				m.ways[c][m.class[t.Shift(0, j, 1)]]++
				list = append(list, m.nodes[c]...)
			}
		}
	}
	return m
}

// size returns the number of classes without node 0.
func (m *metric) size() int { return len(m.nodes) - 1 }

// ratio returns a number that out(S) is at least times the product of the numbers of nodes in S and outside, by rows
// that are added while the best metric violates them. Cost: milliseconds for 64 nodes, a second for the largest.
func (m *metric) ratio() *big.Rat {
	rows := m.characters()
	for c, way := range m.ways[:m.size()] { // bound what is looked for
		row := make([]int64, m.size())
		row[c] += metricUnit
		for step, times := range way {
			row[step] -= times * metricUnit
		}
		rows = append(rows, row)
	}
	fixed := len(rows)
	for range metricRounds {
		d, prices := m.solve(rows)
		more := m.violated(d)
		if len(more) == 0 {
			return m.proved(rows, prices)
		}
		kept := rows[:fixed]
		for i, row := range rows[fixed:] {
			if prices[fixed+i] > 0 {
				kept = append(kept, row)
			}
		}
		rows = append(kept, more...)
	}
	_, prices := m.solve(rows)
	return m.proved(rows, prices)
}

// characters returns the rows of the characters, summed over the nodes of a class. They are rounded down, by more than
// the error of the sums: as no d(x) is negative, they hold then, too.
func (m *metric) characters() (rows [][]int64) {
	n := m.torus.N()
	known := map[string]bool{}
	for _, y := range characters(m.torus) {
		if !slices.ContainsFunc(y, func(by int) bool { return by != 0 }) {
			continue
		}
		row, key := make([]int64, m.size()), []byte{}
		for c, nodes := range m.nodes[:m.size()] {
			sum := 0.0
			for _, v := range nodes {
				number := 0
				for j, by := range y {
					number += by * m.torus.Coord(v, j)
				}
				sum += math.Cos(2 * math.Pi * float64(core.Mod(number, n)) / float64(n))
			}
			row[c] = int64(math.Floor(sum*metricUnit - 0.5))
			key = strconv.AppendInt(append(key, ' '), row[c], 36)
		}
		if !known[string(key)] {
			known[string(key)] = true
			rows = append(rows, row)
		}
	}
	return rows
}

// solve returns the metric with the largest sum for its links, and the prices of the rows, which ask for sums of at
// most 0.
func (m *metric) solve(rows [][]int64) (d, prices []float64) {
	p := simplex.New(len(rows)+1, m.size())
	all := 0.0
	for c, links := range m.links {
		p.Gain(c, float64(len(m.nodes[c])))
		p.Set(len(rows), c, float64(links))
		all += float64(links)
	}
	p.Right(len(rows), all)
	for i, row := range rows {
		for c, v := range row {
			p.Set(i, c, float64(v)/metricUnit)
		}
	}
	p.Nudge()
	return p.Run(metricPivots)
}

// violated returns the triangles that a metric violates most, as many as there are classes.
func (m *metric) violated(d []float64) (rows [][]int64) {
	type triangle struct {
		classes [3]int
		by      float64
	}
	var list []triangle
	seen := map[[3]int]bool{}
	for a := range d {
		for v := 1; v < m.torus.N(); v++ {
			b, c := m.class[v], m.class[m.torus.Sum(m.nodes[a][0], v)]
			key := [3]int{min(a, b), max(a, b), c}
			if c < len(d) && d[c]-d[a]-d[b] > 1e-6 && !seen[key] {
				seen[key] = true
				list = append(list, triangle{key, d[c] - d[a] - d[b]})
			}
		}
	}
	slices.SortStableFunc(list, func(x, y triangle) int { return cmp.Compare(y.by, x.by) })
	for _, t := range list[:min(len(list), m.size())] {
		row := make([]int64, m.size())
		row[t.classes[0]] -= metricUnit
		row[t.classes[1]] -= metricUnit
		row[t.classes[2]] += metricUnit
		rows = append(rows, row)
	}
	return rows
}

// proved returns the ratio that rows with these prices prove, in whole numbers: what is missing at a class is taken
// from the steps on the way to it.
func (m *metric) proved(rows [][]int64, prices []float64) *big.Rat {
	missing, taken := make([]*big.Int, m.size()), make([]*big.Int, m.size()) // over the square of the unit
	for c := range missing {
		missing[c], taken[c] = big.NewInt(int64(len(m.nodes[c]))*metricUnit*metricUnit), new(big.Int)
	}
	var x, y big.Int
	for i, row := range rows {
		if price := int64(math.Round(prices[i] * metricUnit)); price > 0 {
			for c, v := range row {
				missing[c].Sub(missing[c], x.Mul(x.SetInt64(price), y.SetInt64(v)))
			}
		}
	}
	for c, way := range m.ways[:m.size()] {
		for step, times := range way {
			if times > 0 && missing[c].Sign() > 0 {
				taken[step].Add(taken[step], x.Mul(missing[c], y.SetInt64(times)))
			}
		}
	}
	most := new(big.Rat)
	for c, links := range m.links {
		if links > 0 {
			if r := new(big.Rat).SetFrac(taken[c], big.NewInt(links)); r.Cmp(most) > 0 {
				most = r
			}
		}
	}
	if most.Sign() == 0 {
		return most
	}
	return most.Quo(big.NewRat(metricUnit*metricUnit, int64(m.torus.N())), most)
}
