package check

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"leeway/results/check/meter"
)

// TestKept: what is kept of other documents changes no verdict and no count of steps, whatever came before, and the
// proofs of valid records are indeed found again.
func TestKept(t *testing.T) {
	kept := new(meter.Kept)
	for round := range 2 {
		for _, folder := range []string{"valid", "wrong"} {
			files, err := filepath.Glob("testdata/" + folder + "/*.json")
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if len(data) > 1<<17 {
					continue
				}
				alone := Document(t.Context(), data, "testdata/"+folder, Options{Workers: 1})
				with := Document(t.Context(), data, "testdata/"+folder, Options{Workers: 1, Kept: kept})
				if !reflect.DeepEqual(alone, with) {
					t.Errorf("%s, round %d:\n%+v\nwith what is kept\n%+v", file, round, alone, with)
				}
			}
		}
	}
	data, err := os.ReadFile("testdata/valid/5x5-9-margin.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []*meter.Kept{kept, nil} {
		walked := false
		v := Document(t.Context(), data, "", Options{Workers: 1, Kept: k, Observe: func(int64, int64) { walked = true }})
		if v.ProofVerdict != Verified || walked != (k == nil) {
			t.Errorf("kept: %v, walked: %v: %+v", k != nil, walked, v)
		}
	}
}
