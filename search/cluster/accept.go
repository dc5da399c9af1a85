package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"leeway/objective"
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
	own := w.vouchedFor(r)
	switch {
	case p.checking: // once more, while it is being verified
		return w.refuse(ctx, d, r, duplicate)
	case own: // nobody else can say so
	case r.authentic() != nil:
		return w.refuse(ctx, d, r, r.authentic())
	case w.isBanned(r.Key):
		return w.discard(ctx, d, r, p, untrusted)
	case r.Deaths > 0 && !w.mayHaveDied(p.since):
		return w.discard(ctx, d, r, p, tooEarly)
	}
	if r.returned() {
		if worn, err := w.wears(ctx); worn || err != nil {
			p.since = time.Now()
			return errors.Join(err, d.Done(ctx))
		}
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
	onWord := !own && r.Done > 0 && w.believed(r)
	if own || r.Deaths > 0 || r.Done == 0 || onWord {
		if err := w.accept(ctx, r, p, onWord); err != nil {
			return err
		}
		return d.Done(ctx)
	}
	if err := w.record(ctx, entry{Question: w.id, Claim: &r}); err != nil {
		return err
	}
	w.suspect(suspect{result: r, piece: p, span: p.span})
	return d.Done(ctx)
}

// tooEarly is why the end of several workers is not believed.
const tooEarly = refusal("it says that workers have died whom the queue cannot miss yet")

// mayHaveDied reports whether a unit that was handed out then can have cost as many
// workers as it takes: the queue hands it on only when its patience is over.
func (c *Coordinator) mayHaveDied(then time.Time) bool {
	return time.Since(then) >= (MaxDeaths-1)*c.options.Patience
}

// conclude takes in what came out of walking a unit again.
func (w *walk) conclude(ctx context.Context, s suspect) error {
	w.pending--
	s.piece.checking = false
	switch {
	case s.err != nil && ctx.Err() == nil:
		return fmt.Errorf("cluster: results of workers cannot be confirmed: %w", s.err)
	case s.piece.state != out || ctx.Err() != nil: // a placement before it was found meanwhile
		return nil
	case s.true.Ended: // of a worker that is banned
		w.count(s.result, untrusted)
		return w.reissue(ctx, s.piece)
	case s.wrong != nil:
		w.count(s.result, s.wrong)
		if err := w.distrust(ctx, Delivery{}, s.result, s.piece, s.wrong); err != nil {
			return err
		}
	}
	if s.true.Found.Size() > 0 { // there is one, so that the question is answered
		if v, _ := objective.Naive(w.tree.Problem.Routing, s.true.Found).Max(); v.Cmp(w.tree.Below) < 0 {
			w.board.find(0, s.true.Found)
			return w.ask(ctx, question{ID: w.id, Last: 0})
		}
		return w.reissue(ctx, s.piece)
	}
	r := s.result
	if s.wrong != nil || s.any { // what was counted here counts
		r = Result{Unit: r.Unit, Worker: "coordinator", Done: r.Done, Nodes: s.true.Nodes, Sum: fmt.Sprintf("%016x", s.true.Sum)}
		r.Check = r.checksum()
	} else if w.proved[r.Key] < w.early && len(w.proved) < maxMembers {
		w.proved[r.Key]++
	}
	return w.accept(ctx, r, s.piece, false)
}

// accept takes a result onto the ledger and the board.
func (w *walk) accept(ctx context.Context, r Result, p *piece, onWord bool) error {
	if err := w.record(ctx, entry{Question: w.id, Accept: &r, OnWord: onWord}); err != nil {
		return err
	}
	last := w.board.last
	slice := w.board.settle(p, r, onWord, w.tree.Problem)
	if r.Deaths > 0 {
		w.log.Error("unit in quarantine", "unit", r.Unit, "from", p.from, "prefixes", p.count, "workers lost", r.Deaths)
	}
	if r.Done > 0 {
		w.progress()
	}
	w.pace.took(r.Done, r.Seconds)
	if w.report.Observe != nil {
		w.report.Observe(r.Nodes)
	}
	if slice >= 0 {
		w.keep(slice)
	}
	if w.board.last != last {
		return w.ask(ctx, question{ID: w.id, Last: w.board.last})
	}
	return nil
}

// passOn hands a unit that a worker does not understand to another one, and walks it
// here when several do not.
func (w *walk) passOn(ctx context.Context, d Delivery, r Result, p *piece) error {
	p.refusals++
	w.log.Warn("unit refused by a worker", "worker", r.Worker, "unit", r.Unit, "reason", r.Refused)
	if p.refusals >= MaxDeaths {
		w.suspect(suspect{result: Result{Unit: r.Unit, Done: p.count}, piece: p, span: p.span, any: true})
		return d.Done(ctx)
	}
	if err := w.reissue(ctx, p); err != nil {
		return err
	}
	return d.Done(ctx)
}

// discard refuses a result and hands its unit out again.
func (w *walk) discard(ctx context.Context, d Delivery, r Result, p *piece, why error) error {
	if err := w.refuse(ctx, d, r, why); err != nil {
		return err
	}
	return w.reissue(ctx, p)
}

// distrust bans the worker of a wrong result, and takes back all that counts on the
// word of workers. With a delivery the result is refused and its unit handed out again.
func (w *walk) distrust(ctx context.Context, d Delivery, r Result, p *piece, why error) error {
	w.ban(r.Key)
	if err := w.record(ctx, entry{Question: w.id, Void: r.Key}); err != nil {
		return err
	}
	pieces, reopened := w.board.void()
	for _, slice := range reopened {
		w.drop(slice)
	}
	w.log.Error("worker is not trusted any more", "worker", r.Worker, "key", r.Key, "units taken back", pieces)
	if err := w.ask(ctx, question{ID: w.id, Last: w.board.last}); err != nil {
		return err
	}
	if d.Done == nil {
		return nil
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
	if only := len(w.board.free) == 0 && c.checking > 0 && c.out == c.checking; only && !w.waits {
		w.log.Info("all units are walked; results of workers are being confirmed", "units", c.checking)
		w.waits = true
	}
	w.publish(func(s *Status) {
		s.Problem, s.Below, s.Engine = w.tree.Problem.String(), w.tree.Below.RatString(), w.tree.Engine.Name()
		s.Units = Units{Done: c.done, Out: c.out - c.checking, Confirming: c.checking, Quarantined: c.quarantined}
		s.PrefixesLeft, s.Prefixes = c.prefixesLeft, w.base.Census.Prefixes
		s.SecondsLeft = w.pace.left(c.prefixesLeft, cores).Seconds()
	})
}
