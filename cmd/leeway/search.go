package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/cmd/work/coordinator"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/plan"
	"leeway/search/joint"
)

// defaultTime is how long search looks when no budget is given.
const defaultTime = 60 * time.Second

// A searching holds the flags of search.
type searching struct {
	question
	single                                bool // exactly one path for every pair of a free routing
	methods, maxLoad, planFile, storeFile string
	then, objective                       string
	cluster                               clusterFlags
}

func (a *app) searchCommand() *cobra.Command {
	f := &searching{objective: objectiveLoad}
	cmd := command("search", "Search for a placement with small E_max", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error { return a.searchFor(cmd, f) })
	f.question.register(cmd)
	cmd.Flags().Lookup("routing").Usage += ", or free"
	addFlags(cmd, []flag{
		{&f.methods, "methods", "methods to run, of " + strings.Join(work.MethodNames(), ", ") +
			"; with --routing free also " + joint.Name},
		{&f.maxLoad, "max-load", "instead of --size: the largest placement with E_max at most this, 5/2 or 1/8n"},
		{&f.then, "then",
			"with --traffic clients: distance, among placements of equal E_max the least mean distance from the clients"},
		{&f.objective, "objective",
			"what to minimise: max-load, E_max under the traffic, or worst, the largest load over all permutations of the " +
				"processors; the answer is then that of eval --worst-permutation"},
		{&f.planFile, "plan", "do the searches of this file; see docs/formats.md"},
	}...)
	addFlags(cmd, flag{&f.single, "single-path", "with --routing free: exactly one path for every pair"},
		flag{&f.storeFile, "store", storeUsage})
	f.cluster.register(cmd)
	cli.Exclude(cmd, "plan", "torus size routing seed time evaluations methods max-load out mesh network fixed forbidden "+
		"radius distance traffic reply-routing then", "the plan says what to do")
	cli.Exclude(cmd, "objective="+objectiveWorst, "methods max-load then plan known store cluster single-path "+
		"radius distance", "the largest load over all permutations is looked for by swaps alone")
	cli.Exclude(cmd, "max-load", "size", "--max-load searches for the size: omit --size")
	return cmd
}

// What --objective names.
const (
	objectiveLoad  = "max-load"
	objectiveWorst = "worst"
)

// searchWorst is searchFor with --objective worst.
func (a *app) searchWorst(cmd *cobra.Command, f *searching) error {
	problems, b, err := f.read(cmd, defaultTime)
	if err != nil {
		return err
	}
	if len(problems) != 1 {
		return cli.Errorf("--size %q: --objective worst takes one size", f.sizeText)
	}
	d, err := work.SearchWorst(cmd.Context(), problems[0], b, func(load *big.Rat) {
		a.Remark("worst load %s", decimal(results.FormatFraction(load)))
	})
	if err != nil {
		return cli.InFlag("objective worst:", err)
	}
	if err := a.keepIn(f.out, d); err != nil || f.out != "" && a.asJSON() {
		return err
	}
	return answer(a, d, nil, "worst")
}

// searchFor does what the command is for.
func (a *app) searchFor(cmd *cobra.Command, f *searching) error {
	switch f.objective {
	case objectiveLoad:
	case objectiveWorst:
		return a.searchWorst(cmd, f)
	default:
		return cli.Errorf("--objective %q: unknown objective", f.objective).Hinted("write max-load or worst")
	}
	if err := f.cluster.validate(); err != nil {
		return err
	}
	tasks, err := f.readTasks(cmd)
	if err != nil {
		return err
	}
	if f.planFile != "" && f.storeFile == "" {
		f.storeFile = strings.TrimSuffix(f.planFile, filepath.Ext(f.planFile)) + ".store"
	}
	look := func(head *coordinator.Coordinator) error {
		return a.searchTasks(cmd.Context(), &f.question, f.storeFile, head, func(*work.Session) ([]work.Task, error) {
			return tasks, nil
		})
	}
	if f.cluster.where == "" {
		return look(nil)
	}
	if f.planFile != "" || tasks[0].Free != nil || tasks[0].Limit != nil {
		return cli.Errorf("--cluster shares the search of a size: it goes with neither --routing free, --max-load nor --plan")
	}
	if problem := work.Unshared(tasks[0].Methods); problem != "" {
		return cli.Errorf("--methods: %s", problem).Hinted("leeway prove --cluster shares a proof")
	}
	head, err := a.startHead(cmd.Context(), &f.cluster, f.storeFile, tasks, f.workers)
	if err != nil {
		return err
	}
	return lead(cmd.Context(), head, f.storeFile != "" && f.time == 0, func() error { return look(head) })
}

