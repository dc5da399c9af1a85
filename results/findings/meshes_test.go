package findings

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results/atlas"
)

// TestLineOf: by hand.
func TestLineOf(t *testing.T) {
	for _, c := range []struct {
		values string // from k = 3 on
		want   string
	}{
		{"2 3 4 5", "k - 1"}, {"1 3/2 2 5/2 3", "(k - 1)/2"}, {"2 2 3 4 5 6", "k - 2 from k = 4"}, {"4 8 12 16", "4k - 8"},
		{"3 4 5 6", "k"}, {"7 7 7 7", "7"}, {"9 9 9 1 2 3", "-"}, {"2 3 4", "-"}, {"4 5 6 7", "k + 1"},
		{"3/2 2 5/2 3", "k/2"}, {"0 -1 -2 -3", "-k + 3"}, {"1 2 4 8", "-"},
	} {
		values := map[int]*big.Rat{}
		for i, text := range strings.Fields(c.values) {
			values[3+i] = number(text)
		}
		if got := lineOf(values, 4); got != c.want {
			t.Errorf("%s: %s, not %s", c.values, got, c.want)
		}
	}
}

// TestMeshRows: the rows of square meshes have what the naive evaluator gives, and the values of the cells.
func TestMeshRows(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	text := coretest.Must(shipped())
	for _, c := range []struct {
		n, routing, name string
		layers           int
	}{{"k", "odr", "linear", 1}, {"2k", "udr", "spaced:t=2", 2}, {"3k", "odr", "multilinear:t=3", 3},
		{"k", "minimal", "linear", 1}} {
		named := fmt.Sprintf("| %s | `%s` | `%s` |", c.n, c.routing, c.name)
		best := fmt.Sprintf("| %s | `%s` | best on the mesh |", c.n, c.routing)
		for k := 3; k <= 8; k++ {
			mesh := coretest.Must(core.MustTorus(k, k).WithLinks([]int{0, 1}, nil))
			r := coretest.Must(routing.Parse(mesh, c.routing))
			s := coretest.Must(family.Parse(mesh, c.name))
			most, _ := objective.Naive(r, s).Max()
			named += " " + dashed(most) + " |"
			cell, ok := view.Cell(texts.Key{Torus: mesh.String(), Routing: r.String(), Size: c.layers * k})
			if !ok || cell.MaxLoad == "" {
				t.Fatalf("no cell of %s", mesh)
			}
			best += " " + dashed(number(cell.MaxLoad))
			if cell.Status != atlas.Optimal {
				best += "?"
			}
			best += " |"
		}
		for _, row := range []string{named, best} {
			if !strings.Contains(text, row) {
				t.Errorf("%q is missing", row)
			}
		}
	}
}

// TestSlabCounts: by hand.
func TestSlabCounts(t *testing.T) {
	got := slabCounts([]int{2, 3}, [][]int{{0, 0}, {0, 2}, {1, 2}})
	if fmt.Sprint(got) != "[[2 1] [1 0 2]]" {
		t.Error(got)
	}
}
