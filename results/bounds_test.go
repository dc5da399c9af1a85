package results_test

import (
	"errors"
	"math/big"
	"reflect"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/layout"
)

// sampleBounds returns a document with every kind of witness field.
func sampleBounds(placed bool) results.Bounds {
	t := core.MustTorus(3, 4)
	r := routing.NewUDR(t, routing.TieBoth)
	p := core.MustPlacement(t, []int{0, 5})
	dim := 1
	best := objective.Bound{Name: objective.BoundCongestion, Value: big.NewRat(1, 2), Witness: objective.Witness{
		Weights: []objective.LinkWeight{{From: []int{0, 1}, Dim: 1, Dir: "-", Weight: "3"}}}}
	bounds := []objective.Bound{best,
		{Name: objective.BoundSlab, Value: big.NewRat(1, 8), Witness: objective.Witness{Set: [][]int{{0, 0}},
			Dim: &dim, Links: 4}},
		{Name: objective.BoundGranularity, Value: big.NewRat(1, 2),
			Witness: objective.Witness{From: objective.BoundCongestion, Denominator: "4"}}}
	if !placed {
		return compose.NewBounds(r, 2, nil, bounds, best)
	}
	return compose.NewBounds(r, 2, &p, bounds, best)
}

func TestBoundsRoundTrip(t *testing.T) {
	for _, placed := range []bool{true, false} {
		d := sampleBounds(placed)
		text, err := layout.Encode(d)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := results.ReadBounds(text); err != nil || !reflect.DeepEqual(again, d) {
			t.Errorf("read %+v, %v from\n%s", again, err, text)
		}
	}
}

func FuzzReadBounds(f *testing.F) {
	for _, placed := range []bool{true, false} {
		text, _ := layout.Encode(sampleBounds(placed))
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := results.ReadBounds(data)
		var unreadable *results.ReadError
		if err != nil {
			if !errors.As(err, &unreadable) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		text, err := layout.Encode(d)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := results.ReadBounds(text); err != nil || !sameBounds(again, d) {
			t.Fatalf("read %+v, then %+v, %v from\n%s", d, again, err, text)
		}
	})
}

// sameBounds compares what is written: an empty list that is left out comes back as none.
func sameBounds(a, b results.Bounds) bool {
	ta, errA := layout.Encode(a)
	tb, errB := layout.Encode(b)
	return errA == nil && errB == nil && string(ta) == string(tb)
}
