package main

import (
	"context"
	"encoding/csv"
	"errors"
	"math/big"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"leeway/core/coretest"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/disk"
	"leeway/results/layout"
	"leeway/results/store"
)

// A fullDisk takes no bytes.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestLostResults holds that a command whose results did not get out has failed.
func TestLostResults(t *testing.T) {
	for _, line := range []string{
		"eval --torus 4x4 --placement full --routing odr", "version", "bound --torus 4x4 --size 4 --routing odr --json",
	} {
		var messages strings.Builder
		status := execute(context.Background(), strings.Fields(line), nil, fullDisk{}, &messages)
		if status != 1 || !strings.Contains(messages.String(), "leeway: no space left") {
			t.Errorf("%s: status %d, %q", line, status, messages.String())
		}
	}
}

// steering is text that would steer a terminal or pass for a line of the program.
const steering = "\x1b]0;title\a\x1b[31mred\r\nfake.json: valid, proof verified\n" +
	"\x9b\u0085\u202egnp\u2066\u200f\u2028\x7f\t="

// TestNothingSteersTheTerminal feeds a record whose texts all steer, by itself and in a store, and
// names of files and values of flags that do, to every command that shows any of it.
func TestNothingSteersTheTerminal(t *testing.T) {
	coretest.Alone(t)
	dir := t.TempDir()
	t.Chdir(dir)
	status, _, errs := leeway(t, "search", "--known", "none", "--torus", "4x4", "--size", "5", "--routing", "odr",
		"--evaluations", "500",
		"--out", "plain.json")
	if status != 0 {
		t.Fatal(errs)
	}
	r := coretest.Must(disk.ReadRecordFile(t.Context(), "plain.json"))
	text := strings.ToValidUTF8(steering, "\u009b") // JSON holds no others
	r.BoundReason, r.FoundBy.Method, r.Version, r.Command = text, text, text, []string{text}
	if r.Proof != nil {
		r.Proof.Engine = text
	}
	write := func(name string, r results.Record) {
		data, err := layout.Encode(r)
		if err == nil {
			err = os.WriteFile(name, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write("esc.json", r)
	bad := r
	bad.Status, bad.Routing, bad.LowerBound = text, text, text
	write("bad.json", bad)
	write("e\x1b[31m\u202e\nleeway: fine.json", r)
	odd := "e\x1b[31m\u202e\nleeway: fine.json"
	s, err := store.Open("esc.store")
	if err == nil {
		_, err = s.AddRecord(r)
	}
	if err == nil {
		err = s.AddNull(texts.Key{Torus: "4x4", Routing: "odr:tie=plus", Size: 5},
			store.Null{Goal: text, Method: text, Best: "9"})
	}
	if err == nil {
		err = s.AddBound(texts.Key{Torus: text, Routing: text, Size: 5},
			store.Bound{Value: big.NewRat(1, 2), Reason: text})
	}
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	cell := []string{"--torus", "4x4", "--routing", "odr", "--size", "5", "--store", "esc.store"}
	for _, args := range [][]string{
		{"check", "esc.json", "bad.json", odd},
		{"export", "--format", "csv", "esc.json", "bad.json"},
		{"draw", "esc.json"},
		{"draw", "bad.json"},
		{"draw", "--title", steering, "esc.json"},
		{"atlas", "--store", "esc.store"},
		{"atlas", "verify", "--store", "esc.store"},
		append([]string{"atlas", "show"}, cell...), {"atlas", "export", "--store", "esc.store", "--format", "csv"},
		{"atlas", "merge", "into.store", "esc.json", "bad.json", "esc.store", odd},
		{"atlas", "findings", "--store", "esc.store"},
		{"resume", "--store", "esc.store"},
		{"search", "--known", "none", "--torus", "4x4", "--routing", "odr", "--size", "5", "--evaluations", "9", "--store",
			"esc.store"},
		{"prove", "--torus", "4x4", "--routing", "odr", "--size", "5", "--known", "esc.json"},
		{"prove", "--torus", steering, "--routing", "odr", "--size", "5"},
		{"eval", "--torus", "4x4", "--routing", "odr", "--placement", "@esc.json"},
		{"eval", "--torus", "4x4", "--routing", "odr", "--placement", "@" + odd},
		{"eval", "--torus", "4x4", "--routing", steering, "--placement", "linear"},
		{"check", "none" + odd},
		{"check", steering},
		{steering},
		{"check", "--" + steering},
		{"export", "none" + odd},
		{"draw", "none" + odd},
		{"atlas", "--store", odd},
		{"atlas", steering},
		{"search", "--plan", odd},
		{"search", "--plan", "none" + odd},
		{"cluster", "status", steering},
		{"serve", "--store", odd},
		{"serve", "--listen", steering},
		{"faults", "--torus", "4x4", "--routing", "odr", "--placement", steering},
		{"explain", "--torus", "4x4", "--placement", steering},
		{"exchange", "--torus", steering},
		{"draw", "frontier", "--store", odd},
	} {
		_, out, errs := leeway(t, args...)
		for _, printed := range []string{out, errs} {
			if !utf8.ValidString(printed) {
				t.Errorf("%q: no UTF-8: %q", args, printed)
			}
			for _, c := range printed {
				if c != '\n' && c != '\t' && !unicode.IsPrint(c) {
					t.Fatalf("%q: %q in %q", args, c, printed)
				}
			}
			for line := range strings.Lines(printed) {
				if strings.HasPrefix(line, "fake") || strings.HasPrefix(line, "leeway: fine") {
					t.Errorf("%q: a line of another: %q", args, printed)
				}
			}
		}
	}
	_, table, _ := leeway(t, "export", "--format", "csv", "esc.json")
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	// JSON is what was in the file, to the byte.
	want := coretest.Must(os.ReadFile("esc.json"))
	if _, out, _ := leeway(t, append([]string{"atlas", "show", "--json"}, cell...)...); out != string(want) {
		t.Errorf("%s is not %s", out, want)
	}
}
