package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/plan"
	"leeway/search"
	"leeway/search/joint"
)

// errNoPlacement says that a budget was spent before anything was evaluated.
var errNoPlacement = errors.New("no placement was found before the end")

// defaultTime is how long search looks when no budget is given.
const defaultTime = 60 * time.Second

// A hunt is a search or a proof over some problems: the flags and what they say.
type hunt struct {
	subject
	effort
	out    string
	asJSON bool
	all    bool // prove: list all optimal placements
	// inStore says that a store holds the records: no file is made up for them.
	inStore bool
}

func (h *hunt) register(cmd *cobra.Command) {
	h.torusFlag(cmd)
	h.sizeFlag(cmd)
	h.routingFlag(cmd)
	h.effort.register(cmd)
	cmd.Flags().StringVar(&h.out, "out", "", "file for the record (default: a new file named after the problem, none with --json)")
	cmd.Flags().BoolVar(&h.asJSON, "json", false, "print one JSON document")
}

func (a *app) searchCommand() *cobra.Command {
	n, f := &night{}, freedom{}
	var methods, maxLoad, planFile, storeFile string
	cmd := &cobra.Command{
		Use:   "search",
		Short: "Search for a placement with small E_max",
		Long: `Search for a placement of --size processors whose largest link load E_max under
--routing is as small as possible, and write its record. With --max-load instead,
search for the largest placement within a limit: 4, or 1/8n for an eighth of the
number of processors.

The methods run side by side, in epochs, and share what they find. The search ends
when the time or the evaluations are spent (60 s if neither is given), when a lower
bound that holds for every placement is met, or at Ctrl-C, which keeps the best
placement found. With --evaluations the result depends on the seed only. Without
--methods those of these run that can treat the problem:
` + strings.Join(defaultMethods, ", ") + `.
Of them census and exhaustive can prove that nothing is better; --methods local or
--methods genetic alone starts from nothing.

--routing free leaves the routing to the search too: it looks for a placement and a
table of paths together, with --single-path for one path a pair, with --min-paths
for so many at least. Of --methods all but joint then only look for placements to
begin with; ` + strings.Join(freeMethods, ", ") + ` run if none are named.

With --store every improvement goes to a file at once, with the state of the search;
"leeway resume" goes on after a kill. What the store has on other tori under the same
routing is tried in the same form. --plan FILE does many searches; what the store
knows to be optimal, or was searched before, is passed over.

With --cluster listen:PORT other machines may take part with "leeway worker".`,
		Example: `  leeway search --torus 8x8 --size 16 --routing udr:tie=both --seed 1 --time 60s
  leeway search --torus 6x6 --size 6 --routing odr --methods genetic --evaluations 200000 --out six.json
  leeway search --torus 10x10 --max-load 5 --routing udr:tie=both --time 30s
  leeway search --torus 5x5x5 --size 25 --routing free --time 20s
  leeway search --plan nightly.yaml --store nightly.store`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			n.none = n.cluster.where != ""
			if err := n.cluster.validate(cmd, n.effort.workers); err != nil {
				return err
			}
			jobs, err := a.searchJobs(cmd, n, &f, methods, maxLoad, planFile)
			if err != nil {
				return err
			}
			if n.cluster.where != "" && (planFile != "" || slices.ContainsFunc(jobs, func(j plan.Job) bool { return j.Free != nil || j.MaxLoad != nil })) {
				return usagef("--cluster shares the search of a size: it goes with neither --routing free, --max-load nor --plan")
			}
			if n.cluster.where != "" {
				if err := refuseExact(jobs[0].Methods); err != nil {
					return err
				}
			}
			if planFile != "" && storeFile == "" {
				storeFile = strings.TrimSuffix(planFile, filepath.Ext(planFile)) + storeEnding
			}
			if n.cluster.where != "" {
				return a.searchTogether(cmd.Context(), n, jobs, storeFile)
			}
			return a.doAll(cmd.Context(), n, jobs, storeFile)
		},
	}
	n.register(cmd)
	cmd.Flags().Lookup("routing").Usage += ", or free"
	cmd.Flags().StringVar(&methods, "methods", "", "methods to run, of "+strings.Join(methodNames(), ", "))
	cmd.Flags().StringVar(&maxLoad, "max-load", "", "instead of --size: the largest placement with E_max at most this, 5/2 or 1/8n")
	cmd.Flags().StringVar(&planFile, "plan", "", "do the searches of this file; see docs/formats.md")
	f.register(cmd)
	n.registerNight(cmd, &storeFile)
	n.cluster.register(cmd)
	return cmd
}

