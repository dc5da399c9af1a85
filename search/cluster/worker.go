package cluster

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"leeway/search"
	"leeway/search/census"
)

// MaxDeaths is how many workers a unit may cost before it goes into quarantine.
const MaxDeaths = 3

// Tools are what a worker works with. All but Name, Program, Log and Cores may be
// left out.
type Tools struct {
	Name string // of the worker, for people
	// Key signs results, so that no other worker can give some in its name; nil: a
	// new one.
	Key     ed25519.PrivateKey
	Host    string
	Program string // version
	Cores   int    // units at a time
	Engines []census.Engine
	// Methods returns the search methods of some names, an error for an unknown one.
	Methods func(names []string) ([]search.Method, error)
	// Longest is after what time a unit is given back, at the next prefix; 0: 60 s.
	Longest time.Duration
	// Vouch is told every result before it is given, where worker and coordinator
	// are one process.
	Vouch func(Result)
	// Planned returns the plan of a question that this process has made already,
	// nil if there is none.
	Planned func(question string) census.Plan
	Log     *slog.Logger
}

// A VersionError says that coordinator and worker are not of one version.
type VersionError struct {
	Coordinator Job
	Program     string
}

// Error names both.
func (e *VersionError) Error() string {
	return fmt.Sprintf("cluster: the coordinator is version %.200q (protocol %d), this worker %q (protocol %d)",
		e.Coordinator.Program, e.Coordinator.Protocol, e.Program, Protocol)
}

// A BanError says that the coordinator does not trust a worker any more.
type BanError struct {
	Name string // of the worker
}

// Error names the worker.
func (e *BanError) Error() string {
	return fmt.Sprintf("cluster: the coordinator does not trust worker %s any more: its results were wrong", e.Name)
}

// A servant is one call of Work.
type servant struct {
	Tools
	end   context.CancelCauseFunc // all of it
	queue Queue
	plans *plans

	mu       sync.Mutex
	question question
	seen     uint64 // the revision of it
	running  map[*task]bool
	done     int
	effort   int64 // nodes and evaluations
	began    time.Time
}

// A task is a unit under way.
type task struct {
	unit   Unit
	id     string
	cancel context.CancelFunc
}

// Work takes units from a queue until the context ends or the job is over; then it
// gives back what it has begun. It fails with a *VersionError where the coordinator is of
// another version, with a *BanError where it found results of this worker wrong.
func Work(ctx context.Context, q Queue, t Tools) error {
	if t.Longest == 0 {
		t.Longest = 60 * time.Second
	}
	if t.Key == nil {
		var err error
		if _, t.Key, err = ed25519.GenerateKey(nil); err != nil {
			return err
		}
	}
	ctx, end := context.WithCancelCause(ctx)
	cancel := func() { end(nil) }
	defer cancel()
	w := &servant{Tools: t, end: end, queue: q, plans: &plans{engines: t.Engines, planned: t.Planned}, running: map[*task]bool{}, began: time.Now()}
	if err := w.join(ctx); err != nil {
		return err
	}
	var greeting sync.WaitGroup
	greeting.Go(func() { w.greet(ctx) })
	errs := make([]error, t.Cores)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			if errs[i] = w.loop(ctx); errs[i] != nil {
				cancel()
			}
		})
	}
	all.Wait()
	cancel()
	greeting.Wait()
	after, cancelled := lingering(ctx)
	defer cancelled()
	w.hello(after, true)
	var version *VersionError
	var ban *BanError
	if cause := context.Cause(ctx); errors.As(cause, &version) || errors.As(cause, &ban) {
		return cause
	}
	return errors.Join(errs...)
}

// join waits for a job of this version. One of another version ends the work, now
// and later.
func (w *servant) join(ctx context.Context) error {
	joined := make(chan struct{})
	var once sync.Once
	err := w.queue.Watch(ctx, keyJob, func(f Fact) {
		var j Job
		switch {
		case len(f.Value) == 0 || json.Unmarshal(f.Value, &j) != nil: // none, for now
		case j.Protocol != Protocol || j.Program != w.Program:
			w.end(&VersionError{Coordinator: j, Program: w.Program})
		default:
			once.Do(func() { close(joined) })
		}
	})
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case <-joined:
		return w.queue.Watch(ctx, keyQuestion, func(f Fact) { w.turn(f, Any) })
	}
}

// turn takes in which question is under way, and drops what is of no use any more.
// What is older than what was seen is late, and left out, unless it is an answer
// and nothing was seen since it was asked for, at a revision: then the server has
// begun anew.
func (w *servant) turn(f Fact, asked uint64) {
	var q question
	_ = json.Unmarshal(f.Value, &q) // nothing is no question
	if slices.Contains(q.Banned, w.id()) {
		w.end(&BanError{Name: w.Name})
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if f.Revision < w.seen && w.seen != asked {
		return
	}
	w.question, w.seen = q, f.Revision
	for t := range w.running {
		if !q.wants(t.unit) {
			t.cancel()
		}
	}
}

// id returns the public key of the worker.
func (w *servant) id() string {
	if w.Key == nil {
		return ""
	}
	return hex.EncodeToString(w.Key.Public().(ed25519.PublicKey))
}

// wants reports whether a unit is of use for a question.
func (q question) wants(u Unit) bool {
	return u.Question() == q.ID && (u.Census == nil || u.Census.From < q.Last)
}

// greet says hello until the context ends.
func (w *servant) greet(ctx context.Context) {
	tick := time.NewTicker(helloInterval)
	defer tick.Stop()
	for w.hello(ctx, false); ctx.Err() == nil; {
		select {
		case <-ctx.Done():
		case <-tick.C:
			w.hello(ctx, false)
		}
	}
}

func (w *servant) hello(ctx context.Context, leaving bool) {
	w.mu.Lock()
	h := hello{Key: w.id(), Name: w.Name, Host: w.Host, Cores: w.Cores, Running: len(w.running), Done: w.done, Leaving: leaving,
		Rate: float64(w.effort) / max(1, time.Since(w.began).Seconds())}
	w.mu.Unlock()
	_ = w.queue.Say(ctx, mustEncode(h)) // may be lost
}

// loop does one unit after the other.
func (w *servant) loop(ctx context.Context) error {
	for ctx.Err() == nil {
		d, err := w.queue.Take(ctx)
		if err == nil {
			err = w.serve(ctx, d)
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}
