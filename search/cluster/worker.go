package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"sync"
	"sync/atomic"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
)

// MaxDeaths is how many workers a unit may cost before it goes into quarantine.
const MaxDeaths = 3

// WorkerOptions say how a worker works. Name, Program, Log and Cores are needed.
type WorkerOptions struct {
	Name    string // for people
	Host    string
	Program string // version
	Cores   int    // units at a time
	// Methods returns the search methods of some names, an error for an unknown one.
	Methods func(names []string) ([]search.Method, error)
	// Write has an engine write a slice of the proof that no placement has E_max below a value.
	Write func(ctx context.Context, engine string, p objective.Problem, below *big.Rat, name []int, to io.Writer) error
	Log   *slog.Logger
}

// A VersionError says that coordinator and worker are not of one version.
type VersionError struct {
	Coordinator message.Job
	Program     string
}

// Error names both.
func (e *VersionError) Error() string {
	return fmt.Sprintf("cluster: the coordinator is version %.200q (protocol %d), this worker %q (protocol %d)",
		e.Coordinator.Program, e.Coordinator.Protocol, e.Program, message.Protocol)
}

// A worker is one call of Work.
type worker struct {
	WorkerOptions
	end   context.CancelCauseFunc
	queue queue.Queue

	mu       sync.Mutex
	question message.Question
	seen     uint64 // the revision of the question
	running  map[*runningUnit]bool
	done     int          // units
	effort   atomic.Int64 // bytes of proofs and evaluations, those of units under way among them
	rate     rate
}

// rateTime is how far back the rate of a worker goes: what it did before, or a wait for work, says nothing
// about what it does now.
const rateTime = 30 * time.Second

// A rate is what is done in a second, of late.
type rate struct {
	times []time.Time
	sums  []int64
}

// perSecond takes in how much was done in all, and returns how much of it in a second since the last that is as old
// as rateTime, or since the first.
func (r *rate) perSecond(now time.Time, sum int64) float64 {
	r.times, r.sums = append(r.times, now), append(r.sums, sum)
	for len(r.times) > 2 && now.Sub(r.times[1]) >= rateTime {
		r.times, r.sums = r.times[1:], r.sums[1:]
	}
	span := now.Sub(r.times[0]).Seconds()
	return float64(sum-r.sums[0]) / max(1, span)
}

// A runningUnit is a unit that is being worked on.
type runningUnit struct {
	unit   message.Unit
	cancel context.CancelFunc
}

