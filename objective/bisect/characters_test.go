package bisect

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

// TestCharacters: a character adds the same number with every step, and there are N.
func TestCharacters(t *testing.T) {
	for i := range coretest.Cases(400, 100) {
		torus := coretest.AnyNetwork(coretest.Rng(1412, i), 60)
		seen := map[string]bool{}
		for _, c := range characters(torus) {
			seen[core.JoinInts(c, ",")] = true
			at := func(v int) (sum int) {
				for j, by := range c {
					if 2*by <= -torus.N() || 2*by > torus.N() {
						t.Fatalf("%s: %v is out of range", torus, c)
					}
					sum += by * torus.Coord(v, j)
				}
				return sum
			}
			for v := range torus.N() {
				for j, by := range c {
					if core.Mod(at(torus.Shift(v, j, 1))-at(v)-by, torus.N()) != 0 {
						t.Fatalf("%s: %v, node %d, a step along dimension %d", torus, c, v, j)
					}
				}
			}
		}
		if len(seen) != torus.N() {
			t.Fatalf("%s: %d characters", torus, len(seen))
		}
	}
}
