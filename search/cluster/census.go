package cluster

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"leeway/core"
	"leeway/search/census"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
)

// A censusRun is one call of Walk: a census on the cluster.
type censusRun struct {
	question
	tree      census.Tree
	report    census.Options
	progress  *progress
	pace      pace
	confirmer *confirmer
	pending   int  // reports that the confirmer has
	saidWaits bool // that only confirming is left was logged
}

// Walk implements census.Cluster. What the ledger holds of the question is taken over. A placement below
// the value that somebody posts ends the census at once.
func (c *Coordinator) Walk(ctx context.Context, t census.Tree, cut []census.Slice, done []bool,
	o census.Options) (census.Answer, error) {
	prefixes := len(t.Plan.Prefixes())
	if prefixes == 0 {
		return census.Answer{Slices: cut, Complete: true}, nil
	}
	w := &censusRun{question: question{Coordinator: c, problem: t.Problem}, tree: t, report: o,
		progress: newProgress(cut, done), pace: pace{target: c.options.UnitTime}}
	var err error
	if w.base, err = message.NewUnit(t.Problem); err != nil {
		return census.Answer{}, err
	}
	w.base.Census = &message.Range{Below: t.Below.RatString(), Engine: t.Engine.Name(), Split: t.Plan.Split(),
		Prefixes: prefixes}
	w.id = w.base.Question()
	c.mu.Lock()
	c.plan, c.planOf = t.Plan, w.id
	c.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w.confirmer = newConfirmer(ctx, t, c.options, c.isBanned)
	defer w.confirmer.ended.Wait()
	defer cancel()
	if err = w.begin(ctx); err == nil {
		err = w.loop(ctx, w, w.confirmer.finished, w.conclude)
	}
	err = w.end(ctx, err)
	return w.progress.answer(), err
}

