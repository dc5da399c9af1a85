package cluster

import (
	"context"
	"errors"
	"math"
	"math/big"
	"time"

	"leeway/core"
	"leeway/search"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/portfolio"
)

// How many units a search by evaluations is cut into, and how few evaluations such a unit has: some for each node, up
// to a number of them, since every unit finds the symmetries of its network and builds its tables anew.
const (
	searchUnits    = 256
	minEvaluations = 2000
	minPerNode     = 250
	maxOfNodes     = 50_000
)

// maxRate is more evaluations than a core makes in a second.
const maxRate = 1e8

// A searchRun is one call of Search.
type searchRun struct {
	question
	params    search.Params
	portfolio portfolio.Portfolio
	goal      string
	schedule  *schedule
	rate      float64      // evaluations per second of a core, lately
	reported  search.Found // the best so far, also of those that were posted
}

// Search looks for a placement in units with seeds of their own, each a run of the portfolio. With
// Evaluations the outcome depends on the parameters only, except for Workers, which have no effect; with
// a deadline of the context it also depends on the speed.
func (c *Coordinator) Search(ctx context.Context, by portfolio.Portfolio, p search.Params) (search.Outcome, error) {
	s := &searchRun{question: question{Coordinator: c, problem: p.Problem}, params: p, portfolio: by,
		schedule: newSchedule(p.Seed, p.Starts, p.Goal)}
	var err error
	if s.base, err = message.NewUnit(p.Problem); err != nil {
		return search.Outcome{}, err
	}
	if p.Goal != nil {
		s.goal = p.Goal.RatString()
	}
	s.base.Search = &message.Search{Methods: by.Methods, Goal: s.goal}
	s.id = s.base.Question()
	err = s.run(ctx)
	if err = s.end(ctx, errors.Join(err, ctx.Err())); ctx.Err() != nil {
		err = nil
	}
	return s.result(ctx), err
}

// run goes through the units until the search ends.
func (s *searchRun) run(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	return s.loop(ctx, s, nil)
}

