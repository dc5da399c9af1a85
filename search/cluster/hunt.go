package cluster

import (
	"context"
	"math"
	"time"

	"leeway/search"
	"leeway/search/census"
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
	looking Looking
	base    Unit
	id      string
	goal    string
	row     *row
	rate    float64 // evaluations per second of a core, lately
	told    time.Time
	beacon  finding // the best incumbent that is true
	refuted *search.Refutation

	disproved int // claims that nothing is better
}

// Looking says how units of a search look.
type Looking struct {
	Methods []string       // of every unit, at least one
	Parts   map[string]int // as of a portfolio
	// Exact names methods that can show that nothing is better. Only a few units have
	// them, and more time for it. What one of them shows, all workers walk again, by
	// the first of the Engines that can: that is the proof.
	Exact   []string
	Engines []census.Engine
}

// Search looks for a placement with portfolios of some methods, in units with seeds
// of their own. By Evaluations the result depends on the parameters only; by
// the deadline of the context it does not, as ever. Workers of the parameters have
// no effect.
func (c *Coordinator) Search(ctx context.Context, l Looking, p search.Params) (search.Result, error) {
	h := &hunt{Coordinator: c, params: p, looking: l, row: newRow(p.Seed, p.Starts)}
	var err error
	if h.base, err = unitOf(p.Problem); err != nil {
		return search.Result{}, err
	}
	if p.Goal != nil {
		h.goal = p.Goal.RatString()
	}
	h.base.Search = &Search{Methods: l.Methods, Goal: h.goal}
	h.id = h.base.Question()
	err = h.run(ctx)
	c.setStopped(err != nil || ctx.Err() != nil)
	if ctx.Err() != nil {
		err = nil
	}
	return h.result(ctx), err
}

// run goes through the row until it ends, or what ended it is proved.
func (h *hunt) run(ctx context.Context) error {
	if err := h.begin(ctx); err != nil {
		return err
	}
	watch, cancel := context.WithCancel(ctx)
	defer cancel()
	incumbents := make(chan Fact, 1)
	if err := h.queue.Watch(watch, keyBest, func(f Fact) { offer(watch, incumbents, f) }); err != nil {
		return err
	}
	for {
		if err := h.pass(ctx, incumbents); err != nil {
			return err
		}
		i := h.row.claim()
		if i == nil || ctx.Err() != nil {
			return nil
		}
		if done, err := h.prove(ctx, i); done || err != nil {
			return err
		}
		if err := h.again(ctx); err != nil {
			return err
		}
	}
}

// pass hands out and takes in until no wanted unit is out, or the context ends.
func (h *hunt) pass(ctx context.Context, incumbents <-chan Fact) error {
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
			err = h.chase(ctx)
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
			if err := h.row.issue(*e.Issue, time.Now()); err != nil {
				h.log.Warn("entry of the ledger left out", "reason", err.Error())
			}
		case e.Accept != nil:
			if i, err := h.row.open(e.Accept.Unit); err == nil {
				h.settle(i, *e.Accept)
			}
		case e.Void != "":
			if s, err := placementOf(h.params.Problem, e.Better); err == nil {
				h.row.known = h.evaluated(s)
			}
			h.row.void(e.Void, h.params.Goal)
		}
	}
	delete(h.past, h.id)
	return h.again(ctx)
}

// again puts the question up, and hands out all units that are wanted and not done:
// workers drop those of a question that is not up.
func (h *hunt) again(ctx context.Context) error {
	if err := h.ask(ctx, question{ID: h.id, Last: h.row.last}); err != nil {
		return err
	}
	for n, i := range h.row.items {
		if !i.done && n < h.row.last {
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
		each, left := h.evaluations()
		if left <= 0 {
			return nil
		}
		if err := h.send(ctx, h.row.next(h.looking, each, left, h.goal)); err != nil {
			return err
		}
	}
	return nil
}

// chase hands out stragglers again when workers have nothing else to do.
func (h *hunt) chase(ctx context.Context) error {
	if h.idle() <= 0 {
		return nil
	}
	for _, i := range h.row.outstanding() {
		if !h.overdue(i.since, i.times) {
			continue
		}
		h.log.Info("unit handed out again", "number", i.unit.Search.Number, "after", time.Since(i.since).Round(time.Second).String())
		if err := h.reissue(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// evaluations returns how many the next unit gets, and how many are left.
func (h *hunt) evaluations() (each, left int64) {
	if all := h.params.Evaluations; all > 0 {
		return max(leastEvaluation, (all+huntUnits-1)/huntUnits), all - h.row.given
	}
	return max(leastEvaluation, int64(min(h.rate*h.options.UnitTime.Seconds(), 1e12))), math.MaxInt64
}

func (h *hunt) send(ctx context.Context, s *Search) error {
	u := h.base
	h.issues++
	u.Search, u.Issue = s, h.issues
	if err := h.record(ctx, entry{Question: h.id, Issue: &u}); err != nil {
		return err
	}
	if err := h.row.issue(u, time.Now()); err != nil {
		return err
	}
	return h.queue.Issue(ctx, u.ID(), u.Text())
}

func (h *hunt) reissue(ctx context.Context, i *item) error { return h.send(ctx, i.unit.Search) }
