package core_test

import (
	"testing"

	"leeway/core"
)

// TestSums adds nodes coordinate by coordinate and takes the sums apart again.
func TestSums(t *testing.T) {
	for _, dims := range [][]int{{5}, {2, 3}, {4, 4}, {3, 2, 5}, {2, 2, 2, 3}} {
		torus := core.MustTorus(dims...)
		sums, displacements := core.Sums(torus), core.Displacements(torus)
		for p := range torus.N() {
			for q := range torus.N() {
				want, a, b := 0, torus.Coords(p), torus.Coords(q)
				for j, k := range dims {
					want = want*k + (a[j]+b[j])%k
				}
				if torus.Sum(p, q) != want || sums.At(p, q) != want || int(sums.Row(p)[q]) != want {
					t.Fatalf("%s: %v + %v is %d, %d in the table, want %d", torus, a, b, torus.Sum(p, q), sums.At(p, q), want)
				}
				if d := displacements.At(p, want); d != q || torus.Displacement(p, want) != q {
					t.Fatalf("%s: from %v to %v it is %d, want %d", torus, a, torus.Coords(want), d, q)
				}
			}
		}
	}
}

// TestGCD finds divisors and multiples by trial.
func TestGCD(t *testing.T) {
	for a := 0; a < 40; a++ {
		for b := 0; b < 40; b++ {
			if a+b == 0 {
				continue
			}
			want := 0
			for d := 1; d <= a+b; d++ {
				if a%d == 0 && b%d == 0 {
					want = d
				}
			}
			if got := core.GCD(a, b); got != want {
				t.Errorf("GCD(%d, %d) = %d, want %d", a, b, got, want)
			}
			if a == 0 || b == 0 {
				continue
			}
			multiple := max(a, b)
			for multiple%a != 0 || multiple%b != 0 {
				multiple++
			}
			if got := core.LCM(int64(a), int64(b)); got != int64(multiple) {
				t.Errorf("LCM(%d, %d) = %d, want %d", a, b, got, multiple)
			}
		}
	}
}
