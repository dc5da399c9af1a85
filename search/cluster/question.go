package cluster

import (
	"context"
	"errors"
	"math/big"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
)

// A question is what a proof and a search have in common: its units go out and their reports come in. Everything in
// it belongs to one goroutine.
type question struct {
	*Coordinator
	problem objective.Problem
	base    message.Unit // what all units share
	id      string       // as workers know it
	told    time.Time    // when the status was
}

// tickInterval is how often overdue units are looked for.
const tickInterval = time.Second

// A handler is a proof or a search. It hands out units and takes in their reports.
type handler interface {
	// fill puts units into the queue until there are enough for all workers.
	fill(ctx context.Context) error
	// finished reports whether nothing is left to wait for, busy whether reports are to wait.
	finished() bool
	busy() bool
	take(ctx context.Context, d queue.Delivery) error
	// posted takes in an incumbent that somebody has posted; its value is true.
	posted(ctx context.Context, i message.Incumbent, s core.Placement, value *big.Rat) error
	// chase hands out overdue units again.
	chase(ctx context.Context) error
	// tell brings the status up to date, and shows it now and then or now.
	tell(now bool)
}

// loop hands out units and takes in reports until the handler is over, and withdraws the question
// then. It calls what comes from others.
func (s *question) loop(ctx context.Context, h handler, others <-chan func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	incumbents := make(chan queue.Fact, 1)
	err := s.queue.Watch(ctx, message.KeyBest, func(f queue.Fact) {
		select {
		case incumbents <- f:
		case <-ctx.Done():
		}
	})
	tick := time.NewTicker(tickInterval)
	defer tick.Stop()
	for err == nil {
		if err = h.fill(ctx); err != nil {
			break
		}
		h.tell(false)
		if h.finished() {
			h.tell(true)
			return s.ask(ctx, message.Question{})
		}
		results := s.results
		if h.busy() {
			results = nil
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case d := <-results:
			err = h.take(ctx, d)
		case do := <-others:
			err = do(ctx)
		case f := <-incumbents:
			err = s.readIncumbent(ctx, f, h)
		case <-tick.C:
			if _, idle := s.capacity(); idle > 0 {
				err = h.chase(ctx)
			}
		}
	}
	return err
}

// readIncumbent reads an incumbent that was posted. One that is wrong is taken down, unless there is another by now.
func (s *question) readIncumbent(ctx context.Context, f queue.Fact, h handler) error {
	i, placement, value, err := message.ParseIncumbent(s.problem, f.Value)
	if err == nil {
		if placement.Size() == 0 {
			return nil
		}
		return h.posted(ctx, i, placement, value)
	}
	s.log.Warn("incumbent refused", "reason", err.Error())
	s.mu.Lock()
	s.status.Refused++
	s.mu.Unlock()
	if err := s.queue.Put(ctx, message.KeyBest, nil, f.Revision); !errors.Is(err, queue.ErrChanged) {
		return err
	}
	return nil
}

// end notes whether the work was stopped, and withdraws the question if the context has ended.
func (s *question) end(ctx context.Context, err error) error {
	s.mu.Lock()
	s.stopped = err != nil
	s.mu.Unlock()
	if ctx.Err() == nil {
		return err
	}
	after, cancel := lingering(ctx)
	defer cancel()
	return s.ask(after, message.Question{})
}

// A lease is what the coordinator knows of work that it has handed out.
type lease struct {
	since       time.Time // when it was handed out last
	times       int       // that it was handed out
	refusals    int       // by workers
	quarantined bool      // it has cost too many workers
}

// renew notes that the work is handed out.
func (l *lease) renew(now time.Time) {
	l.since, l.quarantined = now, false
	l.times++
}

// overdueAfter is after how many times the time of a unit it is handed out again, at first.
const overdueAfter = 4

// overdue reports whether work is to be handed out again. Each time it takes twice as long as before.
func (c *Coordinator) overdue(l *lease) bool {
	return !l.quarantined &&
		time.Since(l.since) > overdueAfter*c.options.UnitTime<<min(max(l.times, 1)-1, 10)
}

// Why reports are refused.
var (
	errUnknownUnit = errors.New("the unit is not known, or done")
	errDuplicate   = errors.New("the unit is done")
	errTooEarly    = errors.New("it says that workers have died whom the queue cannot miss yet")
)

// admit reports whether to go on with a report. Those of deaths that cannot be, and units that were given back too
// often, end here.
func (s *question) admit(ctx context.Context, d queue.Delivery, r message.Report, l *lease,
	reissue func() error) (ok bool, err error) {
	if r.Deaths > 0 && time.Since(l.since) < (MaxDeaths-1)*s.options.Patience {
		// The queue hands a unit on only when its patience is over.
		return false, s.discard(ctx, d, r, errTooEarly, reissue)
	}
	if r.Returned() {
		if often, err := s.returnedTooOften(ctx); often || err != nil {
			l.since = time.Now()
			return false, errors.Join(err, d.Done(ctx))
		}
	}
	return true, nil
}

// refuse logs why a report does not count. Units that were given back when nobody wanted them any more
// are not worth a line.
func (s *question) refuse(ctx context.Context, d queue.Delivery, r message.Report, why error) error {
	if !r.Returned() || why != errDuplicate && why != errUnknownUnit {
		s.countRefused(r, why)
	}
	return d.Done(ctx)
}

// discard refuses a report and hands its unit out again.
func (s *question) discard(ctx context.Context, d queue.Delivery, r message.Report, why error,
	reissue func() error) error {
	if err := s.refuse(ctx, d, r, why); err != nil {
		return err
	}
	return reissue()
}

// countRefused logs and counts a report that is refused.
func (s *question) countRefused(r message.Report, why error) {
	s.log.Warn("result refused", "worker", r.Worker, "unit", r.Unit, "reason", why.Error())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Refused++
}

// maxReturned is how many units more may be given back than are done before they wait until they are
// overdue. Every remindAfter of them workers are told again what is wanted.
const (
	maxReturned = 4096
	remindAfter = 8
)

// returnedTooOften counts a unit that was given back as it was handed out, and reports whether there
// are so many that handing them out again is of no use. Workers may have been told wrong what is wanted.
func (s *question) returnedTooOften(ctx context.Context) (often bool, err error) {
	s.returned++
	if s.returned%remindAfter == 0 {
		err = s.ask(ctx, s.asked)
	}
	return s.returned > maxReturned, err
}

// countDone counts a unit that was done.
func (s *question) countDone() { s.returned = max(0, s.returned-64) }

// due reports whether the status is to be shown again.
func (s *question) due(now bool) bool {
	if !now && time.Since(s.told) < tickInterval {
		return false
	}
	s.told = time.Now()
	return true
}
