package slabs

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/census/censustest"
	"leeway/search/searchtest"
)

// TestNothingIsFilteredOut: at the limit of its own value a random placement passes every filter: its margins are
// listed, its rows and columns are, its columns are in the tries, its class or an image of it is filled.
func TestNothingIsFilteredOut(t *testing.T) {
	coretest.Alone(t)
	rng := rand.New(rand.NewPCG(41, 0))
	tori := []string{"3x3", "2x5", "4x4", "5x3", "4x6", "6x6", "5x5", "2x2"}
	for i := range coretest.Cases(400, 80) {
		torus, r := tori[rng.IntN(len(tori))], marginRoutings[rng.IntN(len(marginRoutings))]
		n := 1 + rng.IntN(searchtest.Problem(torus, r, 1).Torus().N()*2/3)
		p := searchtest.Problem(torus, r, n)
		if i%2 == 1 {
			p.Routing = coretest.Must(routing.Parse(network(rng, p.Torus().Dims()), r))
		}
		place := core.MustPlacement(p.Torus(), rng.Perm(p.Torus().N())[:n])
		value, _ := objective.Naive(p.Routing, place).Max()
		q := marginPlanned(t, p, new(big.Rat).Add(value, big.NewRat(1, 1000)))
		if why := passes(q, place); why != "" {
			t.Errorf("seed 41, case %d, %s, nodes %v of E_max %s: %s", i, p, place.Nodes(), value.RatString(), why)
		}
	}
}

// TestLongestSides does the same with sides of MaxSide, full slabs included.
func TestLongestSides(t *testing.T) {
	coretest.Alone(t)
	rng := rand.New(rand.NewPCG(43, 0))
	for i, torus := range []string{"16x2", "2x16", "3x16", "16x16", "16x16"} {
		r := marginRoutings[i%len(marginRoutings)]
		p := searchtest.Problem(torus, r, 5)
		place := core.MustPlacement(p.Torus(), rng.Perm(p.Torus().N())[:5])
		value, _ := objective.Naive(p.Routing, place).Max()
		if why := passes(marginPlanned(t, p, new(big.Rat).Add(value, big.NewRat(1, 1000))), place); why != "" {
			t.Errorf("seed 43, case %d, %s, nodes %v of E_max %s: %s", i, p, place.Nodes(), value.RatString(), why)
		}
	}
	for _, torus := range []string{"16x2", "2x16"} {
		p := searchtest.Problem(torus, "udr:tie=both", 32)
		value, _ := objective.Naive(p.Routing, all(p.Torus())).Max()
		censustest.IsOptimum(t, Margin{}, p, value)
	}
}

// all returns the placement on all nodes.
func all(t *core.Torus) core.Placement {
	nodes := make([]int, t.N())
	for v := range nodes {
		nodes[v] = v
	}
	return core.MustPlacement(t, nodes)
}

// passes returns the filter that a placement does not pass, "" if it passes all.
func passes(q *rowPlan, place core.Placement) string {
	rows, columns := matrix(place)
	i, j := q.columns.number(marginOf(columns), false), q.rows.number(marginOf(rows), false)
	switch {
	case i < 0:
		return "column margin not listed"
	case j < 0:
		return "row margin not listed"
	case !slices.Contains(q.matches[q.columns.group[i]], q.rows.group[j]):
		return "margins do not go together"
	}
	c, r := q.columns.frames[i].counts, q.rows.frames[j].counts
	rows, columns = turned(place, c, r)
	if !listed(q.columns.side, c, rows) {
		return "row not listed"
	}
	if !listed(q.rows.side, r, columns) {
		return "column not listed"
	}
	for u, image := range q.classes.images {
		ci, cj := image[0][i], image[1][j]
		if q.classes.points[u].Permutes() {
			ci, cj = cj, ci
		}
		if ci < 0 || cj < 0 {
			return "image of a margin not listed"
		}
		if q.classes.first(ci, cj) {
			return ""
		}
	}
	return "no image of the class is filled"
}

// listed reports whether all lines are listed under margin c.
func listed(s *side, c slabCounts, lines []uint16) bool {
	l := newContents(s, s.narrow)
	known := map[uint16]bool{}
	l.open = 1<<(s.k+1) - 1
	l.each = func(mask uint16, _ int, _ []uint64) { known[mask] = true }
	l.under(c, s.spare(c))
	l.list()
	for _, mask := range lines {
		if !known[mask] {
			return false
		}
	}
	return true
}

// matrix returns the contents of the rows and of the columns of a placement.
func matrix(place core.Placement) (rows, columns []uint16) {
	t := place.Torus()
	rows, columns = make([]uint16, t.Side(0)), make([]uint16, t.Side(1))
	for _, v := range place.Nodes() {
		rows[t.Coord(v, 0)] |= 1 << t.Coord(v, 1)
		columns[t.Coord(v, 1)] |= 1 << t.Coord(v, 0)
	}
	return rows, columns
}

func marginOf(lines []uint16) (c slabCounts) {
	for i, mask := range lines {
		c[i] = uint8(bits.OnesCount16(mask))
	}
	return c
}

// turned returns the matrix of a translate that has the given margins; open dimensions are reversed in place of that.
func turned(place core.Placement, c, r slabCounts) (rows, columns []uint16) {
	t := place.Torus()
	for s := range t.N() {
		var nodes []int
		for _, v := range place.Nodes() {
			at := t.Coords(v)
			for j := range at {
				switch by := t.Coord(s, j); {
				case !t.Open(j):
					at[j] = (at[j] + by) % t.Side(j)
				case by == 1:
					at[j] = t.Side(j) - 1 - at[j]
				}
			}
			nodes = append(nodes, coretest.Must(t.Node(at...)))
		}
		rows, columns = matrix(core.MustPlacement(t, nodes))
		if marginOf(columns) == c && marginOf(rows) == r {
			return rows, columns
		}
	}
	panic("no translate has the margins")
}

// TestFormsGiveTheLoads holds the load that the forms give for every line against the naive loads of its links.
func TestFormsGiveTheLoads(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 0))
	for i := range 100 {
		torus, r := []string{"3x3", "2x5", "4x4", "5x4"}[i%4], marginRoutings[i/4%len(marginRoutings)]
		p := searchtest.Problem(torus, r, 2)
		if i%2 == 1 {
			p.Routing = coretest.Must(routing.Parse(network(rng, p.Torus().Dims()), r))
		}
		place := core.MustPlacement(p.Torus(), rng.Perm(p.Torus().N())[:1+rng.IntN(8)])
		rows, columns := matrix(place)
		peak, den := new(big.Rat), p.Routing.Denominator().Int64()
		for s, lines := range [][]uint16{columns, rows} {
			p.Size = place.Size()
			d := lineRing(p, s)
			c := marginOf([][]uint16{rows, columns}[s])
			for _, mask := range lines {
				for _, g := range d.forms {
					load := big.NewRat(formLoad(g, mask, c), den*int64(p.Torus().Bandwidth(s)))
					if load.Cmp(peak) > 0 {
						peak = load
					}
				}
			}
		}
		if want, _ := objective.Naive(p.Routing, place).Max(); want.Cmp(peak) != 0 {
			t.Errorf("seed 42, case %d, %s, nodes %v: %s, naive %s", i, p, place.Nodes(), peak.RatString(), want.RatString())
		}
	}
}

// formLoad returns the load that a form gives a line.
func formLoad(g [][]int64, mask uint16, c slabCounts) (load int64) {
	for x := range g {
		for z, v := range g[x] {
			load += int64(mask>>x&1) * v * int64(c[z])
		}
	}
	return load
}
