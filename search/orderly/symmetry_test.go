package orderly

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/core/coretest"
	"leeway/core/symmetry"
	"leeway/search"
	"leeway/search/exhaustive"
	"leeway/search/searchtest"
)

// burnside returns, by size, the number of orbits of node sets: the mean, over the automorphisms, of the sets that each
// maps to itself, which are the unions of its cycles.
func burnside(g *symmetry.Group) []int64 {
	n := g.Torus().N()
	total := make([]int64, n+1)
	for i := range g.Points() {
		for shift := range n {
			unions := make([]int64, n+1)
			unions[0] = 1
			for _, length := range cycles(g.Images(i, shift)) {
				for size := n; size >= length; size-- {
					unions[size] += unions[size-length]
				}
			}
			for size, c := range unions {
				total[size] += c
			}
		}
	}
	for size := range total {
		total[size] /= int64(g.Order())
	}
	return total
}

func cycles(image []int) []int {
	var lengths []int
	seen := make([]bool, len(image))
	for v := range image {
		length := 0
		for ; !seen[v]; v = image[v] {
			seen[v] = true
			length++
		}
		if length > 0 {
			lengths = append(lengths, length)
		}
	}
	return lengths
}

// TestLevelsAreBurnsides: without a limit, every level counts all orbits.
func TestLevelsAreBurnsides(t *testing.T) {
	coretest.Alone(t)
	for _, c := range []struct {
		torus, routing string
		size           int
	}{{"3x3", "udr", 9}, {"3x3", "odr", 9}, {"2x2x2", "udr", 8}, {"3x4", "odr", 12}, {"3x4", "minimal", 12},
		{"4x4", "udr:tie=both", 8},
		{"4x4", "odr", 6}, {"3x3x3", "udr", 5}, {"2x3x4", "odr:tie=both", 5}, {"5x13", "udr", 4}, {"3x3x3x3", "udr", 4},
		{"9x15", "odr", 3}} {
		p := searchtest.Problem(c.torus, c.routing, c.size)
		g, err := symmetry.Of(p.Routing)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Enumerate(context.Background(), p, nil, Options{Whole: true, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if want := burnside(g)[1 : c.size+1]; !slices.Equal(r.Levels[1:], want) {
			t.Errorf("%s: levels %v, by Burnside %v", p, r.Levels[1:], want)
		}
		if want := new(big.Int).Binomial(int64(p.Torus().N()), int64(c.size)); r.Labelled.Cmp(want) != 0 {
			t.Errorf("%s: %s placements of %s", p, r.Labelled, want)
		}
	}
}

// TestRepresentativesAreCanonical holds the lists of 4x4 against core/symmetry.
func TestRepresentativesAreCanonical(t *testing.T) {
	p := searchtest.Problem("4x4", "odr", 5)
	g, _ := symmetry.Of(p.Routing)
	r, err := Enumerate(context.Background(), p, nil, Options{})
	if err != nil || len(r.Representatives) == 0 {
		t.Fatal(len(r.Representatives), err)
	}
	for i, nodes := range r.Representatives {
		if form, stabilizer := g.Canonical(nodes); !slices.Equal(form, nodes) ||
			r.OrbitSizes[i] != int64(g.Order()/stabilizer) {
			t.Errorf("%v in an orbit of %d, canonical %v in %d", nodes, r.OrbitSizes[i], form, g.Order()/stabilizer)
		}
	}
	if !slices.IsSortedFunc(r.Representatives, slices.Compare) {
		t.Error("representatives out of order")
	}
}

// TestOneSymmetryTooManyLosesOptima runs odr with the symmetry of udr, which also swaps the dimensions and reflects
// even sides.
func TestOneSymmetryTooManyLosesOptima(t *testing.T) {
	lost := 0
	for n := 2; n <= 8; n++ {
		p := searchtest.Problem("4x4", "odr", n)
		full, err := exhaustive.Method{}.Run(context.Background(), search.Params{Problem: p, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		right, err := Enumerate(context.Background(), p, full.Value, Options{})
		if err != nil || len(right.Representatives) == 0 {
			t.Fatalf("%s: %v", p, err)
		}
		wrong, err := symmetry.Of(searchtest.Problem("4x4", "udr", n).Routing)
		if err != nil {
			t.Fatal(err)
		}
		tables := coretest.Must(tablesWith(t.Context(), p, wrong))
		r := tables.enumerate(context.Background(), tables.within(full.Value), Options{})
		if r.Labelled.Cmp(right.Labelled) != 0 {
			lost++
		}
	}
	if lost == 0 {
		t.Error("a symmetry too many changed no count of 4x4")
	}
}
