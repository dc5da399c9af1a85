package model

import (
	"slices"
	"testing"

	"leeway/core/coretest"
	"leeway/objective/exchange/signals"
)

// TestTreeByHand follows n = 8 with Case 2 in GP_1. In GP_0 odd v_i send b_i^{i+2..i+4} (3),
// even ones b_i^{i+1} and b_i^{i+2}. In GP_1 an even v_i has b_i^{i+3}, b_i^{i+4} left and
// b_{i-1}^{i+1..i+3} from before: all for v_{i+2} to v_{i+5} go, 4. In SP_1 what came for v_{i+2} over
// v_i is one block. In SP_0 v_{i+1} gets the rest.
func TestTreeByHand(t *testing.T) {
	run := RunTree(3, 4, AppendixReading)
	var sizes []int
	for _, p := range run.Phases {
		sizes = append(sizes, p.Size())
	}
	if lost, all := run.Astray(); !slices.Equal(sizes, []int{3, 4, 1, 3}) || lost != 0 || all != 32 {
		t.Errorf("sizes %v, %d blocks of %d astray", sizes, lost, all)
	}
}

// TestBarriersAgainstLibrary compares the barriers and signals of Section 7 with the
// library's, which works them out in another way.
func TestBarriersAgainstLibrary(t *testing.T) {
	for n := 4; n <= 20; n++ {
		p := Plan("ring", n)
		sync := coretest.Must(signals.Synchronise(p.Schedule()))
		if got := NewOrder(n, PlanSends(p)).Barriers(true); len(got) != len(sync.Barriers) {
			t.Errorf("ring of %d: barriers %v, the library has %v", n, got, sync.Barriers)
		}
	}
}
