package symbreak

import (
	"fmt"
	"leeway/core/coretest"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/encode/cnf"
	"leeway/encode/cnf/cnftest"
)

func TestLexLeaderEqualsComparing(t *testing.T) {
	for i := range 60 {
		rng := rand.New(rand.NewPCG(3, uint64(i)))
		n := 1 + rng.IntN(7)
		image := rng.Perm(n)
		variables := make([]int, n)
		for j := range variables {
			variables[j] = j + 1
		}
		entries := 1 + rng.IntN(n)
		var f cnftest.Formula
		lexLeader(cnf.NewBuilder(&f, "test", n, 1<<20), variables, image, entries)
		for x := range uint(1) << n {
			want, left := true, entries
			for j, v := range image {
				a, b := x>>j&1, x>>v&1
				if v != j {
					left--
				}
				if a != b {
					want = a > b
				}
				if a != b || left == 0 {
					break
				}
			}
			if got := f.Satisfiable(cnftest.Assignment(x, n)); got != want {
				t.Fatalf("image %v, %d entries, vector %b: kept %v, want %v", image, entries, x, got, want)
			}
		}
	}
}

func group(torus *core.Torus, text string) *symmetry.Group {
	r := coretest.Must(routing.Parse(torus, text))
	return coretest.Must(symmetry.GroupOf(r))
}

// keptPerOrbit returns, for every orbit under orbits of the non-empty
// placements, how many of it the rows for rows keep.
func keptPerOrbit(rows, orbits *symmetry.Group) map[string]int {
	n := rows.Torus().N()
	variables := make([]int, n)
	for v := range variables {
		variables[v] = v + 1
	}
	var f cnftest.Formula
	Orbit(cnf.NewBuilder(&f, "test", n, 1<<20), rows, variables)
	kept := map[string]int{}
	for x := uint(1); x < 1<<n; x++ {
		form, _ := orbits.Canonical(core.Set{uint64(x)}.Nodes())
		key := fmt.Sprint(form)
		kept[key] += 0
		if f.Satisfiable(cnftest.Assignment(x, n)) {
			kept[key]++
		}
	}
	return kept
}

// TestOrbitKeepsOnePlacement uses groups below maxElements, whose rows are
// complete: exactly one placement of every orbit is left.
func TestOrbitKeepsOnePlacement(t *testing.T) {
	for _, c := range []struct {
		dims    []int
		routing string
	}{{[]int{3, 3}, "udr"}, {[]int{3, 3}, "odr"}, {[]int{2, 4}, "odr"}, {[]int{2, 2, 2}, "udr"}, {[]int{7}, "udr"},
		{[]int{8}, "minimal:tie=plus"}} {
		torus := core.MustTorus(c.dims...)
		g := group(torus, c.routing)
		for form, kept := range keptPerOrbit(g, g) {
			if kept != 1 {
				t.Errorf("%s %s: %d placements kept of the orbit of %s", torus, c.routing, kept, form)
			}
		}
	}
}

// TestWrongGroupIsCaught applies the rows of UDR to the orbits of ODR, whose
// group is smaller: orbits must get lost, and the count above must show it.
func TestWrongGroupIsCaught(t *testing.T) {
	torus := core.MustTorus(2, 2, 2)
	lost := 0
	for _, kept := range keptPerOrbit(group(torus, "udr"), group(torus, "odr")) {
		if kept == 0 {
			lost++
		}
	}
	if lost == 0 {
		t.Fatal("no orbit of ODR was lost under the symmetry of UDR")
	}
}

// TestOrbitKeepsToItsCap: on 4x4x4 the group has 64*48 elements, of which only
// maxElements rows are written, each of fewer than three clauses an entry.
func TestOrbitKeepsToItsCap(t *testing.T) {
	g := group(core.MustTorus(4, 4, 4), "udr")
	if g.Order() != 64*48 {
		t.Fatalf("group of order %d", g.Order())
	}
	variables := make([]int, 64)
	for v := range variables {
		variables[v] = v + 1
	}
	b := cnf.NewBuilder(nil, "test", 64, 1<<30)
	Orbit(b, g, variables)
	if b.Clauses() > 1+3*maxEntries*maxElements {
		t.Fatalf("%d clauses", b.Clauses())
	}
}
