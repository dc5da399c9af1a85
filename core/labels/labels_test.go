package labels_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"leeway/core/labels"
)

// TestLabels: labels are what docs/labels.md says, and Split takes them apart.
func TestLabels(t *testing.T) {
	for want, c := range map[string][2]string{
		"8x8.udr-tie-both.16":                           {"8x8", "udr:tie=both"},
		"8x8-open-0-1-fixed-0-0-7-7.odr-order-1-0.16":   {"8x8:open=0,1:fixed=0,0+7,7", "odr:order=1,0"},
		"4x4x4.orders-012-120-tie-plus.16":              {"4x4x4", "orders:012+120:tie=plus"},
		"8x8.west-first-tie-both.16":                    {"8x8", "west-first:tie=both"},
		"4x4x8-twist-0-0-4-0-0-4-0-0-0.odr-tie-plus.16": {"4x4x8:twist=0,0,4+0,0,4+0,0,0", "odr:tie=plus"},
	} {
		label := labels.Cell(c[0], c[1], 16)
		if label != want {
			t.Errorf("%v has the label %s, want %s", c, label, want)
		}
		first := [][]int{{0, 0}, {1, 3}}
		orbit := labels.Orbit(label, first)
		if digits := fmt.Sprintf("%x", sha256.Sum256([]byte("0,0+1,3")))[:8]; orbit != want+"."+digits {
			t.Errorf("the label of an orbit is %s", orbit)
		}
		for _, l := range []string{label, orbit} {
			if cell, rest, ok := labels.Split(l); !ok || cell != label || rest != "" && cell+"."+rest != l {
				t.Errorf("%s is split into %s and %q, %v", l, cell, rest, ok)
			}
		}
	}
	for _, text := range []string{"", "8x8", "8x8.udr", "8x8.udr.", "8x8.udr.x", "8x8.udr.016", ".udr.16", "8x8..16",
		"8x8.udr.16.abc", "8x8.udr.16.01234567.0"} {
		if cell, orbit, ok := labels.Split(text); ok {
			t.Errorf("%q is split into %s and %s", text, cell, orbit)
		}
	}
}
