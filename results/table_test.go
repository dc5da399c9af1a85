package results_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/layout"
)

// handTable is a table on 3x2 by pair, written by hand: there and back between (0,0) and (2,1), by either order there
// and by one back.
const handTable = `{
  "schema": "leeway/table/1",
  "torus": [3,2],
  "by": "pair",
  "entries": [
    {
      "from": [0,0],
      "to": [2,1],
      "paths": [
        {
          "order": [0,1],
          "dirs": ["-","+"]
        },
        {
          "order": [1,0],
          "dirs": ["+","-"]
        }
      ]
    },
    {
      "from": [2,1],
      "to": [0,0],
      "paths": [
        {
          "order": [1,0],
          "dirs": ["+","+"]
        }
      ]
    }
  ]
}
`

// TestHandTable reads, evaluates by hand and writes: the links out of (0,0) carry half a unit each, those of the way
// back a whole one.
func TestHandTable(t *testing.T) {
	torus := core.MustTorus(3, 2)
	table := coretest.Must(disk.ReadTable([]byte(handTable), torus))
	loads := objective.Naive(table, core.MustPlacement(torus, []int{0, 5}))
	for _, c := range []struct {
		from, dim int
		dir       core.Dir
		want      string
	}{{0, 0, core.Minus, "1/2"}, {4, 1, core.Plus, "1/2"}, {0, 1, core.Plus, "1/2"}, {1, 0, core.Minus, "1/2"},
		{5, 1, core.Plus, "1"}, {4, 0, core.Plus, "1"}, {5, 0, core.Plus, "0"}} {
		if have := loads.Load(torus.Link(c.from, c.dim, c.dir)).RatString(); have != c.want {
			t.Errorf("link from %d, dimension %d %s carries %s, want %s", c.from, c.dim, c.dir, have, c.want)
		}
	}
	if text, err := layout.Encode(*compose.TableOf(table)); err != nil || string(text) != handTable {
		t.Errorf("%v: written as\n%s", err, text)
	}
}

func TestTableRoundTrip(t *testing.T) {
	coretest.Alone(t)
	s := compile(t, "table.schema.json")
	for i := range 60 {
		rng := coretest.Rng(67, i)
		torus := coretest.AnyNetwork(rng, 20)
		table := coretest.Table(rng, torus, i%2 == 0 || !torus.Closed())
		text := coretest.Must(layout.Encode(compose.NewTable(table)))
		if again, err := disk.ReadTable(text, torus); err != nil || !reflect.DeepEqual(again, table) {
			t.Fatalf("table %d on %s: %v reading\n%s", i, torus, err, text)
		}
		if err := validate(t, s, text); err != nil {
			t.Fatalf("table %d on %s: %v", i, torus, err)
		}
	}
}

func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text := coretest.Must(os.ReadFile(name))
	doc := coretest.Must(jsonschema.UnmarshalJSON(bytes.NewReader(text)))
	c := jsonschema.NewCompiler()
	coretest.Try(c.AddResource(name, doc))
	return coretest.Must(c.Compile(name))
}

