package search

import (
	"context"
	"sync"
	"time"

	"leeway/core/parallel"
)

// Grace is how long a method may take to return once the context has ended.
const Grace = 50 * time.Millisecond

// Anytime returns what a method finds that is started with the parameters given to run. A method that has not returned
// within Grace of the end of the context is left behind: the outcome is then the best placement that it reported, with
// the evaluations, and it is not heard any more. It ends when it next looks at its own context.
func Anytime(ctx context.Context, p Params, run func(Params) (Outcome, error)) (Outcome, error) {
	l := &listener{observe: p.Observe, size: p.Problem.Size, free: p.Problem.Free != nil}
	p.Observe = l.hear
	parallel.Await(ctx, Grace, func() (struct{}, error) {
		l.done(run(p))
		return struct{}{}, nil
	})
	return l.leave()
}

// A listener stands between a method and its observer until the method has returned or is left behind.
type listener struct {
	observe func(Event)
	size    int
	free    bool

	mu    sync.Mutex
	ended bool
	best  Outcome // as reported; once the method has returned, what it returned, with err
	err   error
}

// hear notes the best and passes the event on.
func (l *listener) hear(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	l.best.Evaluations = max(l.best.Evaluations, e.Evaluations)
	better := e.Value != nil && (l.best.Value == nil || e.Value.Cmp(l.best.Value) < 0)
	if better && e.Best.Size() == l.size && (!l.free || e.Table != nil) {
		l.best.Best, l.best.Table, l.best.Value = e.Best, e.Table, e.Value
	}
	if l.observe != nil {
		l.observe(e)
	}
}

// done notes what the method has returned, unless it was left behind.
func (l *listener) done(out Outcome, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.ended, l.best, l.err = true, out, err
	}
}

// leave ends the listening; it returns what the method has returned, or if it has not, what it reported.
func (l *listener) leave() (Outcome, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	return l.best, l.err
}
