package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"leeway/results/disk"
)

// Where a database file holds what tells a store from others, and how it starts.
const (
	headerSize   = 100
	magic        = "SQLite format 3\x00"
	pageSizeAt   = 16 // two bytes
	versionAt    = 60 // four bytes each
	identifierAt = 68
)

// admitted lists the stores that this process has open. A file in it must not be opened
// but by the database: closing it elsewhere would drop the locks of the process.
var admitted struct {
	sync.Mutex
	files []os.FileInfo
}

// admit looks at the first bytes of a file, so that the database touches nothing
// that is not a store, and lists it as open.
func admit(path, full string) (os.FileInfo, error) {
	info, err := os.Stat(full)
	switch {
	case err != nil:
		return nil, &disk.TargetError{Path: path, Problem: err.Error()}
	case !info.Mode().IsRegular():
		return nil, &disk.TargetError{Path: path, Problem: "not a regular file", Hint: "name another file"}
	}
	admitted.Lock()
	defer admitted.Unlock()
	if !slices.ContainsFunc(admitted.files, func(f os.FileInfo) bool { return os.SameFile(f, info) }) {
		if err := checkHeader(path, full, info.Size()); err != nil {
			return nil, err
		}
	}
	admitted.files = append(admitted.files, info)
	return info, nil
}

// dismiss takes one entry of a file off the list, unless it is nil.
func dismiss(file os.FileInfo) {
	admitted.Lock()
	defer admitted.Unlock()
	if i := slices.Index(admitted.files, file); file != nil && i >= 0 {
		admitted.files = slices.Delete(admitted.files, i, i+1)
	}
}

// checkHeader returns nil if a file starts as a store of this version.
func checkHeader(path, full string, size int64) error {
	// Without the permission to write the database would still begin, and leave files beside
	// the store that nobody may write to, in the way once the permission is there.
	f, err := os.OpenFile(full, os.O_RDWR, 0)
	if err != nil {
		return unwritable(path, err)
	}
	defer f.Close()
	var header [headerSize]byte
	n, err := io.ReadFull(f, header[:])
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return &disk.TargetError{Path: path, Problem: err.Error()}
	case n == 0: // for the database it would be a store without tables
		return stranger(path, "the file is empty")
	case n >= len(magic) && !strings.HasPrefix(string(header[:]), magic):
		return stranger(path, "the file does not start as one")
	case n < headerSize:
		return stranger(path, fmt.Sprintf("the file has only %d bytes", n))
	case binary.BigEndian.Uint32(header[identifierAt:]) != applicationID:
		return &CorruptError{Path: path, Problem: "not a store but a database of another program", Hint: strangerHint}
	}
	if err := checkVersion(path, int(int32(binary.BigEndian.Uint32(header[versionAt:])))); err != nil {
		return err
	}
	return checkSize(path, full, size, int64(binary.BigEndian.Uint16(header[pageSizeAt:])))
}

// checkVersion returns nil if this program reads stores of a version.
func checkVersion(path string, have int) error {
	switch {
	case have > version:
		return &VersionError{Path: path, Have: schemaName(have), Want: schemaName(version)}
	case have < version:
		return damaged(path, fmt.Sprintf("it says that its schema is %q", schemaName(have)))
	}
	return nil
}

// checkSize returns nil if the file consists of whole pages. Only a writer that was stopped leaves a part of one, and
// then there is a log from which the page comes back; the database would fill the rest with zeros.
func checkSize(path, full string, size, page int64) error {
	switch log, err := os.Stat(full + "-wal"); {
	case page == 0:
		return damaged(path, "it has no size of pages")
	case size%page == 0, err == nil && log.Size() > 0:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return &disk.TargetError{Path: path, Problem: err.Error()}
	}
	return damaged(path, fmt.Sprintf("its %d bytes are not whole pages of %d", size, page))
}