// Work takes units from a queue until the context ends or the job is over; then it gives back what it has
// begun. It fails with a *VersionError if the coordinator is of another version.
func Work(ctx context.Context, q queue.Queue, o WorkerOptions) error {
	ctx, end := context.WithCancelCause(ctx)
	cancel := func() { end(nil) }
	defer cancel()
	w := &worker{WorkerOptions: o, end: end, queue: q, running: map[*runningUnit]bool{}}
	w.rate.perSecond(time.Now(), 0)
	if err := w.join(ctx); err != nil {
		return err
	}
	var greeting sync.WaitGroup
	greeting.Go(func() {
		w.hello(ctx, false)
		every(ctx, helloInterval, func() { w.hello(ctx, false) })
	})
	errs := make([]error, o.Cores)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			for ctx.Err() == nil && errs[i] == nil {
				d, err := q.Take(ctx)
				if err == nil {
					err = w.handle(ctx, d)
				}
				if err != nil && ctx.Err() == nil {
					errs[i] = err
					cancel()
				}
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
	if cause := context.Cause(ctx); errors.As(cause, &version) {
		return cause
	}
	return errors.Join(errs...)
}

// join waits for a job of this version. One of another version ends the work, now and later. The log says
// when a job is finished and when the next one is there.
func (w *worker) join(ctx context.Context) error {
	joined := make(chan struct{})
	var once sync.Once
	under := "" // the job under way; news come one after the other
	err := w.queue.Watch(ctx, message.KeyJob, func(f queue.Fact) {
		var j message.Job
		switch {
		case len(f.Value) == 0 || json.Unmarshal(f.Value, &j) != nil: // none, for now
			if under != "" {
				w.Log.Info("finished, waiting for the next job", "job", under)
			}
			under = ""
		case j.Protocol != message.Protocol || j.Program != w.Program:
			w.end(&VersionError{Coordinator: j, Program: w.Program})
		default:
			if under != j.Job {
				w.Log.Info("working", "job", j.Job)
			}
			under = j.Job
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
		return w.queue.Watch(ctx, message.KeyQuestion, func(f queue.Fact) { w.setQuestion(f, queue.Any) })
	}
}

// setQuestion takes in which question is under way, and drops units that are of no use any more. A fact
// that is older than the last one is late and left out, unless it is an answer and nothing was seen since
// it was asked for, at revision asked: then the server has begun anew.
func (w *worker) setQuestion(f queue.Fact, asked uint64) {
	var q message.Question
	_ = json.Unmarshal(f.Value, &q) // without a value there is no question
	w.mu.Lock()
	defer w.mu.Unlock()
	if f.Revision < w.seen && w.seen != asked {
		return
	}
	w.question, w.seen = q, f.Revision
	for u := range w.running {
		if !q.Wants(u.unit) {
			u.cancel()
		}
	}
}

// wanted reports whether a unit is of use. What was heard last may be late, so that before a unit is given
// back the question is read again.
func (w *worker) wanted(ctx context.Context, u message.Unit) (bool, error) {
	w.mu.Lock()
	q, seen := w.question, w.seen
	w.mu.Unlock()
	if q.Wants(u) {
		return true, nil
	}
	f, err := w.queue.Get(ctx, message.KeyQuestion)
	if err != nil {
		return false, err
	}
	w.setQuestion(f, seen)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.question.Wants(u), nil
}

// every calls f after each interval until the context ends.
func every(ctx context.Context, interval time.Duration, f func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f()
		}
	}
}

// hello tells the coordinator about the worker.
func (w *worker) hello(ctx context.Context, leaving bool) {
	w.mu.Lock()
	h := message.Hello{Name: w.Name, Host: w.Host, Cores: w.Cores, Running: len(w.running), Done: w.done,
		Leaving: leaving, Rate: w.rate.perSecond(time.Now(), w.effort.Load())}
	w.mu.Unlock()
	_ = w.queue.Say(ctx, message.Encode(h)) // may be lost
}

// handle does a unit and hands in its report.
func (w *worker) handle(ctx context.Context, d queue.Delivery) error {
	after, cancel := lingering(ctx) // a report is handed in also after Ctrl-C
	defer cancel()
	u, err := message.ParseUnit(d.Text)
	r := message.Report{}
	switch {
	case err != nil:
		r.Refused = err.Error()
	case d.Attempt > MaxDeaths:
		r.Deaths = d.Attempt - 1
	default:
		wanted, err := w.wanted(ctx, u)
		if err != nil {
			return err
		}
		if wanted {
			r = w.do(ctx, u, d)
		}
	}
	r.Unit, r.Worker = message.IDOf(d.Text), w.Name
	if err := w.queue.Submit(after, r.Text()); err != nil {
		return err
	}
	return d.Done(after)
}

// submitTime is how long a worker that leaves tries to hand in what it has.
const submitTime = 5 * time.Second

// lingering returns a context that ends submitTime after another.
func lingering(ctx context.Context) (context.Context, context.CancelFunc) {
	after, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(submitTime, cancel) })
	return after, func() { stop(); cancel() }
}

// do works on a unit until it is done or nobody wants it any more. Facts may come late, so that a unit
// that seems to be unwanted may be wanted: it is given back, and the coordinator decides.
func (w *worker) do(ctx context.Context, u message.Unit, d queue.Delivery) (r message.Report) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	running := &runningUnit{unit: u, cancel: cancel}
	w.mu.Lock()
	w.running[running] = true
	w.mu.Unlock()
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	w.renew(renewing, d)
	began := time.Now()
	if u.Proof != nil {
		r = w.prove(ctx, u)
	} else {
		r = w.search(ctx, u)
	}
	stop()
	r.Seconds = time.Since(began).Seconds()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, running)
	w.done++
	return r
}

// renewals is how often a worker tells that it works on a unit within the patience of the queue.
const renewals = 6

// renew tells now and then that a unit is being worked on, until the context ends.
func (w *worker) renew(ctx context.Context, d queue.Delivery) {
	if d.Patience < renewals {
		return
	}
	go every(ctx, d.Patience/renewals, func() {
		if err := d.Renew(); err != nil {
			w.Log.Debug("no sign of life could be sent", "error", err)
		}
	})
}

// Post makes a placement the incumbent if it is better than the one there, or that one is wrong. Value is its E_max.
func Post(ctx context.Context, q queue.Queue, p objective.Problem, s core.Placement, value *big.Rat,
	worker string) error {
	text := message.Encode(message.Incumbent{Nodes: s.List(), Value: value.RatString(), Worker: worker})
	for {
		f, err := q.Get(ctx, message.KeyBest)
		if err != nil {
			return err
		}
		_, have, v, err := message.ParseIncumbent(p, f.Value)
		if err == nil && have.Size() > 0 && v.Cmp(value) <= 0 {
			return nil
		}
		if err := q.Put(ctx, message.KeyBest, text, f.Revision); !errors.Is(err, queue.ErrChanged) {
			return err
		}
	}
}
