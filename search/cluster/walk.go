package cluster

import (
	"context"
	"slices"
	"time"

	"leeway/search/census"
)

// A walk is one call of Walk. Everything in it belongs to one goroutine.
type walk struct {
	*Coordinator
	tree    census.Tree
	report  census.Options
	base    Unit
	id      string // of the question
	board   *board
	pace    pace
	checker *checker
	pending int       // results that the checker has
	told    time.Time // when the status was
	waits   bool      // that only confirming is left was told
}

// tickInterval is how often stragglers are looked for.
const tickInterval = time.Second

// Walk implements census.Crew. What the ledger holds of the question is taken over.
// A placement below the value that turns up as incumbent ends the walk at once.
func (c *Coordinator) Walk(ctx context.Context, t census.Tree, cut []census.Slice, done []bool, o census.Options) (census.Answer, error) {
	prefixes := len(t.Plan.Prefixes())
	if prefixes == 0 {
		return census.Answer{Slices: cut, Complete: true}, nil
	}
	w := &walk{Coordinator: c, tree: t, report: o, board: newBoard(cut, done), pace: pace{target: c.options.UnitTime}}
	var err error
	if w.base, err = unitOf(t.Problem); err != nil {
		return census.Answer{}, err
	}
	w.base.Census = &Census{Below: t.Below.RatString(), Engine: t.Engine.Name(), Split: t.Plan.Split(), Prefixes: prefixes}
	w.id = w.base.Question()
	c.mu.Lock()
	c.asked, c.plan = w.id, t.Plan
	c.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w.checker = newChecker(ctx, t, c.options, c.isBanned)
	defer w.checker.ended.Wait()
	defer cancel()
	err = w.run(ctx)
	c.setStopped(err != nil)
	if ctx.Err() != nil { // stopped, as a walk of one's own is
		after, cancel := lingering(ctx)
		defer cancel()
		err = w.ask(after, question{})
	}
	return w.board.answer(), err
}

// run hands out and takes in until nothing is left.
func (w *walk) run(ctx context.Context) error {
	if err := w.begin(ctx); err != nil {
		return err
	}
	incumbents := make(chan Fact, 1)
	if err := w.queue.Watch(ctx, keyBest, func(f Fact) { offer(ctx, incumbents, f) }); err != nil {
		return err
	}
	tick := time.NewTicker(tickInterval)
	defer tick.Stop()
	for !w.board.over() || w.pending > 0 {
		err := w.fill(ctx)
		if err == nil {
			w.tell(false)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case d := <-w.results:
				err = w.take(ctx, d)
			case v := <-w.checker.verdicts:
				err = w.conclude(ctx, v)
			case f := <-incumbents:
				err = w.incumbent(ctx, f)
			case <-tick.C:
				err = w.chase(ctx)
			}
		}
		if err != nil {
			return err
		}
	}
	w.tell(true)
	return w.ask(ctx, question{})
}

// offer passes a fact on.
func offer(ctx context.Context, to chan<- Fact, f Fact) {
	select {
	case to <- f:
	case <-ctx.Done():
	}
}

// begin goes on from the ledger: units that are out and not in the queue any more,
// or in quarantine, are handed out again.
func (w *walk) begin(ctx context.Context) error {
	kept := slices.Clone(w.board.done)
	claims := w.board.replay(w.past[w.id], w.tree.Problem, time.Now())
	delete(w.past, w.id)
	if w.doubts() { // what an earlier run took on the word of workers
		w.board.void()
	}
	for i := range kept {
		if kept[i] && !w.board.done[i] { // or it was killed before that was told
			w.drop(i)
		}
	}
	for i := range w.board.slices {
		if w.board.done[i] && !kept[i] {
			w.keep(i)
		}
	}
	if err := w.ask(ctx, question{ID: w.id, Last: w.board.last}); err != nil {
		return err
	}
	for _, p := range w.board.outstanding() {
		if w.resume(p, claims) {
			continue
		}
		if err := w.reissue(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// resume has a result walked again that waited for it when the coordinator ended.
func (w *walk) resume(p *piece, claims map[string]Result) bool {
	for _, id := range p.issues {
		if r, ok := claims[id]; ok && !w.isBanned(r.Key) {
			w.suspect(suspect{result: r, piece: p, span: p.span})
			return true
		}
	}
	return false
}

// suspect has a result walked again.
func (w *walk) suspect(s suspect) {
	s.piece.checking = true
	w.pending++
	w.checker.add(s)
}

// keep tells of a slice that is complete.
func (w *walk) keep(slice int) {
	if w.report.Walked != nil {
		w.report.Walked(slice, w.board.slices[slice])
	}
}

// drop takes that back.
func (w *walk) drop(slice int) {
	if w.report.Dropped != nil {
		w.report.Dropped(slice, w.board.slices[slice])
	}
}

// mostOut is how many units wait for workers at most, however many say that they are
// there.
const mostOut = 1 << 15

// fill puts units into the queue until there are enough for all workers.
func (w *walk) fill(ctx context.Context) error {
	wanted := min(w.pace.depth(w.cores()), mostOut) - (len(w.board.outs) - w.pending)
	var units []Unit
	for ; wanted > 0; wanted-- {
		s := w.board.next(w.pace.prefixes())
		if s.count == 0 {
			break
		}
		u := w.unit(s)
		w.board.issue(u.ID(), s, true, time.Now())
		units = append(units, u)
	}
	return w.send(ctx, units)
}

// unit returns a new unit for a range.
func (w *walk) unit(s span) Unit {
	u, c := w.base, *w.base.Census
	w.issues++
	c.From, c.Count = s.from, s.count
	u.Census, u.Issue = &c, w.issues
	return u
}

// reissue hands a piece out once more; the first result counts.
func (w *walk) reissue(ctx context.Context, p *piece) error {
	u := w.unit(p.span)
	w.board.issue(u.ID(), p.span, false, time.Now())
	return w.send(ctx, []Unit{u})
}

// chase hands out stragglers again when workers have nothing else to do: of a slow
// worker, or of one that made a unit vanish.
func (w *walk) chase(ctx context.Context) error {
	if w.idle() <= 0 {
		return nil
	}
	for _, p := range w.board.outstanding() {
		if p.quarantined || p.checking || !w.overdue(p.since, len(p.issues)) {
			continue
		}
		w.log.Info("unit handed out again", "from", p.from, "prefixes", p.count, "after", time.Since(p.since).Round(time.Second).String())
		if err := w.reissue(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// stragglers is after how many times the time of a unit it is handed out again, at
// first.
const stragglers = 4

// overdue reports whether a unit that was handed out some times, the last time
// then, is to be handed out again. Each time it takes twice as long as before.
func (c *Coordinator) overdue(then time.Time, times int) bool {
	return time.Since(then) > stragglers*c.options.UnitTime<<min(max(times, 1)-1, 10)
}

// incumbent looks at a placement that somebody has posted.
func (w *walk) incumbent(ctx context.Context, f Fact) error {
	i, s, value, err := readIncumbent(w.tree.Problem, f.Value)
	if err != nil {
		return w.refuseIncumbent(ctx, f, err)
	}
	if s.Size() > 0 && value.Cmp(w.tree.Below) < 0 {
		w.log.Info("the question has become pointless", "below", w.tree.Below.RatString(), "incumbent", i.Value, "worker", i.Worker)
		w.board.find(0, s)
		return w.ask(ctx, question{ID: w.id, Last: 0})
	}
	return nil
}
