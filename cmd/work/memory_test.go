package work

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// TestMemoryLeft reads what systems and groups say, from files made up.
func TestMemoryLeft(t *testing.T) {
	const info = "MemTotal:       24000000 kB\nMemFree:  10 kB\nMemAvailable:    8388608 kB\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"nothing", nil, defaultMemory},
		{"the system", map[string]string{"/proc/meminfo": info}, 8 << 30},
		{"a group without a limit", map[string]string{"/proc/meminfo": info, "/sys/fs/cgroup/memory.max": "max\n",
			"/sys/fs/cgroup/memory.current": "5\n"}, 8 << 30},
		{"a group", map[string]string{"/proc/meminfo": info, "/sys/fs/cgroup/memory.max": "3000\n",
			"/sys/fs/cgroup/memory.current": "1000\n"}, 2000},
		{"a full group", map[string]string{"/sys/fs/cgroup/memory.max": "3000\n",
			"/sys/fs/cgroup/memory.current": "3001\n"}, 0},
		{"a group of old", map[string]string{"/proc/meminfo": info, "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9000\n",
			"/sys/fs/cgroup/memory/memory.usage_in_bytes": "2000\n"}, 7000},
		{"nonsense", map[string]string{"/proc/meminfo": "MemAvailable: lots\n"}, defaultMemory},
	} {
		if have := memoryLeft(filesOf(c.files)); have != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, have, c.want)
		}
	}
}

// filesOf reads files that are made up.
func filesOf(files map[string]string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		text, ok := files[path]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	}
}

// TestEnough refuses what a small machine has no room for, and nothing small on any.
func TestEnough(t *testing.T) {
	small := filesOf(map[string]string{"/proc/meminfo": "MemAvailable: 1048576 kB\n"})
	none := filesOf(map[string]string{"/proc/meminfo": "MemAvailable: 0 kB\n"})
	large, tiny := core.MustTorus(8192, 8192), core.MustTorus(64, 64)
	for _, tie := range []routing.Routing{routing.NewUDR(large, routing.TieBoth),
		routing.NewMinimal(large, routing.TieBoth)} {
		err := enough(large, "eval", EvaluationBytes(tie, 1000), small)
		var memory *MemoryError
		if !errors.As(err, &memory) || !strings.Contains(err.Error(), "8192x8192") ||
			!strings.Contains(err.Error(), "1.0 GiB is available") {
			t.Errorf("%s: %v", tie, err)
		}
	}
	if err := enough(tiny, "eval", EvaluationBytes(routing.NewMinimal(tiny, routing.TieBoth), tiny.N()),
		none); err != nil {
		t.Error(err)
	}
	// A search has several evaluators; one with a free routing looks for placements under all paths.
	free := objective.FreeProblem(large, routing.Free{MinPaths: 1}).WithSize(1000)
	given := objective.Problem{Routing: routing.NewUDR(large, routing.TieBoth), Size: 1000}
	if bytes := SearchBytes(given); bytes < 4<<30 || SearchBytes(free) != bytes {
		t.Errorf("%d bytes, with a free routing %d", bytes, SearchBytes(free))
	}
	// Measured: 0.8 to 1.7 GB of resident memory.
	million := objective.Problem{Routing: routing.NewUDR(core.MustTorus(1024, 1024), routing.TiePlus), Size: 5000}
	if bytes := SearchBytes(million); bytes < 1500<<20 || bytes > 1800<<20 {
		t.Errorf("%s: %d bytes", million, bytes)
	}
	// Loads alone are 8 bytes for each of the 2^28 links.
	if bytes := EvaluationBytes(routing.NewUDR(large, routing.TieBoth), 2); bytes < 2<<30 || bytes > 12<<30 {
		t.Errorf("%d bytes", bytes)
	}
}
