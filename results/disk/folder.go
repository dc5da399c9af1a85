package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// errHeld says that another process has the lock of a file or folder.
var errHeld = errors.New("it is held")

// NewFolder makes a folder in a place, with a name that starts with a prefix and is not that of another, and removes
// those of the prefix that a process left which was killed: the system lets go of the lock that keeps a folder when its
// process ends, however it ends. Where there are no locks nothing is removed. Done removes the folder.
func NewFolder(place, prefix string) (path string, done func(), err error) {
	removeLeft(place, prefix)
	for {
		path, err := os.MkdirTemp(place, prefix)
		if err != nil {
			return "", nil, &WriteError{Path: place, Err: err}
		}
		held, err := os.Open(path)
		if err == nil && !errors.Is(lock(held, false), errHeld) && isAt(held, path) {
			return path, func() { held.Close(); os.RemoveAll(path) }, nil
		}
		if err == nil {
			held.Close()
		} else if !errors.Is(err, os.ErrNotExist) { // another process took it for one that was left, before the lock
			os.Remove(path)
			return "", nil, &WriteError{Path: path, Err: err}
		}
	}
}

// HoldFolder waits until no other process holds a folder, and holds it until release is called. Where there are no
// locks it does nothing.
func HoldFolder(path string) (release func()) {
	f, err := os.Open(path)
	if err != nil {
		return func() {} // whoever writes there will find that
	}
	_ = lock(f, true) // a file system without locks is not a reason to write nothing
	return func() { f.Close() }
}

// removeLeft removes the folders of a prefix that no process holds.
func removeLeft(place, prefix string) {
	entries, _ := os.ReadDir(place)
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		path := filepath.Join(place, e.Name())
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		if lock(f, false) == nil && isAt(f, path) {
			os.RemoveAll(path)
		}
		f.Close()
	}
}

// isAt reports whether an open file is the one that stands at a path.
func isAt(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(open, there)
}
