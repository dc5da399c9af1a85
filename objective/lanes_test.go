package objective

import (
	"math/rand/v2"
	"testing"
)

// TestLanes holds the word arithmetic against plain slices of numbers.
func TestLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, l := range []lanes{lanes16, lanes32} {
		for range 2000 {
			n := 1 + rng.IntN(9)
			limit := uint64(1) << (l.width - 1)
			if rng.IntN(2) == 0 {
				limit = 3 // many equal values
			}
			a, b := make([]uint64, n), make([]uint64, n)
			pa, pb := make([]uint64, l.words(n)), make([]uint64, l.words(n))
			for i := range n {
				a[i], b[i] = rng.Uint64N(limit), rng.Uint64N(limit)
				l.add(pa, i, a[i])
				l.add(pb, i, b[i])
			}
			for i := range n {
				w, s := l.place(i)
				if got := l.max(pa[w], pb[w]) >> s & (1<<l.width - 1); got != max(a[i], b[i]) {
					t.Fatalf("width %d: max of %d and %d is %d", l.width, a[i], b[i], got)
				}
			}
			most, count := uint64(0), 0
			for _, v := range a {
				most = max(most, v)
			}
			for _, v := range a {
				if v == most {
					count++
				}
			}
			var word uint64
			for _, w := range pa {
				word = l.max(word, w)
			}
			if got := l.largest(word); got != most {
				t.Fatalf("width %d: largest of %v is %d", l.width, a, got)
			}
			if got := l.equal(pa, most); most > 0 && got != count {
				t.Fatalf("width %d: %d of %v are %d, want %d", l.width, got, a, most, count)
			}
			for i := range n {
				l.subtract(pa, i, a[i])
			}
			for _, w := range pa {
				if w != 0 {
					t.Fatalf("width %d: lanes do not return to 0", l.width)
				}
			}
		}
	}
}
