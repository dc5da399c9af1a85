//go:build !js

package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite" // the driver, too
	codes "modernc.org/sqlite/lib"

	"leeway/results/disk"
)

// busy reports whether an error says that another process holds the lock.
func busy(err error) bool {
	var base *sqlite.Error
	return errors.As(err, &base) && base.Code()&0xff == codes.SQLITE_BUSY
}

// fail turns an error of the database into one that says what to do.
func fail(path string, err error) error {
	var base *sqlite.Error
	if !errors.As(err, &base) {
		return err
	}
	switch base.Code() & 0xff {
	case codes.SQLITE_CORRUPT:
		return damaged(path, base.Error())
	case codes.SQLITE_NOTADB:
		return stranger(path, "the file does not start as one")
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
		return unwritable(path, base)
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		held := fmt.Errorf("another process has held the store for more than %d s without writing", busySeconds)
		return &disk.WriteError{Path: path, Err: held}
	default: // a full disk, a failing one
		return &disk.WriteError{Path: path, Err: base}
	}
}