// tableSpoils are single changes of the table by hand, with what the reader says. Those marked with shape break the
// JSON Schema as well.
var tableSpoils = map[string]struct {
	old, new, want string
	shape          bool
}{
	"schema":         {"leeway/table/1", "leeway/table/3", `unknown schema "leeway/table/3"`, true},
	"record":         {"leeway/table/1", "leeway/record/1", `unknown schema "leeway/record/1"`, true},
	"torus":          {"[3,2],", "[3,3],", "for torus 3x3, not for 3x2", false},
	"no torus":       {"[3,2],", "[1,2],", "side 0 is 1", true},
	"by":             {`"pair"`, `"pairs"`, "neither displacement nor pair", true},
	"displacement":   {`"pair"`, `"displacement"`, "entry 1: from: a table by displacement has no starts", true},
	"no entries":     {`"entries"`, `"entry"`, "field entries is missing", true},
	"entry null":     {`"to": [2,1],`, `"to": null,`, "field entries[].to is null", true},
	"no start":       {`"from": [0,0],`, "", "entry 1: []: a node of 3x2 has 2 coordinates, not 0", true},
	"start null":     {`"from": [0,0],`, `"from": null,`, "field entries[].from is null", true},
	"start outside":  {`"from": [0,0],`, `"from": [3,0],`, "entry 1: [3 0]: coordinate 0 is 3, outside 0..2", false},
	"end short":      {`"to": [2,1],`, `"to": [2],`, "has 2 coordinates, not 1", false},
	"same":           {`"to": [2,1],`, `"to": [0,0],`, "the ends are the same node", false},
	"twice":          {`"from": [2,1],`, `"from": [2,1], "from": [2,1],`, "field entries[].from is repeated", false},
	"case":           {`"dirs"`, `"Dirs"`, "must be written dirs", true},
	"no dirs":        {`"dirs": ["-","+"]`, `"x": 1`, "order names 2 dimensions and dirs 0 directions", true},
	"direction":      {`["-","+"]`, `["-","plus"]`, `plus: a direction is "+" or "-"`, true},
	"direction null": {`["-","+"]`, `["-",null]`, "field entries[].paths[].dirs[] is null", true},
	"long way": {`["-","+"]`, `["+","+"]`,
		"entry 1, from [0 0] to [2 1]: path 1: it has 3 links, so it is not a shortest one: these have 2", false},
	"steps":        {`"dirs": ["-","+"]`, `"dirs": ["-","+"], "steps": [1,2]`, "its steps lead to [2 0]", false},
	"few steps":    {`"dirs": ["-","+"]`, `"dirs": ["-","+"], "steps": [1]`, "2 dimensions and steps 1 numbers", false},
	"side of 2":    {`["-","+"]`, `["-","-"]`, "no links the other way", false},
	"order number": {`"order": [0,1]`, `"order": [0,"1"]`, "whole number", true},
	"order detour": {`"order": [0,1]`, `"order": [0,0]`, "dimension 0 is repeated", true},
	"repeated path": {"\"order\": [0,1],\n          \"dirs\": [\"-\",\"+\"]",
		"\"order\": [1,0],\n          \"dirs\": [\"+\",\"-\"]", "is repeated", true},
	"repeated pair": {"\"from\": [2,1],\n      \"to\": [0,0]", "\"from\": [0,0],\n      \"to\": [2,1]",
		"entry 2, from [0 0] to [2 1]: ", false},
}

func TestTableNearMisses(t *testing.T) {
	s := compile(t, "table.schema.json")
	torus := core.MustTorus(3, 2)
	for name, c := range tableSpoils {
		spoiled := strings.Replace(handTable, c.old, c.new, 1)
		if spoiled == handTable {
			t.Fatalf("%s: nothing was changed", name)
		}
		_, err := disk.ReadTable([]byte(spoiled), torus)
		var e *results.ReadError
		if !errors.As(err, &e) || !strings.Contains(strings.ReplaceAll(e.Error(), `"`, ""), strings.ReplaceAll(c.want,
			`"`, "")) {
			t.Errorf("%s: error %v, want a ReadError with %q", name, err, c.want)
		}
		if name == "twice" {
			continue // a JSON Schema cannot see it
		}
		if refused := validate(t, s, []byte(spoiled)) != nil; refused != c.shape {
			t.Errorf("%s: refused by the schema is %v", name, refused)
		}
	}
}

// tableRecord is a record of a random table by displacement on 4x4.
func tableRecord(t testing.TB) (results.Record, *routing.Table) {
	t.Helper()
	torus := core.MustTorus(4, 4)
	table := coretest.Table(coretest.Rng(68, 0), torus, false)
	r := coretest.Must(compose.New(compose.Values{Routing: table, Placement: family.Draw(torus, 5, coretest.Rng(68, 1)),
		MaxLoad: big.NewRat(3, 2)}))
	r.Started = "2026-01-02T03:04:05Z"
	return r, table
}

