package disk_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/disk"
)

// TestReadFile reads a file, one that is too long, a folder and what is not there.
func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	coretest.Try(os.WriteFile(path, []byte("0123456789"), 0o600))
	if data, err := disk.ReadFileUpTo(t.Context(), path, 10); err != nil || string(data) != "0123456789" {
		t.Errorf("%q, %v", data, err)
	}
	for _, c := range []struct {
		path, want string
		most       int64
	}{{path, "more than 9 bytes", 9}, {filepath.Dir(path), "is a directory", 9}, {path + ".gone", "no such file", 9}} {
		var read *results.ReadError
		if _, err := disk.ReadFileUpTo(t.Context(), c.path, c.most); !errors.As(err, &read) ||
			read.File != c.path || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	if data, err := disk.ReadFile(coretest.EndsAfter(0), path); err != nil || len(data) != 10 {
		t.Errorf("small, after the end: %q, %v", data, err)
	}
	coretest.Try(os.Truncate(path, 1<<25))
	if _, err := disk.ReadFile(coretest.EndsAfter(0), path); !errors.Is(err, context.Canceled) {
		t.Errorf("large, after the end: %v", err)
	}
}

// TestOpenDevice reads a device that never ends up to a limit, and until its context ends.
func TestOpenDevice(t *testing.T) {
	const endless = "/dev/zero"
	if _, err := os.Stat(endless); err != nil {
		t.Skip("there is no " + endless)
	}
	var read *results.ReadError
	if _, err := disk.ReadFileUpTo(t.Context(), endless, 1<<20); !errors.As(err, &read) {
		t.Errorf("up to a limit: %v", err)
	}
	ctx := coretest.EndsAfter(5)
	f := coretest.Must(disk.Open(ctx, endless))
	defer f.Close()
	if _, err := io.Copy(io.Discard, f); !errors.Is(err, context.Canceled) {
		t.Errorf("until the context ends: %v", err)
	}
}
