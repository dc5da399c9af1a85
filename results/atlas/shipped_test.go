package atlas_test

import (
	"context"
	"os"
	"testing"

	"leeway/results/atlas"
	"leeway/results/check"
)

// TestShipped: the file of the program can be read, none of its cells is wrong, and it is under 1 MB.
func TestShipped(t *testing.T) {
	a, err := atlas.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	wrong, _ := a.Cells(atlas.Filter{Faulty: true})
	for _, c := range wrong {
		t.Errorf("%s: %s", c.Key(), c.Fault)
	}
	if info, err := os.Stat("atlas.jsonl"); err != nil || info.Size() > 1e6 {
		t.Errorf("%v, %v", info, err)
	}
}

// sampled is how many cells TestShippedSample repeats. make atlas-verify repeats all.
const sampled = 40

// TestShippedSample: everything that a sample of cells claims can be repeated, and of
// each cell as much as its status says.
func TestShippedSample(t *testing.T) {
	if testing.Short() {
		t.Skip("repeats proofs")
	}
	a, err := atlas.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	all, total := a.Cells(atlas.Filter{})
	if total < 1000 {
		t.Fatalf("the first atlas has only %d cells", total)
	}
	found, err := a.Verify(context.Background(), atlas.Sample(all, sampled, 1), 2, nil)
	if err != nil || len(found) != sampled {
		t.Fatalf("%d verdicts: %v", len(found), err)
	}
	for _, f := range found {
		if f.Verdict.Verdict != check.Valid || f.Status == atlas.Optimal && f.ProofVerdict != check.Verified {
			t.Errorf("%s: %+v", f.Key(), f.Verdict)
		}
	}
}

// TestShippedKnown: cells whose optimum other programs found (facts of the design, section 5) have it.
func TestShippedKnown(t *testing.T) {
	a, err := atlas.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		torus, routing string
		size           int
		want           string
	}{{"8x8", "udr:tie=both", 16, "4"}, {"4x4", "odr:tie=both", 4, "1"}, {"6x6", "odr", 6, "2"},
		{"5x5", "udr:tie=both", 5, "1"}} {
		c, ok := a.Cell(atlas.Key{Torus: test.torus, Routing: test.routing, Size: test.size})
		if !ok || c.MaxLoad != test.want || c.Status != atlas.Optimal {
			t.Errorf("%+v: %+v", test, c)
		}
	}
}
