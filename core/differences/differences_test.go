package differences_test

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/differences"
)

// TestDifference compares with what coordinates say: pairs have the same number if and only if they differ alike.
func TestDifference(t *testing.T) {
	for _, text := range []string{"3", "3:open=0", "2:open=0", "6:open=0", "4x3:open=0", "4x3:open=1", "4x3:open=0,1",
		"3x2x4:open=0,2", "2x2x3:open=2"} {
		torus := coretest.Must(core.ParseNetwork(text))
		alike := map[int]string{}
		for p := range torus.N() {
			for q := range torus.N() {
				var by []int
				for j := range torus.D() {
					c := torus.Coord(q, j) - torus.Coord(p, j)
					if !torus.Open(j) {
						c = core.Mod(c, torus.Side(j))
					}
					by = append(by, c)
				}
				d, words := differences.Number(torus, p, q), core.JoinInts(by, ",")
				if have, ok := alike[d]; ok && have != words {
					t.Errorf("%s: number %d is %s and %s", text, d, have, words)
				}
				alike[d] = words
				if a, b := differences.Pair(torus, d); differences.Number(torus, a, b) != d {
					t.Errorf("%s: the pair of %d has %d", text, d, differences.Number(torus, a, b))
				}
				if torus.Closed() && d != torus.Displacement(p, q) || (d == 0) != (p == q) {
					t.Errorf("%s: %d to %d has number %d", text, p, q, d)
				}
			}
		}
		words := map[string]bool{}
		for _, w := range alike {
			words[w] = true
		}
		if len(alike) != differences.Count(torus) || len(words) != len(alike) {
			t.Errorf("%s: %d numbers for %d differences, said to be %d", text, len(alike), len(words), differences.Count(torus))
		}
	}
}
