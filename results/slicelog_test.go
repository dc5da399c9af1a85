package results_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
)

func logProblem(t *testing.T, size int) objective.Problem {
	t.Helper()
	r, err := routing.Parse(core.MustTorus(4, 4), "odr")
	if err != nil {
		t.Fatal(err)
	}
	return objective.Problem{Routing: r, Size: size}
}

func entry(i int) results.SliceEntry {
	return results.SliceEntry{Engine: "orderly", Below: "3/2", Split: 2,
		Slice: &results.Slice{First: []int{0, i}, Prefixes: 1, Nodes: int64(i), Sum: "00000000000000ff"}}
}

func openLog(t *testing.T, path string) *results.SliceLog {
	t.Helper()
	l, err := results.OpenSliceLog(t.Context(), path, logProblem(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func add(t *testing.T, l *results.SliceLog, e results.SliceEntry) {
	t.Helper()
	if err := l.Add(e); err != nil {
		t.Fatal(err)
	}
}

// TestSliceLogSurvivesEveryCut cuts a log at every byte: what was whole is still there, and the log can be added to.
func TestSliceLogSurvivesEveryCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.slices")
	l := openLog(t, path)
	placement := results.SliceEntry{Nodes: [][]int{{0, 0}, {1, 1}}, MaxLoad: "2"}
	for _, e := range []results.SliceEntry{entry(1), placement, entry(2)} {
		add(t, l, e)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	header := strings.IndexByte(string(whole), '\n')
	for n := 0; n <= len(whole); n += 3 {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		add(t, openLog(t, path), entry(9))
		again := openLog(t, path)
		// A line without its end is whole if only the end is missing.
		kept := max(0, strings.Count(strings.TrimSuffix(string(whole[:n]), "\n"), "\n"))
		if n < len(whole) && n > header && whole[n-1] != '\n' && whole[n] != '\n' {
			kept--
		}
		have := again.Entries()
		if len(have) != kept+1 || !reflect.DeepEqual(have[len(have)-1], entry(9)) {
			t.Fatalf("cut at %d of %d: %d entries, want %d", n, len(whole), len(have), kept+1)
		}
	}
}

func TestSliceLogOfAnotherProblem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.slices")
	add(t, openLog(t, path), entry(1))
	var read *results.ReadError
	if _, err := results.OpenSliceLog(t.Context(), path, logProblem(t, 6)); !errors.As(err, &read) ||
		!strings.Contains(err.Error(), `"size":6`) {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(path, []byte("not a log\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := results.OpenSliceLog(t.Context(), path, logProblem(t, 5)); !errors.As(err, &read) {
		t.Errorf("got %v", err)
	}
}

// TestSliceLogsJoin joins two logs end to end, with a damaged line between.
func TestSliceLogsJoin(t *testing.T) {
	dir := t.TempDir()
	joined := ""
	for i, name := range []string{"a", "b"} {
		path := filepath.Join(dir, name)
		add(t, openLog(t, path), entry(i))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		joined += string(data) + "{\"engine\":\n"
	}
	path := filepath.Join(dir, "all")
	if err := os.WriteFile(path, []byte(joined), 0o600); err != nil {
		t.Fatal(err)
	}
	l := openLog(t, path)
	if len(l.Entries()) != 2 || l.Damaged() != 2 {
		t.Errorf("%d entries, %d damaged", len(l.Entries()), l.Damaged())
	}
}

// TestSliceLogTakesManyWriters lets two handles write at the same time.
func TestSliceLogTakesManyWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.slices")
	var all sync.WaitGroup
	for _, l := range []*results.SliceLog{openLog(t, path), openLog(t, path)} {
		for i := range 4 {
			all.Go(func() {
				for j := range 5 {
					add(t, l, entry(5*i+j))
				}
			})
		}
	}
	all.Wait()
	if l := openLog(t, path); len(l.Entries()) != 40 || l.Damaged() != 0 {
		t.Errorf("%d entries, %d damaged", len(l.Entries()), l.Damaged())
	}
}
