package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"leeway/core/coretest"
)

// TestSubmit: a record that the atlas does not have becomes a contribution, which is a record, and goes into the store
// of a server with the token; what is known, wrong or sent without the right token is refused.
func TestSubmit(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	run := func(want int, args ...string) string {
		t.Helper()
		var out, messages bytes.Buffer
		if status := execute(context.Background(), args, nil, &out, &messages); status != want {
			t.Fatalf("%v: status %d, want %d: %s", args, status, want, messages.String())
		}
		return out.String() + messages.String()
	}
	for name, token := range map[string]string{"token": strings.Repeat("right", 8), "other": strings.Repeat("wrong", 8)} {
		coretest.Try(os.WriteFile(in(name), []byte(token), 0o600))
	}
	run(0, "search", "--torus", "3x29", "--size", "3", "--routing", "odr", "--evaluations", "200", "--known", "none",
		"--out", in("new.json"))
	run(0, "submit", in("new.json"), "--finder", "A. Finder", "--source", "a paper", "--year", "2026",
		"--out", in("contribution.json"))
	if text := run(0, "check", in("contribution.json")); !strings.Contains(text, "valid") {
		t.Errorf("the contribution is checked: %s", text)
	}
	text, err := os.ReadFile(in("contribution.json"))
	for _, want := range []string{`"label": "3x29.odr-tie-plus.3.`, `"finder": "A. Finder"`, `"paper": "a paper"`,
		`"year": 2026`,
		`"standing": "not in the atlas"`} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("the contribution has no %s: %v", want, err)
		}
	}
	forged := strings.Replace(string(text), `"max_load": "`, `"max_load": "1`, 1)
	coretest.Try(os.WriteFile(in("forged.json"), []byte(forged), 0o600))
	if said := run(1, "submit", in("forged.json")); !strings.Contains(said, "wrong") {
		t.Errorf("a forged record: %s", said)
	}
	run(0, "atlas", "show", "5x5.odr-tie-plus.5", "--out", in("known.json"))
	if said := run(2, "submit", in("known.json")); !strings.Contains(said, "the atlas has this placement") {
		t.Errorf("a known record: %s", said)
	}
	run(2, "submit", in("new.json"), "--server", "http://127.0.0.1:1")

	run(0, "search", "--torus", "3x3", "--size", "2", "--routing", "odr", "--evaluations", "9", "--store", in("a.store"))
	ctx, cancel := context.WithCancel(context.Background())
	messages := &lineWriter{lines: make(chan string, 1)}
	done := make(chan int, 1)
	go func() {
		done <- execute(ctx, []string{"serve", "--store", in("a.store"), "--listen", "127.0.0.1:0", "--token-file",
			in("token")}, nil, &bytes.Buffer{}, messages)
	}()
	defer func() { cancel(); <-done }()
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(<-messages.lines)
	if said := run(1, "submit", in("new.json"), "--server", address, "--token-file", in("other")); !strings.Contains(said,
		"the token is missing or wrong") {
		t.Errorf("another token: %s", said)
	}
	for _, want := range []string{"taken in", "has one as good"} {
		if said := run(0, "submit", in("new.json"), "--server", address, "--token-file", in("token")); !strings.Contains(said,
			want) {
			t.Errorf("sent: %s, want %s", said, want)
		}
	}
}
