package atlas_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/results/store"
	"leeway/search/refuters"
)

// TestFile: what goes through a file comes back as the same cells, whose full records the
// checker verifies, and a second file is the same to the byte.
func TestFile(t *testing.T) {
	s, path := filled(t)
	key := problem(t, "2x3x4", "odr", 24)
	r := record(t, key.Routing, fullPlacement(key.Torus()))
	add(t, s, r)
	null := store.Null{Method: "genetic", Seed: 3, Evaluations: 12, Best: r.MaxLoad}
	coretest.Try(s.AddNull(compose.KeyOf(key), null))
	a := view(t, path)
	data, left, err := a.Encode(atlas.Filter{}, nil)
	if err != nil || left != 0 {
		t.Fatal(left, err)
	}
	b := coretest.Must(atlas.Read(data))
	one, _ := a.Cells(atlas.Filter{})
	two, _ := b.Cells(atlas.Filter{})
	if len(one) != len(two) {
		t.Fatalf("%d cells became %d", len(one), len(two))
	}
	for i := range one {
		sameCell(t, a, b, one[i], two[i])
	}
	again, _, err := b.Encode(atlas.Filter{}, nil)
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("the second file differs: %v", err)
	}
	d, _, _ := b.Detail(texts.KeyOf(key))
	if len(d.Nulls) != 1 || d.Nulls[0].Method != "genetic" || d.Nulls[0].Evaluations != 12 || d.Nulls[0].Added == "" {
		t.Errorf("null results %+v", d.Nulls)
	}
}

func fullPlacement(t *core.Torus) core.Placement {
	nodes := make([]int, t.N())
	for v := range nodes {
		nodes[v] = v
	}
	return core.MustPlacement(t, nodes)
}

// sameCell compares a cell with what came out of a file.
func sameCell(t *testing.T, a, b *atlas.Atlas, one, two atlas.Cell) {
	t.Helper()
	if !reflect.DeepEqual(one, two) {
		t.Errorf("%+v\nbecame\n%+v", one, two)
	}
	from, _, errA := a.Detail(one.Key())
	to, _, errB := b.Detail(one.Key())
	if errA != nil || errB != nil || to.Record == nil {
		t.Fatalf("%s: %v %v", one.Key(), errA, errB)
	}
	x, y := *from.Record, *to.Record
	x.LoadLimit, x.UpperBound = nil, nil // of another question
	if !reflect.DeepEqual(x, y) {
		t.Errorf("record %+v\nbecame\n%+v", x, y)
	}
	data := coretest.Must(layout.Encode(to.Record))
	if v := documents.Document(context.Background(), data, "",
		check.Options{Produce: refuters.Produce}); v.Verdict != check.Valid ||
		one.Status == atlas.Optimal && v.ProofVerdict != check.Verified {
		t.Errorf("%s: %+v", one.Key(), v)
	}
}

// TestReadRefuses: a file that is not an atlas is refused with its line.
func TestReadRefuses(t *testing.T) {
	p := problem(t, "3x3", "odr", 2)
	text := coretest.Must(json.Marshal(record(t, p.Routing, core.MustPlacement(p.Torus(), []int{0, 4}))))
	cell := `{"torus":"3x3","routing":"odr:tie=plus","size":2,"families":[],"record":` + string(text) + "}\n"
	if a, err := atlas.Read([]byte(cell)); err != nil {
		t.Fatal(err)
	} else if c, ok := a.Cell(keyOf("3x3", "odr", 2)); !ok || c.MaxLoad != "1" || c.Fault != "" {
		t.Fatalf("%+v", c)
	}
	edit := func(from, to string) string {
		if !strings.Contains(cell, from) {
			t.Fatalf("%q does not occur", from)
		}
		return strings.Replace(cell, from, to, 1)
	}
	for name, test := range map[string]struct{ text, want string }{
		"an empty line": {cell + "\n", "2:1"},
		"a record":      {string(text), "unknown field"},
		"twice":         {cell + cell, "the cell 3x3 odr:tie=plus n=2 is repeated"},
		"cut":           {cell + cell[:len(cell)-20], "2:1"},
		"more":          {edit(`"families"`, `"x":1,"families"`), "unknown field"},
	} {
		_, err := atlas.Read([]byte(test.text))
		var unreadable *results.ReadError
		if !errors.As(err, &unreadable) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What can be read but is not so becomes a fault.
	for name, text := range map[string]string{"load": edit(`"max_load":"1"`, `"max_load":"2"`),
		"no fraction": edit(`"max_load":"1"`, `"max_load":"one"`), "no record": edit(`"schema"`, `"schema_of"`),
		"bound": edit(`"lower_bound":"0"`, `"lower_bound":"7"`), "more nodes": edit("[1,1]]", "[1,1],[2,2]]"),
		"another cell": edit(`"torus":[3,3]`, `"torus":[3,4]`)} {
		a, err := atlas.Read([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c, ok := a.Cell(texts.Key{Torus: "3x3", Routing: "odr:tie=plus", Size: 2}); !ok || c.Fault == "" ||
			c.MaxLoad != "" {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// TestManyOptima: of a long list of optimal placements the numbers stay, a short one stays as it is.
func TestManyOptima(t *testing.T) {
	for _, count := range []int{64, 65} {
		p := problem(t, "9x9", "odr", 2)
		var optima []core.Placement
		for v := range count {
			optima = append(optima, core.MustPlacement(p.Torus(), []int{0, v + 1}))
		}
		r := claim(t, p.Routing, optima[0], big.NewRat(1, 1), big.NewRat(1, 1),
			&results.Proof{Kind: results.ProofBound, Below: "1"})
		compose.AddOptima(&r, optima, 999)
		s, path := newStore(t, "a.store")
		add(t, s, r)
		data, _, err := view(t, path).Encode(atlas.Filter{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := coretest.Must(atlas.Read(data))
		d, ok, err := a.Detail(texts.KeyOf(p))
		if !ok || err != nil || d.Optima != count || d.Labelled != "999" || (d.Record.Optima != nil) != (count == 64) {
			t.Errorf("%d optima became %d, labelled %s, listed %v: %v", count, d.Optima, d.Labelled, d.Record.Optima != nil, err)
		}
	}
}

// FuzzRead: whatever can be read and written again comes back as the same file.
func FuzzRead(f *testing.F) {
	_, path := filled(f)
	data, _, err := view(f, path).Encode(atlas.Filter{To: 9}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	for line := range bytes.Lines(data) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !small(data) {
			return
		}
		a, err := atlas.Read(data)
		if err != nil {
			return
		}
		once, _, err := a.Encode(atlas.Filter{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := atlas.Read(once)
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, once)
		}
		twice, _, err := b.Encode(atlas.Filter{}, nil)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%v\n%s\nbecame\n%s", err, once, twice)
		}
	})
}

// small reports whether all tori of a file are small: large ones are only slow.
func small(data []byte) bool {
	for line := range bytes.Lines(data) {
		var l struct{ Torus string }
		if json.Unmarshal(line, &l) != nil || l.Torus == "" {
			continue
		}
		if s, err := texts.ParseWhere(l.Torus); err == nil && s.Torus().N() > 300 {
			return false
		}
	}
	return true
}
