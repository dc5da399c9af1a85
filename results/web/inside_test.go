package web

import (
	"cmp"
	"context"
	"time"
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
