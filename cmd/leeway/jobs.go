package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/plan"
	"leeway/results/store"
	"leeway/search/joint"
)

// jobs reads the jobs from the flags or from a plan.
func (f *searching) jobs(cmd *cobra.Command) ([]plan.Job, error) {
	free, err := f.freedom.read(f.routingText)
	if err != nil {
		return nil, err
	}
	if f.planFile != "" {
		return f.planJobs(cmd)
	}
	names, err := readMethods(f.methods, free != nil)
	if err != nil {
		return nil, err
	}
	job := plan.Job{Methods: names}
	if free != nil {
		f.routingText = allPaths
	}
	var limit *objective.Limit
	if f.maxLoad != "" {
		if f.sizeText != "" {
			return nil, usagef("--max-load looks for the size: leave --size away")
		}
		if limit, err = plan.ParseLimit(f.maxLoad); err != nil {
			return nil, inFlag("max-load", err)
		}
		f.sizeText = "1" // stands for none
	}
	problems, b, err := f.read(cmd)
	if err != nil {
		return nil, err
	}
	if b.time == 0 && b.evaluations == 0 {
		b.time = defaultTime
	}
	f.night.workers = b.workers
	job.Seed, job.Time, job.Evaluations = b.seed, b.time, b.evaluations
	return f.jobsOf(job, problems, free, limit)
}

// jobsOf returns the jobs like one, for some problems, with a free routing and a limit
// if those are not nil.
func (f *searching) jobsOf(like plan.Job, problems []objective.Problem, free *routing.Free, limit *objective.Limit) ([]plan.Job, error) {
	var jobs []plan.Job
	for _, p := range problems {
		p.Free = free
		if p.Limit = limit; limit != nil {
			p.Size = 0
		}
		if _, err := pickMethods(like.Methods, p); err != nil {
			return nil, inFlag(fmt.Sprintf("methods %q:", f.methods), err)
		}
		like.Problem = p
		jobs = append(jobs, like)
	}
	return jobs, nil
}

// planJobs reads a plan; flags that it would contradict are refused.
func (f *searching) planJobs(cmd *cobra.Command) ([]plan.Job, error) {
	for _, flag := range []string{"torus", "size", "routing", "seed", "time", "evaluations", "methods", "max-load", "out"} {
		if cmd.Flags().Changed(flag) {
			return nil, usagef("--plan %q: the plan says what to do; --%s does not go with it", f.planFile, flag)
		}
	}
	b, err := f.effort.read(cmd)
	if err != nil {
		return nil, err
	}
	f.night.workers, f.inStore = b.workers, true
	jobs, err := plan.Read(cmd.Context(), f.planFile, append(methodNames(), joint.Name))
	if err == nil {
		err = supportedAll(f.planFile, jobs)
	}
	return jobs, inFlag("plan", err)
}

// supportedAll returns the faults of a plan whose jobs name methods that cannot treat
// them, each method once for a problem of the plan.
func supportedAll(file string, jobs []plan.Job) error {
	var faults plan.Faults
	for _, j := range jobs {
		_, err := pickMethods(j.Methods, j.Problem)
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

// jobOf rebuilds the job of a stopped run.
func jobOf(r store.Run) (plan.Job, error) {
	t, err := core.ParseTorus(r.Problem.Torus)
	if err != nil {
		return plan.Job{}, err
	}
	j := plan.Job{Seed: r.Seed, Methods: r.Methods}
	if len(j.Methods) == 0 {
		j.Methods = nil
	}
	if f, free, err := routing.ParseFree(r.Problem.Routing); free && err == nil {
		j.Problem = objective.FreeProblem(t, f)
	} else if r.Problem.Table != "" {
		var table results.Table
		if err := json.Unmarshal([]byte(r.Problem.Table), &table); err != nil {
			return j, err
		}
		if j.Routing, err = table.Routing(t); err != nil {
			return j, err
		}
	} else if j.Routing, err = routing.Parse(t, r.Problem.Routing); err != nil {
		return j, err
	}
	j.Size = r.Problem.Size
	if text, ok := strings.CutPrefix(r.Goal, "max-load "); ok {
		if j.Limit, err = plan.ParseLimit(text); err != nil {
			return j, err
		}
	}
	if r.Budget.Evaluations != nil {
		j.Evaluations = *r.Budget.Evaluations
	}
	if r.Budget.Time != nil {
		j.Time, err = time.ParseDuration(*r.Budget.Time)
	}
	return j, err
}

// runOf returns the key under which the store knows a job.
func runOf(j plan.Job) store.Run {
	run := store.Run{Problem: problemOf(j), Seed: j.Seed, Budget: recordBudget(budget{time: j.Time, evaluations: j.Evaluations}), Methods: j.Methods}
	if j.Limit != nil {
		run.Goal = "max-load " + j.Limit.String()
	}
	return run
}

// problemOf returns the problem that the store knows a job by.
func problemOf(j plan.Job) store.Problem {
	if j.Free != nil {
		return store.FreeProblem(j.Torus(), *j.Free, j.Size)
	}
	return store.NewProblem(j.Routing, j.Size)
}
