package findings

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
)

// shipped returns the page about the atlas of the program, written once.
var shipped = sync.OnceValues(func() (string, error) {
	view, err := atlas.Shipped()
	if err != nil {
		return "", err
	}
	return Markdown(view)
})

// TestPages: the pages in docs are what the program writes.
func TestPages(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	for _, p := range Pages {
		if got := coretest.Must(os.ReadFile("../../docs/" + p.Name + ".md")); string(got) != coretest.Must(p.Write(view)) {
			t.Errorf("docs/%s.md is not what leeway atlas findings %[1]s prints: make findings writes it", p.Name)
		}
	}
}

// TestCounts: the page counts what the filters of the atlas count.
func TestCounts(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	text := coretest.Must(shipped())
	_, all := view.Cells(atlas.Filter{})
	_, open := view.Cells(atlas.Filter{Text: "open"})
	beats, _ := view.Cells(atlas.Filter{Text: "beaten"})
	beaten := 0
	for _, c := range beats {
		if c.Network == "" && c.Traffic == "" && c.Near == (objective.Near{}) {
			beaten++
		}
	}
	for _, want := range []string{fmt.Sprintf("has %d cells: %d proved, %d open", all, all-open, open),
		fmt.Sprintf("In %d of them a better one is known", beaten)} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, name := range []string{"lines", "margin", "degree"} {
		want := 0
		cells, _ := view.Cells(atlas.Filter{})
		for _, c := range cells {
			said, _, _ := strings.Cut(c.BoundReason, ", ")
			if c.Proof != nil && said == name && c.Near == (objective.Near{}) {
				want++
			}
		}
		if row := fmt.Sprintf("| bound %s | %d |\n", name, want); want == 0 || !strings.Contains(text, row) {
			t.Errorf("the page has no row %q", row)
		}
	}
}

// cellOf makes a cell by hand.
func cellOf(torus []int, size int, load string, status string) cell {
	return cellsOf([]atlas.Cell{{Grid: results.Grid{Torus: torus}, Routing: "odr:tie=plus", Size: size, MaxLoad: load,
		LowerBound: "0", Status: status}})[0]
}

