package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"sync"
	"sync/atomic"

	"leeway/core"
	"leeway/encode/steps"
	"leeway/results/check"
	"leeway/results/check/kernel"
	"leeway/results/check/meter"
	"leeway/search/refuters"
)

// slicedMethod returns the method by which a refuter proves a task. The kernel follows its steps while they are
// written, in slices, which a log keeps and other machines may write.
func (s *Session) slicedMethod(t Task, r refuters.Refuter) refuters.Method {
	return refuters.Method{Refuter: r, Below: t.Proof.Below,
		Prove: func(ctx context.Context, below *big.Rat, most int64, spend func(int64) error,
			tell func(int64, int, int)) (int64, error) {
			log := cmp.Or(t.Proof.Log, t.Proof.recalled)
			question, err := check.Prepare(t.Problem, below, false, func(int64) error { return ctx.Err() })
			if err != nil {
				return 0, err
			}
			x := &slicing{Task: t, refuter: r, below: below, question: question, most: most, log: log, spend: spend, tell: tell,
				front: check.NewFront(log.accepted(r.Name, below))}
			x.written.Store(x.front.Stream().Steps)
			if s.Head != nil && most == 0 && spend == nil {
				err = s.Head.Prove(ctx, x.shared())
			} else {
				workers := s.Workers
				if most > 0 || spend != nil {
					workers = 1 // how far that comes depends on nothing else
				}
				err = x.front.Work(ctx, workers, x.prove, x.keep)
			}
			open, out, _ := x.front.Left()
			if err = cmp.Or(x.front.Err(), err); err == nil && open+out > 0 {
				err = errLeft
			}
			if err == nil {
				t.Proof.accepted.Store(r.Name, proofOfStream(r.Name, below, x.front.Stream()))
			} else {
				s.tellRefused(wanted{Problem: t.Problem, value: below}, err)
			}
			return x.written.Load(), err
		}}
}

var errLeft = errors.New("slices of the proof are left")

// A slicing is a proof in slices under way.
type slicing struct {
	Task
	refuter  refuters.Refuter
	below    *big.Rat
	question *kernel.Prepared // the same for the kernel
	most     int64            // steps, 0: any number
	front    *check.Front
	log      *Log
	spend    func(int64) error // asked before bytes are written; nil: nobody is
	tell     func(steps int64, done, parts int)
	written  atomic.Int64 // steps, with those that the refuter tried and dropped
}

// write has the refuter write a part.
func (x *slicing) write(ctx context.Context, cut steps.Cut, to io.Writer) error {
	return x.refuter.Write(ctx, x.Problem, x.below, false, cut, to)
}

// prove has the refuter write a slice and the kernel follow it.
func (x *slicing) prove(ctx context.Context, s kernel.Slice) (check.Accepted, error) {
	cut := check.CutAt(s.Name)
	if x.most > 0 {
		if cut.Most = x.most - x.written.Load(); cut.Most <= 0 {
			return check.Accepted{}, steps.ErrMost
		}
	}
	work := int64(0)
	cut.Work = &work
	a, err := check.FollowSlice(ctx, x.question, s, func(int64) error { return ctx.Err() },
		func(ctx context.Context, to io.Writer) error {
			if x.spend != nil {
				to = refuters.Spending{Writer: to, Spend: x.spend}
			}
			return x.write(ctx, cut, to)
		})
	if err == nil {
		work -= a.Steps // keep adds these
	}
	x.written.Add(work)
	return a, err
}

// keep keeps a slice that was accepted, and tells how far the proof is.
func (x *slicing) keep(a check.Accepted) {
	written := x.written.Add(a.Steps)
	x.log.keep(x.refuter.Name, x.below, a)
	open, out, done := x.front.Left()
	x.tell(written, done, open+out+done)
}

// judgeSteps is what the check of a slice that somebody else has written may take, as kernel.Spender counts: many times
// what those of engines take.
const judgeSteps = 1 << 34

// shared returns the proof for others to write.
func (x *slicing) shared() refuters.Shared {
	var mu sync.Mutex
	out := map[string]kernel.Slice{} // by name
	handed := func(name []int) kernel.Slice {
		mu.Lock()
		defer mu.Unlock()
		return out[fmt.Sprint(name)]
	}
	return refuters.Shared{Problem: x.Problem, Below: x.below, Refuter: x.refuter.Name, Left: x.front.Left,
		Next: func() ([]int, bool) {
			s, ok := x.front.Next(func() {})
			mu.Lock()
			defer mu.Unlock()
			if ok {
				out[fmt.Sprint(s.Name)] = s
			}
			return s.Name, ok
		},
		Judge: func(ctx context.Context, name []int, stream io.Reader) error {
			s, spend := handed(name), meter.New(ctx, meter.Limits{Steps: judgeSteps}).Spend
			a, err := check.FollowSlice(ctx, x.question, s, spend, func(_ context.Context, to io.Writer) error {
				_, err := io.Copy(to, stream)
				return err
			})
			if err == nil {
				err = confirm(ctx, x.question, s, a.Left, spend, x.write)
			}
			if err == nil {
				x.accept(a)
			}
			return err
		},
		Found: func(name []int, s core.Placement) { x.front.Fail(name, &refuters.PlacementError{Placement: s}) },
		Own: func(ctx context.Context, name []int) {
			a, err := x.prove(ctx, handed(name))
			switch {
			case err == nil:
				x.accept(a)
			case ctx.Err() == nil:
				x.front.Fail(name, err)
			}
		}}
}

// accept takes in a slice that was handed out and is accepted.
func (x *slicing) accept(a check.Accepted) {
	if x.front.Accept(a) {
		x.keep(a)
	}
}

// confirm returns an error unless an engine comes, below a slice, to all the slices that the stream of somebody else
// has left there. Cost: the steps that lead to these.
func confirm(ctx context.Context, q *kernel.Prepared, s kernel.Slice, left []kernel.Slice,
	spend kernel.Spender, write func(ctx context.Context, cut steps.Cut, to io.Writer) error) error {
	if len(left) == 0 {
		return nil
	}
	within := map[string]bool{} // names of what is around them
	for _, l := range left {
		for depth := range l.Name {
			within[fmt.Sprint(l.Name[:depth])] = true
		}
	}
	cut := steps.Cut{Name: s.Name, Leave: func(name []int, _ int64) bool { return !within[fmt.Sprint(name)] }}
	own, err := check.FollowSlice(ctx, q, s, spend, func(ctx context.Context, to io.Writer) error {
		return write(ctx, cut, to)
	})
	if err != nil {
		return err
	}
	known := map[string]kernel.Slice{}
	for _, l := range own.Left {
		known[fmt.Sprint(l.Name)] = l
	}
	for _, l := range left {
		have, ok := known[fmt.Sprint(l.Name)]
		if delete(known, fmt.Sprint(l.Name)); !ok || have.Sets != l.Sets || !slices.Equal(have.Bounds, l.Bounds) {
			return fmt.Errorf("it leaves %v open, to which the engine does not come so", l.Name)
		}
	}
	return nil
}
