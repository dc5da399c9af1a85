package orbit

import (
	"context"

	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// Name is the word by which records and flags call Method.
const Name = "orbit"

// Limits of what is tabled: nodes of the torus, bits of the largest load, and loads of pairs of orbits.
const (
	maxNodes    = 1024
	maxLoadBits = 29
	maxEntries  = 1 << 24
)

// Supports returns nil for routings whose loads are sums over pairs, but for tables by pair, on tori within the limits
// of the tables, otherwise a *search.UnsupportedError.
func Supports(p objective.Problem) error {
	nodes := maxNodes
	if !p.Torus().Closed() {
		nodes = fast.MaxPairNodes
	}
	return supports(Name, p, p.Size, nodes, maxLoadBits)
}

// Method goes through subgroups. The zero value is ready.
type Method struct{}

// Name returns "orbit".
func (Method) Name() string { return Name }

// Supports returns what the function of this name does.
func (Method) Supports(p objective.Problem) error { return Supports(p) }

// Run returns the best placement that is a union of orbits of one of the subgroups tried. An evaluation is one choice
// of orbits visited; every placement found is evaluated exactly. Complete means that no subgroup tried holds anything
// better: there is never a refutation.
func (Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	t, err := newTables(p.Problem)
	if err != nil {
		return search.Outcome{}, err
	}
	h := newRun(Name, p)
	defer context.AfterFunc(ctx, func() { h.stop.Store(true) })()
	var open []*subgroupVisit
	for _, s := range t.group.subgroups(p.Problem) {
		open = append(open, &subgroupVisit{run: h, tables: t, subgroup: s})
	}
	found := h.start()
	h.report(search.Event{Improved: found, Total: len(open)})
	return h.out, rounds(h, open, h.planSubgroups)
}

// A subgroupVisit is a visit of Method.
type subgroupVisit struct {
	*run
	*tables
	subgroup *Subgroup
	choices  int64    // that it may visit in this round
	shuffle  uint64   // the order of this round
	descent  *descent // nil if there was none
	large    bool     // the model is too large
}

// planSubgroups shares out what is left of the evaluations among the next open subgroups, which are searched in another
// order in every round.
func (h *run) planSubgroups(round uint64, choices int64, first int, open []*subgroupVisit) []*subgroupVisit {
	visits := open[first:min(first+batch, len(open))]
	if left, limited := h.left(); limited {
		visits = visits[:min(int64(len(visits)), left)]
		choices = min(choices, max(1, left/batch))
	}
	for _, v := range visits {
		v.choices, v.shuffle = choices, 0
		if round > 0 {
			v.shuffle = h.params.Seed + round<<32 + 1
		}
	}
	return visits
}

func (v *subgroupVisit) search() {
	v.descent = nil
	if v.stop.Load() {
		return
	}
	m, ok := newModel(v.flows, v.group, v.subgroup, v.problem)
	if v.large = !ok; v.large {
		return
	}
	v.descent = &descent{model: m, value: m.unitsBelow(v.out.Value) + 1, enough: m.unitsUpTo(v.params.Goal),
		allowed: v.choices, shuffle: v.shuffle, stopped: v.stop.Load}
	v.descent.run()
}

// learn takes a subgroup that is too large to be tabled as done.
func (v *subgroupVisit) learn() (open bool, err error) {
	q := v.descent
	v.descent = nil // the tables are made anew, not kept
	switch {
	case v.large:
		v.report(search.Event{Note: "symmetry " + v.subgroup.String() + ": too many orbits"})
		return false, nil
	case q == nil:
		return true, nil
	}
	v.out.Evaluations += q.nodes
	if q.best != nil {
		placement, value := q.found()
		err = v.improve(placement, value, "symmetry "+v.subgroup.String())
	}
	return !q.closed, err
}
