//go:build unix

package disk_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"leeway/core/coretest"
	"leeway/results/disk"
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
	go func() { _, err := disk.ReadFile(ctx, path); over <- err }()
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
	data, err := disk.ReadFile(t.Context(), other)
	if wrote := <-over; err != nil || wrote != nil || string(data) != `[[0,0]]` {
		t.Errorf("read %q, %v; written %v", data, err, wrote)
	}
}

// TestWritePipe: a pipe that nobody reads is refused at once, one that is read gets everything.
func TestWritePipe(t *testing.T) {
	p := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(p, 0o600); err != nil {
		t.Skip(err)
	}
	var target *disk.TargetError
	if err := disk.WriteFile(p, []byte("x")); !errors.As(err, &target) {
		t.Errorf("without a reader: %v", err)
	}
	reader := coretest.Must(os.OpenFile(p, os.O_RDWR, 0))
	defer reader.Close()
	coretest.Try(disk.WriteFile(p, []byte("text")))
	text := make([]byte, 4)
	if _, err := io.ReadFull(reader, text); err != nil || string(text) != "text" {
		t.Errorf("read %q, %v", text, err)
	}
}
