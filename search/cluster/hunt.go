package cluster

import (
	"context"
	"math/big"
	"time"

	"leeway/core"
	"leeway/search"
)

// How many units a search by evaluations is cut into, and how few evaluations one
// has.
const (
	huntUnits       = 256
	leastEvaluation = 2000
)

// A hunt is one call of Search. Everything in it belongs to one goroutine.
type hunt struct {
	*Coordinator
	params  search.Params
	methods []string
	parts   map[string]int
	base    Unit
	id      string
	goal    string
	row     *row
	rate    float64 // evaluations per second of a core, lately
	told    time.Time
	beacon  finding // the best incumbent that is true
}

// Search looks for a placement with the portfolio of some methods, in units with
// seeds of their own. By Evaluations the result depends on the parameters only; by
// the deadline of the context it does not, as ever. Workers of the parameters have
// no effect.
func (c *Coordinator) Search(ctx context.Context, methods []string, parts map[string]int, p search.Params) (search.Result, error) {
	h := &hunt{Coordinator: c, params: p, methods: methods, parts: parts, row: newRow(p.Seed, p.Starts)}
	var err error
	if h.base, err = unitOf(p.Problem); err != nil {
		return search.Result{}, err
	}
	if p.Goal != nil {
		h.goal = p.Goal.RatString()
	}
	h.base.Search = &Search{Methods: methods, Goal: h.goal}
	h.id = h.base.Question()
	err = h.run(ctx)
	c.setStopped(err != nil || ctx.Err() != nil)
	if ctx.Err() != nil {
		err = nil
	}
	return h.result(ctx), err
}

func (h *hunt) run(ctx context.Context) error {
	watch, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := h.begin(ctx); err != nil {
		return err
	}
	incumbents := make(chan Fact, 1)
	if err := h.queue.Watch(watch, keyBest, func(f Fact) { offer(watch, incumbents, f) }); err != nil {
		return err
	}
	tick := time.NewTicker(tickInterval)
	defer tick.Stop()
	for {
		if err := h.fill(ctx); err != nil {
			return err
		}
		h.tell(false)
		if h.row.waiting() == 0 {
			h.tell(true)
			return h.ask(ctx, question{})
		}
		var err error
		select {
		case <-ctx.Done():
			after, cancel := lingering(ctx)
			defer cancel()
			return h.ask(after, question{})
		case d := <-h.results:
			err = h.take(ctx, d)
		case f := <-incumbents:
			err = h.incumbent(ctx, f)
		case <-tick.C:
		}
		if err != nil {
			return err
		}
	}
}

// begin goes on from the ledger.
func (h *hunt) begin(ctx context.Context) error {
	for _, e := range h.past[h.id] {
		switch {
		case e.Issue != nil && e.Issue.Search != nil:
			if err := h.row.issue(*e.Issue); err != nil {
				return err
			}
		case e.Accept != nil:
			if i, err := h.row.open(e.Accept.Unit); err == nil {
				h.settle(i, *e.Accept)
			}
		}
	}
	delete(h.past, h.id)
	if err := h.ask(ctx, question{ID: h.id, Last: h.row.last}); err != nil {
		return err
	}
	for _, i := range h.row.items {
		if !i.done {
			if err := h.reissue(ctx, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill hands out units until there are enough, or all have been.
func (h *hunt) fill(ctx context.Context) error {
	for h.row.ready() && h.row.waiting() < max(4, 2*h.cores()) {
		evaluations := h.evaluations()
		if evaluations <= 0 {
			return nil
		}
		if err := h.send(ctx, h.row.next(h.methods, h.parts, evaluations, h.goal)); err != nil {
			return err
		}
	}
	return nil
}

// evaluations returns how many the next unit gets, 0 if none are left.
func (h *hunt) evaluations() int64 {
	if all := h.params.Evaluations; all > 0 {
		each := max(leastEvaluation, (all+huntUnits-1)/huntUnits)
		return min(each, all-each*int64(len(h.row.items)))
	}
	return max(leastEvaluation, int64(min(h.rate*h.options.UnitTime.Seconds(), 1e12)))
}

func (h *hunt) send(ctx context.Context, s *Search) error {
	u := h.base
	h.issues++
	u.Search, u.Issue = s, h.issues
	if err := h.record(ctx, entry{Question: h.id, Issue: &u}); err != nil {
		return err
	}
	if err := h.row.issue(u); err != nil {
		return err
	}
	return h.queue.Issue(ctx, u.ID(), u.Text())
}

func (h *hunt) reissue(ctx context.Context, i *item) error { return h.send(ctx, i.unit.Search) }

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
			if err := h.refuse(ctx, d, r, err); err != nil {
				return err
			}
			return h.reissue(ctx, i)
		}
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

// verify evaluates what a unit found by the naive evaluator.
func (h *hunt) verify(r Result) error {
	_, _, err := readIncumbent(h.params.Problem, mustEncode(Incumbent{Nodes: r.Best, Value: r.Value}))
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
	value, _ := new(big.Rat).SetString(r.Value)
	h.row.finish(i, finding{nodes: r.Best, value: value, method: r.Method}, r.Evaluations, h.params.Goal)
	if r.Seconds > 0 {
		h.rate = float64(r.Evaluations) / r.Seconds
	}
	h.report(finding{nodes: r.Best, value: value, method: r.Method})
}

// incumbent looks at a placement that somebody has posted.
func (h *hunt) incumbent(ctx context.Context, f Fact) error {
	i, s, err := readIncumbent(h.params.Problem, f.Value)
	if err != nil {
		return h.refuseIncumbent(ctx, f, err)
	}
	if s.Size() > 0 {
		value, _ := new(big.Rat).SetString(i.Value)
		h.report(finding{nodes: i.Nodes, value: value, method: "cluster"})
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
		e.Best = core.MustPlacement(h.params.Problem.Torus(), f.nodes)
	}
	h.params.Report(e)
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
		r.Best = core.MustPlacement(h.params.Problem.Torus(), best.nodes)
	}
	switch {
	case h.params.Done(best.value):
		r.Reason = search.Reached
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
