package web

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"leeway/results"
	"leeway/results/store"
)

// watchInterval is how often a store is asked for its runs.
const watchInterval = 2 * time.Second

// quietTime is how long nothing is written of a run before it counts as stopped. Runs
// write after every epoch, which takes seconds, on large tori a minute.
const quietTime = 10 * time.Minute

// Watch publishes the runs that a store knows to be unfinished, and every improvement
// of theirs, until the context ends. Whether the process behind a run is alive the
// store cannot say: a run that was stopped stays unfinished, and shows as stopped once
// it has been quiet for long.
func Watch(ctx context.Context, s *store.Store, to *Live) {
	w := newWatcher(s, to, time.Now)
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		w.look()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func newWatcher(s *store.Store, to *Live, now func() time.Time) *watcher {
	return &watcher{store: s, live: to, now: now, seen: map[string]sighting{}}
}

// A watcher remembers what it has published.
type watcher struct {
	now   func() time.Time
	store *store.Store
	live  *Live
	seen  map[string]sighting // by topic
	fault string
	idle  bool
}

// A sighting is the last that was seen of a run.
type sighting struct {
	updated, best, bound string
	quiet                bool
}

// look publishes what has changed since the last look.
func (w *watcher) look() {
	runs, err := w.store.Unfinished()
	if err != nil {
		if w.fault != err.Error() {
			w.fault = err.Error()
			w.live.Publish(Event{Topic: "store", Title: "The store cannot be read", Line: w.fault})
		}
		return
	}
	found := map[string]bool{}
	working := 0
	for _, r := range runs {
		if r.Updated == "" {
			continue // it has not begun
		}
		topic := fmt.Sprintf("%s seed %d %v", r.Run.Problem, r.Run.Seed, r.Run.Goal)
		found[topic] = true
		s, fields := w.sight(r)
		if !s.quiet {
			working++
		}
		if before, known := w.seen[topic]; known && before == s {
			continue
		} else if s.best != "" && s.best != before.best {
			w.live.Publish(Event{Line: fmt.Sprintf("%s  %s: E_max %s", r.Updated, titleOf(r.Run), s.best)})
		}
		w.seen[topic] = s
		w.live.Publish(Event{Topic: topic, Title: titleOf(r.Run), Fields: fields})
	}
	for topic := range w.seen {
		if !found[topic] {
			delete(w.seen, topic)
			w.live.Publish(Event{Topic: topic, Over: true, Line: "finished: " + topic})
		}
	}
	if idle := working == 0; idle != w.idle {
		w.idle = idle
		w.live.Publish(Event{Topic: "none", Title: "No search is under way", Over: !idle})
	}
}

func titleOf(r store.Run) string {
	if r.Goal != "" {
		return fmt.Sprintf("%s under %s, %s", r.Problem.Torus, r.Problem.Routing, r.Goal)
	}
	return fmt.Sprintf("%s, %s under %s", r.Problem.Torus, plural(r.Problem.Size, "processor", "processors"), r.Problem.Routing)
}

// sight reads how a run stands.
func (w *watcher) sight(r store.Stopped) (sighting, []Field) {
	s := sighting{updated: r.Updated, quiet: w.quiet(r)}
	var best, lower *big.Rat
	if record, ok, err := w.store.Best(r.Run.Problem); err == nil && ok {
		s.best = record.MaxLoad
		best, _ = results.ParseFraction(record.MaxLoad)
	}
	if b, ok, err := w.store.Bound(r.Run.Problem); err == nil && ok {
		s.bound, lower = results.FormatFraction(b.Value), b.Value
	}
	state := "running"
	if s.quiet {
		state = "stopped, it seems: leeway resume goes on"
	}
	fields := []Field{{"best", orDash(s.best)}, {"bound", orDash(s.bound)}}
	if best != nil && lower != nil {
		fields = append(fields, Field{"gap", new(big.Rat).Sub(best, lower).RatString()})
	}
	if nulls, err := w.store.Nulls(r.Run.Problem); err == nil {
		fields = append(fields, Field{"null results", fmt.Sprint(len(nulls))})
	}
	return s, append(fields, Field{"seed", fmt.Sprint(r.Run.Seed)}, Field{"state", state}, Field{"started", r.Started}, Field{"last written", r.Updated})
}

// quiet reports whether nothing has been written of a run for long. A time that cannot be
// read is long ago.
func (w *watcher) quiet(r store.Stopped) bool {
	at, err := time.Parse(time.RFC3339, r.Updated)
	return err != nil || w.now().Sub(at) > quietTime
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}
