package heap

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHeap meets a sorted list.
func TestHeap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		count := 1 + rng.IntN(30)
		weight := make([]int, count)
		h := New(count, func(a, b int32) bool { return weight[a] > weight[b] || weight[a] == weight[b] && a < b })
		var have []int32
		for range 200 {
			i := int32(rng.IntN(count))
			switch rng.IntN(3) {
			case 0:
				if h.Push(i); !slices.Contains(have, i) {
					have = append(have, i)
				}
			case 1:
				weight[i] += rng.IntN(3)
				h.Raised(i)
			case 2:
				slices.SortFunc(have, func(a, b int32) int { return cmp.Or(weight[b]-weight[a], int(a-b)) })
				first, ok := h.Pop()
				if ok != (len(have) > 0) || ok && first != have[0] {
					t.Fatalf("%d, %t of %v by %v", first, ok, have, weight)
				}
				have = have[min(1, len(have)):]
			}
		}
	}
}
