package exchange

import (
	"testing"

	"leeway/core"
	"leeway/core/routing"
)

// TestRelayedBound: on the diagonal of 8x8 no two processors share a line, so nothing comes
// in the first phase and 7 blocks a processor need 8. Two on one line need 1, and the full
// 2x2 torus 3: one block differs in both coordinates, but three come in.
func TestRelayedBound(t *testing.T) {
	for _, c := range []struct {
		sides []int
		nodes []int
		want  int
	}{
		{[]int{8, 8}, []int{0, 9, 18, 27, 36, 45, 54, 63}, 8},
		{[]int{8, 8}, []int{0, 3}, 1},
		{[]int{2, 2}, []int{0, 1, 2, 3}, 3},
		{[]int{2, 2}, []int{0, 3}, 2},
		{[]int{3, 3, 3}, []int{0, 13}, 3},
		{[]int{8, 8}, []int{5}, 0},
	} {
		torus, err := core.NewTorus(c.sides...)
		if err != nil {
			t.Fatal(err)
		}
		r, err := routing.Parse(torus, "udr")
		if err != nil {
			t.Fatal(err)
		}
		p, err := core.NewPlacement(torus, c.nodes)
		if err != nil {
			t.Fatal(err)
		}
		k, err := PackWormhole(r, p)
		if err != nil {
			t.Fatal(err)
		}
		phases := 0
		for range k.Relayed().Phases {
			phases++
		}
		if got := k.RelayedBound(); got != c.want || phases < got {
			t.Errorf("%v: bound %d, want %d; %d phases", c.nodes, got, c.want, phases)
		}
	}
}
