package steps

import (
	"fmt"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

// TestLawsOfInvariantSchedules: the fewest steps found on k x 2k with twist k, and on the shapes of pods in three
// dimensions, are those of docs/laws.md.
func TestLawsOfInvariantSchedules(t *testing.T) {
	most := 12
	if coretest.Long() {
		most = 24
	}
	for k := 2; k <= most; k++ {
		want := (k*(4*k*k-1) + 11) / 12
		if k%2 > 0 {
			want = (k-1)*k*(2*k-1)/6 + (k*k+1)/2
		}
		check(t, fmt.Sprintf("%dx%d:twist=%d", k, 2*k, k), want)
	}
	for k := 2; k <= most/2; k++ {
		odd, square := k%2, k*k
		check(t, fmt.Sprintf("%dx%dx%d:twist=0,0,%d+0,0,%d+0,0,0", k, k, 2*k, k, k),
			(square*(7*square-2)-odd+4*k*odd+23)/24)
		if k <= 8 {
			check(t, fmt.Sprintf("%dx%dx%d:twist=0,%d,%d+0,0,0+0,0,0", k, 2*k, 2*k, k, k),
				(square*(35*square-8)+odd*(24*k+3-6*square))/48)
		}
	}
}

// check looks for an invariant schedule in so many steps.
func check(t *testing.T, text string, want int) {
	t.Helper()
	n := coretest.Must(ports(coretest.Must(core.ParseNetwork(text))))
	if s := newInvariant(n.Network, n.out[0], shortestVectors(n.Network), want); s.steps != want {
		t.Errorf("%s: %d steps, want %d", text, s.steps, want)
	}
}
