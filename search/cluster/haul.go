package cluster

import (
	"context"
	"errors"
	"time"

	"leeway/core"
	"leeway/search"
)

// take looks at a result.
func (h *hunt) take(ctx context.Context, d Delivery) error {
	r, err := ParseResult(d.Text)
	var i *item
	if err == nil {
		i, err = h.row.open(r.Unit)
	}
	if err != nil {
		return h.refuse(ctx, d, r, err)
	}
	own := h.vouchedFor(r)
	switch {
	case own: // nobody else can say so
	case r.authentic() != nil:
		return h.refuse(ctx, d, r, r.authentic())
	case h.isBanned(r.Key):
		return h.discard(ctx, d, r, i, untrusted)
	case r.Deaths > 0 && !h.mayHaveDied(i.since):
		return h.discard(ctx, d, r, i, tooEarly)
	case r.Refuted && (len(i.unit.Search.Exact) == 0 || h.disproved >= mostDisproved):
		r.Refuted = false // of the methods of this unit none can know, or it has cost enough to look
		r.Check = r.checksum()
	}
	if r.returned() {
		if worn, err := h.wears(ctx); worn || err != nil {
			i.since = time.Now()
			return errors.Join(err, d.Done(ctx))
		}
	}
	if r.Refused != "" {
		h.log.Warn("unit refused by a worker", "worker", r.Worker, "unit", r.Unit, "reason", r.Refused)
		if i.refusals++; i.refusals >= MaxDeaths {
			r.Deaths = i.refusals
		}
	}
	switch {
	case r.Deaths > 0:
	case r.Refused != "" || len(r.Best) == 0: // given back
		if err := h.reissue(ctx, i); err != nil {
			return err
		}
		return d.Done(ctx)
	default:
		if err := h.verify(r); err != nil {
			return h.discard(ctx, d, r, i, err)
		}
		h.progress()
	}
	if err := h.record(ctx, entry{Question: h.id, Accept: &r}); err != nil {
		return err
	}
	last := h.row.last
	h.settle(i, r)
	if last != h.row.last {
		if err := h.ask(ctx, question{ID: h.id, Last: h.row.last}); err != nil {
			return err
		}
	}
	return d.Done(ctx)
}

// discard refuses a result and hands its unit out again.
func (h *hunt) discard(ctx context.Context, d Delivery, r Result, i *item, why error) error {
	if err := h.refuse(ctx, d, r, why); err != nil {
		return err
	}
	return h.reissue(ctx, i)
}

// verify evaluates what a unit found by the naive evaluator.
func (h *hunt) verify(r Result) error {
	_, _, _, err := readIncumbent(h.params.Problem, mustEncode(Incumbent{Nodes: r.Best, Value: r.Value}))
	return err
}

// settle takes a result that was verified into the row.
func (h *hunt) settle(i *item, r Result) {
	if r.Deaths > 0 {
		i.quarantined = true
		h.row.merge()
		h.log.Error("unit in quarantine", "unit", r.Unit, "number", i.unit.Search.Number, "workers lost", r.Deaths)
		return
	}
	value, err := parseValue(r.Value)
	if err != nil {
		return // not verified: it stays out
	}
	i.worker, i.refuted = r.Key, r.Refuted
	h.row.finish(i, finding{nodes: r.Best, value: value, method: r.Method}, r.Evaluations, h.params.Goal)
	if r.Seconds > 0 && (len(i.unit.Search.Exact) == 0 || h.rate == 0) {
		rate := min(float64(r.Evaluations)/r.Seconds, mostRate)
		if h.rate > 0 {
			rate = min(rate, 4*h.rate) // what one worker says does not make the units of others endless
		}
		h.rate = rate
	}
	h.report(finding{nodes: r.Best, value: value, method: r.Method})
}

// mostRate is more evaluations than a core makes in a second.
const mostRate = 1e8

// incumbent looks at a placement that somebody has posted.
func (h *hunt) incumbent(ctx context.Context, f Fact) error {
	_, s, value, err := readIncumbent(h.params.Problem, f.Value)
	if err != nil {
		return h.refuseIncumbent(ctx, f, err)
	}
	if s.Size() > 0 {
		h.report(finding{nodes: s.Nodes(), value: value, method: "cluster"})
	}
	return nil
}

// report tells of a finding, as an improvement if it is the best so far.
func (h *hunt) report(f finding) {
	improved := f.value != nil && (h.beacon.value == nil || f.value.Cmp(h.beacon.value) < 0)
	if improved {
		h.beacon = f
		h.Know(f.value.RatString(), h.goal)
	}
	e := search.Event{Method: "cluster", Value: h.beacon.value, Evaluations: h.row.spent, Improved: improved}
	if improved {
		e.Best = h.placement(f)
	}
	h.params.Report(e)
}

// placement returns the placement of a finding, which was evaluated: it is one.
func (h *hunt) placement(f finding) core.Placement {
	s, _ := placementOf(h.params.Problem, f.nodes)
	return s
}

// result returns the best of the row; where it was stopped, or has a unit in
// quarantine, also what was posted.
func (h *hunt) result(ctx context.Context) search.Result {
	best := h.row.best()
	if ctx.Err() != nil && h.beacon.value != nil && (best.value == nil || h.beacon.value.Cmp(best.value) < 0) {
		best = h.beacon
	}
	r := search.Result{Outcome: search.Outcome{Value: best.value, Evaluations: h.row.spent, Reason: search.Spent}, Method: best.method}
	if best.value != nil {
		r.Best = h.placement(best)
	}
	r.Refutation = h.refuted
	switch {
	case h.params.Done(best.value):
		r.Reason = search.Reached
	case h.refuted != nil:
		r.Reason = search.Complete
	case ctx.Err() != nil:
		r.Reason = search.Stopped
	}
	return r
}

// tell brings the status up to date, and shows it now and then.
func (h *hunt) tell(now bool) {
	if !now && time.Since(h.told) < tickInterval {
		return
	}
	h.told = time.Now()
	cores := h.cores()
	h.publish(func(s *Status) {
		s.Problem, s.Units = h.params.Problem.String(), Units{Done: len(h.row.items) - h.row.waiting() - h.row.quarantined(), Out: h.row.waiting(), Quarantined: h.row.quarantined()}
		if left := h.params.Evaluations - h.row.spent; h.params.Evaluations > 0 && h.rate > 0 {
			s.SecondsLeft = float64(left) / h.rate / float64(max(1, cores))
		}
	})
}
