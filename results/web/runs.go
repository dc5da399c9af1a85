package web

import (
	"cmp"
	"fmt"
	"time"

	"leeway/objective/texts"
	"leeway/results/picture"
	"leeway/results/store"
	"leeway/results/web/pages"
)

// quietTime is how long nothing is written of a run before it counts as stopped. Runs write after every epoch, which
// takes seconds, on large tori a minute.
const quietTime = 10 * time.Minute

// A running is a search that a store knows to be unfinished.
type running struct {
	store.Stopped
	Title       string
	Best, Bound string // fractions, "–" where nothing is known
	Nulls       int    // null results of its problem
	Quiet       bool   // it counts as stopped
}

// running returns the page of the unfinished runs of the store, at a time. Whether the process behind a run is alive
// the store cannot say: a run that was stopped stays unfinished, and shows as stopped once it has been quiet for long.
// Errors are those of the store.
func (s *Site) running(now time.Time) (pages.Page, error) {
	unfinished, err := s.runs.Unfinished()
	if err != nil {
		return pages.Page{}, err
	}
	var list []running
	for _, r := range unfinished {
		if r.Updated == "" {
			continue // it has not begun
		}
		is := running{Stopped: r, Title: titleOf(r.Run), Best: "–", Bound: "–"}
		at, err := time.Parse(time.RFC3339, r.Updated)
		is.Quiet = err != nil || now.Sub(at) > quietTime // a time that cannot be read is long ago
		best, found, err := s.runs.Best(r.Run.Problem)
		bound, bounded, errBound := s.runs.Bound(r.Run.Problem)
		nulls, errNulls := s.runs.Nulls(r.Run.Problem)
		if err := cmp.Or(err, errBound, errNulls); err != nil {
			return pages.Page{}, err
		}
		if is.Nulls = len(nulls); found {
			is.Best = best.MaxLoad
		}
		if bounded {
			is.Bound = bound.Value.RatString()
		}
		list = append(list, is)
	}
	return pages.Runs(list), nil
}

// titleOf says what a run looks for.
func titleOf(r store.Run) string {
	where := picture.Shown(r.Problem.Torus)
	if r.Goal != "" {
		return fmt.Sprintf("%s under %s, %s", where, r.Problem.Routing, r.Goal)
	}
	traffic := ""
	if _, values, err := texts.SplitWhere(r.Problem.Torus); err == nil {
		traffic = values["traffic"].Text
	}
	return fmt.Sprintf("%s, %s under %s", where, picture.Processors(r.Problem.Size, traffic), r.Problem.Routing)
}
