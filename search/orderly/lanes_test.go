package orderly

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLanesHoldWhatTheyPromise compares sums in lanes with plain sums, at limits on
// either side of every change of width.
func TestLanesHoldWhatTheyPromise(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, limit := range []int64{0, 1, 3, 4, 5, 12, 13, 28, 29, 60, 61, 123, 124, 125, 4092, 4093, 1<<31 - 5, 1<<31 - 4, 1<<61 - 4} {
		most := int64(4)
		l := newLayout(limit, most)
		for range 2000 {
			compareLanes(t, rng, l, limit, most)
		}
	}
}

// compareLanes draws a load within the limit and what a candidate brought and is
// brought now, near the limit as often as not.
func compareLanes(t *testing.T, rng *rand.Rand, l layout, limit, most int64) {
	t.Helper()
	n := 1 + rng.IntN(20)
	words := l.words(n)
	vector := func() []uint64 { return make([]uint64, words) }
	load, had, more, sum, full, biased := vector(), vector(), vector(), vector(), vector(), vector()
	places := make([]place, n)
	plain, brought, over := make([]int64, n), make([]int64, n), false
	for i := range n {
		plain[i] = rng.Int64N(limit + 1)
		h, m := max(0, limit-plain[i]-rng.Int64N(3)), rng.Int64N(most+1)
		if rng.IntN(3) > 0 {
			h, m = h/2, 0
		}
		brought[i] = h + m
		l.add(load, l.place(i), plain[i])
		l.add(had, l.place(i), h)
		l.add(more, l.place(i), m)
		over = over || plain[i]+brought[i] > limit
	}
	for i, w := range load {
		biased[i], full[i] = w+l.bias, had[i]+more[i]
	}
	if got := l.addExceeds(sum, had, more, biased); got != over || l.exceeds(full, biased) != over || !over && !slices.Equal(sum, full) {
		t.Errorf("limit %d, loads %v with %v: exceeds %v, sum %x of %x and %x", limit, plain, brought, got, sum, had, more)
	}
	total := uint64(0)
	for i, b := range brought {
		places[i] = l.place(i)
		if got := l.sum(full, places[i:i+1]); got != uint64(b) {
			t.Errorf("limit %d: lane %d holds %d, not %d", limit, i, got, b)
		}
		total += uint64(b)
	}
	if got := l.sum(full, places); got != total {
		t.Errorf("limit %d: lanes of %v add up to %d", limit, brought, got)
	}
}
