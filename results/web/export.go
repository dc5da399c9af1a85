package web

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"

	"leeway/core/parallel"
	"leeway/results/disk"
)

// Export writes every page and file of a static site into a folder, which must exist, and returns how many; a site that
// is not static has no such files. It stops when the context ends, with its error. Observe, if not nil, is called from
// any goroutine with the number of files done, of how many.
func (s *Site) Export(ctx context.Context, folder string, observe func(done, total int)) (count int, err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // little of what is made lives longer than a page
	list := s.addresses()
	var mu sync.Mutex // of what follows
	var failed error
	done := 0
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	parallel.Each(ctx, runtime.GOMAXPROCS(0), len(list), func(i int) {
		written, err := s.writePage(folder, list[i])
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = cmp.Or(failed, err)
			stop()
		}
		if done++; written {
			count++
		}
		if observe != nil {
			observe(done, len(list))
		}
	})
	return count, cmp.Or(failed, ctx.Err())
}

// writePage writes a page into a folder; written is false for an address that is only there with some atlases.
func (s *Site) writePage(folder, address string) (written bool, err error) {
	d, err := s.page(address)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	path := filepath.Join(folder, filepath.FromSlash(address))
	if err := os.WriteFile(path, d.body, 0o644); !errors.Is(err, fs.ErrNotExist) {
		return true, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // its first file
		return false, err
	}
	return true, os.WriteFile(path, d.body, 0o644)
}

// ExportNew is Export into a folder that must not exist yet. The pages are written beside it and moved when all are
// there, so that the folder holds all or does not exist. An error about the folder is a *disk.TargetError.
func (s *Site) ExportNew(ctx context.Context, folder string, observe func(done, total int)) (count int, err error) {
	folder = filepath.Clean(folder)
	if _, err := os.Lstat(folder); err == nil {
		return 0, &disk.TargetError{Path: folder, Problem: "it exists already",
			Hint: "name a new folder; nothing is overwritten"}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	part, err := os.MkdirTemp(filepath.Dir(folder), filepath.Base(folder)+".part-")
	if errors.Is(err, fs.ErrNotExist) {
		return 0, &disk.TargetError{Path: folder, Problem: "the folder around it does not exist", Hint: "make it first"}
	}
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(part) // gone already if all went well
	if count, err = s.Export(ctx, part, observe); err != nil {
		return count, err
	}
	if err := os.Chmod(part, 0o755); err != nil {
		return count, err
	}
	return count, os.Rename(part, folder)
}
