package plan_test

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/plan"
)

var methods = []string{"family", "genetic", "local"}

// noFiles is for plans that name no file.
func noFiles(name string) ([]byte, error) {
	return nil, &results.ReadError{File: name, Problem: "there are no files here"}
}

func parse(text string) ([]plan.Search, error) { return plan.Parse([]byte(text), methods, noFiles) }

const nightly = `# every night
schema: leeway/plan/1
defaults:
  routing: [udr:tie=both, odr]
  time: 90s
  seed: 7
  methods: [family, genetic]
problems:
  - torus: 4^2
    size: [4, 6..7]
  - {torus: 6x6x6, routing: minimal, size: "36", evaluations: 5000, seed: 18446744073709551615, methods: local}
  - torus: 30
    routing: odr:order=0
    max-load: 1/8n
    time: 1h
    evaluations: 9
`

// describe spells a search in full.
func describe(j plan.Search) string {
	return fmt.Sprintf("%v seed %d time %v evaluations %d methods %v at %d:%d", j, j.Seed, j.Time, j.Evaluations,
		j.Methods, j.Line, j.Column)
}

func TestParse(t *testing.T) {
	searches := coretest.Must(parse(nightly))
	var want []string
	for _, r := range []string{"udr:tie=both", "odr:tie=plus"} {
		for _, size := range []int{4, 6, 7} {
			want = append(want, fmt.Sprintf("--torus 4x4 --size %d --routing %s seed 7 time 1m30s evaluations 0 "+
				"methods [family genetic] at 9:5", size, r))
		}
	}
	want = append(want, "--torus 6x6x6 --size 36 --routing minimal:tie=both seed 18446744073709551615 time 0s "+
		"evaluations 5000 methods [local] at 11:5",
		"--torus 30 --routing odr:tie=plus --max-load 1/8n seed 7 time 1h0m0s evaluations 9 methods [family genetic] at 12:5")
	var have []string
	for _, j := range searches {
		have = append(have, describe(j))
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("read\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// write spells searches as a plan without defaults or lists of sizes.
func write(searches []plan.Search) string {
	var b strings.Builder
	b.WriteString("problems:\n")
	for _, j := range searches {
		fmt.Fprintf(&b, "- torus: %s\n  routing: %s\n  seed: %d\n", j.Torus(), j.Routing, j.Seed)
		if j.Limit != nil {
			fmt.Fprintf(&b, "  max-load: %s\n", j.Limit)
		} else {
			fmt.Fprintf(&b, "  size: %d\n", j.Size)
		}
		if j.Time > 0 {
			fmt.Fprintf(&b, "  time: %s\n", j.Time)
		}
		if j.Evaluations > 0 {
			fmt.Fprintf(&b, "  evaluations: %d\n", j.Evaluations)
		}
		if j.Methods != nil {
			fmt.Fprintf(&b, "  methods: [%s]\n", strings.Join(j.Methods, ", "))
		}
	}
	return b.String()
}

// roundTrip fails the test unless the searches, written as a plan and read again, are the same at other places.
func roundTrip(t *testing.T, searches []plan.Search) {
	t.Helper()
	again, err := parse(write(searches))
	if err != nil {
		t.Fatalf("%v in\n%s", err, write(searches))
	}
	if len(again) != len(searches) {
		t.Fatalf("%d searches became %d", len(searches), len(again))
	}
	for i := range searches {
		again[i].Line, again[i].Column = searches[i].Line, searches[i].Column
		if have, want := describe(again[i]), describe(searches[i]); have != want {
			t.Errorf("%s became %s", want, have)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	searches := coretest.Must(parse(nightly))
	roundTrip(t, searches)
}

// A wrong plan has, besides what is wrong with it, a sound first problem.
const sound = "problems:\n- {torus: 4x4, routing: odr, size: 3, time: 1s}\n"

func TestFaults(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // in order
	}{
		{"empty", "", []string{"1:1: the plan is empty"}},
		{"comments only", "# nothing\n", []string{"1:1: the plan is empty"}},
		{"two documents", sound + "---\n" + sound, []string{"3:1: a second document"}},
		{"no mapping", "[1, 2]", []string{"1:1: a plan: keys with values"}},
		{"no problems", "defaults:\n  time: 1s\n", []string{"1:1: the key problems is missing"}},
		{"null problems", "problems:\n", []string{"1:10: problems: there is no value"}},
		{"no list", "problems: 8x8\n", []string{"1:11: problems: a list is needed"}},
		{"empty list", "problems: []\n", []string{"1:11: the list of problems is empty"}},
		{"no problem", "problems: [8x8]\n", []string{"1:12: a problem: keys with values"}},
		{"not utf-8", "problems: \xff", []string{"1:1: the text is not valid UTF-8"}},
		{"bad quote", sound + "- {torus: \"4x4, size: 3}\n", []string{"3:"}},
		{"bad flow", "problems: [{torus: 4x4", []string{"1:1: not YAML"}},
		{"tab", "problems:\n\t- torus: 4x4\n", []string{"2:1: not YAML: found character that cannot start any token"}},
		{"newer schema", "schema: leeway/plan/2\n" + sound, []string{`1:9: unknown schema "leeway/plan/2"`}},
		{"unknown key above", sound + "out: x\n", []string{`3:1: unknown key "out" in a plan`}},
		{"unknown key", sound + "- torus: 4x4\n  routing: odr\n  time: 1s\n  sise: 4\n",
			[]string{"3:3: size and max-load are missing", `6:3: unknown key "sise" in a problem`}},
		{"unknown default", "defaults: {torus: 4x4}\n" + sound, []string{`1:12: unknown key "torus" in defaults`}},
		{"other case", sound + "- {Torus: 4x4, routing: odr, size: 4, time: 1s}\n",
			[]string{"3:3: the key torus is missing", `3:4: unknown key "Torus"`}},
		{"duplicate key", sound + "- torus: 4x4\n  torus: 5x5\n  routing: odr\n  size: 2\n  time: 1s\n",
			[]string{"4:3: the key torus is repeated; first in line 3"}},
		{"merge key", "defaults: &d {time: 1s}\nproblems:\n- {<<: *d, torus: 4x4, routing: odr, size: 2}\n",
			[]string{"1:11: defaults: anchors", "3:3: the problem has no budget", `3:4: unknown key "<<"`}},
		{"alias", sound + "- {torus: &t 4x4, routing: odr, size: 2, time: 1s}\n" +
			"- {torus: *t, routing: odr, size: 4, time: 1s}\n", []string{"3:11: torus: anchors", "4:11: torus: anchors"}},
		{"tag", sound + "- {torus: 4x4, routing: odr, size: !!int 2, time: 1s}\n",
			[]string{"3:36: size: anchors, aliases and tags"}},
		{"duplicate search", sound + "- {torus: 4^2, routing: \"odr:tie=plus\", size: 2..4, time: 1000ms}\n",
			[]string{"3:47: the search --torus 4x4 --size 3 --routing odr:tie=plus is repeated; first in line 2"}},
		{"duplicate size", "problems:\n- {torus: 4x4, routing: odr, size: [3, 2..4], time: 1s}\n",
			[]string{"2:40: the search --torus 4x4 --size 3 --routing odr:tie=plus is repeated; first in line 2"}},
		{"bad torus", sound + "- {torus: 4x1, routing: odr, size: 2, time: 1s}\n",
			[]string{`3:11: torus "4x1", at "1" (character 3): side 1 is 1`}},
		{"no torus", sound + "- {routing: odr, size: 2, time: 1s}\n", []string{"3:3: the key torus is missing"}},
		{"bad routing", sound + "- {torus: 4x4, routing: [udr, odrr], size: 2, time: 1s}\n",
			[]string{`3:31: routing "odrr": unknown routing`}},
		{"bad default routing once", "defaults: {routing: odrr, time: 1s}\nproblems:\n- {torus: 4x4, size: 2}\n" +
			"- {torus: 4x4, size: 3}\n", []string{`1:21: routing "odrr": unknown routing`}},
		{"routing of another torus", sound + "- {torus: 4x4, routing: \"odr:order=0,1,2\", size: 2, time: 1s}\n",
			[]string{"3:25: routing "}},
		{"no routing", sound + "- {torus: 4x4, size: 2, time: 1s}\n", []string{"3:3: the key routing is missing"}},
		{"empty routings", sound + "- {torus: 4x4, routing: [], size: 2, time: 1s}\n",
			[]string{"3:25: the list of routing is empty"}},
		{"table", sound + "- {torus: 4x4, routing: \"@a.json\", size: 2, time: 1s}\n",
			[]string{"3:25: routing a.json: there are no files here"}},
		{"size 0", sound + "- {torus: 4x4, routing: odr, size: 0, time: 1s}\n",
			[]string{`3:36: size "0": not a size in 1..16`}},
		{"size above", sound + "- {torus: 4x4, routing: odr, size: 9..17, time: 1s}\n",
			[]string{`3:36: size "9..17": not a size in 1..16, the number of nodes of 4x4`}},
		{"range down", sound + "- {torus: 4x4, routing: odr, size: 9..8, time: 1s}\n", []string{`3:36: size "9..8": `}},
		{"size text", sound + "- {torus: 4x4, routing: odr, size: 4.., time: 1s}\n",
			[]string{`3:36: size "4..": not a whole number`}},
		{"size fraction", sound + "- {torus: 4x4, routing: odr, size: 4.0, time: 1s}\n",
			[]string{`3:36: size "4.0": not a whole number`}},
		{"size huge", sound + "- {torus: 4x4, routing: odr, size: 99999999999999999999, time: 1s}\n",
			[]string{`3:36: size "99999999999999999999": not a whole number`}},
		{"size null", sound + "- {torus: 4x4, routing: odr, size: , time: 1s}\n", []string{"size: there is no value"}},
		{"size mapping", sound + "- {torus: 4x4, routing: odr, size: {a: 1}, time: 1s}\n",
			[]string{"3:36: size: one value is needed"}},
		{"size and limit", sound + "- {torus: 4x4, routing: odr, size: 4, max-load: 4, time: 1s}\n",
			[]string{"3:39: size and max-load exclude each other"}},
		{"limit", sound + "- {torus: 4x4, routing: odr, max-load: 2.5, time: 1s}\n",
			[]string{`3:40: max-load "2.5": not a limit of loads`}},
		{"limit below 0", sound + "- {torus: 4x4, routing: odr, max-load: -1, time: 1s}\n",
			[]string{`3:40: max-load "-1": not a limit`}},
		{"no budget", sound + "- {torus: 4x4, routing: odr, size: 4}\n", []string{"3:3: the problem has no budget"}},
		{"bad time", sound + "- {torus: 4x4, routing: odr, size: 4, time: 60}\n",
			[]string{`3:45: time "60" is not a time above 0`}},
		{"time below 0", sound + "- {torus: 4x4, routing: odr, size: 4, time: -1s}\n", []string{`3:45: time "-1s" is not`}},
		{"bad evaluations", "defaults:\n  evaluations: 1e6\n" + sound,
			[]string{`2:16: evaluations "1e6" is not a whole number`}},
		{"no evaluations", sound + "- {torus: 4x4, routing: odr, size: 4, evaluations: 0}\n",
			[]string{`3:52: evaluations "0" is not`}},
		{"bad seed", sound + "- {torus: 4x4, routing: odr, size: 4, time: 1s, seed: -1}\n",
			[]string{`3:55: seed "-1" is not a whole number in 0..18446744073709551615`}},
		{"unknown method", "defaults: {methods: [genetic, genetics]}\n" + sound, []string{`1:31: unknown method "genetics"`}},
		{"method twice", "defaults: {methods: [genetic, genetic]}\n" + sound,
			[]string{`1:31: method "genetic" is repeated`}},
		{"no methods", "defaults: {methods: []}\n" + sound, []string{"1:21: the list of methods is empty"}},
		{"too many searches", "defaults: {time: 1s, routing: odr}\nproblems:\n- {torus: 100x100, size: 1..10000}\n" +
			"- {torus: 4x4, size: 2}\n", []string{"4:22: with these the plan has more than 10000 searches"}},
		{"all at once", "problems:\n- {torus: 4x4, routing: odr, size: 99, time: x}\n" +
			"- {torus: 1, routing: odr, size: 4, time: 1s}\n- 5\n",
			[]string{`2:36: size "99"`, `2:46: time "x"`, `3:11: torus "1"`, "4:3: a problem: keys with values"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			searches, err := parse(test.text)
			var faults plan.Faults
			var first *results.ReadError
			if !errors.As(err, &faults) || !errors.As(err, &first) || first != faults[0] || searches != nil {
				t.Fatalf("%v, %v", searches, err)
			}
			if len(faults) != len(test.want) {
				t.Fatalf("%d faults, want %d:\n%v", len(faults), len(test.want), err)
			}
			for i, f := range faults {
				if !strings.Contains(f.Error(), test.want[i]) || f.Line < 1 || f.Column < 1 {
					t.Errorf("fault %d is %q, want %q", i, f, test.want[i])
				}
			}
		})
	}
	if searches, err := parse(sound); err != nil || len(searches) != 1 {
		t.Errorf("the sound problem: %v, %v", searches, err)
	}
}

// TestBudget: a problem with one budget of its own does not take the other from the defaults.
func TestBudget(t *testing.T) {
	for own, want := range map[string]plan.Search{
		"":                           {Time: time.Hour, Evaluations: 5},
		", time: 2s":                 {Time: 2 * time.Second},
		", evaluations: 8":           {Evaluations: 8},
		", time: 2s, evaluations: 8": {Time: 2 * time.Second, Evaluations: 8},
	} {
		searches, err := parse("defaults: {time: 1h, evaluations: 5}\nproblems:\n- {torus: 4x4, routing: odr, size: 4" + own +
			"}\n")
		if err != nil || len(searches) != 1 || searches[0].Time != want.Time || searches[0].Evaluations != want.Evaluations ||
			searches[0].Seed != 1 {
			t.Errorf("%q: %v, %v", own, searches, err)
		}
	}
}

// TestRead: faults name the file, and tables are looked for beside it.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		coretest.Try(os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	table := `{"schema":"leeway/table/1","torus":[3],"by":"displacement","entries":[` +
		`{"to":[1],"paths":[{"order":[0],"dirs":["+"]}]},{"to":[2],"paths":[{"order":[0],"dirs":["-"]}]}]}`
	file("one.json", table)
	file("two.json", strings.NewReplacer(`"displacement"`, `"pair"`,
		`"to":[1]`, `"from":[0],"to":[1]`, `"to":[2]`, `"from":[0],"to":[2]`).Replace(table))
	good := file("good.yaml", "problems:\n- {torus: 3, routing: \"@one.json\", size: 2, time: 1s}\n")
	searches, err := plan.Read(t.Context(), good, methods)
	if err != nil || len(searches) != 1 || searches[0].Routing.String() != results.TableRouting {
		t.Errorf("%v, %v", searches, err)
	}
	for name, test := range map[string]struct{ text, want string }{
		"key.yaml":  {"problem: 1\n", "key.yaml:1:1: "},
		"none.yaml": {"problems:\n- {torus: 3, routing: \"@none.json\", size: 2, time: 1s}\n", "none.json: no such file"},
		"partial.yaml": {"problems:\n- {torus: 3, routing: \"@two.json\", size: 2, time: 1s}\n",
			"partial.yaml:2:23: routing"},
		"twice.yaml": {"problems:\n- {torus: 3, routing: [\"@one.json\", \"@./one.json\"], size: 2, time: 1s}\n",
			"twice.yaml:2:59: the search"},
	} {
		path := file(name, test.text)
		_, err := plan.Read(t.Context(), path, methods)
		var first *results.ReadError
		if !errors.As(err, &first) || first.File != path || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var missing *results.ReadError
	if _, err := plan.Read(t.Context(), filepath.Join(dir, "missing.yaml"), methods); !errors.As(err, &missing) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestLimit(t *testing.T) {
	for text, at16 := range map[string]*big.Rat{"5/2": big.NewRat(5, 2), "0": new(big.Rat), "1/8n": big.NewRat(2, 1),
		"3n": big.NewRat(48, 1), "1n": big.NewRat(16, 1)} {
		l, err := results.ParseLimit(text)
		if err != nil || l.ValueAt(16).Cmp(at16) != 0 || l.String() != text {
			t.Errorf("%q: %v, %v", text, l, err)
		}
	}
	for _, text := range []string{"", "n2", "1/8 n", "2/16n", "-1n", "1/8nn", "0.5", "1/0", "n/8"} {
		var input *core.InputError
		if l, err := results.ParseLimit(text); !errors.As(err, &input) {
			t.Errorf("%q: %v, %v", text, l, err)
		}
	}
}

// FuzzPlan: whatever the text is, it is refused with faults that have a place in it,
// or its searches can be written and read again.
func FuzzPlan(f *testing.F) {
	f.Add(nightly)
	f.Add(sound)
	f.Add("problems:\n- &a {torus: *a, size: [1, 2..3], ? [x] : !!str 4}\n--- |\n  text\n")
	f.Add("{problems: [{torus: 3, routing: [odr, \"orders:0\"], max-load: 1/8n, evaluations: 1}]}")
	f.Fuzz(func(t *testing.T, text string) {
		searches, err := parse(text)
		if err == nil {
			if len(searches) == 0 || len(searches) > plan.MaxSearches {
				t.Fatalf("%d searches", len(searches))
			}
			roundTrip(t, searches)
			return
		}
		var faults plan.Faults
		if !errors.As(err, &faults) || searches != nil {
			t.Fatalf("%T: %v", err, err)
		}
		lines := strings.Count(text, "\n") + strings.Count(text, "\r") + strings.Count(text, "\u0085") +
			strings.Count(text, "\u2028") + strings.Count(text, "\u2029") + 2
		for _, f := range faults {
			if f.Line < 1 || f.Line > lines || f.Column < 1 || f.Problem == "" {
				t.Errorf("fault %+v in a text of %d lines", f, lines)
			}
		}
	})
}
