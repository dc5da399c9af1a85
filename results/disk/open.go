// Package disk reads and writes files: documents and other data whole or not at all, folders with locks, and the logs
// of stopped proofs.
package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"leeway/core/parallel"
	"leeway/results"
)

// Every file that a command is given is opened here. Reading heeds the context: a pipe whose other end says nothing,
// or a device that never ends, holds up no one.

// Open opens a file for reading: a regular file, a pipe or a device. Reads return the error of the context once it
// has ended, except from the first 16 MiB of a regular file. Errors are *ReadError, and the context's.
func Open(ctx context.Context, path string) (io.ReadCloser, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, FileError(path, err)
	case info.IsDir():
		return nil, &results.ReadError{File: path, Problem: "is a directory", Hint: "name a file in it"}
	}
	if info.Mode().IsRegular() {
		f, err := os.Open(path)
		if err != nil {
			return nil, FileError(path, err)
		}
		return &regular{ctx: ctx, File: f}, nil
	}
	// Opening a pipe waits for its other end, with no way to end that.
	f, err := parallel.Await(ctx, 0, func() (*os.File, error) {
		f, err := os.Open(path)
		if err == nil && ctx.Err() != nil { // too late: nobody waits for it any more
			f.Close()
		}
		return f, err
	})
	switch {
	case err == nil && ctx.Err() == nil:
		return &stream{ctx: ctx, file: f}, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, FileError(path, err)
}

// regular is a file that is read at once: its beginning whether the context has ended or not.
type regular struct {
	ctx context.Context
	*os.File
	read int
}

// beginning is how many bytes of a regular file are read in any case.
const beginning = 1 << 24

// Read reads unless the context has ended.
func (r *regular) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil && r.read >= beginning {
		return 0, err
	}
	n, err := r.File.Read(p[:min(len(p), beginning)])
	r.read += n
	return n, err
}

// stream is a pipe or a device: a read may wait for ever.
type stream struct {
	ctx  context.Context
	file *os.File
}

// Read reads until the context ends; what then still waits is left behind with a buffer of its own.
func (s *stream) Read(p []byte) (int, error) {
	buffer := make([]byte, min(len(p), 1<<16))
	n, err := parallel.Await(s.ctx, 0, func() (int, error) { return s.file.Read(buffer) })
	if s.ctx.Err() != nil {
		return 0, s.ctx.Err()
	}
	return copy(p, buffer[:n]), err
}

// Close closes the file. One that is still waited for is closed by its end.
func (s *stream) Close() error {
	go s.file.Close()
	return nil
}

// ReadFile returns the bytes of a file of at most MaxFileBytes. Errors are *ReadError, and the context's.
func ReadFile(ctx context.Context, path string) ([]byte, error) {
	return ReadFileUpTo(ctx, path, results.MaxFileBytes)
}

// ReadFileUpTo is ReadFile for files of at most a given number of bytes.
func ReadFileUpTo(ctx context.Context, path string, most int64) ([]byte, error) {
	f, err := Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if r, ok := f.(*regular); ok {
		if info, err := r.Stat(); err == nil && info.Size() > most {
			return nil, tooLong(path, most)
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, FileError(path, err)
	case int64(len(data)) > most:
		return nil, tooLong(path, most)
	}
	return data, nil
}

func tooLong(path string, most int64) error {
	return &results.ReadError{File: path, Problem: fmt.Sprintf("the file has more than %d bytes, the most that is read",
		most)}
}

// FileError drops the path from an error of package os: ReadError names it.
func FileError(path string, err error) error {
	var where *fs.PathError
	if errors.As(err, &where) {
		err = where.Err
	}
	return &results.ReadError{File: path, Problem: err.Error()}
}
