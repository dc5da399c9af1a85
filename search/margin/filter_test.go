package margin

import (
	"context"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/searchtest"
)

// TestNothingIsFilteredOut: at the limit of its own value a random placement
// passes every filter: its margins are listed, its rows and columns are, its
// columns are in the tries, its class or an image of it is filled.
func TestNothingIsFilteredOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 0))
	tori := []string{"3x3", "2x5", "4x4", "5x3", "4x6", "6x6", "5x5", "2x2"}
	for i := range 200 {
		torus, r := tori[rng.IntN(len(tori))], routings[rng.IntN(len(routings))]
		n := 1 + rng.IntN(searchtest.Problem(torus, r, 1).Torus().N()*2/3)
		p := searchtest.Problem(torus, r, n)
		place := core.MustPlacement(p.Torus(), rng.Perm(p.Torus().N())[:n])
		value, _ := objective.Naive(p.Routing, place).Max()
		q, err := prepare(context.Background(), p, value, Effort{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if why := passes(q, place); why != "" {
			t.Errorf("seed 41, case %d, %s, nodes %v of E_max %s: %s", i, p, place.Nodes(), value.RatString(), why)
		}
	}
}

// passes returns the filter that a placement does not pass, "" if it passes all.
func passes(q *question, place core.Placement) string {
	rows, columns := matrix(place)
	i := slices.IndexFunc(q.columns, func(c []int) bool { return slices.Equal(c, greatest(sizes(columns))) })
	j := slices.IndexFunc(q.rows, func(f frame) bool { return slices.Equal(f.counts, greatest(sizes(rows))) })
	switch {
	case i < 0:
		return "column margin not listed"
	case j < 0:
		return "row margin not listed"
	}
	rows, columns = turned(place, q.columns[i], q.rows[j].counts)
	lines := q.along.byCount(q.columns[i], q.limit)
	for _, mask := range rows {
		if !slices.ContainsFunc(lines[bits.OnesCount16(mask)], func(l line) bool { return l.mask == mask }) {
			return "row not listed"
		}
	}
	order := fillingOrder(q.rows[j].counts)
	tries := q.across.tries(q.rows[j].counts, q.limit, countsOf(q.columns[i]), order)
	for _, mask := range columns {
		prefix := uint32(1)
		for _, x := range order {
			prefix = prefix<<1 | uint32(mask>>x&1)
			if !tries[bits.OnesCount16(mask)].has(prefix) {
				return "column not in its trie"
			}
		}
	}
	for u, image := range q.classes.images {
		ci, cj := image[0][i], image[1][j]
		if q.classes.turns[u].swap {
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

func sizes(lines []uint16) []int {
	c := make([]int, len(lines))
	for i, mask := range lines {
		c[i] = bits.OnesCount16(mask)
	}
	return c
}

// turned returns the matrix of a translate that has the given margins.
func turned(place core.Placement, c, r []int) (rows, columns []uint16) {
	t := place.Torus()
	for s := range t.N() {
		var nodes []int
		for _, v := range place.Nodes() {
			nodes = append(nodes, t.Shift(t.Shift(v, 0, t.Coord(s, 0)), 1, t.Coord(s, 1)))
		}
		rows, columns = matrix(core.MustPlacement(t, nodes))
		if slices.Equal(sizes(columns), c) && slices.Equal(sizes(rows), r) {
			return rows, columns
		}
	}
	panic("margin: no translate has the margins")
}

// TestFormsGiveTheLoads holds the load that the forms give for every line
// against the naive loads of its links.
func TestFormsGiveTheLoads(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 0))
	for i := range 100 {
		torus, r := []string{"3x3", "2x5", "4x4", "5x4"}[i%4], routings[i/4%len(routings)]
		p := searchtest.Problem(torus, r, 2)
		place := core.MustPlacement(p.Torus(), rng.Perm(p.Torus().N())[:1+rng.IntN(8)])
		rows, columns := matrix(place)
		peak := int64(0)
		for s, lines := range [][]uint16{columns, rows} {
			d := newRing(p.Routing.(*routing.Orders), s, place.Size())
			c := sizes([][]uint16{rows, columns}[s])
			for _, mask := range lines {
				for _, h := range d.slopes(c) {
					load := int64(0)
					for x := range d.k {
						load += h[x] * int64(mask>>x&1)
					}
					peak = max(peak, load)
				}
			}
		}
		den := p.Routing.Denominator().Int64()
		if want, _ := objective.Naive(p.Routing, place).Max(); want.Cmp(big.NewRat(peak, den)) != 0 {
			t.Errorf("seed 42, case %d, %s, nodes %v: %d/%d, naive %s", i, p, place.Nodes(), peak, den, want.RatString())
		}
	}
}

// TestMarginsByAllCompositions holds the listed margins against all sequences
// of counts, with the boundary totals and halvings evaluated by their meaning.
func TestMarginsByAllCompositions(t *testing.T) {
	for _, r := range routings {
		for _, torus := range []string{"4x3", "5x4", "6x2"} {
			for n := 1; n <= 8; n += 2 {
				for limit := int64(1); limit < 8; limit += 2 {
					p := searchtest.Problem(torus, r, n)
					d := newRing(p.Routing.(*routing.Orders), 0, n)
					got, err := d.margins(context.Background(), limit*d.unit, 1000)
					if err != nil {
						t.Fatal(err)
					}
					slices.SortFunc(got, slices.Compare)
					if want := compositions(d, limit*d.unit); !slices.EqualFunc(got, want, slices.Equal) {
						t.Errorf("%s limit %d: %v, by all compositions %v", p, limit, got, want)
					}
				}
			}
		}
	}
}

// compositions lists the greatest rotations of all margins within the limit that
// leave room for a fullest line.
func compositions(d *ring, limit int64) (list [][]int) {
	c := make([]int, d.k)
	var extend func(z, rest int)
	extend = func(z, rest int) {
		if z == d.k {
			if rest == 0 && slices.Equal(c, greatest(c)) && within(d, c, limit) {
				list = append(list, slices.Clone(c))
			}
			return
		}
		for c[z] = 0; c[z] <= min(rest, d.lines); c[z]++ {
			extend(z+1, rest-c[z])
		}
		c[z] = 0
	}
	extend(0, d.n)
	slices.SortFunc(list, slices.Compare)
	return list
}

// within reports whether margin c fits boundaries, halvings and a fullest line.
func within(d *ring, c []int, limit int64) bool {
	for _, h := range d.slopes(c) {
		total := int64(0)
		for x, v := range c {
			total += h[x] * int64(v)
		}
		if total > limit*int64(d.lines) {
			return false
		}
	}
	for start := range d.k {
		inside := 0
		for x := range d.k / 2 {
			inside += c[(start+x)%d.k]
		}
		if int64(inside*(d.n-inside))*d.unit > 2*limit*int64(d.lines) {
			return false
		}
	}
	for mask := range 1 << d.k {
		if bits.OnesCount(uint(mask)) == (d.n+d.lines-1)/d.lines && fits(d, c, mask, limit) {
			return true
		}
	}
	return false
}

// fits reports whether a line of the given content has a load within the limit.
func fits(d *ring, c []int, mask int, limit int64) bool {
	for _, h := range d.slopes(c) {
		load := int64(0)
		for x, v := range c {
			if mask>>x&1 != 0 && v == 0 {
				return false
			}
			load += h[x] * int64(mask>>x&1)
		}
		if load > limit {
			return false
		}
	}
	return true
}
