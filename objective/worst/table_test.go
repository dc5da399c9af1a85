package worst_test

import (
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/worst"
)

// TestDocumentedTable repeats the table of docs/worst-case.md: all placements on 4x4 with a processor on node 0, of
// which every other is a translate.
func TestDocumentedTable(t *testing.T) {
	text := string(coretest.Must(os.ReadFile("../../docs/worst-case.md")))
	for _, name := range []string{"odr:tie=plus", "odr:tie=both", "udr:tie=both", "minimal:tie=both", "val:tie=both"} {
		row := "| `" + name + "` |"
		for n := 2; n <= 8; n++ {
			row += " " + bothLeast(t, name, n) + " |"
		}
		if !strings.Contains(text, row) {
			t.Errorf("docs/worst-case.md lacks the row\n%s", row)
		}
	}
}

// bothLeast returns the least worst load of n processors on 4x4 and, if it is more, in brackets that of the placements
// with the least E_max.
func bothLeast(t *testing.T, name string, n int) string {
	torus, r := coretest.Parse("4x4", name)
	cases, loads := coretest.Must(worst.New(r)), fast.NewEvaluator(objective.Problem{Routing: r})
	least, of := int64(-1), int64(-1) // over all, and over those of the least E_max
	var lightest *big.Rat
	var choose func(v int, nodes []int)
	choose = func(v int, nodes []int) {
		if len(nodes) == n {
			most, _ := loads.Loads(core.MustPlacement(torus, nodes)).Max()
			load := cases.Load(nodes, 0)
			if least < 0 || load < least {
				least = load
			}
			if lightest == nil || most.Cmp(lightest) < 0 || most.Cmp(lightest) == 0 && load < of {
				lightest, of = most, load
			}
			return
		}
		for ; v < torus.N(); v++ {
			choose(v+1, append(nodes[:len(nodes):len(nodes)], v))
		}
	}
	choose(1, []int{0})
	text := big.NewRat(least, cases.Den()).RatString()
	if of != least {
		text += fmt.Sprintf(" (%s)", big.NewRat(of, cases.Den()).RatString())
	}
	return text
}