// readTasks reads the tasks from the flags or from a plan.
func (f *searching) readTasks(cmd *cobra.Command) ([]work.Task, error) {
	free, err := f.readFree()
	if err != nil {
		return nil, err
	}
	if f.planFile != "" {
		return f.planned(cmd)
	}
	names, err := readMethods(f.methods, free != nil)
	if err != nil {
		return nil, err
	}
	switch {
	case free != nil && f.networkText != "":
		return nil, cli.Errorf("--routing free: it chooses among paths that correct one dimension after the other, and " +
			"a network from a file has no dimensions").Hinted("search under minimal, all shortest paths; leeway explain " +
			"then has the least E_max that any shares of these reach")
	case free != nil:
		f.routingText = allPaths
	}
	if f.maxLoad != "" {
		if f.limit, err = results.ParseLimit(f.maxLoad); err != nil {
			return nil, cli.InFlag("max-load", err)
		}
	}
	f.matrices = true
	problems, b, err := f.read(cmd, defaultTime)
	if err == nil {
		err = f.checkThen(problems)
	}
	if err != nil {
		return nil, err
	}
	var tasks []work.Task
	for _, p := range problems {
		p.Free = free
		if p, err = p.WithTraffic(p.Traffic); err != nil {
			return nil, cli.InFlag("traffic", err)
		}
		t := work.Task{Problem: p, Budget: b, Methods: names, Nearest: f.then != ""}
		if err := (&work.Session{}).Supports(t); err != nil {
			if f.methods == "" {
				return nil, err
			}
			return nil, cli.InFlag(fmt.Sprintf("methods %q:", f.methods), err)
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// checkThen validates --then.
func (f *searching) checkThen(problems []objective.Problem) error {
	switch {
	case f.then == "":
		return nil
	case f.then != results.ThenDistance:
		return cli.Errorf("--then %q: unknown second key", f.then).Hinted("write --then distance")
	case !problems[0].Traffic.Clients():
		return cli.Errorf("--then distance needs client traffic").Hinted("add --traffic clients")
	}
	return nil
}

// planned reads a plan.
func (f *searching) planned(cmd *cobra.Command) ([]work.Task, error) {
	if _, err := f.effort.read(cmd, 0); err != nil {
		return nil, err
	}
	f.inStore = true
	searches, err := plan.Read(cmd.Context(), f.planFile, append(work.MethodNames(), joint.Name))
	if err != nil {
		return nil, cli.InFlag("plan", err)
	}
	tasks, err := work.Plan(f.planFile, searches)
	return tasks, cli.InFlag("plan", err)
}

// readMethods reads a list of method names; "" is nil, the default. Joint is one with
// a free routing only.
func readMethods(text string, free bool) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	var names []string
	for _, name := range strings.Split(text, ",") {
		name = work.Successor(name)
		switch known := append(work.MethodNames(), joint.Name); {
		case name == joint.Name && !free:
			return nil, cli.Errorf("--methods %q: %s looks for a placement and a routing together", text, name).
				Hinted("add --routing free")
		case !slices.Contains(known, name):
			return nil, cli.Errorf("--methods %q: unknown method %q", text, name).
				Hinted(cli.DidYouMean(name, known) + "methods are " + strings.Join(known, ", "))
		case slices.Contains(names, name):
			return nil, cli.Errorf("--methods %q: method %q is repeated", text, name)
		}
		names = append(names, name)
	}
	return names, nil
}

// readFree returns what --routing and --single-path leave free, nil if the routing is given.
func (f *searching) readFree() (*routing.Free, error) {
	free, ok, err := routing.ParseFree(f.routingText)
	switch {
	case err != nil:
		return nil, cli.InFlag("routing", err)
	case !ok && f.single:
		return nil, cli.Errorf("--single-path restricts a free routing").Hinted("add --routing free")
	case !ok:
		return nil, nil
	case f.single && free != (routing.Free{MinPaths: 1}):
		return nil, cli.Errorf("--routing %q says which paths a pair has: omit --single-path", f.routingText)
	case f.single:
		free = routing.Free{Single: true, MinPaths: 1}
	}
	return &free, nil
}

func (a *app) resumeCommand() *cobra.Command {
	q := &question{inStore: true}
	var storeFile string
	cmd := command("resume --store FILE", "Continue searches that were stopped or killed", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			if _, err := os.Stat(storeFile); errors.Is(err, fs.ErrNotExist) {
				return cli.Errorf("--store %s: there is no such file", storeFile).
					Hinted("leeway search --store makes a store")
			}
			unusable := 0
			err := a.searchTasks(cmd.Context(), q, storeFile, nil, func(s *work.Session) (tasks []work.Task, err error) {
				if tasks, unusable, err = s.Unfinished(); err != nil {
					return nil, err
				}
				if s.Before, err = s.Done(); err == nil {
					a.Remark("%s: %d searches are done, %d are left", storeFile, s.Before, len(tasks))
				}
				return tasks, err
			})
			if err == nil && unusable > 0 {
				return cli.Status(statusFailed) // each was reported
			}
			return err
		})
	cli.WorkersFlag(cmd, &q.workers, "; the result of a search by evaluations does not depend on them")
	q.flags(cmd, "json")
	addFlags(cmd, flag{&storeFile, "store", storeUsage})
	cli.Require(cmd, "store")
	return cmd
}