// searchJobs reads the jobs from the flags or from a plan.
func (a *app) searchJobs(cmd *cobra.Command, n *night, f *freedom, methods, maxLoad, planFile string) ([]plan.Job, error) {
	free, err := f.read(n.routingText)
	if err != nil {
		return nil, err
	}
	if planFile != "" {
		return a.planJobs(cmd, n, planFile)
	}
	names, err := readMethods(methods, free != nil)
	if err != nil {
		return nil, err
	}
	job := plan.Job{Methods: names, Free: free}
	if free != nil {
		n.routingText = allPaths
	}
	if maxLoad != "" {
		if n.sizeText != "" {
			return nil, usagef("--max-load looks for the size: leave --size away")
		}
		if job.MaxLoad, err = plan.ParseLimit(maxLoad); err != nil {
			return nil, inFlag("max-load", err)
		}
		n.sizeText = "1" // stands for none
	}
	problems, b, err := n.read(cmd)
	if err != nil {
		return nil, err
	}
	if b.time == 0 && b.evaluations == 0 {
		b.time = defaultTime
	}
	n.workers = b.workers
	job.Seed, job.Time, job.Evaluations = b.seed, b.time, b.evaluations
	var jobs []plan.Job
	for _, p := range problems {
		job.Torus, job.Routing, job.Size = p.Torus(), p.Routing, p.Size
		if free != nil {
			job.Routing = nil
		}
		if job.MaxLoad != nil {
			job.Size = 0
		}
		if err := supported(job); err != nil {
			return nil, inFlag(fmt.Sprintf("methods %q:", methods), err)
		}
		jobs = append(jobs, job)
	}
	return jobs, nil
}

// planJobs reads a plan; flags that it would contradict are refused.
func (a *app) planJobs(cmd *cobra.Command, n *night, file string) ([]plan.Job, error) {
	for _, flag := range []string{"torus", "size", "routing", "seed", "time", "evaluations", "methods", "max-load", "out"} {
		if cmd.Flags().Changed(flag) {
			return nil, usagef("--plan %q: the plan says what to do; --%s does not go with it", file, flag)
		}
	}
	b, err := n.effort.read(cmd)
	if err != nil {
		return nil, err
	}
	n.workers, n.inStore = b.workers, true
	jobs, err := plan.Read(file, append(methodNames(), joint.Name))
	if err == nil {
		err = supportedAll(file, jobs)
	}
	return jobs, inFlag("plan", err)
}

// supportedAll returns the faults of a plan whose jobs name methods that cannot treat
// them, each method once for a problem of the plan.
func supportedAll(file string, jobs []plan.Job) error {
	var faults plan.Faults
	for _, j := range jobs {
		err := supported(j)
		if err == nil {
			continue
		}
		if n := len(faults); n > 0 && faults[n-1].Line == j.Line && faults[n-1].Column == j.Column {
			continue // another size of the same problem
		}
		faults = append(faults, &results.ReadError{File: file, Line: j.Line, Column: j.Column, Problem: err.Error(), Hint: "leave the method away, or the key methods for those that can"})
	}
	if faults == nil {
		return nil
	}
	return faults
}

// supported returns nil if the methods that a job names can treat it.
func supported(j plan.Job) error {
	names, p := j.Methods, objective.Problem{Routing: j.Routing, Size: j.Size}
	if j.Free != nil { // its placements are looked for under all paths
		names, p.Routing = placing(names), routing.NewUDR(j.Torus, routing.TieBoth)
	} else if slices.Contains(names, joint.Name) {
		return &search.UnsupportedError{Method: joint.Name, Problem: p.String(), Why: "the routing must be free"}
	}
	if j.MaxLoad != nil {
		p.Size = 1 // stands for all that are tried
	}
	_, err := pickMethods(names, p)
	return err
}

// read validates everything before any work starts.
func (h *hunt) read(cmd *cobra.Command) ([]objective.Problem, budget, error) {
	problems, err := h.problems()
	if err != nil {
		return nil, budget{}, err
	}
	b, err := h.effort.read(cmd)
	if err != nil {
		return nil, b, err
	}
	switch {
	case h.out != "" && len(problems) > 1:
		err = usagef("--out %q: one file cannot hold the records of %d sizes; leave --out away and each gets a file of its own", h.out, len(problems))
	case h.out != "":
		err = results.CheckTarget(h.out)
	case !h.asJSON:
		err = results.CheckTarget(recordBase(problems[0], b.seed) + ".json")
	}
	return problems, b, err
}

// A task says how to look at one problem.
type task struct {
	methods []search.Method
	known   *neighbours // proofs about other sizes, to be used and added to; nil: none
	log     *workLog    // nil: none
	lead    *lead       // of a cluster; nil: this machine alone
	starts  []core.Placement
	forced  bool // the engine named is to give the proof, not a bound
	plain   bool // bounds with a closed form are enough
}

