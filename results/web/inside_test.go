package web

import (
	"time"

	"leeway/results/store"
)

// Slug and Place let tests outside of the package look at addresses.
var (
	Slug  = slug
	Place = place
)

// Looker returns one look of Watch at a time, so that tests need not wait.
func Looker(s *store.Store, to *Live) func(at time.Time) {
	var now time.Time
	w := newWatcher(s, to, func() time.Time { return now })
	return func(at time.Time) { now = at; w.look() }
}
