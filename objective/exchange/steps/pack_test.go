package steps

import (
	"math/rand/v2"
	"testing"
)

// heaviest tries every edge and none for each row in turn.
func heaviest(edges [][]edge, taken []bool) int {
	if len(edges) == 0 {
		return 0
	}
	best := heaviest(edges[1:], taken)
	for _, e := range edges[0] {
		if !taken[e.column] {
			taken[e.column] = true
			best = max(best, e.weight+heaviest(edges[1:], taken))
			taken[e.column] = false
		}
	}
	return best
}

// TestMatchingIsHeaviest holds matchings against all there are, one matcher used again and again.
func TestMatchingIsHeaviest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	const rows, columns = 6, 5
	m := newMatcher(rows, columns)
	for range 3000 {
		m.clear()
		for r := range rows {
			for range rng.IntN(4) {
				m.edges[r] = append(m.edges[r], edge{column: rng.IntN(columns), weight: 1 + rng.IntN(20)})
			}
		}
		weight, taken := 0, make([]bool, columns)
		for r, i := range m.solve() {
			if i < 0 {
				continue
			}
			e := m.edges[r][i]
			if taken[e.column] {
				t.Fatalf("column %d is taken twice: %v", e.column, m.edges)
			}
			taken[e.column] = true
			weight += e.weight
		}
		if want := heaviest(m.edges, make([]bool, columns)); weight != want {
			t.Fatalf("weight %d, there is %d: %v", weight, want, m.edges)
		}
	}
}
