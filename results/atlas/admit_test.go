package atlas

import (
	"testing"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
)

// TestCandidates: every placement with a name has as many nodes as its candidate says.
func TestCandidates(t *testing.T) {
	for _, text := range []string{"7", "4x4", "5x5", "3x4", "2x3x4", "2x4x4", "3x3x3", "2x2x2x2", "4x6x3", "9x6"} {
		torus, err := core.ParseTorus(text)
		if err != nil {
			t.Fatal(err)
		}
		all := objective.Problem{Routing: routing.NewUDR(torus, routing.TieBoth)}
		clients := all
		clients.Traffic = objective.Traffic{Request: 1, Reply: 1}
		for _, c := range append(candidates(all), candidates(clients)...) {
			if p, err := family.Parse(torus, c.text); err != nil || p.Size() != c.size {
				t.Errorf("%s on %s: %d nodes, not %d: %v", c.text, text, p.Size(), c.size, err)
			}
		}
	}
}
