package answers_test

import (
	"errors"
	"math/big"
	"reflect"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/linkname"
	"leeway/core/routing"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/compose"
	"leeway/results/layout"
)

// sampleBounds returns a document with every kind of witness field.
func sampleBounds(placed bool) answers.Bounds {
	t := core.MustTorus(3, 4)
	r := routing.NewUDR(t, routing.TieBoth)
	p := core.MustPlacement(t, []int{0, 5})
	dim := 1
	best := lowerbound.Bound{Name: lowerbound.Congestion, Value: big.NewRat(1, 2), Witness: lowerbound.Witness{
		Weights: []lowerbound.LinkWeight{{Name: linkname.Name{From: []int{0, 1}, Dim: 1, Dir: "-"}, Weight: "3"}}}}
	bounds := []lowerbound.Bound{best,
		{Name: lowerbound.Slab, Value: big.NewRat(1, 8), Witness: lowerbound.Witness{Set: [][]int{{0, 0}},
			Dim: &dim, Links: 4}},
		{Name: lowerbound.Granularity, Value: big.NewRat(1, 2),
			Witness: lowerbound.Witness{From: lowerbound.Congestion, Denominator: "4"}}}
	if !placed {
		return compose.NewBounds(r, 2, nil, bounds, best)
	}
	return compose.NewBounds(r, 2, &p, bounds, best)
}

func TestBoundsRoundTrip(t *testing.T) {
	for _, placed := range []bool{true, false} {
		d := sampleBounds(placed)
		text := coretest.Must(layout.Encode(d))
		if again, err := answers.ReadBounds(text); err != nil || !reflect.DeepEqual(again, d) {
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
		d, err := answers.ReadBounds(data)
		var unreadable *results.ReadError
		if err != nil {
			if !errors.As(err, &unreadable) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		text := coretest.Must(layout.Encode(d))
		if again, err := answers.ReadBounds(text); err != nil || !sameBounds(again, d) {
			t.Fatalf("read %+v, then %+v, %v from\n%s", d, again, err, text)
		}
	})
}

// sameBounds compares what is written: an empty list that is left out comes back as none.
func sameBounds(a, b answers.Bounds) bool {
	ta, errA := layout.Encode(a)
	tb, errB := layout.Encode(b)
	return errA == nil && errB == nil && string(ta) == string(tb)
}
