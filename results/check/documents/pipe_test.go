//go:build unix

package documents

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"leeway/results/check"
)

// TestSilentPipe stops a check that waits for a pipe to which nobody writes.
func TestSilentPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	items, err := Files(ctx, []string{path}, check.Options{})
	if len(items) != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("the check ends with %v, %v", items, err)
	}
}