// TestRecordHoldsItsTable writes and reads a record whose routing is a table.
func TestRecordHoldsItsTable(t *testing.T) {
	want, table := tableRecord(t)
	text := coretest.Must(layout.Encode(want))
	have, err := results.ReadRecord(text)
	if err != nil || !reflect.DeepEqual(have, want) || have.Routing != "table" {
		t.Fatalf("read %+v, %v", have, err)
	}
	if r, err := have.ReadRouting(table.Torus()); err != nil || !reflect.DeepEqual(r, routing.Routing(table)) {
		t.Errorf("routing %+v, %v", r, err)
	}
	s := compile(t, "record.schema.json")
	if err := validate(t, s, text); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(m map[string]any){
		"no table":       func(m map[string]any) { delete(m, "table") },
		"table null":     func(m map[string]any) { m["table"] = nil },
		"other routing":  func(m map[string]any) { m["routing"] = "udr:tie=plus" },
		"table's schema": func(m map[string]any) { m["table"].(map[string]any)["schema"] = "leeway/table/3" },
	} {
		var m map[string]any
		coretest.Try(json.Unmarshal(text, &m))
		spoil(m)
		spoiled, _ := json.Marshal(m)
		if validate(t, s, spoiled) == nil {
			t.Errorf("%s: accepted by the schema", name)
		}
		r := coretest.Must(results.ReadRecord(spoiled))
		var wrong *core.InputError
		if _, err := r.ReadRouting(table.Torus()); !errors.As(err, &wrong) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestRecordTableMissesPair takes a table by pair that one pair is left out of.
func TestRecordTableMissesPair(t *testing.T) {
	r, _ := tableRecord(t)
	torus := core.MustTorus(4, 4)
	whole := coretest.Table(coretest.Rng(69, 0), torus, true)
	document := compose.NewTable(whole)
	r.Table = &document
	coretest.Must(r.ReadRouting(torus))
	for i, e := range document.Entries {
		if reflect.DeepEqual(e.From, r.Nodes[1]) && reflect.DeepEqual(e.To, r.Nodes[0]) {
			document.Entries = append(document.Entries[:i:i], document.Entries[i+1:]...)
			break
		}
	}
	if _, err := r.ReadRouting(torus); err == nil || !strings.Contains(err.Error(), "there is no entry from") {
		t.Errorf("error %v", err)
	}
}

// TestTextRoutingOfRecord reads the routing of a record without a table.
func TestTextRoutingOfRecord(t *testing.T) {
	r := sample(t)
	have, err := r.ReadRouting(core.MustTorus(8, 8))
	if err != nil || have.String() != "udr:tie=both" {
		t.Errorf("routing %v, %v", have, err)
	}
}

// FuzzReadTable holds that reading never panics and that what was read is read again from what is written.
func FuzzReadTable(f *testing.F) {
	f.Add([]byte(handTable))
	for _, c := range tableSpoils {
		f.Add([]byte(strings.Replace(handTable, c.old, c.new, 1)))
	}
	torus := core.MustTorus(3, 2)
	for i := range 4 {
		text, _ := layout.Encode(compose.NewTable(coretest.Table(coretest.Rng(70, i), torus, i%2 == 0)))
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := disk.ReadTable(data, torus)
		var unreadable *results.ReadError
		if err != nil {
			if !errors.As(err, &unreadable) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		text := coretest.Must(layout.Encode(*compose.TableOf(table)))
		if again, err := disk.ReadTable(text, torus); err != nil || !reflect.DeepEqual(again, table) {
			t.Fatalf("read %+v, then %+v, %v from\n%s", table, again, err, text)
		}
	})
}