// begin goes on from the ledger.
func (s *searchRun) begin(ctx context.Context) error {
	for _, e := range s.past[s.id] {
		switch {
		case e.Issue != nil && e.Issue.Search != nil:
			if err := s.schedule.issue(*e.Issue, time.Now()); err != nil {
				s.log.Warn("entry of the ledger left out", "reason", err.Error())
			}
		case e.Accept != nil:
			if u, err := s.schedule.open(e.Accept.Unit); err == nil {
				s.settle(u, *e.Accept)
			}
		}
	}
	delete(s.past, s.id)
	if err := s.ask(ctx, message.Question{ID: s.id}); err != nil {
		return err
	}
	for n, u := range s.schedule.units {
		if !u.done && n < s.schedule.last {
			if err := s.issue(ctx, u.unit.Search); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *searchRun) fill(ctx context.Context) error {
	cores, _ := s.capacity()
	for s.schedule.ready() && len(s.schedule.outstanding()) < max(4, 2*cores) {
		each, left := s.evaluations()
		if left <= 0 {
			return nil
		}
		if err := s.issue(ctx, s.schedule.next(s.portfolio, each, left, s.goal)); err != nil {
			return err
		}
	}
	return nil
}

// issue hands out the work of a unit, for the first time or again.
func (s *searchRun) issue(ctx context.Context, work *message.Search) error {
	u := s.base
	s.issues++
	u.Issue, u.Search = s.issues, work
	if err := s.schedule.issue(u, time.Now()); err != nil {
		return err
	}
	if err := s.record(ctx, message.Entry{Question: s.id, Issue: &u}); err != nil {
		return err
	}
	return s.queue.Issue(ctx, u.ID(), u.Text())
}

// evaluations returns how many the next unit gets, and how many are left.
func (s *searchRun) evaluations() (each, left int64) {
	if all := s.params.Evaluations; all > 0 {
		each := min(minPerNode*int64(s.params.Problem.Torus().N()), maxOfNodes)
		return max(minEvaluations, each, (all+searchUnits-1)/searchUnits), all - s.schedule.given
	}
	return max(minEvaluations, int64(min(s.rate*s.options.UnitTime.Seconds(), 1e12))), math.MaxInt64
}

func (s *searchRun) busy() bool { return false }

func (s *searchRun) finished() bool { return len(s.schedule.outstanding()) == 0 }

func (s *searchRun) chase(ctx context.Context) error {
	for _, u := range s.schedule.outstanding() {
		if !s.overdue(&u.lease) {
			continue
		}
		s.log.Info("unit handed out again", "number", u.unit.Search.Number,
			"after", time.Since(u.since).Round(time.Second).String())
		if err := s.issue(ctx, u.unit.Search); err != nil {
			return err
		}
	}
	return nil
}

// posted reports a placement that somebody has posted.
func (s *searchRun) posted(_ context.Context, _ message.Incumbent, p core.Placement, value *big.Rat) error {
	s.tellFound(search.Found{Placement: p, Value: value, Method: "cluster"})
	return nil
}

// take looks at a report: it is refused, given back, or accepted.
func (s *searchRun) take(ctx context.Context, d queue.Delivery) error {
	r, err := message.ParseReport(d.Text)
	var u *scheduled
	if err == nil {
		u, err = s.schedule.open(r.Unit)
	}
	if err != nil {
		return s.refuse(ctx, d, r, err)
	}
	reissue := func() error { return s.issue(ctx, u.unit.Search) }
	if ok, err := s.admit(ctx, d, r, &u.lease, reissue); !ok || err != nil {
		return err
	}
	if r.Refused != "" {
		s.log.Warn("unit refused by a worker", "worker", r.Worker, "unit", r.Unit, "reason", r.Refused)
		if u.refusals++; u.refusals >= MaxDeaths {
			r.Deaths = u.refusals
		}
	}
	switch {
	case r.Deaths > 0:
	case r.Refused != "" || len(r.Best) == 0: // given back
		if err := reissue(); err != nil {
			return err
		}
		return d.Done(ctx)
	default:
		if _, err := s.evaluate(r); err != nil {
			return s.discard(ctx, d, r, err, reissue)
		}
		s.countDone()
	}
	if err := s.record(ctx, message.Entry{Question: s.id, Accept: &r}); err != nil {
		return err
	}
	s.settle(u, r)
	return d.Done(ctx)
}

// evaluate returns what a report has found, with its true value.
func (s *searchRun) evaluate(r message.Report) (search.Found, error) {
	text := message.Encode(message.Incumbent{Nodes: r.Best, Value: r.Value})
	_, placement, value, err := message.ParseIncumbent(s.problem, text)
	return search.Found{Placement: placement, Value: value, Method: r.Method}, err
}

// settle takes a report into the schedule, unless its placement is not what it says.
func (s *searchRun) settle(u *scheduled, r message.Report) {
	if r.Deaths > 0 {
		s.schedule.quarantine(u)
		s.log.Error("unit in quarantine", "unit", r.Unit, "number", u.unit.Search.Number, "workers lost", r.Deaths)
		return
	}
	found, err := s.evaluate(r)
	if err != nil {
		return
	}
	s.schedule.finish(u, found, r.Evaluations)
	if r.Seconds > 0 {
		rate := min(float64(r.Evaluations)/r.Seconds, maxRate)
		if s.rate > 0 {
			rate = min(rate, 4*s.rate) // what one worker says does not make the units of others endless
		}
		s.rate = rate
	}
	s.tellFound(found)
}

// tellFound tells of a placement, as an improvement if it is the best so far.
func (s *searchRun) tellFound(f search.Found) {
	e := search.Event{Method: "cluster", Evaluations: s.schedule.spent, Improved: f.IsBelow(s.reported.Value)}
	if e.Improved {
		s.reported, e.Best = f, f.Placement
		s.Know(f.Value.RatString(), s.goal)
	}
	e.Value = s.reported.Value
	s.params.Report(e)
}

// result returns the best of the units; if the search was stopped, also what was posted.
func (s *searchRun) result(ctx context.Context) search.Outcome {
	best := s.schedule.best()
	if ctx.Err() != nil && s.reported.IsBelow(best.Value) {
		best = s.reported
	}
	r := search.Outcome{Method: best.Method, Best: best.Placement, Value: best.Value,
		Evaluations: s.schedule.spent, Reason: search.Spent}
	switch {
	case s.params.Done(best.Value):
		r.Reason = search.Reached
	case ctx.Err() != nil:
		r.Reason = search.Stopped
	}
	return r
}

func (s *searchRun) tell(now bool) {
	if !s.due(now) {
		return
	}
	cores, _ := s.capacity()
	s.publish(func(status *message.Status) {
		status.Problem, status.Units = s.problem.String(), s.schedule.count()
		if left := s.params.Evaluations - s.schedule.spent; s.params.Evaluations > 0 && s.rate > 0 {
			status.SecondsLeft = float64(left) / s.rate / float64(max(1, cores))
		}
	})
}
