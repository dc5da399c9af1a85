//go:build unix

package results_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"leeway/results"
)

// TestReadPipe reads a pipe that nobody writes to until the context ends, and one that somebody does.
func TestReadPipe(t *testing.T) {
	path, other := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "other")
	for _, p := range []string{path, other} {
		if err := syscall.Mkfifo(p, 0o600); err != nil {
			t.Skip(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error)
	go func() { _, err := results.ReadFile(ctx, path); over <- err }()
	cancel()
	if err := <-over; !errors.Is(err, context.Canceled) {
		t.Errorf("nobody writes: %v", err)
	}
	go func() {
		w, err := os.OpenFile(other, os.O_WRONLY, 0)
		if err == nil {
			_, err = w.WriteString(`[[0,0]]`)
			w.Close()
		}
		over <- err
	}()
	data, err := results.ReadFile(t.Context(), other)
	if wrote := <-over; err != nil || wrote != nil || string(data) != `[[0,0]]` {
		t.Errorf("read %q, %v; written %v", data, err, wrote)
	}
}
