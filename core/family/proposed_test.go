package family_test

import (
	"testing"

	"leeway/core/family"
)

// TestProposed: what the source papers cover. Azizoglu and Egecioglu: tori with equal sides of at least 3, ODR and UDR,
// c k^(d-1) processors, all to all; Blaum et al.: k^(d-1) processors in two and three dimensions.
func TestProposed(t *testing.T) {
	for _, c := range []struct {
		where, routing string
		size           int
		want           bool
	}{
		{"8x8", "udr:tie=both", 16, true},
		{"8x8", "udr:tie=plus", 8, true},
		{"5x5x5", "odr:tie=plus", 50, true},
		{"8x8", "odr:order=1,0:tie=both", 8, true},
		{"4x4x4", "avoid:tie=both", 16, true},
		{"4x4x4", "avoid:tie=both", 32, false},
		{"3x3x3x3", "avoid:tie=both", 27, false},
		{"8x8", "minimal:tie=both", 16, false},
		{"8x8", "free", 16, false},
		{"8x8", "table", 16, false},
		{"8x8", "udr:tie=both", 17, false},
		{"8x8", "udr:tie=both", 64, false},
		{"4x8", "udr:tie=both", 8, false},
		{"2x2x2", "udr:tie=both", 4, false},
		{"16", "odr:tie=plus", 4, false},
		{"8x8:open=0,1", "udr:tie=both", 16, false},
		{"8x8:bandwidth=2,1", "udr:tie=both", 16, false},
		{"4x4:twist=2", "udr:tie=both", 4, false},
		{"8x8:traffic=clients:request=1:reply=1", "udr:tie=both", 16, false},
		{"8x8:fixed=0,0", "udr:tie=both", 16, false},
	} {
		if _, got := family.Proposed(c.where, c.routing, c.size); got != c.want {
			t.Errorf("%s %s n=%d: %v", c.where, c.routing, c.size, got)
		}
	}
}
