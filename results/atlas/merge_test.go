package atlas_test

import (
	"context"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/results/store"
	"leeway/search/refuters"
)

// TestMergeBothWays: whatever the order, the better placement wins and no proof is lost.
func TestMergeBothWays(t *testing.T) {
	coretest.Alone(t)
	one, pathOne := filled(t)
	two, pathTwo := newStore(t, "two.store")
	p := problem(t, "3x4", "udr:tie=both", 5)
	for seed := range uint64(6) {
		s := []*store.Store{one, two}[seed%2]
		add(t, s, record(t, p.Routing, family.Random(p.Torus(), 5, seed)))
		coretest.Try(s.AddNull(compose.KeyOf(p), store.Null{Method: "local", Seed: seed}))
	}
	ab, pathAB := newStore(t, "ab.store")
	ba, pathBA := newStore(t, "ba.store")
	merge(t, ab, pathOne)
	merge(t, ab, pathTwo)
	merge(t, ba, pathTwo)
	merge(t, ba, pathOne)
	joined := view(t, pathAB)
	x, _ := joined.Cells(atlas.Filter{})
	y, _ := view(t, pathBA).Cells(atlas.Filter{})
	// Of placements that are equally good the first stays: compare what they are worth.
	values := func(cells []atlas.Cell) (list []atlas.Cell) {
		for _, c := range cells {
			list = append(list, atlas.Cell{Grid: c.Grid, Routing: c.Routing, Size: c.Size, MaxLoad: c.MaxLoad,
				LowerBound: c.LowerBound, Status: c.Status})
		}
		return list
	}
	if !reflect.DeepEqual(values(x), values(y)) {
		t.Errorf("%+v\n%+v", values(x), values(y))
	}
	for _, path := range []string{pathOne, pathTwo} {
		cells, _ := view(t, path).Cells(atlas.Filter{})
		for _, c := range cells {
			now, ok := joined.Cell(c.Key())
			before, _ := new(big.Rat).SetString(c.MaxLoad)
			after, _ := new(big.Rat).SetString(now.MaxLoad)
			if !ok || after.Cmp(before) > 0 || c.Status == atlas.Optimal && now.Status != atlas.Optimal {
				t.Errorf("%s was %s %s, is %s %s", c.Key(), c.MaxLoad, c.Status, now.MaxLoad, now.Status)
			}
		}
	}
	nulls, err := ba.Nulls(compose.KeyOf(p))
	if err != nil || len(nulls) != 6 {
		t.Errorf("%d null results, %v", len(nulls), err)
	}
	if m := merge(t, ab, pathBA); len(m.Taken) > 0 || len(m.Faults) > 0 {
		t.Errorf("nothing is new, but %+v", m)
	}
}

// TestMergeConflict: a placement below a bound of the store is a fault that names both; the others go in.
func TestMergeConflict(t *testing.T) {
	p := problem(t, "3x3", "odr", 3)
	into, path := newStore(t, "into.store")
	coretest.Try(into.AddBound(compose.KeyOf(p), store.Bound{Value: big.NewRat(10, 1), Reason: "a lie"}))
	from, other := filled(t)
	known := record(t, p.Routing, family.Random(p.Torus(), 3, 1))
	add(t, from, known)
	_, all := view(t, other).Cells(atlas.Filter{})
	m := merge(t, into, other)
	if len(m.Faults) != 1 || !strings.Contains(m.Faults[0], "the lower bound 10 (a lie)") {
		t.Errorf("%+v", m)
	}
	if c, ok := view(t, path).Cell(texts.KeyOf(p)); ok && c.MaxLoad == known.MaxLoad {
		t.Errorf("%+v", c)
	}
	if _, total := view(t, path).Cells(atlas.Filter{}); total < all-1 {
		t.Errorf("%d cells, not %d", total, all)
	}
}

// TestMergeFiles: every form that the program writes can be merged.
func TestMergeFiles(t *testing.T) {
	coretest.Alone(t)
	_, path := filled(t)
	a := view(t, path)
	cells, total := a.Cells(atlas.Filter{})
	compact, _, err := a.Encode(atlas.Filter{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var lines, items []string
	for _, c := range cells {
		d, _, err := a.Detail(c.Key())
		if err != nil {
			t.Fatal(err)
		}
		text := coretest.Must(layout.Encode(d.Record))
		items = append(items, string(text))
		lines = append(lines, strings.ReplaceAll(string(text), "\n", ""))
	}
	for name, text := range map[string]string{"atlas": string(compact), "lines": strings.Join(lines, "\n") + "\n",
		"items": `{"items": [` + strings.Join(items, ",") + "]}"} {
		file := filepath.Join(t.TempDir(), name)
		coretest.Try(os.WriteFile(file, []byte(text), 0o644))
		into, _ := newStore(t, name+".store")
		if m := merge(t, into, file); len(m.Taken) != total || len(m.Faults) > 0 {
			t.Errorf("%s: %d of %d, faults %v", name, len(m.Taken), total, m.Faults)
		}
	}
}

// TestMergeRefuses: what cannot be read is refused with its name.
func TestMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	into, _ := newStore(t, "into.store")
	for name, test := range map[string]struct{ text, want string }{"empty": {"", "empty"}, "text": {"hello", "not JSON"},
		"other": {`{"schema":"leeway/plan/1"}`, "unknown schema"},
		"lines": {`{"schema":"leeway/record/1"}` + "\n" + `{"schema":"leeway/record/1"}`, "missing"}} {
		file := filepath.Join(dir, name)
		coretest.Try(os.WriteFile(file, []byte(test.text), 0o644))
		options := check.Options{Workers: 1, Produce: refuters.Produce}
		if _, err := atlas.Merge(context.Background(), into, file, options); err == nil ||
			!strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for path, want := range map[string]string{dir: "this is a folder", dir + "/none": "no such file"} {
		_, err := atlas.Merge(context.Background(), into, path, check.Options{Produce: refuters.Produce})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
