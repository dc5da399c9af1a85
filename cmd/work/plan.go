//go:build !js

package work

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/plan"
	"leeway/results/store"
)

// Unfinished returns the tasks of searches in the store that did not come to their end, or had
// not begun, in their order. Runs that cannot be gone on with are remarked and counted.
func (s *Session) Unfinished() (tasks []Task, unusable int, err error) {
	stopped, err := s.Store.Unfinished()
	if err != nil {
		return nil, 0, err
	}
	for _, r := range stopped {
		t, err := taskOf(r.Run)
		if err == nil {
			err = s.Supports(t)
		}
		if err != nil {
			s.remark("a run in the store cannot be continued: %v", err)
			unusable++
			continue
		}
		tasks = append(tasks, t)
	}
	return tasks, unusable, nil
}

// Done returns how many searches in the store came to their end; those of Fill and Refresh are not among them.
func (s *Session) Done() (int, error) {
	runs, err := s.Store.Ended()
	runs = slices.DeleteFunc(runs, func(r store.Run) bool {
		return r.Goal == fillGoal || strings.HasPrefix(r.Goal, refreshGoal)
	})
	return len(runs), err
}

// taskOf rebuilds the task of a run in a store.
func taskOf(r store.Run) (Task, error) {
	task := Task{Budget: Budget{Seed: r.Seed}, Nearest: r.Then != ""}
	if len(r.Methods) > 0 {
		task.Methods = r.Methods
	}
	var err error
	task.Problem, err = texts.ReadWhere(r.Problem.Torus, func(t *core.Torus) (p objective.Problem, err error) {
		if f, free, err := routing.FreeOn(t, r.Problem.Routing); free && err == nil {
			p = objective.FreeProblem(t, f)
		} else if r.Problem.Table != "" {
			var table results.Table
			if err := json.Unmarshal([]byte(r.Problem.Table), &table); err != nil {
				return p, err
			}
			if p.Routing, err = table.Routing(t); err != nil {
				return p, err
			}
		} else if p.Routing, err = routing.Parse(t, r.Problem.Routing); err != nil {
			return p, err
		}
		p.Size = r.Problem.Size
		if text, ok := strings.CutPrefix(r.Goal, limitGoal); ok {
			p.Limit, err = results.ParseLimit(text)
		}
		return p, err
	})
	if err == nil {
		task.Problem, err = task.WithNodes(task.Fixed.Nodes(), task.Forbidden.Nodes())
	}
	if err != nil {
		return task, err
	}
	if r.Budget.Evaluations != nil {
		task.Evaluations = *r.Budget.Evaluations
	}
	if r.Budget.Time != nil {
		task.Time, err = time.ParseDuration(*r.Budget.Time)
	}
	return task, err
}

// Plan returns the tasks of the searches of a plan in a file. The error is plan.Faults about those whose
// methods cannot treat them, each method once for a problem of the plan.
func Plan(file string, searches []plan.Search) ([]Task, error) {
	var faults plan.Faults
	var tasks []Task
	for _, j := range searches {
		b := Budget{Seed: j.Seed, Time: j.Time, Evaluations: j.Evaluations}
		tasks = append(tasks, Task{Problem: j.Problem, Budget: b, Methods: j.Methods, Nearest: j.Then != ""})
		_, err := pickMethods(j.Methods, j.Problem)
		if err == nil {
			continue
		}
		if n := len(faults); n > 0 && faults[n-1].Line == j.Line && faults[n-1].Column == j.Column {
			continue // another size of the same problem
		}
		faults = append(faults, &results.ReadError{File: file, Line: j.Line, Column: j.Column, Problem: err.Error(),
			Hint: "omit the method, or the key methods to use those that can"})
	}
	if faults == nil {
		return tasks, nil
	}
	return nil, faults
}
