package web

import "leeway/results/store"

// Slug lets tests outside of the package look at addresses.
var Slug = slug

// Looker returns one look of Watch, so that tests need not wait.
func Looker(s *store.Store, to *Live) func() {
	return (&watcher{store: s, live: to, seen: map[string]sighting{}}).look
}
