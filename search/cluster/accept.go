package cluster

import (
	"context"
	"time"
)

// send writes units to the ledger and then to the queue.
func (w *walk) send(ctx context.Context, units []Unit) error {
	for _, u := range units {
		if err := w.record(ctx, entry{Question: w.id, Issue: &u}); err != nil {
			return err
		}
		if err := w.queue.Issue(ctx, u.ID(), u.Text()); err != nil {
			return err
		}
	}
	return nil
}

// take looks at a result: it is refused, accepted, or walked again first.
func (w *walk) take(ctx context.Context, d Delivery) error {
	r, err := ParseResult(d.Text)
	if err != nil {
		return w.refuse(ctx, d, r, err)
	}
	p, err := w.board.open(r.Unit)
	if err != nil {
		return w.refuse(ctx, d, r, err)
	}
	if p.checking {
		return w.refuse(ctx, d, r, duplicate) // once more, while it is being verified
	}
	if w.isBanned(r.Worker) {
		return w.discard(ctx, d, r, p, untrusted)
	}
	if r.Refused != "" {
		return w.passOn(ctx, d, r, p)
	}
	if err = p.fits(r); err == nil {
		err = w.placed(r)
	}
	if err != nil {
		return w.distrust(ctx, d, r, p, err)
	}
	if r.Deaths == 0 && w.doubtful(r) {
		p.checking = true
		w.checker.pending++
		w.checker.jobs <- suspect{delivery: d, result: r, piece: p, span: p.span}
		return nil
	}
	return w.accept(ctx, d, r, p)
}

// conclude takes in what came out of walking a unit again.
func (w *walk) conclude(ctx context.Context, s suspect) error {
	w.checker.pending--
	s.piece.checking = false
	switch {
	case s.piece.state != out: // a placement before it was found meanwhile
		return s.delivery.Done(ctx)
	case s.wrong != nil:
		return w.distrust(ctx, s.delivery, s.result, s.piece, s.wrong)
	case w.isBanned(s.result.Worker):
		return w.discard(ctx, s.delivery, s.result, s.piece, untrusted)
	}
	return w.accept(ctx, s.delivery, s.result, s.piece)
}

// accept takes a result onto the ledger and the board.
func (w *walk) accept(ctx context.Context, d Delivery, r Result, p *piece) error {
	if err := w.record(ctx, entry{Question: w.id, Accept: &r}); err != nil {
		return err
	}
	last := w.board.last
	slice := w.board.settle(p, r, w.tree.Problem.Torus())
	if r.Deaths > 0 {
		w.log.Error("unit in quarantine", "unit", r.Unit, "from", p.from, "prefixes", p.count, "workers lost", r.Deaths)
	}
	w.pace.took(r.Done, r.Seconds)
	if w.report.Observe != nil {
		w.report.Observe(r.Nodes)
	}
	if slice >= 0 {
		w.keep(slice)
	}
	if w.board.last != last {
		if err := w.ask(ctx, question{ID: w.id, Last: w.board.last}); err != nil {
			return err
		}
	}
	return d.Done(ctx)
}

// passOn hands a unit that a worker does not understand to another one.
func (w *walk) passOn(ctx context.Context, d Delivery, r Result, p *piece) error {
	p.refusals++
	w.log.Warn("unit refused by a worker", "worker", r.Worker, "unit", r.Unit, "reason", r.Refused)
	if p.refusals >= MaxDeaths {
		r.Deaths = p.refusals
		return w.accept(ctx, d, r, p)
	}
	return w.again(ctx, d, p)
}

// discard refuses a result and hands its unit out again.
func (w *walk) discard(ctx context.Context, d Delivery, r Result, p *piece, why error) error {
	if err := w.refuse(ctx, d, r, why); err != nil {
		return err
	}
	return w.reissue(ctx, p)
}

func (w *walk) again(ctx context.Context, d Delivery, p *piece) error {
	if err := w.reissue(ctx, p); err != nil {
		return err
	}
	return d.Done(ctx)
}

// distrust refuses a wrong result and all that its worker did before.
func (w *walk) distrust(ctx context.Context, d Delivery, r Result, p *piece, why error) error {
	w.ban(r.Worker)
	if err := w.record(ctx, entry{Question: w.id, Void: r.Worker}); err != nil {
		return err
	}
	pieces, reopened := w.board.void(r.Worker)
	for _, slice := range reopened {
		w.drop(slice)
	}
	w.log.Error("worker is not trusted any more", "worker", r.Worker, "units", pieces)
	if err := w.ask(ctx, question{ID: w.id, Last: w.board.last}); err != nil {
		return err
	}
	return w.discard(ctx, d, r, p, why)
}

// tell brings the status up to date, and shows it now and then.
func (w *walk) tell(now bool) {
	if !now && time.Since(w.told) < tickInterval {
		return
	}
	w.told = time.Now()
	c, cores := w.board.count(), w.cores()
	w.publish(func(s *Status) {
		s.Problem, s.Below, s.Engine = w.tree.Problem.String(), w.tree.Below.RatString(), w.tree.Engine.Name()
		s.Units = Units{Done: c.done, Out: c.out, Quarantined: c.quarantined}
		s.PrefixesLeft, s.Prefixes = c.prefixesLeft, w.base.Census.Prefixes
		s.SecondsLeft = w.pace.left(c.prefixesLeft, cores).Seconds()
	})
}
