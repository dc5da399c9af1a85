package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"leeway/results/atlas"
)

// TestAtlasStopped: Ctrl-C ends verify and merge with what they have, exit status 0, and
// the same command goes on.
func TestAtlasStopped(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	lines, store := filepath.Join(dir, "lines.jsonl"), filepath.Join(dir, "all.store")
	for _, step := range []struct {
		ctx          context.Context
		args         string
		stdout, rest string
	}{
		{ended, "atlas verify --torus 3x3", "0 cells verified, 0 proofs repeated, 0 wrong", "stopped "},
		{t.Context(), "atlas export --torus 3x3 --routing odr --out " + lines, "", ""},
		{ended, "atlas merge " + store + " " + lines, "0 new or better",
			"stopped before 9 records were checked; the same command goes on"},
		{t.Context(), "atlas merge " + store + " " + lines, "9 new or better, 0 known, 0 left out", ""},
	} {
		var stdout, stderr bytes.Buffer
		status := execute(step.ctx, strings.Fields(step.args), strings.NewReader(""), &stdout, &stderr)
		if status != 0 || !strings.Contains(stdout.String(), step.stdout) || !strings.Contains(stderr.String(), step.rest) {
			t.Errorf("%s: status %d\n%s%s", step.args, status, stdout.String(), stderr.String())
		}
	}
}

// TestTwoCertify: what another run writes to the table between two cells is kept, as is what this run wrote before it.
func TestTwoCertify(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	runs := [2]*certifying{{out: filepath.Join(t.TempDir(), "table.jsonl")}}
	runs[1] = &certifying{out: runs[0].out}
	var tables [2]*atlas.VerifiedTable
	for i, c := range runs {
		var err error
		if tables[i], err = c.table(t.Context()); err != nil {
			t.Fatal(err)
		}
		tables[i].Begin(atlas.VerifiedRun{Checkers: []atlas.Checker{{Name: "mine"}}})
	}
	for size := 2; size < 8; size++ {
		i := size % 2
		err := tables[i].Put(atlas.Verified{Key: atlas.Key{Torus: "4x4", Routing: "odr:tie=both", Size: size}, Below: "3",
			Formula: hash, Proof: hash, By: []string{"mine"}})
		if err == nil {
			err = runs[i].save(t.Context(), tables[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	table, err := (&certifying{out: runs[0].out}).table(t.Context())
	if err != nil || len(table.All()) != 6 {
		t.Errorf("%v, %d of 6 cells", err, len(table.All()))
	}
}
