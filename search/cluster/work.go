package cluster

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/cluster/message"
	"leeway/search/portfolio"
)

// plans keeps the plan of the last question: all units of one question share it.
type plans struct {
	engines []census.Engine
	planned func(question string) census.Plan // nil: nothing is

	mu       sync.Mutex
	question string
	last     *sharedPlan
}

// A sharedPlan is a plan with walkers that are idle: making one takes time.
type sharedPlan struct {
	census.Plan
	walkers sync.Pool
}

// of returns the plan of a unit's question, made by this process. It fails if the unit is not a part of that plan.
func (l *plans) of(ctx context.Context, u message.Unit, workers int) (*sharedPlan, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id := u.Question(); l.question != id || l.last == nil {
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
		l.question, l.last = id, &sharedPlan{Plan: plan, walkers: sync.Pool{New: func() any { return plan.Walker() }}}
	}
	if n := len(l.last.Prefixes()); n != u.Census.Prefixes || l.last.Split() != u.Census.Split {
		return nil, fmt.Errorf("the tree has %d prefixes of length %d here, not %d of %d",
			n, l.last.Split(), u.Census.Prefixes, u.Census.Split)
	}
	return l.last, nil
}

func (l *plans) make(ctx context.Context, u message.Unit, workers int) (census.Plan, error) {
	p, err := u.Problem()
	if err != nil {
		return nil, err
	}
	below, err := message.ParseValue(u.Census.Below)
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

// walk walks the prefixes of a unit, up to the first placement, the end of the context, or the first
// prefix that ends after Longest.
func (w *worker) walk(ctx context.Context, u message.Unit) message.Report {
	plan, err := w.plans.of(ctx, u, w.Cores)
	switch {
	case ctx.Err() != nil:
		return message.Report{}
	case err != nil:
		return message.Report{Refused: err.Error()}
	}
	var r message.Report
	var sum uint64
	began, walker := time.Now(), plan.walkers.Get().(census.Walker)
	defer plan.walkers.Put(walker)
	for i := u.Census.From; i < u.Census.From+u.Census.Count; i++ {
		if ctx.Err() != nil || r.Done > 0 && time.Since(began) > w.Longest {
			break
		}
		t := walker.Walk(i, func(nodes int64) bool {
			w.effort.Add(nodes)
			return ctx.Err() == nil
		})
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

// search does a unit of a search: a portfolio on one core. It posts at once what is better than the incumbent.
func (w *worker) search(ctx context.Context, u message.Unit) message.Report {
	p, params, err := paramsOf(u)
	if err != nil {
		return message.Report{Refused: err.Error()}
	}
	if w.Methods == nil {
		return message.Report{Refused: "there are no methods here"}
	}
	methods, err := w.Methods(slices.Concat(u.Search.Methods, u.Search.Exact))
	if err != nil {
		return message.Report{Refused: err.Error()}
	}
	var mu sync.Mutex
	counted := int64(0)
	count := func(evaluations int64) {
		mu.Lock()
		defer mu.Unlock()
		if more := evaluations - counted; more > 0 {
			w.effort.Add(more)
			counted = evaluations
		}
	}
	params.Observe = func(e search.Event) {
		count(e.Evaluations)
		if e.Improved && e.Best.Size() == p.Size {
			w.post(ctx, p, e)
		}
	}
	found, err := portfolio.Run(ctx, methods, params, portfolio.Options{Parts: u.Search.Parts})
	count(found.Evaluations)
	switch {
	case err != nil:
		return message.Report{Refused: err.Error()}
	case ctx.Err() != nil || found.Value == nil:
		return message.Report{}
	}
	proof := found.Refutation
	return message.Report{Best: found.Best.Nodes(), Value: found.Value.RatString(), Method: found.Method,
		Evaluations: found.Evaluations,
		Refuted:     proof != nil && proof.Kind == search.Census && proof.Below.Cmp(found.Value) == 0}
}

// post posts an improvement. It may be lost: the report of the unit has it too.
func (w *worker) post(ctx context.Context, p objective.Problem, e search.Event) {
	if exact, _ := p.Evaluate(e.Best).Max(); exact.Cmp(e.Value) != 0 {
		return
	}
	if err := Post(ctx, w.queue, p, e.Best, e.Value, w.Name); err != nil && ctx.Err() == nil {
		w.Log.Debug("no incumbent could be posted", "error", err)
	}
}

// paramsOf returns what a unit of a search asks for.
func paramsOf(u message.Unit) (objective.Problem, search.Params, error) {
	p, err := u.Problem()
	if err != nil {
		return p, search.Params{}, err
	}
	params := search.Params{Problem: p, Seed: u.Search.Seed, Evaluations: u.Search.Evaluations, Workers: 1}
	if u.Search.Goal != "" {
		if params.Goal, err = message.ParseValue(u.Search.Goal); err != nil {
			return p, params, err
		}
	}
	for _, nodes := range u.Search.Starts {
		s, err := message.Placement(p, nodes)
		if err != nil {
			return p, params, err
		}
		params.Starts = append(params.Starts, s)
	}
	return p, params, nil
}
