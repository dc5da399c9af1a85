package store

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/objective/texts"
	"leeway/results/disk"
)

// TestRunText: the text of a run is as it always was, so that those of older stores are found.
func TestRunText(t *testing.T) {
	run := Run{Problem: texts.Key{Torus: "4x4", Routing: "table", Table: "{}", Size: 4}, Seed: 7}
	const want = `{"Problem":{"Torus":"4x4","Routing":"table","Table":"{}","Size":4},"Goal":"","Seed":7,` +
		`"Budget":{"time":null,"evaluations":null},"Methods":[]}`
	if run.key() != want {
		t.Error(run.key())
	}
	if back, err := new(Store).readRun(want); err != nil || back.key() != want {
		t.Error(back, err)
	}
}

// TestFullDisk lets the file grow no further: changes fail in the words of a full
// disk, nothing of what was there is lost, and with room again work goes on.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	s := coretest.Must(Open(path))
	defer func() { s.Close() }()
	coretest.Must(s.write.Exec("PRAGMA max_page_count = 40"))
	run := Run{Problem: texts.Key{Torus: "4x4", Routing: "odr:tie=plus", Size: 4}}
	state := func(size int) json.RawMessage { return json.RawMessage(`"` + strings.Repeat("x", size) + `"`) }
	size, grown, err := 1000, 0, error(nil)
	for {
		err = s.Checkpoint(run, state(size))
		if err != nil {
			break
		}
		if grown = size; grown > 1<<20 {
			t.Fatal("the file grew without limit")
		}
		size *= 2
	}
	var full *disk.WriteError
	if !errors.As(err, &full) || full.Path != path || !strings.Contains(err.Error(), "full") {
		t.Fatalf("%v", err)
	}
	check := func(want int) {
		t.Helper()
		if have, ok, err := s.Resume(run); err != nil || !ok || len(have) != want+2 {
			t.Fatalf("the state has %d bytes, %v, %v, want %d", len(have), ok, err, want+2)
		}
	}
	check(grown)
	coretest.Try(s.Close())
	s = coretest.Must(Open(path))
	check(grown)
	coretest.Try(s.Checkpoint(run, state(size))) // no limit any more
	check(size)
}

// TestFailKeepsOthers: only errors of the database are put in other words.
func TestFailKeepsOthers(t *testing.T) {
	own := errors.New("own")
	if fail("a.db", own) != own || fail("a.db", nil) != nil {
		t.Error("an error that is not of the database was changed")
	}
}
