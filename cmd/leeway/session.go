package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/work"
	"leeway/objective"
	"leeway/results"
	"leeway/results/store"
	"leeway/results/web"
	"leeway/search"
)

// session returns a session of this program, which shows how it goes in the terminal and on
// a live page.
func (a *app) session(workers int, live *work.Live) *work.Session {
	s := &work.Session{Version: version, Command: append([]string{"leeway"}, a.args...), Workers: max(1, workers)}
	var show *progress
	var place string // of the task among several: "2/5"
	var sizes func(search.Event)
	s.Observer = work.Observer{
		Next: func(i, of int) { place = fmt.Sprintf("%d/%d", i, of) },
		Begin: func(t work.Task, lower *big.Rat, nulls []store.Null) {
			if t.Limit != nil {
				sizes = a.tellSizes(t.Problem)
				live.Begin(fmt.Sprintf("Largest placement on %s under %s with E_max at most %s", t.Torus(), t.RoutingText(), t.Limit), t.Problem, nil, nil)
				return
			}
			show = a.newProgress(place, fmt.Sprintf("%s n=%d %s", t.Torus(), t.Size, t.RoutingText()), lower, t.Budget)
			live.Begin(fmt.Sprintf("%d processors on %s under %s", t.Size, t.Torus(), t.RoutingText()), t.Problem, lower, nulls)
		},
		Bound: func(lower, checking *big.Rat) {
			show.setBound(lower, checking)
			live.Bound(lower, checking)
		},
		Event: func(e search.Event) {
			if show != nil {
				show.observe(e)
			} else {
				sizes(e)
			}
			live.Observe(e)
		},
		End: func() {
			if show != nil {
				show.stop()
			}
			show = nil
		},
		Remark: func(format string, args ...any) {
			if show != nil {
				show.clear()
			}
			a.remark(format, args...)
		},
	}
	return s
}

// broadcasting does some work with a live page of a title at an address; without an
// address it just does the work.
func (a *app) broadcasting(address, title string, do func(*work.Live) error) error {
	if address == "" {
		return do(nil)
	}
	listener, err := a.listen("serve", address)
	if err != nil {
		return err
	}
	hub := web.NewLive(title)
	b := work.NewLive(hub)
	handler, err := hub.Handler(web.Access{Loopback: loopback(listener)})
	if err != nil {
		return err
	}
	a.remark("live page at http://%s/", listener.Addr())
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	var failed error
	running.Go(func() { failed = serveUntil(ctx, listener, handler) })
	running.Go(func() { b.Tick(ctx) })
	err = do(b)
	b.Tell()
	hub.Publish(web.Event{Done: true})
	stop()
	running.Wait()
	if err == nil {
		err = failed
	}
	return err
}

// tellSizes returns an observer that remarks every larger size that is found within
// the limit.
func (a *app) tellSizes(p objective.Problem) func(search.Event) {
	var mu sync.Mutex
	started, largest := time.Now(), 1
	return func(e search.Event) {
		mu.Lock()
		defer mu.Unlock()
		if n := e.Best.Size(); n > largest && e.Value != nil && e.Value.Cmp(p.Limit.At(n)) <= 0 {
			largest = n
			a.remark("%s  %d processors with E_max %s (%s)", time.Since(started).Round(time.Second), n, e.Value.RatString(), e.Method)
		}
	}
}

// workOn works on tasks and publishes what comes of each. Of several tasks one that fails is
// reported and the others are done, unless it is a store that cannot be written.
func (a *app) workOn(ctx context.Context, s *work.Session, live *work.Live, q *question, tasks []work.Task) error {
	list, several := []any{}, len(tasks) != 1 // a list is never null
	var failed error
	err := s.All(ctx, tasks, func(t work.Task, answer work.Answer, err error) error {
		switch {
		case answer.Record != nil:
			list = append(list, *answer.Record)
			if !answer.Before {
				live.End(fmt.Sprintf("ended: %s: E_max %s, %s", t.Problem, answer.Record.MaxLoad, answer.Record.Status))
				err = cmp.Or(a.publish(q, t, answer), err)
			}
		case answer.Below != nil && err == nil:
			list = append(list, *answer.Below)
			err = a.publishBelow(q, answer)
		}
		if t.Proof != nil && t.Proof.Log != nil {
			err = cmp.Or(err, t.Proof.Log.Err())
		}
		var full *results.WriteError
		if err == nil || !several || s.Store != nil && errors.As(err, &full) {
			return err
		}
		a.remark("%s: %v", t.Problem, err)
		failed = quietError(statusOf(err)) // it was reported
		return nil
	})
	failed = cmp.Or(err, failed)
	if q.asJSON && failed == nil || len(list) > 0 && (q.asJSON || failed != nil) { // what was found is not lost with its file
		if err := a.printItems(list, several); err != nil {
			return err
		}
	}
	return failed
}

// storing holds the flags of searches that use a store.
type storing struct {
	storeFile string
	serve     string // address of a live page, "" for none
	recheck   int
}

func (f *storing) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.storeFile, "store", "", "file that keeps records, bounds, null results and the state of searches (with --plan: named after the plan)")
	cmd.Flags().StringVar(&f.serve, "serve", "", "HOST:PORT of a live page of the search; port 0 takes a free one")
	cmd.Flags().IntVar(&f.recheck, "recheck", 0, "compute every so many improvements again by the naive evaluator; 0: none")
}

// lookFor works on tasks, in a store if one is named, which it may be that they come from.
func (a *app) lookFor(ctx context.Context, q *question, f *storing, head *lead, tasks func(*work.Session) ([]work.Task, error)) error {
	if f.recheck < 0 {
		return usagef("--recheck %d: a number from 0 on is needed", f.recheck)
	}
	return a.broadcasting(f.serve, "Search under way", func(live *work.Live) error {
		s := a.session(q.workers, live)
		s.Recheck = f.recheck
		if head != nil {
			head.show(live)
			s.Head = head
		}
		work := func() error {
			list, err := tasks(s)
			if err != nil {
				return err
			}
			return a.workOn(ctx, s, live, q, list)
		}
		if f.storeFile == "" {
			return work()
		}
		return storeHint(s.WithStore(f.storeFile, work))
	})
}

// storeHint names the flag of a store that cannot be opened.
func storeHint(err error) error {
	var open *work.OpenError
	if errors.As(err, &open) {
		return inFlag("store", open.Err)
	}
	return err
}

// identity returns the text by which a cluster knows the job that some tasks are: the words of
// a command line that asks for the same.
func identity(tasks []work.Task) string {
	text := tasks[0].String()
	if last := tasks[len(tasks)-1]; len(tasks) > 1 {
		text += fmt.Sprintf(" and sizes up to %d", last.Size)
	}
	return text
}

// refuseExact refuses methods that are proofs: units of a search have no use for them.
func refuseExact(names []string) error {
	if i := slices.IndexFunc(names, work.Walks); i >= 0 {
		return &usageError{err: usagef("--methods: %s walks everything and is not cut into units of a search", names[i]),
			hint: "leeway prove --cluster shares a proof; census among other methods proves what it can"}
	}
	if slices.Equal(names, []string{work.ExactMethod}) {
		return &usageError{err: usagef("--methods %s: a search by a cluster needs a method besides", work.ExactMethod), hint: "leeway prove --cluster shares a proof"}
	}
	return nil
}
