package core_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
)

// TestSetAgainstMap makes the same random changes to a set and to a map.
func TestSetAgainstMap(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 130} {
		rng := rand.New(rand.NewPCG(16, uint64(n)))
		s, m := core.NewSet(n), map[int]bool{}
		for range 4 * n {
			if v := rng.IntN(n); rng.IntN(3) > 0 {
				s.Add(v)
				m[v] = true
			} else {
				s.Remove(v)
				delete(m, v)
			}
		}
		var want []int
		for v := range n {
			if s.Has(v) != m[v] {
				t.Errorf("room %d: node %d in the set: %v, want %v", n, v, s.Has(v), m[v])
			}
			if m[v] {
				want = append(want, v)
			}
		}
		if s.Count() != len(want) || !slices.Equal(s.Nodes(), want) {
			t.Errorf("room %d: %d nodes %v, want %v", n, s.Count(), s.Nodes(), want)
		}
	}
}
