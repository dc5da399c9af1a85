package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// WriteFile puts data into the file, all of it or nothing: a reader sees the old file or the new one at every moment,
// also after a crash. A target that exists and is not a regular file, such as /dev/stdout, is written to directly.
// Errors are *TargetError when the place is wrong and *WriteError when writing fails.
func WriteFile(path string, data []byte) error { return WriteWhole(path, writing(data)) }

// writing returns a function that writes data.
func writing(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// WriteWhole is WriteFile for what a function writes, which need not be in memory at once. An error of the function
// comes back as a *WriteError.
func WriteWhole(path string, write func(io.Writer) error) error {
	target, direct, err := resolve(path)
	if err != nil {
		return err
	}
	if direct {
		return writeDirect(path, write)
	}
	return replace(path, target, write)
}

// WriteNewFile is WriteFile for a file that must not exist yet, also not by the hand of another process in the
// meantime: then the error is fs.ErrExist and nothing is changed.
func WriteNewFile(path string, data []byte) error { return WriteNew(path, writing(data)) }

// WriteNumbered writes a new file whose name is base and ending or, where that is taken, base-2 and ending and so on.
// It returns the name.
func WriteNumbered(base, ending string, data []byte) (string, error) {
	name := base + ending
	for i := 2; ; i++ {
		if err := WriteNewFile(name, data); !errors.Is(err, fs.ErrExist) {
			return name, err
		}
		name = fmt.Sprintf("%s-%d%s", base, i, ending)
	}
}

// WriteNew is WriteNewFile for what a function writes, which need not be in memory at once. An error of the function
// comes back in a *WriteError.
func WriteNew(path string, write func(io.Writer) error) error {
	temp, err := createTemp(path, filepath.Dir(path))
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if err := fill(temp, write); err != nil {
		return &WriteError{Path: path, Err: cause(err)}
	}
	switch err := os.Link(temp.Name(), path); { // unlike a rename it never replaces
	case errors.Is(err, fs.ErrExist):
		return fs.ErrExist
	case err != nil:
		return &WriteError{Path: path, Err: cause(err)}
	}
	syncDir(filepath.Dir(path))
	return nil
}

// CheckTarget returns nil if WriteFile could start on the file now, otherwise the error that it would give. It leaves
// nothing behind and does not touch the file.
func CheckTarget(path string) error {
	target, direct, err := resolve(path)
	if err != nil || direct {
		return err
	}
	temp, err := createTemp(path, filepath.Dir(target))
	if err != nil {
		return err
	}
	temp.Close()
	if err := os.Remove(temp.Name()); err != nil {
		return &WriteError{Path: path, Err: err}
	}
	return nil
}

// resolve returns the file that a path leads to, through symbolic links so that these stay, and whether it must be
// written to directly.
func resolve(path string) (target string, direct bool, err error) {
	if path == "" || strings.HasSuffix(path, string(filepath.Separator)) {
		return "", false, &TargetError{Path: path, Problem: "this is not the name of a file", Hint: "name a file"}
	}
	target = path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		target = real
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return target, false, nil // the folder is looked at when the file is made
	case err != nil:
		return "", false, &TargetError{Path: path, Problem: cause(err).Error()}
	case info.IsDir():
		return "", false, &TargetError{Path: path, Problem: "this is a folder", Hint: "name a file in it"}
	}
	// A redirected /dev/stdout is a regular file that the shell holds open: replacing it would cut the shell's output
	// off.
	device := strings.HasPrefix(filepath.Clean(path), "/dev/") || strings.HasPrefix(filepath.Clean(path), "/proc/")
	return target, device || !info.Mode().IsRegular(), nil
}

func writeDirect(path string, write func(io.Writer) error) error {
	// Without nonblock a pipe that nobody reads would never open.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|nonblock, 0)
	if errors.Is(err, syscall.ENXIO) {
		return &TargetError{Path: path, Problem: "nobody reads from this pipe", Hint: "start the reader first"}
	}
	if err != nil {
		return openError(path, err)
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return &WriteError{Path: path, Err: cause(err)}
	}
	return nil
}

// replace writes a temporary file next to the target and renames it.
func replace(path, target string, write func(io.Writer) error) error {
	dir := filepath.Dir(target)
	temp, err := createTemp(path, dir)
	if err != nil {
		return err
	}
	err = fill(temp, write)
	if info, statErr := os.Stat(target); err == nil && statErr == nil {
		err = os.Chmod(temp.Name(), info.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(temp.Name(), target)
	}
	if err != nil {
		os.Remove(temp.Name())
		return &WriteError{Path: path, Err: cause(err)}
	}
	syncDir(dir)
	return nil
}

// fill lets a function write, brings that to the disk and closes the file.
func fill(f *os.File, write func(io.Writer) error) error {
	err := write(f)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// syncDir brings a rename to the disk. Not every file system can do it, and the file is whole either way, so that a
// failure is not an error.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}

// createTemp makes a new file in dir. Unlike os.CreateTemp it leaves the permissions to the user's umask.
func createTemp(path, dir string) (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf(".leeway-%d-%d.tmp", os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, fs.ErrExist) || i > 1000 {
			return nil, openError(path, err)
		}
	}
}

// openError tells a wrong place from a failure.
func openError(path string, err error) error {
	dir := filepath.Dir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &TargetError{Path: path, Problem: fmt.Sprintf("the folder %q does not exist", dir),
			Hint: "make the folder first, or name another"}
	case errors.Is(err, syscall.ENOTDIR):
		return &TargetError{Path: path, Problem: fmt.Sprintf("%q is not a folder", dir), Hint: "name a file in a folder"}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &TargetError{Path: path, Problem: fmt.Sprintf("no permission to write in %q", dir),
			Hint: "name a folder that you may write to"}
	default:
		return &WriteError{Path: path, Err: cause(err)}
	}
}

// cause drops the operation and the path from an error of package os.
func cause(err error) error {
	var where *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &where):
		return where.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
