package symmetry

import (
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
)

// TestLimits lists points where the images under all of them could take too much
// memory: 3840 points of 32768 nodes pass the limit, 64 do not; 10^7 points or
// 2^16 reflections are too many to list. It looks at the list alone, for which
// nothing has to be verified.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		k, d    int
		routing string
		want    int
	}{
		{8, 5, "odr", 2},
		{8, 5, "odr:tie=both", 2 * 32},
		{8, 5, "udr", 32},
		{4, 4, "udr", 24 * 16},
		{8, 8, "udr", 1}, // even the 256 reflections of 2^24 nodes pass it
		{3, 16, "udr", 1},
		{2, 26, "udr", 1},
	} {
		r := coretest.Must(routing.Parse(core.MustTorus(slices.Repeat([]int{c.k}, c.d)...), c.routing))
		if points := pointsOf(r); len(points) != c.want || slices.Contains(points[0].Flip, true) ||
			!slices.IsSorted(points[0].Perm) {
			t.Errorf("%s on %d^%d: %d points from %v on, want %d from the identity on", r, c.k, c.d, len(points),
				points[0], c.want)
		}
	}
}
