package main

import (
	"context"
	"strings"

	"leeway/objective"
	"leeway/results/plan"
	"leeway/search"
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
	if err := a.prove(ctx, h, problems, b); err != nil || lead.Stopped() {
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
			name == "--tls-cert" || name == "--tls-key" || name == "--metrics" || name == "--unit-time" || name == "--patience" || name == "--replicas" || name == "--out":
			skip = !whole
		case strings.HasPrefix(w, "-j") && !strings.HasPrefix(w, "--"):
		default:
			words = append(words, w)
		}
	}
	return words
}

// together has the cluster look, with the methods that support the problem.
func (s *pursuit) together(ctx context.Context, methods []search.Method, params search.Params, lower *lowerBound) (portfolio.Result, error) {
	var names []string
	for _, m := range methods {
		names = append(names, m.Name())
	}
	parts := map[string]int{}
	for name, n := range sharesOf {
		for _, have := range names {
			if have == name {
				parts[name] = n
			}
		}
	}
	lower.confirm(ctx) // the goal is part of the units
	params.Goal = lower.value()
	result, err := s.lead.Search(ctx, names, parts, params)
	return portfolio.Result{Result: result}, err
}
