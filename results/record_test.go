package results_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/layout"
)

// sample returns the spaced placement on 8x8: E_max 4, the papers' has 7.
func sample(t testing.TB) results.Record {
	torus := core.MustTorus(8, 8)
	p := coretest.Must(family.Parse(torus, "spaced:t=2"))
	r := coretest.Must(compose.New(compose.Values{Routing: routing.NewUDR(torus, routing.TieBoth), Placement: p,
		MaxLoad: big.NewRat(4, 1), LowerBound: big.NewRat(15, 4), BoundReason: "degree",
		Baseline:    &results.Baseline{Placement: "multilinear:t=2", MaxLoad: "7"},
		SolverClaim: &results.SolverClaim{Engine: "gini", Below: "4"},
		FoundBy:     results.FoundBy{Method: "genetic", Seed: 1<<64 - 1, Evaluations: 12, Seconds: 0.5},
		Provenance: results.Provenance{Version: "0.1.0", Command: []string{"leeway", "search", "--torus",
			"8x8 <&> [\n1,\n2\n]"},
			Started: compose.FormatTime(time.Date(2026, 1, 2, 4, 4, 5, 6, time.FixedZone("", 3600))), Seed: 1<<64 - 1}}))
	return r
}

func TestRecordRoundTrip(t *testing.T) {
	want := sample(t)
	text := coretest.Must(layout.Encode(want))
	have, err := results.ReadRecord(text)
	if err != nil || !reflect.DeepEqual(have, want) {
		t.Fatalf("read %+v, %v; wrote %+v", have, err, want)
	}
	for _, line := range []string{`"torus": [8,8],`, `    [0,4],`, `"seed": 18446744073709551615,`,
		`"started": "2026-01-02T03:04:05Z"`, `"proof": null`, `8x8 <&>`} {
		if !strings.Contains(string(text), line) {
			t.Errorf("the text lacks %s:\n%s", line, text)
		}
	}
}

// TestClaimHash uses a hash computed by sha256sum over the text in the comment:
// {"max_load":"3/4","nodes":[[0,0],[1,3],[2,2],[3,1]],"routing":"udr:tie=both","torus":[4,4]}
func TestClaimHash(t *testing.T) {
	have := results.Record{Grid: results.Grid{Torus: []int{4, 4}}, Routing: "udr:tie=both",
		Nodes: [][]int{{0, 0}, {1, 3}, {2, 2}, {3, 1}}, MaxLoad: "3/4"}.Hash()
	if want := "7e8e2c7434ed1cb1123a7e2a395ebeec03935538c086fb16e37fa75478de9bdd"; have != want {
		t.Errorf("got %s, want %s", have, want)
	}
}

