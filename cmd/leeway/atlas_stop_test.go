package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
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
			"stopped before 9 records were checked; the same command continues"},
		{t.Context(), "atlas merge " + store + " " + lines, "9 new or better, 0 known, 0 left out", ""},
	} {
		var stdout, stderr bytes.Buffer
		status := execute(step.ctx, strings.Fields(step.args), strings.NewReader(""), &stdout, &stderr)
		if status != 0 || !strings.Contains(stdout.String(), step.stdout) || !strings.Contains(stderr.String(), step.rest) {
			t.Errorf("%s: status %d\n%s%s", step.args, status, stdout.String(), stderr.String())
		}
	}
}
