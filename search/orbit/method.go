package orbit

import (
	"context"
	"fmt"
	"sync/atomic"

	"leeway/core/parallel"
	"leeway/objective"
	"leeway/search"
)

// How the budget is shared out: subgroups are searched in groups of batch that
// know the same best value, each for firstVisit choices of orbits, and for growth
// times as many in every round after.
const (
	batch      = 8
	firstVisit = 2000
	growth     = 4
	lastVisit  = 1 << 40 // rounds after it do not grow: what is left of a budget may take many
)

// Method goes through subgroups. The zero value is ready.
type Method struct{}

// New returns the method.
func New() Method { return Method{} }

// Name returns "orbit".
func (Method) Name() string { return Name }

// Supports returns what the function of this name does.
func (Method) Supports(p objective.Problem) error { return Supports(p) }

// Run returns the best placement that is a union of orbits of one of the subgroups
// tried. An evaluation is one choice of orbits visited; every placement found is
// evaluated exactly. Complete means that no subgroup tried holds anything better:
// there is never a refutation.
func (Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	e, err := newEngine(p.Problem)
	if err != nil {
		return search.Outcome{}, err
	}
	h := &run{engine: e, params: p}
	for _, s := range e.group.subgroups(p.Problem.Size) {
		h.open = append(h.open, &visit{subgroup: s})
	}
	defer context.AfterFunc(ctx, func() { h.stop.Store(true) })()
	h.start()
	for round, nodes := uint64(0), int64(firstVisit); err == nil && !h.ended(); round, nodes = round+1, min(nodes*growth, lastVisit) {
		err = h.round(round, nodes)
	}
	h.conclude()
	return h.out, err
}

// A run is one call of the method.
type run struct {
	*engine
	params search.Params
	open   []*visit // of subgroups that may hold something better
	stop   atomic.Bool
	out    search.Outcome
}

// A visit is the search of one subgroup, in one round after the other.
type visit struct {
	subgroup *Subgroup
	nodes    int64    // that it may visit in this round
	shuffle  uint64   // the order of this round
	descent  *descent // nil if there was none
	large    bool     // the model is too large
}

// start takes the best start of the right size.
func (h *run) start() {
	for _, s := range h.params.Starts {
		if s.Size() == h.problem.Size && s.Torus().Equal(h.problem.Torus()) {
			if v, _ := objective.Evaluate(h.problem.Routing, s).Max(); h.out.Value == nil || v.Cmp(h.out.Value) < 0 {
				h.out.Best, h.out.Value = s, v
			}
		}
	}
	h.report(h.out.Value != nil, fmt.Sprintf("%d subgroups", len(h.open)))
}

// round searches every open subgroup for some nodes, in a new order, and keeps
// those open that were not searched to the end.
func (h *run) round(round uint64, nodes int64) error {
	var open []*visit
	for !h.ended() {
		visits := h.plan(round, nodes)
		h.searchAll(visits)
		for _, v := range visits {
			stays, err := h.learn(v)
			if err != nil {
				return err
			}
			if stays {
				open = append(open, v)
			}
		}
		h.open = h.open[len(visits):]
		h.report(false, "")
	}
	h.open = append(open, h.open...)
	return nil
}

// plan shares out what is left of the evaluations, at most nodes each, among the
// next open subgroups.
func (h *run) plan(round uint64, nodes int64) []*visit {
	count := min(batch, len(h.open))
	if budget := h.params.Evaluations; budget > 0 {
		left := budget - h.out.Evaluations
		count = int(min(int64(count), left))
		nodes = min(nodes, max(1, left/batch))
	}
	visits := h.open[:count]
	for _, v := range visits {
		v.nodes, v.shuffle = nodes, 0
		if round > 0 {
			v.shuffle = h.params.Seed + round<<32 + 1
		}
	}
	return visits
}

// searchAll makes the visits, on the workers given. All look for what is better than
// the best so far, so the result does not depend on their order.
func (h *run) searchAll(visits []*visit) {
	parallel.Each(context.Background(), h.params.Workers, len(visits), func(i int) { h.search(visits[i]) })
}

// search looks through one subgroup.
func (h *run) search(v *visit) {
	v.descent = nil
	if h.stop.Load() {
		return
	}
	m, ok := newModel(h.flows, h.group, v.subgroup, h.problem.Size)
	if v.large = !ok; v.large {
		return
	}
	v.descent = &descent{model: m, value: m.below(h.out.Value) + 1, enough: m.upTo(h.params.Goal),
		allowed: v.nodes, shuffle: v.shuffle, stopped: h.stop.Load}
	v.descent.run()
}

// learn takes in a visit and reports whether the subgroup may hold more. One that
// is too large to be tabled counts as done.
func (h *run) learn(v *visit) (stays bool, err error) {
	q := v.descent
	v.descent = nil // the tables are made anew, not kept
	switch {
	case v.large:
		h.report(false, "symmetry "+v.subgroup.String()+": too many orbits")
		return false, nil
	case q == nil:
		return true, nil
	}
	h.out.Evaluations += q.nodes
	if q.best == nil {
		return !q.closed, nil
	}
	placement, value, err := h.exact(q)
	if err != nil {
		return false, err
	}
	if h.out.Value == nil || value.Cmp(h.out.Value) < 0 {
		h.out.Best, h.out.Value = placement, value
		h.report(true, "symmetry "+v.subgroup.String())
	}
	return !q.closed, nil
}

// ended reports whether nothing is open, or the goal, the budget or the context ends
// the run.
func (h *run) ended() bool {
	spent := h.params.Evaluations > 0 && h.out.Evaluations >= h.params.Evaluations
	return len(h.open) == 0 || spent || h.params.Done(h.out.Value) || h.stop.Load()
}

// conclude says why the run ended.
func (h *run) conclude() {
	switch {
	case h.params.Done(h.out.Value):
		h.out.Reason = search.Reached
	case len(h.open) == 0:
		h.out.Reason = search.Complete
	case h.stop.Load():
		h.out.Reason = search.Stopped
	default:
		h.out.Reason = search.Spent
	}
}

func (h *run) report(improved bool, note string) {
	h.params.Report(search.Event{Method: Name, Value: h.out.Value, Best: h.out.Best, Evaluations: h.out.Evaluations, Improved: improved, Note: note})
}
