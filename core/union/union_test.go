package union_test

import (
	"math/rand/v2"
	"testing"

	"leeway/core/union"
)

// TestUnion holds classes against labels that are rewritten one by one.
func TestUnion(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + rng.IntN(20)
		u, label := union.New(n), make([]int, n)
		for i := range label {
			label[i] = i
		}
		for range rng.IntN(2 * n) {
			i, j := rng.IntN(n), rng.IntN(n)
			u.Join(i, j)
			low, high := min(label[i], label[j]), max(label[i], label[j])
			for k := range label {
				if label[k] == high {
					label[k] = low
				}
			}
		}
		for i := range label {
			if u.Find(i) != label[i] {
				t.Fatalf("%d is in the class of %d, by labels of %d", i, u.Find(i), label[i])
			}
		}
	}
}
