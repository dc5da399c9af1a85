package routing_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
)

// TestTwistedExample: the table of docs/conventions.md, the lattice by its definition, and the routings agree on
// 2x4:twist=2, in which (2,-2) and (0,4) lead from a node to itself.
func TestTwistedExample(t *testing.T) {
	text := coretest.Must(os.ReadFile("../../docs/conventions.md"))
	row := regexp.MustCompile(`(?m)^\| (\d),(\d) \| (.*) \| (.*) \| (\d) \|$`)
	rows := row.FindAllStringSubmatch(string(text), -1)
	torus := coretest.Must(core.ParseNetwork("2x4:twist=2"))
	if len(rows) != torus.N()-1 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	both := coretest.Must(routing.Parse(torus, "udr:tie=both"))
	plus := coretest.Must(routing.Parse(torus, "odr:tie=plus"))
	for _, r := range rows {
		var a, b int
		fmt.Sscan(r[1]+" "+r[2], &a, &b)
		var shortest []string
		for length := 1; len(shortest) == 0; length++ {
			for x := length; x >= -length; x-- {
				for y := length; y >= -length; y-- {
					// (x,y) - (a,b) = i (2,-2) + j (0,4)
					if max(x, -x)+max(y, -y) == length && (x-a)%2 == 0 && (y-b+x-a)%4 == 0 {
						shortest = append(shortest, fmt.Sprintf("(%d,%d)", x, y))
					}
				}
			}
		}
		q := torus.NodeAt([]int{a, b})
		if got := strings.Join(shortest, " "); got != r[3] || shortest[0] != r[4] {
			t.Errorf("to %s,%s the shortest vectors are %s, the page has %s and %s", r[1], r[2], got, r[3], r[4])
		}
		var vectors []string
		for _, v := range torus.Vectors(0, q, true) {
			vectors = append(vectors, fmt.Sprintf("(%d,%d)", v[0], v[1]))
		}
		if got := strings.Join(vectors, " "); got != r[3] {
			t.Errorf("to %s,%s the torus has %s, the page %s", r[1], r[2], got, r[3])
		}
		paths := 0
		for range both.Paths(0, q, nil) {
			paths++
		}
		if fmt.Sprint(paths) != r[5] {
			t.Errorf("to %s,%s udr has %d paths, the page %s", r[1], r[2], paths, r[5])
		}
		for path := range plus.Paths(0, q, nil) {
			var steps [2]int
			for _, l := range path {
				_, port := torus.LinkFrom(l)
				steps[port.Dim] += int(port.Dir)
			}
			if got := fmt.Sprintf("(%d,%d)", steps[0], steps[1]); got != r[4] {
				t.Errorf("to %s,%s odr with ties plus goes %s, the page has %s", r[1], r[2], got, r[4])
			}
		}
	}
}
