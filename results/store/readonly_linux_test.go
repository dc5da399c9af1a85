package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"leeway/results"
	"leeway/results/store"
)

// openAs opens a store with the permissions of an ordinary user, also where the
// tests run as the superuser, who may write anywhere.
func openAs(path string) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with its changed user
		if os.Getuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				result <- err
				return
			}
		}
		s, err := store.Open(path)
		if err == nil {
			err = errors.Join(errors.New("it was opened"), s.Close())
		}
		result <- err
	}()
	return <-result
}

// TestReadOnly: in a folder or a file that cannot be written to nothing is begun and
// nothing is changed.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // it is for its owner only
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.db")
	before := filled(t, path)
	for _, test := range []struct {
		name, path   string
		folder, file os.FileMode
		want         string
	}{
		{"new in folder", filepath.Join(dir, "b.db"), 0o555, 0o666, "no permission to write"},
		{"folder", path, 0o555, 0o666, "no permission to write"},
		{"file", path, 0o777, 0o444, "the store cannot be written to"},
		{"unreadable", path, 0o777, 0o000, "permission denied"},
	} {
		if err := errors.Join(os.Chmod(dir, test.folder), os.Chmod(path, test.file)); err != nil {
			t.Fatal(err)
		}
		err := openAs(test.path)
		var target *results.TargetError
		if !errors.As(err, &target) || target.Path != test.path || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(path, 0o644)); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the store was changed: %v", err)
	}
	sound(t, open(t, path))
}
