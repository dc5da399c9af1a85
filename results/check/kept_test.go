package check_test

import (
	"context"
	"io"
	"math/big"
	"os"
	"reflect"
	"testing"

	"leeway/core/coretest"
	"leeway/encode/steps"
	"leeway/objective"
	. "leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/check/meter"
	"leeway/search/refuters"
)

// TestKept: what is kept of other documents changes no verdict and no count of steps, whatever came before, and the
// proofs of valid records are indeed found again.
func TestKept(t *testing.T) {
	coretest.Alone(t)
	kept := new(meter.Kept)
	for round := range 2 {
		for _, d := range corpus() {
			if d.verdict == Limit {
				continue
			}
			alone := produced(t, d.data)
			with := documents.Document(t.Context(), d.data, "testdata/valid", Options{Workers: 1, Produce: refuters.Produce,
				Kept: kept})
			if !reflect.DeepEqual(alone, with) {
				t.Errorf("%s, round %d:\n%+v\nwith what is kept\n%+v", d.name, round, alone, with)
			}
		}
	}
	data := coretest.Must(os.ReadFile("testdata/valid/5x5-9-counts.json"))
	for _, k := range []*meter.Kept{kept, nil} {
		written := false
		v := documents.Document(t.Context(), data, "", Options{Workers: 1, Kept: k, Produce: func(ctx context.Context,
			engine string,
			p objective.Problem, value *big.Rat, listing bool, cut steps.Cut, to io.Writer) error {
			written = true
			return refuters.Produce(ctx, engine, p, value, listing, cut, to)
		}})
		if v.ProofVerdict != Verified || written != (k == nil) {
			t.Errorf("kept: %v, written: %v: %+v", k != nil, written, v)
		}
	}
}