// neighbour returns the best proof about another size, nil if there is none.
func (t task) neighbour(p objective.Problem) *neighbour {
	if t.known == nil {
		return nil
	}
	return t.known.best(p)
}

// hunt looks at the problems in turn, with the methods that pick names for each,
// and publishes one record per problem. It stops early, without an error, when
// the context ends.
func (a *app) hunt(ctx context.Context, h *hunt, problems []objective.Problem, b budget, pick func(objective.Problem) (task, error)) error {
	chosen := make([]task, len(problems))
	for i, p := range problems {
		var err error
		if chosen[i], err = pick(p); err != nil {
			return err
		}
	}
	var list []any
	var failed, unlogged error
	for i, p := range problems {
		record, err := a.solve(ctx, p, b, chosen[i])
		if err != nil {
			return err
		}
		if known := chosen[i].known; known != nil {
			if err := known.learn(p.Routing, record); err != nil {
				return err
			}
		}
		if h.all {
			if err := a.addOptima(ctx, &record, p, b); err != nil {
				return err
			}
		}
		list = append(list, record)
		if err := a.publish(h, recordBase(p, b.seed), record); err != nil {
			failed = err // the record still goes to stdout: nothing found is lost
		}
		if log := chosen[i].log; log != nil && log.err != nil {
			unlogged = log.err
		}
		if ctx.Err() != nil {
			break
		}
	}
	if h.asJSON || failed != nil {
		if err := a.printItems(list, len(problems) > 1); err != nil {
			return err
		}
	}
	return cmp.Or(failed, unlogged)
}

// solve does a task and returns the record of the best placement.
func (a *app) solve(ctx context.Context, p objective.Problem, b budget, t task) (results.Record, error) {
	started := time.Now()
	lower := newLowerBound(p, t.neighbour(p), t.plain)
	show := a.newProgress(lower.value(), b)
	defer show.stop()
	limited, cancel := b.limit(ctx)
	defer cancel()
	params := search.Params{Problem: p, Seed: b.seed, Evaluations: b.evaluations, Workers: b.workers, Starts: t.starts,
		Observe: func(e search.Event) { show.observe(e); t.know(e, lower) }}
	if t.log != nil {
		params.Starts = t.log.starts(p)
	}
	result, err := runToBound(limited, t, params, lower)
	if err != nil {
		return results.Record{}, err
	}
	if result.Value == nil { // stopped before anything was evaluated
		return results.Record{}, &usageError{err: fmt.Errorf("%s: %w", p, errNoPlacement)}
	}
	if result.GaveUp != "" {
		a.remark("no proof: %s", result.GaveUp)
	}
	if t.log != nil {
		t.log.end(result.Best, result.Value)
	}
	return a.newRecord(limited, p, result, lower, b, started)
}

// runToBound runs the methods until the lower bound is met. If that turns out not
// to be confirmed, they go on towards the one that is left.
func runToBound(ctx context.Context, t task, params search.Params, lower *lowerBound) (search.Result, error) {
	if t.forced {
		return search.Run(ctx, t.methods, params)
	}
	params.Goal = lower.value()
	result, err := search.Run(ctx, t.methods, params)
	if err != nil || result.Value == nil || result.Reason != search.Reached || lower.confirm(ctx) || params.Evaluations > 0 {
		return result, err
	}
	params.Goal, params.Starts = lower.value(), []core.Placement{result.Best}
	again, err := search.Run(ctx, t.methods, params)
	again.Evaluations += result.Evaluations
	if again.Value == nil || again.Value.Cmp(result.Value) == 0 {
		again.Best, again.Value, again.Method = result.Best, result.Value, result.Method
	}
	return again, err
}

// publish writes the record to its file and, without --json, shows it.
// base names the file where the flags do not.
func (a *app) publish(h *hunt, base string, r results.Record) error {
	failed := a.save(h, base, r)
	if !h.asJSON {
		a.printRecord(r) // what could not be written still goes to stdout
	}
	return failed
}

// save writes a record to the file of --out, or to a new one.
func (a *app) save(h *hunt, base string, r results.Record) error {
	if h.out == "" && (h.asJSON || h.inStore) {
		return nil
	}
	data, err := r.Encode()
	if err != nil {
		return err
	}
	name := h.out
	if name == "" {
		name, err = writeNewRecord(base, data)
	} else {
		err = results.WriteFile(name, data)
	}
	if err != nil {
		return err
	}
	a.remark("wrote %s", name)
	return nil
}
