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
	"unsafe"

	"leeway/core/coretest"
	"leeway/results/disk"
	"leeway/results/store"
)

// openObeying opens a store as the permissions allow, also where the tests run as the
// superuser, who may write anywhere.
func openObeying(path string) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with its rights
		if err := obey(); err != nil {
			result <- err
			return
		}
		s, err := store.Open(path)
		if err == nil {
			err = errors.Join(errors.New("it was opened"), s.Close())
		}
		result <- err
	}()
	return <-result
}

// obey takes from this thread the rights of the superuser to read and write whatever the
// permissions say (CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH of capabilities(7)). Another user
// would not do: the folder for temporary files may be closed to others.
func obey() error {
	header := struct {
		version uint32
		thread  int32
	}{version: 0x20080522}
	var sets [2]struct{ effective, permitted, inheritable uint32 }
	for _, call := range []uintptr{syscall.SYS_CAPGET, syscall.SYS_CAPSET} {
		if _, _, failed := syscall.RawSyscall(call, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&sets)),
			0); failed != 0 {
			return failed
		}
		sets[0].effective &^= 1<<1 | 1<<2
	}
	return nil
}

// TestReadOnly: in a folder or a file that cannot be written to nothing is begun and nothing is changed.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
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
		coretest.Try(errors.Join(os.Chmod(dir, test.folder), os.Chmod(path, test.file)))
		err := openObeying(test.path)
		var target *disk.TargetError
		if !errors.As(err, &target) || target.Path != test.path || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("%s: the folder holds %v, %v", test.name, list, err)
		}
	}
	coretest.Try(errors.Join(os.Chmod(dir, 0o755), os.Chmod(path, 0o644)))
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the store was changed: %v", err)
	}
	sound(t, open(t, path))
}
