package atlas_test

import (
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
)

// TestCredit: what a paper proposed is credited to it where nothing better is known, and nothing else; the record says
// the same as the cell, and has its label.
func TestCredit(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	for _, c := range []struct {
		torus, routing string
		size           int
		paper          family.Paper
	}{
		{"8x8", "udr:tie=both", 8, family.Azizoglu1998},
		{"8x8", "odr:tie=plus", 8, family.Paper{}},  // 3 is known, the paper has 4
		{"8x8", "udr:tie=both", 16, family.Paper{}}, // 4 is known, the paper has 7
		{"3x3x3", "avoid:tie=both", 9, family.Blaum},
		{"3x3x3", "minimal:tie=both", 9, family.Paper{}},
		{"8x8:open=0,1:traffic=clients:request=1:reply=1", "udr:tie=both", 16, family.Abts2009},
		{"8x8:open=0,1:traffic=clients:request=1:reply=1", "udr:tie=both", 8, family.Paper{}},
	} {
		d, ok, err := view.Detail(texts.Key{Torus: c.torus, Routing: c.routing, Size: c.size})
		if err != nil || !ok {
			t.Fatalf("%v: %v, %v", c, ok, err)
		}
		var want *results.Credit
		if c.paper.Authors != "" {
			want = &results.Credit{Finder: c.paper.Authors, Paper: c.paper.Title, Year: c.paper.Year}
		}
		if d.Credit.String() != want.String() || d.Record.Credit.String() != want.String() || d.Record.Label != d.Label() {
			t.Errorf("%v: credited to %q, the record %s to %q, want %q", c, d.Credit, d.Record.Label, d.Record.Credit, want)
		}
	}
}
