package web

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"leeway/core/parallel"
)

// RunsAt returns the page of running searches as it is at a time.
func (s *Site) RunsAt(at time.Time) (string, error) {
	d, err := s.html(s.running(at))
	return string(d.body), err
}

// ExportSome writes files of a site into a folder.
func (s *Site) ExportSome(ctx context.Context, folder string, addresses ...string) (count int, err error) {
	for _, address := range addresses {
		written, err := s.writePage(folder, address)
		if err != nil || !written {
			return count, cmp.Or(err, ErrNotFound)
		}
		count++
	}
	return count, nil
}

// Bytes returns how many bytes the files of a static site have, without writing them.
func (s *Site) Bytes(t *testing.T) int64 {
	var sum atomic.Int64
	list := s.addresses()
	parallel.Each(t.Context(), runtime.GOMAXPROCS(0), len(list), func(i int) {
		d, err := s.page(list[i])
		if err != nil && !errors.Is(err, ErrNotFound) { // the address is only there with some atlases
			t.Errorf("%s: %v", list[i], err)
		}
		sum.Add(int64(len(d.body)))
	})
	return sum.Load()
}
