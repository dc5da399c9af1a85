package orderly

import (
	"math/rand/v2"
	"testing"
)

// TestLanesHoldWhatTheyPromise compares sums in lanes with plain sums, at limits on
// either side of every change of width.
func TestLanesHoldWhatTheyPromise(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, limit := range []int64{0, 1, 100, 123, 124, 125, 128, 32763, 32764, 1<<31 - 5, 1<<31 - 4, 1<<61 - 1} {
		most := int64(4)
		l, ok := newLayout(limit, most)
		if !ok {
			t.Fatalf("limit %d refused", limit)
		}
		for range 2000 {
			compareLanes(t, rng, l, limit, most)
		}
	}
	if _, ok := newLayout(1<<62, 4); ok {
		t.Error("a limit past 62 bits accepted")
	}
}

// compareLanes draws a load within the limit and what a candidate brought and is
// brought now, near the limit as often as not.
func compareLanes(t *testing.T, rng *rand.Rand, l layout, limit, most int64) {
	t.Helper()
	n := 1 + rng.IntN(20)
	words := l.words(n)
	load, had, more, sum, biased := make([]uint64, words), make([]uint64, words), make([]uint64, words), make([]uint64, words), make([]uint64, words)
	plain, brought, over := make([]int64, n), make([]int64, n), false
	for i := range n {
		plain[i] = rng.Int64N(limit + 1)
		h, m := max(0, limit-plain[i]-rng.Int64N(3)), rng.Int64N(most+1)
		if rng.IntN(3) > 0 {
			h, m = h/2, 0
		}
		brought[i] = h + m
		l.add(load, i, plain[i])
		l.add(had, i, h)
		l.add(more, i, m)
		over = over || plain[i]+brought[i] > limit
	}
	for i, w := range load {
		biased[i] = w + l.bias
	}
	if got := l.addExceeds(sum, had, more, biased); got != over || l.exceeds(sum, biased) != over {
		t.Errorf("limit %d, loads %v with %v: exceeds %v", limit, plain, brought, got)
	}
	for i, b := range brought {
		if l.at(sum, i) != b || l.at(load, i) != plain[i] {
			t.Errorf("limit %d: lane %d holds %d, not %d", limit, i, l.at(sum, i), b)
		}
	}
}
