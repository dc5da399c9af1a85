package web

import (
	"cmp"
	"context"
	"time"

	"leeway/results/store"
	"leeway/results/web/pages"
)

// Slug and Place let tests outside of the package look at addresses.
var (
	Slug  = pages.Slug
	Place = pages.Place
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
		written, err := s.writePage(ctx, folder, address)
		if err != nil || !written {
			return count, cmp.Or(err, ErrNotFound)
		}
		count++
	}
	return count, nil
}
