package orbit

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/searchtest"
)

// A plainGenerator is a generator as a test draws it, applied by plain arithmetic.
type plainGenerator struct {
	perm  []int
	flip  []bool
	shift []int
}

// drawGenerator draws one that permutes equal axes only, and moves along closed ones.
func drawGenerator(rng *rand.Rand, t *core.Torus) plainGenerator {
	g := plainGenerator{perm: make([]int, t.D()), flip: make([]bool, t.D()), shift: make([]int, t.D())}
	for j := range g.perm {
		g.perm[j] = j
		g.flip[j] = rng.IntN(3) == 0
		if shift := rng.IntN(t.Side(j)); !t.Open(j) {
			g.shift[j] = shift
		}
	}
	for range rng.IntN(3) {
		if a, b := rng.IntN(t.D()), rng.IntN(t.D()); t.SameAxis(a, b) {
			g.perm[a], g.perm[b] = g.perm[b], g.perm[a]
		}
	}
	return g
}

func (g plainGenerator) text() string {
	return "p=" + joinInts(g.perm) + ":s=" + signs(g.flip) + ":t=" + joinInts(g.shift)
}

// image returns the image of a node.
func (g plainGenerator) image(t *core.Torus, v int) int {
	to := make([]int, t.D())
	for j := range to {
		c := t.Coord(v, j)
		switch {
		case g.flip[j] && t.Open(j):
			c = t.Side(j) - 1 - c
		case g.flip[j]:
			c = -c
		}
		i := g.perm[j]
		to[i] = c + g.shift[i]
	}
	if t.Twisted() { // the steps are walked
		node := 0
		for i, by := range to {
			node = t.Shift(node, i, by)
		}
		return node
	}
	for i, c := range to {
		to[i] = (c%t.Side(i) + t.Side(i)) % t.Side(i)
	}
	node, err := t.Node(to...)
	if err != nil {
		panic(err)
	}
	return node
}

// fixed reports whether all generators map a set of nodes to itself.
func fixed(t *core.Torus, gens []plainGenerator, mask uint64) bool {
	for _, g := range gens {
		image := uint64(0)
		for v := range t.N() {
			if mask>>v&1 != 0 {
				image |= 1 << g.image(t, v)
			}
		}
		if image != mask {
			return false
		}
	}
	return true
}

// A table holds the naive E_max of sets of nodes under one routing, and the conditions that they keep to.
type table struct {
	routing          routing.Routing
	known            map[uint64]*big.Rat
	fixed, forbidden []int
}

// problem returns the problem of a size, false where the conditions do not go with it.
func (b *table) problem(n int) (objective.Problem, bool) {
	p, err := objective.Problem{Routing: b.routing, Size: n}.WithNodes(b.fixed, b.forbidden)
	return p, err == nil
}

func (b *table) value(mask uint64) *big.Rat {
	if b.known[mask] == nil {
		b.known[mask], _ = objective.Naive(b.routing, core.MustPlacement(b.routing.Torus(), core.Set{mask}.Nodes())).Max()
	}
	return b.known[mask]
}

// best returns the least E_max of the sets of n nodes that generators fix, nil if there is none.
func (b *table) best(gens []plainGenerator, n int) *big.Rat {
	var least *big.Rat
	p, _ := b.problem(n)
	for mask := range uint64(1) << b.routing.Torus().N() {
		if bits.OnesCount64(mask) == n && p.AdmitsSet(core.Set{mask}) && fixed(b.routing.Torus(), gens, mask) {
			if v := b.value(mask); least == nil || v.Cmp(least) < 0 {
				least = v
			}
		}
	}
	return least
}

// compare holds Best against the full count for every size.
func (b *table) compare(t *testing.T, text string, gens []plainGenerator) {
	s, err := Parse(b.routing, text)
	if err != nil {
		var e *core.InputError
		if !errors.As(err, &e) {
			t.Fatalf("%s on %s: %v", text, b.routing, err)
		}
		return
	}
	for n := 1; n <= b.routing.Torus().N(); n++ {
		p, ok := b.problem(n)
		if !ok {
			continue
		}
		r := coretest.Must(Best(context.Background(), p, s, nil, 0))
		want := b.best(gens, n)
		if !r.Complete || (want == nil) != (r.Value == nil) || want != nil && want.Cmp(r.Value) != 0 {
			t.Errorf("%s with symmetry %s: Best says %v, complete %v; the full count %v", p, text, r.Value, r.Complete, want)
		}
		if r.Value == nil {
			continue
		}
		// Below its value there is nothing, just above it is found again.
		for _, c := range []struct {
			below *big.Rat
			found bool
		}{{r.Value, false}, {new(big.Rat).Add(r.Value, big.NewRat(1, 1000)), true}} {
			again, err := Best(context.Background(), p, s, c.below, 0)
			if err != nil || !again.Complete || (again.Value != nil) != c.found || c.found && again.Value.Cmp(r.Value) != 0 {
				t.Errorf("%s with symmetry %s below %s: %v, %v", p, text, c.below.RatString(), again.Value, err)
			}
		}
		mask := r.Placement.Set()[0]
		if r.Placement.Size() != n || !fixed(b.routing.Torus(), gens, mask) || b.value(mask).Cmp(r.Value) != 0 {
			t.Errorf("%s with symmetry %s: placement %v of value %s", p, text, r.Placement.Nodes(), r.Value.RatString())
		}
	}
}

// TestBestAgainstBrute draws subgroups of one or two generators on small tori.
func TestBestAgainstBrute(t *testing.T) {
	coretest.Alone(t)
	routings := []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal:tie=both", "minimal:tie=plus"}
	draws := coretest.Cases(12, 2)
	for i, torus := range []string{"7", "8", "2x4", "3x3", "2x5", "2x2x2", "3x4", "2x2x3"} {
		for j, text := range append(routings, "orders:201+012", "orders:012+210:tie=both") {
			side, _ := core.ParseTorus(torus)
			r, err := routing.Parse(side, text)
			if err != nil {
				continue // orders of three dimensions on other tori
			}
			b := &table{routing: r, known: map[uint64]*big.Rat{}}
			for draw := range draws {
				rng := coretest.Rng(41, 1000*i+100*j+draw)
				gens := []plainGenerator{drawGenerator(rng, side)}
				words := gens[0].text()
				if draw%3 == 0 {
					gens = append(gens, drawGenerator(rng, side))
					words += ";" + gens[1].text()
				}
				b.compare(t, words, gens)
			}
		}
	}
}

// TestBestOnNetworks does the same on random networks with random routings, most often under conditions.
func TestBestOnNetworks(t *testing.T) {
	for i := range coretest.Cases(400, 50) {
		rng := coretest.Rng(43, i)
		p := searchtest.Conditioned(rng, 10)
		if (Method{}).Supports(p.WithSize(p.Torus().N())) != nil {
			continue
		}
		b := &table{routing: p.Routing, known: map[uint64]*big.Rat{}, fixed: p.Fixed.Nodes(), forbidden: p.Forbidden.Nodes()}
		gens := []plainGenerator{drawGenerator(rng, p.Torus())}
		words := gens[0].text()
		if i%3 == 0 {
			gens = append(gens, drawGenerator(rng, p.Torus()))
			words += ";" + gens[1].text()
		}
		b.compare(t, words, gens)
	}
}

func joinInts(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
}

func signs(flip []bool) string {
	text := ""
	for _, f := range flip {
		text += map[bool]string{false: "+", true: "-"}[f]
	}
	return text
}
