package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
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
	Name    string // of the worker, unlike all others
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
	return fmt.Sprintf("cluster: the coordinator is version %s (protocol %d), this worker %s (protocol %d)",
		e.Coordinator.Program, e.Coordinator.Protocol, e.Program, Protocol)
}

// beats is how often a worker tells that it is at a unit before it counts as gone.
const beats = 6

// A servant is one call of Work.
type servant struct {
	Tools
	queue Queue
	plans *plans

	mu       sync.Mutex
	question question
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
	pruned bool // nobody wants it any more
}

// Work takes units from a queue until the context ends or the job is over; then it
// gives back what it has begun. It fails with a *VersionError where the coordinator is of
// another version.
func Work(ctx context.Context, q Queue, t Tools) error {
	if t.Longest == 0 {
		t.Longest = 60 * time.Second
	}
	w := &servant{Tools: t, queue: q, plans: &plans{engines: t.Engines, planned: t.Planned}, running: map[*task]bool{}, began: time.Now()}
	ctx, end := context.WithCancelCause(ctx)
	cancel := func() { end(nil) }
	defer cancel()
	if err := w.join(ctx, end); err != nil {
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
	if errors.As(context.Cause(ctx), &version) {
		return version
	}
	return errors.Join(errs...)
}

// join waits for a job of this version. One of another version ends the work, now
// and later.
func (w *servant) join(ctx context.Context, end context.CancelCauseFunc) error {
	joined := make(chan struct{})
	var once sync.Once
	err := w.queue.Watch(ctx, keyJob, func(f Fact) {
		var j Job
		switch {
		case len(f.Value) == 0 || json.Unmarshal(f.Value, &j) != nil: // none, for now
		case j.Protocol != Protocol || j.Program != w.Program:
			end(&VersionError{Coordinator: j, Program: w.Program})
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
		return w.queue.Watch(ctx, keyQuestion, w.turn)
	}
}

// turn takes in which question is under way, and drops what is of no use any more.
func (w *servant) turn(f Fact) {
	var q question
	_ = json.Unmarshal(f.Value, &q) // nothing is no question
	w.mu.Lock()
	defer w.mu.Unlock()
	w.question = q
	for t := range w.running {
		if !q.wants(t.unit) {
			t.pruned = true
			t.cancel()
		}
	}
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
	h := hello{Name: w.Name, Host: w.Host, Cores: w.Cores, Running: len(w.running), Done: w.done, Leaving: leaving,
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

// serve does a unit and hands in what came out.
func (w *servant) serve(ctx context.Context, d Delivery) error {
	after, cancel := lingering(ctx) // Ctrl-C is no reason to lose a result
	defer cancel()
	u, err := ParseUnit(d.Text)
	id := idOf(d.Text)
	switch {
	case err != nil:
		return w.give(after, d, Result{Unit: id, Refused: err.Error()})
	case d.Attempt > MaxDeaths:
		return w.give(after, d, Result{Unit: id, Deaths: d.Attempt - 1})
	}
	wanted, err := w.wanted(ctx, u)
	if err != nil {
		return err
	}
	if !wanted {
		return d.Done(after)
	}
	r, pruned := w.do(ctx, u, id, d)
	if pruned {
		return d.Done(after)
	}
	return w.give(after, d, r)
}

// wanted reports whether a unit is of use: what was heard last may be late.
func (w *servant) wanted(ctx context.Context, u Unit) (bool, error) {
	w.mu.Lock()
	q := w.question
	w.mu.Unlock()
	if q.wants(u) {
		return true, nil
	}
	f, err := w.queue.Get(ctx, keyQuestion)
	if err != nil {
		return false, err
	}
	w.turn(f)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.question.wants(u), nil
}

// giveTime is how long a worker that leaves tries to hand in what it has.
const giveTime = 5 * time.Second

// lingering returns a context that ends some time after another.
func lingering(ctx context.Context) (context.Context, context.CancelFunc) {
	after, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(giveTime, cancel) })
	return after, func() { stop(); cancel() }
}

// give hands a result in and takes the unit out of the queue.
func (w *servant) give(ctx context.Context, d Delivery, r Result) error {
	r.Worker = w.Name
	if w.Vouch != nil {
		w.Vouch(r)
	}
	if err := w.queue.Give(ctx, r.Text()); err != nil {
		return err
	}
	return d.Done(ctx)
}

// do works on a unit and reports whether nobody wants it any more.
func (w *servant) do(ctx context.Context, u Unit, id string, d Delivery) (r Result, pruned bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &task{unit: u, id: id, cancel: cancel}
	w.mu.Lock()
	w.running[t] = true
	w.mu.Unlock()
	stop := w.beat(d)
	began := time.Now()
	if u.Census != nil {
		r = w.walk(ctx, u)
	} else {
		r = w.search(ctx, u)
	}
	stop()
	r.Unit, r.Seconds = id, time.Since(began).Seconds()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, t)
	w.done++
	w.effort += r.Nodes + r.Evaluations
	return r, t.pruned
}

// beat tells now and then that the unit is being worked on, until it is stopped.
func (w *servant) beat(d Delivery) (stop func()) {
	if d.Patience < beats {
		return func() {}
	}
	ended := make(chan struct{})
	go func() {
		tick := time.NewTicker(d.Patience / beats)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				if err := d.Beat(); err != nil {
					w.Log.Debug("no sign of life could be sent", "error", err)
				}
			}
		}
	}()
	return func() { close(ended) }
}
