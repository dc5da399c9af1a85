package congestion_test

import (
	"leeway/core/coretest"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/congestion"
)

// TestDocumentedTable repeats the table of docs/minimal-routing.md: the program
// is solved, the other columns come from counting.
func TestDocumentedTable(t *testing.T) {
	text, err := os.ReadFile("../../docs/minimal-routing.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Fields(strings.ReplaceAll(line, "|", " "))
		if len(cells) != 10 {
			continue
		}
		d, errD := strconv.Atoi(cells[0])
		k, errK := strconv.Atoi(cells[1])
		if errD != nil || errK != nil {
			continue
		}
		rows++
		if got := tableRow(t, d, k); got != strings.Join(cells[2:8], " ") {
			t.Errorf("d=%d k=%d: %s, the table has %s", d, k, got, strings.Join(cells[2:8], " "))
		}
	}
	if rows != 15+7+4+2 {
		t.Errorf("%d rows", rows)
	}
}

// tableRow returns the columns n to udr:tie=both.
func tableRow(t *testing.T, d, k int) string {
	dims := make([]int, d)
	for j := range dims {
		dims[j] = k
	}
	torus := core.MustTorus(dims...)
	p := coretest.Must(family.Parse(torus, "linear"))
	r := solve(t, p, congestion.DefaultOptions())
	degree := big.NewRat(int64(p.Size()-1), int64(torus.Degree()))
	slab := slabCut(torus, p)
	simple, meets := degree, "no"
	if slab.Cmp(degree) > 0 {
		simple = slab
	}
	if r.Optimal && r.Lower.Cmp(simple) == 0 {
		meets = "yes"
	}
	udr, _ := objective.Evaluate(routing.NewUDR(torus, routing.TieBoth), p).Max()
	return strings.Join([]string{strconv.Itoa(p.Size()), r.Lower.RatString(), degree.RatString(), slab.RatString(),
		meets, udr.RatString()}, " ")
}

// slabCut counts processors and links of the cut below the middle slab.
func slabCut(torus *core.Torus, p core.Placement) *big.Rat {
	half := torus.Side(0) / 2
	inside, out := 0, 0
	for _, v := range p.Nodes() {
		if torus.Coord(v, 0) < half {
			inside++
		}
	}
	for l := range torus.M() {
		if from, to := torus.LinkEnds(core.Link(l)); torus.Coord(from, 0) < half && torus.Coord(to, 0) >= half {
			out++
		}
	}
	return big.NewRat(int64(inside*(p.Size()-inside)), int64(out))
}
