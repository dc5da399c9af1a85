package disk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/disk"
)

func logProblem(t *testing.T, size int) objective.Problem {
	t.Helper()
	r := coretest.Must(routing.Parse(core.MustTorus(4, 4), "odr"))
	return objective.Problem{Routing: r, Size: size}
}

func entry(i int) disk.SliceEntry {
	return disk.SliceEntry{Engine: "orderly", Below: "3/2", Slice: fmt.Appendf(nil, `{"name":[0,%d]}`, i)}
}

func openLog(t *testing.T, path string) *disk.SliceLog {
	t.Helper()
	l := coretest.Must(disk.OpenSliceLog(t.Context(), path, logProblem(t, 5)))
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func add(t *testing.T, l *disk.SliceLog, e disk.SliceEntry) {
	t.Helper()
	coretest.Try(l.Add(e))
}

// TestSliceLogSurvivesEveryCut cuts a log at every byte: what was whole is still there, and the log can be added to.
func TestSliceLogSurvivesEveryCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.slices")
	l := openLog(t, path)
	placement := disk.SliceEntry{Nodes: [][]int{{0, 0}, {1, 1}}, MaxLoad: "2"}
	for _, e := range []disk.SliceEntry{entry(1), placement, entry(2)} {
		add(t, l, e)
	}
	whole := coretest.Must(os.ReadFile(path))
	header := strings.IndexByte(string(whole), '\n')
	for n := 0; n <= len(whole); n += 3 {
		coretest.Try(os.WriteFile(path, whole[:n], 0o600))
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
	if _, err := disk.OpenSliceLog(t.Context(), path, logProblem(t, 6)); !errors.As(err, &read) ||
		!strings.Contains(err.Error(), `"size":6`) {
		t.Errorf("got %v", err)
	}
	coretest.Try(os.WriteFile(path, []byte("not a log\n"), 0o600))
	if _, err := disk.OpenSliceLog(t.Context(), path, logProblem(t, 5)); !errors.As(err, &read) {
		t.Errorf("got %v", err)
	}
}

// TestSliceLogHeader: the first line names all of the problem, so that a log of a network, or of conditions or client
// traffic, is none of the torus of the same sides, nor the other way round.
func TestSliceLogHeader(t *testing.T) {
	wheres := []string{"4x4", "4x4:open=0", "4x4:bandwidth=1,2", "4x4:fixed=0,0", "4x4:fixed=0,1", "4x4:forbidden=0,0",
		"4x4:traffic=clients:request=1:reply=1", "4x4:open=0:fixed=0,0"}
	for _, where := range wheres {
		path := filepath.Join(t.TempDir(), "a.slices")
		for _, other := range append([]string{where}, wheres...) {
			p := coretest.Must(texts.ParseProblem(other, "odr", 5))
			l, err := disk.OpenSliceLog(t.Context(), path, p)
			if (err == nil) != (where == other) {
				t.Errorf("a log of %s is opened for %s: %v", where, other, err)
			}
			if err == nil {
				_ = l.Close()
			}
		}
	}
	path := filepath.Join(t.TempDir(), "plain.slices")
	openLog(t, path)
	data, err := os.ReadFile(path)
	want := `{"schema":"leeway/slices/2","torus":[4,4],"routing":"odr:tie=plus","size":5}` + "\n"
	if string(data) != want {
		t.Errorf("%s, %v, want %s", data, err, want)
	}
}

// TestSliceLogsJoin joins two logs end to end, with a damaged line between.
func TestSliceLogsJoin(t *testing.T) {
	dir := t.TempDir()
	joined := ""
	for i, name := range []string{"a", "b"} {
		path := filepath.Join(dir, name)
		add(t, openLog(t, path), entry(i))
		data := coretest.Must(os.ReadFile(path))
		joined += string(data) + "{\"engine\":\n"
	}
	path := filepath.Join(dir, "all")
	coretest.Try(os.WriteFile(path, []byte(joined), 0o600))
	l := openLog(t, path)
	if len(l.Entries()) != 2 || l.Damaged() != 2 {
		t.Errorf("%d entries, %d damaged", len(l.Entries()), l.Damaged())
	}
}

// TestSliceLogTakesManyWriters lets two handles write at the same time.
func TestSliceLogTakesManyWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.slices")
	var all sync.WaitGroup
	for _, l := range []*disk.SliceLog{openLog(t, path), openLog(t, path)} {
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
