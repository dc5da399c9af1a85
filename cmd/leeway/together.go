package main

import (
	"context"
	"slices"
	"strings"

	"leeway/objective"
	"leeway/results/plan"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/cluster"
	"leeway/search/portfolio"
)

// clusterEnding is what a coordinator adds to the name of the file of the proof or
// search, to keep the queue in a folder next to it.
const clusterEnding = ".cluster"

// queueDir returns the folder of a queue, "" where the work is not kept either.
func queueDir(file string) string {
	if file == "" {
		return ""
	}
	return file + clusterEnding
}

// proveTogether proves as the coordinator of a cluster. What was stopped stays in
// the queue; what ended is cleared away.
func (a *app) proveTogether(ctx context.Context, h *proving, problems []objective.Problem, b budget) error {
	lead, err := a.startLead(ctx, &h.cluster, queueDir(h.work), "leeway "+strings.Join(jobWords(a.args), " "), b.workers)
	if err != nil {
		return err
	}
	defer lead.close()
	if h.work == "" {
		a.remark("without --work FILE a proof that is killed begins anew")
	}
	h.lead = lead
	b.workers = max(1, b.workers)
	err = a.broadcasting(h.serve, "Proof under way", func(live *broadcast) error {
		lead.show(live)
		return a.prove(ctx, h, problems, b)
	})
	if err != nil || lead.Stopped() {
		return err
	}
	return lead.Finish(ctx)
}

// searchTogether searches as the coordinator of a cluster.
func (a *app) searchTogether(ctx context.Context, n *night, jobs []plan.Job, storeFile string) error {
	lead, err := a.startLead(ctx, &n.cluster, queueDir(storeFile), "leeway "+strings.Join(jobWords(a.args), " "), n.workers)
	if err != nil {
		return err
	}
	defer lead.close()
	n.lead = lead
	n.workers = max(1, n.workers)
	if err := a.doAll(ctx, n, jobs, storeFile); err != nil || ctx.Err() != nil || lead.Stopped() && storeFile != "" && n.timeText == "" {
		return err
	}
	return lead.Finish(ctx)
}

// know tells the cluster what is known: the best value and the lower bound.
func (t task) know(e search.Event, lower *lowerBound) {
	if t.lead != nil && e.Value != nil {
		t.lead.Know(e.Value.RatString(), lower.value().RatString())
	}
}

// jobWords returns the words of a command line that make the job: not how many
// workers there are, nor how they are reached.
func jobWords(args []string) (words []string) {
	skip := false
	for _, w := range args {
		name, _, whole := strings.Cut(w, "=")
		switch {
		case skip:
			skip = false
		case name == "--json" || name == "--log-json":
		case name == "-j" || name == "--workers" || name == "--cluster" || name == "--token-file" || name == "--creds-file" || name == "--tls-ca" ||
			name == "--tls-cert" || name == "--tls-key" || name == "--metrics" || name == "--unit-time" || name == "--patience" || name == "--replicas" || name == "--confirm" || name == "--out" || name == "--serve":
			skip = !whole
		case strings.HasPrefix(w, "-j") && !strings.HasPrefix(w, "--"):
		default:
			words = append(words, w)
		}
	}
	return words
}

// refuseExact refuses methods that are proofs: units of a search have no use for them.
func refuseExact(names []string) error {
	for _, m := range engineList() {
		if slices.Contains(names, m.Name()) {
			return &usageError{err: usagef("--methods: %s walks everything and is not cut into units of a search", m.Name()), hint: "leeway prove --cluster shares a proof; census among other methods proves what it can"}
		}
	}
	if slices.Equal(names, []string{exactMethod}) {
		return &usageError{err: usagef("--methods %s: a search by a cluster needs a method besides", exactMethod), hint: "leeway prove --cluster shares a proof"}
	}
	return nil
}

// exactMethod is the method of which a search by a cluster believes a proof.
var exactMethod = census.Share{}.Name()

// together has the cluster look, with the methods that support the problem.
func (s *pursuit) together(ctx context.Context, methods []search.Method, params search.Params, lower *lowerBound) (portfolio.Result, error) {
	l := cluster.Looking{Parts: map[string]int{}, Engines: boundedEngines(mostPlanned, 0)}
	for _, m := range methods {
		switch name := m.Name(); {
		case name == exactMethod:
			l.Exact = []string{name}
		case refuseExact([]string{name}) == nil:
			l.Methods = append(l.Methods, name)
			if n, ok := sharesOf[name]; ok {
				l.Parts[name] = n
			}
		}
	}
	lower.confirm(ctx) // the goal is part of the units
	params.Goal = lower.value()
	result, err := s.lead.Search(ctx, l, params)
	return portfolio.Result{Result: result}, err
}

// mostPlanned is how many prefixes the proof of a search by a cluster has at most.
const mostPlanned = 1 << 18