func TestNewRefusesPartsThatDoNotFit(t *testing.T) {
	torus := core.MustTorus(4, 4)
	p := core.MustPlacement(torus, []int{0, 5})
	r := routing.NewUDR(torus, routing.TieBoth)
	one, two := big.NewRat(1, 1), big.NewRat(2, 1)
	for name, c := range map[string]compose.Values{
		"no load":     {Routing: r, Placement: p},
		"no routing":  {Placement: p, MaxLoad: one},
		"other torus": {Routing: routing.NewUDR(core.MustTorus(4, 5), routing.TieBoth), Placement: p, MaxLoad: one},
		"bound above": {Routing: r, Placement: p, MaxLoad: one, LowerBound: two},
		"not fixed":   {Routing: r, Placement: p, MaxLoad: one, Setting: results.Setting{Fixed: [][]int{{0, 1}}}},
		"forbidden":   {Routing: r, Placement: p, MaxLoad: one, Setting: results.Setting{Forbidden: [][]int{{0, 0}}}},
		"proof, bound less": {Routing: r, Placement: p, MaxLoad: two, LowerBound: one,
			Proof: &results.Proof{Kind: results.ProofSteps}},
	} {
		var wrong *core.InputError
		if _, err := compose.New(c); !errors.As(err, &wrong) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestAxes: a document has what a problem says of each axis.
func TestAxes(t *testing.T) {
	clients := "4x4:traffic=clients:request=1:reply=2"
	said := map[string]string{"traffic": clients, "reply-routing": clients + ":reply-routing=odr:order=1,0:tie=plus",
		"per-node": "4x4:traffic=matrix:tasks=2:demands=0-1*3:per-node=2", "fixed": "4x4:fixed=0,1",
		"forbidden": "4x4:forbidden=0,1"}
	numbers := 0
	for _, a := range objective.Axes {
		where, ok := said[a.Name]
		if !ok {
			where = "4x4:" + a.Name + "=7"
			numbers++
		}
		p := coretest.Must(texts.ParseWhere(where))
		s := compose.SettingOf(p)
		q, err := s.Listed(objective.Problem{Routing: p.Routing})
		if got := s.Where(compose.GridOf(p.Torus())); err != nil || a.Text(p) == "" || q.Where() != where || got != where {
			t.Errorf("%s: a document has %s, which is read as %s, %v", where, got, q.Where(), err)
		}
	}
	if fields := reflect.TypeFor[objective.Near]().NumField(); fields != numbers {
		t.Errorf("%d conditions on how processors lie, of which %d are axes", fields, numbers)
	}
}

func TestParseFraction(t *testing.T) {
	for _, text := range []string{"0", "4", "5/2", "-1/3", "123456789012345678901234567891/2"} {
		if v, err := results.ParseFraction(text); err != nil || results.FormatFraction(v) != text {
			t.Errorf("%q: %v, %v", text, v, err)
		}
	}
	for _, text := range []string{"", "4/1", "6/4", "04", "1/0", "0/5", "-0", "+1", "1.5", "1e3", "1/-2", " 1", "1 ",
		"0x10", "1_0", "/2", "1/", "1/2/3"} {
		if v, err := results.ParseFraction(text); err == nil {
			t.Errorf("%q was read as %s", text, v)
		}
	}
}

// schema compiles the published JSON Schema.
func schema(t *testing.T) *jsonschema.Schema {
	return compile(t, "record.schema.json")
}

func validate(t *testing.T, s *jsonschema.Schema, text []byte) error {
	doc := coretest.Must(jsonschema.UnmarshalJSON(bytes.NewReader(text)))
	return s.Validate(doc)
}

func TestSchemaAcceptsWrittenRecords(t *testing.T) {
	s := schema(t)
	text, _ := layout.Encode(sample(t))
	if err := validate(t, s, text); err != nil {
		t.Error(err)
	}
	files, err := filepath.Glob("check/testdata/valid/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no records", err)
	}
	for _, file := range files {
		text := coretest.Must(os.ReadFile(file))
		if kind, err := results.SchemaOf(text); err != nil || kind != results.RecordSchema {
			continue // another kind of document, read by its own reader
		}
		if err := validate(t, s, text); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestSchemaAcceptsNetworks: the texts and sides of all networks are those of the schema.
func TestSchemaAcceptsNetworks(t *testing.T) {
	s := schema(t)
	for i := range 200 {
		torus := coretest.Any(coretest.Rng(68, i), 60)
		r := sample(t)
		r.Grid = compose.GridOf(torus)
		text, _ := layout.Encode(r)
		if err := validate(t, s, text); err != nil {
			t.Fatalf("%s: %v", torus, err)
		}
		if again, err := r.Grid.ReadGrid(); err != nil || !again.Equal(torus) {
			t.Fatalf("%s is read as %s, %v", torus, again, err)
		}
	}
}

// members returns the sample as a map that a test may spoil.
func members(t *testing.T) map[string]any {
	text, _ := layout.Encode(sample(t))
	m := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	coretest.Try(d.Decode(&m))
	return m
}

// TestSchemaRefusesNearMisses changes one field at a time.
func TestSchemaRefusesNearMisses(t *testing.T) {
	s := schema(t)
	for name, value := range map[string]any{
		"schema": "leeway/record/2", "torus": []int{0, 8}, "network": "4x8:twist", "routing": 3, "size": -1,
		"nodes": [][]int{{0, 0}, {0, 0}}, "max_load": 4,
		"lower_bound": "30/8.0", "bound_reason": nil, "status": "optimal", "baseline": map[string]any{"placement": "linear"},
		"proof":        map[string]any{"kind": "census", "engine": "exhaustive", "below": "4"},
		"solver_claim": map[string]any{"engine": "gini"}, "found_by": map[string]any{"method": "genetic"},
		"claim_sha256": "ABC",
		"version":      nil, "command": "leeway", "started": "2026-01-02T03:04:05+01:00", "seed": -1,
		"budget": map[string]any{"time": nil},
	} {
		m := members(t)
		m[name] = value
		text, _ := json.Marshal(m)
		if validate(t, s, text) == nil {
			t.Errorf("%s = %v was accepted", name, value)
		}
		if delete(m, name); name != "solver_claim" && name != "network" {
			text, _ = json.Marshal(m)
			if validate(t, s, text) == nil {
				t.Errorf("a record without %s was accepted", name)
			}
		}
	}
	m := members(t)
	m["remark"] = map[string]any{"any": "thing"}
	if text, _ := json.Marshal(m); validate(t, s, text) != nil {
		t.Error("an additional field was refused")
	}
}

// TestGrid: a network is in the document where it is more than its sides, and reads back; it counts in the hash.
func TestGrid(t *testing.T) {
	for _, text := range []string{"4x4", "4x4:open=0,1", "4x4:open=1:bandwidth=2,3", "4x4:bandwidth=1,2"} {
		torus := coretest.Must(core.ParseNetwork(text))
		grid := compose.GridOf(torus)
		if (grid.Network == "") != torus.Plain() {
			t.Errorf("%s: network %q", text, grid.Network)
		}
		read, err := grid.ReadGrid()
		if err != nil || !read.Equal(torus) {
			t.Errorf("%s reads as %v, %v", text, read, err)
		}
	}
	for _, g := range []results.Grid{{Torus: []int{4, 4}, Network: "4x4"}, {Torus: []int{4, 4}, Network: "4x5:open=0"},
		{Torus: []int{4, 4}, Network: "4x4:open=1,0"}, {Torus: []int{4, 4}, Network: "4x4:open=2"}, {Network: "4:open=0"}} {
		if read, err := g.ReadGrid(); err == nil {
			t.Errorf("%v reads as %s", g, read)
		}
	}
	// By sha256sum of {"max_load":"3/4","network":"4x4:open=0","nodes":[[0,0]],"routing":"odr:tie=plus","torus":[4,4]}.
	r := results.Record{Grid: results.Grid{Torus: []int{4, 4}, Network: "4x4:open=0"}, Routing: "odr:tie=plus",
		Nodes: [][]int{{0, 0}}, MaxLoad: "3/4"}
	if have, want := r.Hash(), "f0636b2df94c1a6f19a895f925de09bd1f9a614df3103d6d4ce294a4a68569c0"; have != want {
		t.Errorf("hash %s, want %s", have, want)
	}
	// The same text with "fixed":[[0,0]],"forbidden":[[1,1],[1,2]] first.
	r.Setting = results.Setting{Fixed: [][]int{{0, 0}}, Forbidden: [][]int{{1, 1}, {1, 2}}}
	if have, want := r.Hash(), "02139ad59077b93d6530a4eaf8e2eb781daa94d38b0772f95e474af6d1f45b15"; have != want {
		t.Errorf("with conditions hash %s, want %s", have, want)
	}
	// The same with "radius":2 after the nodes.
	r.Radius = 2
	if have, want := r.Hash(), "dfbe055716aa5c4a2d012b16cfa1065f835ce4de3698eaed49ab1fccaa32f904"; have != want {
		t.Errorf("with a radius hash %s, want %s", have, want)
	}
	// The same with "distance":9 first.
	r.Distance = 9
	if have, want := r.Hash(), "e0cda2065186884d7245dbd76122802a52122af15eaae1a0892a349d303ba7a9"; have != want {
		t.Errorf("with a distance hash %s, want %s", have, want)
	}
}
