package cluster

import (
	"context"
	"fmt"
	"sync"
	"time"

	"leeway/search/census"
)

// plans keeps the plan of the last question: all units of one question share it.
type plans struct {
	engines []census.Engine
	planned func(question string) census.Plan // nil: nothing is

	mu       sync.Mutex
	question string
	plan     census.Plan
	idle     []census.Walker // of the plan: making one takes time
}

// of returns the plan of a unit's question, made by this process, if the unit is a
// part of it.
func (l *plans) of(ctx context.Context, u Unit, workers int) (census.Plan, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id := u.Question(); l.question != id || l.plan == nil {
		var plan census.Plan
		if l.planned != nil {
			plan = l.planned(id)
		}
		if plan == nil {
			var err error
			if plan, err = l.make(ctx, u, workers); err != nil {
				return nil, err
			}
		}
		l.question, l.plan, l.idle = id, plan, nil
	}
	if n := len(l.plan.Prefixes()); n != u.Census.Prefixes || l.plan.Split() != u.Census.Split {
		return nil, fmt.Errorf("the tree has %d prefixes of length %d here, not %d of %d", n, l.plan.Split(), u.Census.Prefixes, u.Census.Split)
	}
	return l.plan, nil
}

// borrow returns a walker of a plan, giveBack takes it back.
func (l *plans) borrow(p census.Plan) census.Walker {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.idle); n > 0 && l.plan == p {
		w := l.idle[n-1]
		l.idle = l.idle[:n-1]
		return w
	}
	return p.Walker()
}

func (l *plans) giveBack(p census.Plan, w census.Walker) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.plan == p {
		l.idle = append(l.idle, w)
	}
}

func (l *plans) make(ctx context.Context, u Unit, workers int) (census.Plan, error) {
	p, err := u.Problem()
	if err != nil {
		return nil, err
	}
	below, err := parseValue(u.Census.Below)
	if err != nil {
		return nil, err
	}
	for _, e := range l.engines {
		if e.Name() == u.Census.Engine {
			if err := e.Supports(p); err != nil {
				return nil, err
			}
			return e.Plan(ctx, p, below, workers)
		}
	}
	return nil, fmt.Errorf("there is no engine %.40q here", u.Census.Engine)
}

// walk walks the prefixes of a unit, up to the first placement, the end of the
// context, or the first one after Longest.
func (w *servant) walk(ctx context.Context, u Unit) Result {
	plan, err := w.plans.of(ctx, u, w.Cores)
	switch {
	case ctx.Err() != nil:
		return Result{}
	case err != nil:
		return Result{Refused: err.Error()}
	}
	var r Result
	var sum uint64
	began, walker := time.Now(), w.plans.borrow(plan)
	defer w.plans.giveBack(plan, walker)
	for i := u.Census.From; i < u.Census.From+u.Census.Count; i++ {
		if ctx.Err() != nil || r.Done > 0 && time.Since(began) > w.Longest {
			break
		}
		t := walker.Walk(i, func(int64) bool { return ctx.Err() == nil })
		if t.Found.Size() > 0 {
			r.Found = t.Found.Nodes()
			break
		}
		if t.Ended || ctx.Err() != nil {
			break
		}
		r.Done, r.Nodes, sum = r.Done+1, r.Nodes+t.Nodes, sum+t.Sum
	}
	r.Sum = fmt.Sprintf("%016x", sum)
	return r
}
