package cluster

import (
	"context"
	"time"
)

// beats is how often a worker tells that it is at a unit before it counts as gone.
const beats = 6

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
		return w.give(after, d, Result{Unit: id})
	}
	return w.give(after, d, w.do(ctx, u, id, d))
}

// wanted reports whether a unit is of use: what was heard last may be late.
func (w *servant) wanted(ctx context.Context, u Unit) (bool, error) {
	w.mu.Lock()
	q, seen := w.question, w.seen
	w.mu.Unlock()
	if q.wants(u) {
		return true, nil
	}
	f, err := w.queue.Get(ctx, keyQuestion)
	if err != nil {
		return false, err
	}
	w.turn(f, seen)
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
	r = r.signed(w.Key)
	if w.Vouch != nil {
		w.Vouch(r)
	}
	if err := w.queue.Give(ctx, r.Text()); err != nil {
		return err
	}
	return d.Done(ctx)
}

// do works on a unit until it is done or nobody wants it any more. What a worker
// takes for unwanted may be wanted, as facts come late: it is given back, and the
// coordinator decides.
func (w *servant) do(ctx context.Context, u Unit, id string, d Delivery) (r Result) {
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
	return r
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