// TestSteps: equal neighbours stand together, gaps and open cells apart.
func TestSteps(t *testing.T) {
	side := []int{9}
	group := []cell{cellOf(side, 1, "0", atlas.Optimal), cellOf(side, 2, "1/2", atlas.Optimal), cellOf(side, 3, "1/2",
		atlas.Optimal), cellOf(side, 4, "1/2", atlas.Feasible),
		cellOf(side, 5, "", atlas.Bounded), cellOf(side, 7, "1", atlas.Optimal), cellOf(side, 9, "1", atlas.Optimal)}
	if got, want := steps(group), "1: 0; 2..3: 1/2; 4: 1/2, at least 0; 5: -, at least 0; 7: 1; 9: 1"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestLayers: t of t k^(d-1), 0 where there is none.
func TestLayers(t *testing.T) {
	for _, test := range []struct {
		torus      []int
		size, want int
	}{{[]int{4, 4}, 8, 2}, {[]int{4, 4}, 6, 0}, {[]int{4, 4, 4}, 16, 1}, {[]int{4, 4, 4}, 8, 0}, {[]int{4, 8}, 8, 0},
		{[]int{7}, 3, 3}, {[]int{3, 3, 3, 3}, 54, 2}} {
		if got := cellOf(test.torus, test.size, "1", atlas.Optimal).layers(); got != test.want {
			t.Errorf("%v n=%d: %d, not %d", test.torus, test.size, got, test.want)
		}
	}
}

// TestUniform: by hand.
func TestUniform(t *testing.T) {
	for _, test := range []struct {
		sides []int
		nodes [][]int
		want  bool
	}{{[]int{2, 2}, [][]int{{0, 0}, {1, 1}}, true}, {[]int{2, 2}, [][]int{{0, 0}, {0, 1}}, false},
		{[]int{2, 4}, [][]int{{0, 0}, {1, 1}, {0, 2}, {1, 3}}, true},
		{[]int{3}, [][]int{{0}, {2}}, false}} {
		if got := uniform(test.sides, test.nodes); got != test.want {
			t.Errorf("%v in %v: %v", test.nodes, test.sides, got)
		}
	}
	if divides([]int{2, 4}, 6) || !divides([]int{2, 4}, 4) || divides([]int{2, 2}, 4) {
		t.Error("divides")
	}
}

// TestControllersPage: the optima of the page are below no placement that it names (the naive evaluator), and its
// pictures are there.
func TestControllersPage(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	want := coretest.Must(Controllers(view))
	for _, m := range regexp.MustCompile(`\]\((pictures/[^)]*)\)`).FindAllStringSubmatch(want, -1) {
		if _, err := os.Stat("../../docs/" + m[1]); err != nil {
			t.Errorf("the Makefile draws no %s: %v", m[1], err)
		}
	}
	for _, network := range controllersNetworks() {
		for _, s := range schemes {
			p := coretest.Must(s.Problem(network, 1, beside))
			best := optimum(view, p)
			for _, text := range append(controllersNamed(p.Torus(), p.Size), "multilinear:t=2") {
				placement := coretest.Must(family.Parse(p.Torus(), text))
				if load, _ := p.Naive(placement).Max(); best == nil || best.Cmp(load) > 0 {
					t.Errorf("%s: the optimum %v is above %s of %s", p, best, load, text)
				}
			}
		}
	}
}

// TestRowsUnderCDR: x is the horizontal direction, as in the literature: XY runs along the row of a node first. The
// values are those of a program in another language that lists every path of requests and replies.
func TestRowsUnderCDR(t *testing.T) {
	want := map[string][][2]string{ // on the mesh and the torus: XY, CDR
		"rows:at=0,7":    {{"160", "64"}, {"80", "56"}},
		"rows:at=2,5":    {{"160", "64"}, {"80", "40"}},
		"columns:at=0,7": {{"160", "256"}, {"80", "128"}},
		"diamond":        {{"78", "64"}, {"64", "56"}},
		"corners:side=2": {{"112", "128"}, {"74", "96"}},
	}
	for text, values := range want {
		for i, network := range controllersNetworks() {
			for j, s := range schemes[:2] {
				p := coretest.Must(s.Problem(network, 1, beside))
				placement := coretest.Must(family.Parse(network, text))
				if load, _ := fast.Evaluate(p, placement).Max(); load.RatString() != values[i][j] {
					t.Errorf("%s on %s under %s: %s, want %s", text, network, s.Name, load.RatString(), values[i][j])
				}
			}
		}
	}
}

// TestVerifiedPageLists: a list of all optima counts beside the values, if its number is that of the atlas.
func TestVerifiedPageLists(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	k, hash := texts.Key{Torus: "3x3", Routing: "udr:tie=plus", Size: 5}, strings.Repeat("0a", 32)
	cell, _ := view.Cell(k)
	for labelled, want := range map[int64]string{90: "; 1 (", 91: ""} {
		table := atlas.NewVerified()
		table.Begin(atlas.VerifiedRun{Checkers: []atlas.Checker{{Name: "someone", Version: "7"}}})
		if err := table.Put(atlas.Verified{Key: k, Below: cell.MaxLoad, Labelled: labelled, Formula: hash, Proof: hash,
			By: []string{"someone"}}); err != nil {
			t.Fatal(err)
		}
		page, err := Verified(view, table)
		if err != nil || !strings.Contains(page, "all to all, 0 of") || strings.Contains(page, "in LRAT of the table") ||
			strings.Contains(page, "## Lists of all optima") != (want != "") || !strings.Contains(page, want) {
			t.Errorf("%v in the page of a list of %d, where the atlas has %s:\n%s", err, labelled, cell.Labelled, page)
		}
	}
}

// TestVerifiedPageCounts: with one cell in the table the page says that one is verified, and its size is not missing.
func TestVerifiedPageCounts(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	table, hash := atlas.NewVerified(), strings.Repeat("0a", 32)
	table.Begin(atlas.VerifiedRun{Machine: "abacus", Checkers: []atlas.Checker{{Name: "someone", Version: "7"}}})
	k := texts.Key{Torus: "4x4", Routing: "udr:tie=both", Size: 8}
	none, err := Verified(view, table)
	if err != nil || !strings.Contains(none, "all to all, 0 of") || strings.Contains(none, "abacus: 1 proofs") ||
		!strings.Contains(none, "| 4x4 | `udr:tie=both` | 16 | 0 | 1, 2, 3, 4, 5, 6, 7, 8, 9,") {
		t.Fatalf("%v in the page of an empty table:\n%s", err, none)
	}
	if err := table.Put(atlas.Verified{Key: k, Below: "2", Formula: hash, Proof: hash, Symmetry: true,
		By: []string{"someone"}}); err != nil {
		t.Fatal(err)
	}
	one, err := Verified(view, table)
	if err != nil || !strings.Contains(one, "all to all, 1 of") || !strings.Contains(one, "of abacus: 1 proofs in") ||
		!strings.Contains(one, "| 4x4 | `udr:tie=both` | 16 | 1 | 1, 2, 3, 4, 5, 6, 7, 9,") ||
		!strings.Contains(one, "| 4x4 | `udr:tie=both` *s* | 2 |") || !strings.Contains(one, "For 1 of these") {
		t.Errorf("%v in the page of one cell:\n%s", err, one)
	}
}

// TestMost: against searches for the largest size within a load, whose upper bounds were proved by a census of each
// larger size, and by hand where sizes are missing.
func TestMost(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	for _, c := range []struct{ torus, routing, want string }{
		{"4x4", "odr:tie=plus", "1 1 8 16"}, {"4x4", "odr:tie=both", "1 4 16 16"}, {"5x5", "udr:tie=plus", "1 6 15 25"},
		{"6x6", "odr:tie=plus", "1 1 12 36"}, {"6x6", "udr:tie=both", "2 12 24 36"}, {"3x3x3", "udr:tie=plus", "3 10 27 27"},
		{"8x8", "odr:tie=plus", "1 1 16 32?"},
	} {
		cells, _ := view.Cells(atlas.Filter{Torus: c.torus, Routing: c.routing})
		if got := strings.Join(coretest.Must(most(cellsOf(cells))), " "); got != c.want {
			t.Errorf("%s %s: %s, not %s", c.torus, c.routing, got, c.want)
		}
	}
	cells, _ := view.Cells(atlas.Filter{Torus: "6x6", Routing: "udr:tie=both", To: 20})
	if got, want := fmt.Sprint(coretest.Must(most(cellsOf(cells)))), "[2 12 20? 20?]"; got != want {
		t.Errorf("up to 20 processors: %s, not %s", got, want)
	}
}