// begin goes on from the ledger. Units that are out and not in the queue any more, or in quarantine, are
// handed out again; reports that waited to be walked again wait again.
func (w *censusRun) begin(ctx context.Context) error {
	kept := slices.Clone(w.progress.done)
	claims := w.progress.replay(w.past[w.id], w.problem, time.Now())
	delete(w.past, w.id)
	if w.confirmsAll() { // an earlier run may have believed workers
		w.progress.void()
	}
	for i := range kept {
		if kept[i] && !w.progress.done[i] {
			w.drop(i)
		} else if w.progress.done[i] && !kept[i] {
			w.keep(i)
		}
	}
	if err := w.askFor(ctx); err != nil {
		return err
	}
	for _, b := range w.progress.outstanding() {
		waiting := slices.IndexFunc(b.ids, func(id string) bool {
			r, ok := claims[id]
			return ok && !w.isBanned(r.Key)
		})
		if waiting >= 0 {
			w.confirm(confirmation{result: claims[b.ids[waiting]], batch: b, span: b.span})
		} else if err := w.reissue(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// askFor puts the question up: the prefixes that matter.
func (w *censusRun) askFor(ctx context.Context) error {
	return w.ask(ctx, message.Question{ID: w.id, Last: w.progress.last})
}

// confirm has a report walked again.
func (w *censusRun) confirm(c confirmation) {
	c.batch.confirming = true
	w.pending++
	w.confirmer.add(c)
}

// keep tells of a slice that is complete.
func (w *censusRun) keep(slice int) {
	if w.report.Walked != nil {
		w.report.Walked(slice, w.progress.slices[slice])
	}
}

// drop tells that a slice is not complete any more.
func (w *censusRun) drop(slice int) {
	if w.report.Dropped != nil {
		w.report.Dropped(slice, w.progress.slices[slice])
	}
}

// maxOut is how many units wait for workers at most, however many workers there are said to be.
const maxOut = 1 << 15

func (w *censusRun) fill(ctx context.Context) error {
	cores, _ := w.capacity()
	wanted := min(w.pace.depth(cores), maxOut) - (len(w.progress.out) - w.pending)
	for ; wanted > 0; wanted-- {
		s := w.progress.next(w.pace.prefixes())
		if s.count == 0 {
			break
		}
		if err := w.issue(ctx, s, true); err != nil {
			return err
		}
	}
	return nil
}

// issue hands out a range, in a new unit. Taken says that the range was free until now.
func (w *censusRun) issue(ctx context.Context, s span, taken bool) error {
	u, c := w.unit(), *w.base.Census
	c.From, c.Count = s.from, s.count
	u.Census = &c
	w.progress.issue(u.ID(), s, taken, time.Now())
	return w.send(ctx, u)
}

// reissue hands out a batch once more; the first report counts.
func (w *censusRun) reissue(ctx context.Context, b *batch) error { return w.issue(ctx, b.span, false) }

func (w *censusRun) over() bool { return w.pending == 0 && w.progress.over() }

// chase hands out again what a slow worker has, or one that made a unit vanish.
func (w *censusRun) chase(ctx context.Context) error {
	for _, b := range w.progress.outstanding() {
		if !w.overdue(&b.lease) {
			continue
		}
		w.log.Info("unit handed out again", "from", b.from, "prefixes", b.count,
			"after", time.Since(b.since).Round(time.Second).String())
		if err := w.reissue(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// posted ends the census by a placement below the value.
func (w *censusRun) posted(ctx context.Context, i message.Incumbent, s core.Placement, value *big.Rat) error {
	if value.Cmp(w.tree.Below) >= 0 {
		return nil
	}
	w.log.Info("the question has become pointless", "below", w.tree.Below.RatString(),
		"incumbent", i.Value, "worker", i.Worker)
	return w.found(ctx, s)
}

// found ends the census by a placement that does not come from a unit.
func (w *censusRun) found(ctx context.Context, s core.Placement) error {
	w.progress.find(0, s)
	return w.askFor(ctx)
}

// take looks at a report: it is refused, accepted, or walked again first.
func (w *censusRun) take(ctx context.Context, d queue.Delivery) error {
	r, err := message.ParseReport(d.Text)
	if err != nil {
		return w.refuse(ctx, d, r, err)
	}
	b, err := w.progress.open(r.Unit)
	if err != nil {
		return w.refuse(ctx, d, r, err)
	}
	reissue := func() error { return w.reissue(ctx, b) }
	own, ok, err := w.admit(ctx, d, r, &b.lease, reissue)
	if !ok || err != nil {
		return err
	}
	if r.Refused != "" {
		return w.passOn(ctx, d, r, b)
	}
	if err = b.fits(r); err == nil {
		err = w.evaluate(r)
	}
	if err != nil {
		if err := w.distrust(ctx, r, err); err != nil {
			return err
		}
		return w.discard(ctx, d, r, err, reissue)
	}
	onWord := !own && r.Done > 0 && w.believed(r)
	if own || r.Deaths > 0 || r.Done == 0 || onWord {
		if err := w.accept(ctx, r, b, onWord); err != nil {
			return err
		}
		return d.Done(ctx)
	}
	if err := w.record(ctx, message.Entry{Question: w.id, Claim: &r}); err != nil {
		return err
	}
	w.confirm(confirmation{result: r, batch: b, span: b.span})
	return d.Done(ctx)
}

// evaluate returns an error unless the placement of a report, if it has one, is below the value.
func (w *censusRun) evaluate(r message.Report) error {
	if len(r.Found) == 0 {
		return nil
	}
	s, err := message.Placement(w.problem, r.Found)
	if err != nil {
		return fmt.Errorf("its placement is none: %w", err)
	}
	if v, _ := w.problem.Naive(s).Max(); v.Cmp(w.tree.Below) >= 0 {
		return fmt.Errorf("its placement has E_max %s, which is not below %s", v.RatString(), w.tree.Below.RatString())
	}
	return nil
}

// passOn hands a unit that a worker does not understand to another one, and has it walked here when several do not.
func (w *censusRun) passOn(ctx context.Context, d queue.Delivery, r message.Report, b *batch) error {
	b.refusals++
	w.log.Warn("unit refused by a worker", "worker", r.Worker, "unit", r.Unit, "reason", r.Refused)
	if b.refusals >= MaxDeaths {
		w.confirm(confirmation{result: message.Report{Unit: r.Unit, Done: b.count}, batch: b, span: b.span, local: true})
	} else if err := w.reissue(ctx, b); err != nil {
		return err
	}
	return d.Done(ctx)
}

// accept takes a report into the ledger and the progress.
func (w *censusRun) accept(ctx context.Context, r message.Report, b *batch, onWord bool) error {
	if err := w.record(ctx, message.Entry{Question: w.id, Accept: &r, OnWord: onWord}); err != nil {
		return err
	}
	last := w.progress.last
	slice := w.progress.settle(b, r, onWord, w.problem)
	if r.Deaths > 0 {
		w.log.Error("unit in quarantine", "unit", r.Unit, "from", b.from, "prefixes", b.count, "workers lost", r.Deaths)
	}
	if r.Done > 0 {
		w.countDone()
	}
	w.pace.took(r.Done, r.Seconds)
	if w.report.Observe != nil {
		w.report.Observe(r.Nodes)
	}
	if slice >= 0 {
		w.keep(slice)
	}
	if w.progress.last != last {
		return w.askFor(ctx)
	}
	return nil
}

// conclude takes in what came out of walking a unit again.
func (w *censusRun) conclude(ctx context.Context, c confirmation) error {
	w.pending--
	c.batch.confirming = false
	switch {
	case c.err != nil && ctx.Err() == nil:
		return fmt.Errorf("cluster: results of workers cannot be confirmed: %w", c.err)
	case c.batch.closed || ctx.Err() != nil: // a placement before it was found meanwhile
		return nil
	case c.tally.Ended: // its worker was banned meanwhile
		w.countRefused(c.result, errUntrusted)
		return w.reissue(ctx, c.batch)
	case c.wrong != nil:
		w.countRefused(c.result, c.wrong)
		if err := w.distrust(ctx, c.result, c.wrong); err != nil {
			return err
		}
	}
	if s := c.tally.Found; s.Size() > 0 {
		if v, _ := w.problem.Naive(s).Max(); v.Cmp(w.tree.Below) < 0 {
			return w.found(ctx, s)
		}
		return w.reissue(ctx, c.batch)
	}
	r := c.result
	if c.wrong != nil || c.local { // what was counted here counts
		r = message.Report{Unit: r.Unit, Worker: "coordinator", Done: r.Done,
			Nodes: c.tally.Nodes, Sum: fmt.Sprintf("%016x", c.tally.Sum)}.Checked()
	} else if w.right[r.Key] < w.probation && len(w.right) < maxWorkers {
		w.right[r.Key]++
	}
	return w.accept(ctx, r, c.batch, false)
}

// distrust bans the worker of a wrong report, and takes back all that counts on the word of workers.
func (w *censusRun) distrust(ctx context.Context, r message.Report, why error) error {
	w.ban(r.Key)
	if err := w.record(ctx, message.Entry{Question: w.id, Void: r.Key}); err != nil {
		return err
	}
	batches, reopened := w.progress.void()
	for _, slice := range reopened {
		w.drop(slice)
	}
	w.log.Error("worker is not trusted any more", "worker", r.Worker, "key", r.Key, "reason", why.Error(),
		"units taken back", batches)
	return w.askFor(ctx)
}

func (w *censusRun) tell(now bool) {
	if !w.due(now) {
		return
	}
	c := w.progress.count()
	cores, _ := w.capacity()
	if len(w.progress.free) == 0 && c.confirming > 0 && c.out == c.confirming && !w.saidWaits {
		w.log.Info("all units are walked; results of workers are being confirmed", "units", c.confirming)
		w.saidWaits = true
	}
	w.publish(func(s *message.Status) {
		s.Problem, s.Below, s.Engine = w.problem.String(), w.tree.Below.RatString(), w.tree.Engine.Name()
		s.Units = message.Units{Done: c.done, Out: c.out - c.confirming, Confirming: c.confirming, Quarantined: c.quarantined}
		s.PrefixesLeft, s.Prefixes = c.prefixesLeft, w.base.Census.Prefixes
		s.SecondsLeft = w.pace.left(c.prefixesLeft, cores).Seconds()
	})
}
