package web

import (
	"cmp"
	"context"
	"time"

	"leeway/results/store"
)

// Looker returns one look of Watch at a time, so that tests need not wait.
func Looker(s *store.Store, to *Live) func(at time.Time) {
	var now time.Time
	w := newWatcher(s, to, func() time.Time { return now })
	return func(at time.Time) { now = at; w.look() }
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
