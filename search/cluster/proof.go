package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"

	"leeway/core"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/refuters"
)

// A proofRun is one call of Prove.
type proofRun struct {
	question
	shared  refuters.Shared
	units   map[string]*slice // that are out, by the IDs of their units
	waiting int               // of them, for workers
	judges  sync.WaitGroup
	judging int                              // streams
	judged  chan func(context.Context) error // what follows from a judgement
}

// A slice is one that is handed out.
type slice struct {
	lease
	name    []int
	ids     []string // of its units
	failed  int      // reports that were wrong or refused, and workers lost
	judging bool
}

// Prove has workers write the slices of a proof until it is settled or the context ends. What they hand in counts when
// it is judged so. A slice that has failed MaxDeaths times is written here. It fails with the error of the context, and
// when the queue cannot be reached.
func (c *Coordinator) Prove(ctx context.Context, shared refuters.Shared) error {
	w := &proofRun{question: question{Coordinator: c, problem: shared.Problem}, shared: shared,
		units: map[string]*slice{}, judged: make(chan func(context.Context) error)}
	var err error
	if w.base, err = message.NewUnit(shared.Problem); err != nil {
		return err
	}
	w.base.Proof = &message.Slice{Below: shared.Below.RatString(), Engine: shared.Refuter}
	w.id = w.base.Question()
	ctx, cancel := context.WithCancel(ctx)
	defer w.judges.Wait()
	defer cancel()
	if err = w.ask(ctx, message.Question{ID: w.id}); err == nil {
		err = w.loop(ctx, w, w.judged)
	}
	return errors.Join(w.end(ctx, err), ctx.Err())
}

// maxOut is how many units wait for workers at most, however many workers there are said to be.
const maxOut = 1 << 12

func (w *proofRun) fill(ctx context.Context) error {
	cores, _ := w.capacity()
	for w.waiting < min(max(4, 2*cores), maxOut) {
		name, ok := w.shared.Next()
		if !ok {
			return nil
		}
		w.waiting++
		if err := w.issue(ctx, &slice{name: name}); err != nil {
			return err
		}
	}
	return nil
}

// issue hands out a slice, for the first time or again: the first report that is right counts.
func (w *proofRun) issue(ctx context.Context, x *slice) error {
	u, p := w.base, *w.base.Proof
	p.Name, u.Proof, u.Issue = x.name, &p, int64(len(x.ids))
	x.ids = append(x.ids, u.ID())
	w.units[u.ID()] = x
	x.renew(time.Now())
	return w.queue.Issue(ctx, u.ID(), u.Text())
}

// forget takes a slice out that is settled.
func (w *proofRun) forget(x *slice) {
	for _, id := range x.ids {
		delete(w.units, id)
	}
	w.waiting--
}

func (w *proofRun) finished() bool {
	open, out, _ := w.shared.Left()
	return open+out+w.judging == 0
}

func (w *proofRun) busy() bool { return w.judging >= max(1, w.options.Judges) }

// chase hands out again what a slow worker has, or one that made a unit vanish.
func (w *proofRun) chase(ctx context.Context) error {
	seen := map[*slice]bool{}
	for _, x := range w.units {
		if seen[x] || x.judging || !w.overdue(&x.lease) {
			continue
		}
		seen[x] = true
	}
	for x := range seen {
		w.log.Info("unit handed out again", "slice", fmt.Sprint(x.name), "after",
			time.Since(x.since).Round(time.Second).String())
		if err := w.issue(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// posted ends the proof by a placement below the value.
func (w *proofRun) posted(_ context.Context, i message.Incumbent, s core.Placement, value *big.Rat) error {
	if value.Cmp(w.shared.Below) < 0 {
		w.log.Info("the question has become pointless", "below", w.shared.Below.RatString(), "incumbent", i.Value,
			"worker", i.Worker)
		w.shared.Found(nil, s)
	}
	return nil
}

// take looks at a report: it is refused, given back, or judged.
func (w *proofRun) take(ctx context.Context, d queue.Delivery) error {
	r, err := message.ParseReport(d.Text)
	x := w.units[r.Unit]
	switch {
	case err != nil:
	case x == nil:
		err = errUnknownUnit
	case x.judging:
		err = errDuplicate
	}
	if err != nil {
		return w.refuse(ctx, d, r, err)
	}
	reissue := func() error { return w.issue(ctx, x) }
	if ok, err := w.admit(ctx, d, r, &x.lease, reissue); !ok || err != nil {
		return err
	}
	switch {
	case r.Returned():
		err = reissue()
	case r.Deaths > 0:
		err = w.fail(ctx, x, r, fmt.Errorf("%d workers were lost with it", r.Deaths))
	case r.Refused != "":
		err = w.fail(ctx, x, r, errors.New(r.Refused))
	case len(r.Found) > 0:
		s, value, wrong := w.evaluate(r)
		if wrong == nil && value.Cmp(w.shared.Below) >= 0 {
			wrong = fmt.Errorf("its placement has E_max %s", value.RatString())
		}
		if wrong != nil {
			err = w.fail(ctx, x, r, wrong)
			break
		}
		w.forget(x)
		w.shared.Found(x.name, s)
	default:
		w.judge(ctx, x, func() error { return w.shared.Judge(ctx, x.name, r.Steps()) },
			func(ctx context.Context, err error) error {
				if err != nil {
					return w.fail(ctx, x, r, err)
				}
				w.countDone()
				w.forget(x)
				return nil
			})
	}
	return errors.Join(err, d.Done(ctx))
}

// evaluate returns the placement of a report with its E_max.
func (w *proofRun) evaluate(r message.Report) (s core.Placement, value *big.Rat, err error) {
	if s, err = message.Placement(w.problem, r.Found); err == nil {
		value, _ = w.problem.Naive(s).Max()
	}
	return s, value, err
}

// judge has something done about a slice beside everything else, and what follows from its error here.
func (w *proofRun) judge(ctx context.Context, x *slice, do func() error, then func(context.Context, error) error) {
	x.judging = true
	w.judging++
	w.judges.Go(func() {
		err := do()
		select {
		case w.judged <- func(ctx context.Context) error {
			x.judging = false
			w.judging--
			return then(ctx, err)
		}:
		case <-ctx.Done():
		}
	})
}

// fail takes in that a report is of no use: another worker is to write the slice, in the end this process.
func (w *proofRun) fail(ctx context.Context, x *slice, r message.Report, why error) error {
	w.countRefused(r, why)
	if x.failed++; x.failed < MaxDeaths {
		return w.issue(ctx, x)
	}
	w.log.Warn("slice is written here", "slice", fmt.Sprint(x.name), "failed", x.failed)
	w.judge(ctx, x, func() error { w.shared.Own(ctx, x.name); return nil }, func(context.Context, error) error {
		w.forget(x)
		return nil
	})
	return nil
}

func (w *proofRun) tell(now bool) {
	if !w.due(now) {
		return
	}
	open, out, proved := w.shared.Left()
	w.publish(func(s *message.Status) {
		s.Problem, s.Below, s.Engine = w.problem.String(), w.shared.Below.RatString(), w.shared.Refuter
		s.Units = message.Units{Done: proved, Out: out, Open: open}
	})
}
