package family_test

import (
	"context"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/search"
	"leeway/search/family"
	"leeway/search/searchtest"
)

func TestConform(t *testing.T) { searchtest.Conform(t, family.Method{}) }

// TestClassesHaveTheirSize checks that every class offered holds as many
// processors as asked for, also on mixed sides.
func TestClassesHaveTheirSize(t *testing.T) {
	seen := 0
	for _, torus := range []string{"8x8", "4x6", "2x3x4", "5x5x5", "6", "2x2x2", "3x9"} {
		parsed := coretest.Must(core.ParseTorus(torus))
		for n := 1; n <= parsed.N(); n++ {
			for class := range family.Classes(parsed, n) {
				seen++
				p, err := class.Placement(parsed)
				if err != nil {
					t.Fatalf("%s on %s: %v", class, torus, err)
				}
				if p.Size() != n {
					t.Fatalf("%s on %s has %d processors, want %d", class, torus, p.Size(), n)
				}
			}
		}
	}
	if seen == 0 {
		t.Fatal("no class was offered")
	}
}

// TestFindsSpaced checks that two diagonals half a side apart are found: 4 on
// 8x8 where the papers' neighbouring diagonals have 7 (both by listing paths).
func TestFindsSpaced(t *testing.T) {
	p := searchtest.Problem("8x8", "udr:tie=both", 16)
	out, err := family.Method{}.Run(context.Background(), search.Params{Problem: p, Workers: 1})
	if err != nil || out.Value.RatString() != "4" || out.Reason != search.Complete {
		t.Errorf("got %v, %s, %v", out.Value, out.Reason, err)
	}
}

// TestDropping: 15 processors on 8x8 have no residue class; dropping one from the
// spaced placement of 16, which has 4 (docs/formats.md), cannot be worse.
func TestDropping(t *testing.T) {
	for n := 13; n <= 15; n++ {
		p := searchtest.Problem("8x8", "udr:tie=both", n)
		out, err := family.Method{}.Run(context.Background(), search.Params{Problem: p})
		if err != nil || out.Value == nil || out.Value.Cmp(big.NewRat(4, 1)) > 0 {
			t.Errorf("%s: %v, %v", p, out.Value, err)
		}
	}
}
