package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/disk"
)

// Tasks that send each other what a matrix says: eval, bound, search and prove treat them here, check in its package.

// asksMatrix reports whether --traffic is a matrix.
func (s *subject) asksMatrix() bool {
	text := s.axes["traffic"]
	return text != nil && (strings.HasPrefix(*text, "@") || strings.HasPrefix(*text, texts.PatternPrefix))
}

// withMatrix returns a problem with the matrix of --traffic, a file or a pattern, or that of --question.
func (s *subject) withMatrix(ctx context.Context, p objective.Problem, text string) (objective.Problem, error) {
	var m *objective.Matrix
	var err error
	if s.matrixText != nil {
		m, err = disk.ReadMatrix(s.matrixText)
	} else if file, isFile := strings.CutPrefix(text, "@"); isFile {
		m, err = disk.ReadMatrixFile(ctx, file)
	} else {
		m, err = texts.ParsePattern(p.Torus(), text)
	}
	if err != nil {
		return p, err
	}
	return p.WithTraffic(objective.Traffic{Matrix: m})
}

// matrixProblem reads network, routing and what the flags say of tasks.
func (s *subject) matrixProblem(ctx context.Context) (objective.Problem, error) {
	s.matrices = true
	if err := s.read(ctx, "torus", "routing"); err != nil {
		return objective.Problem{}, err
	}
	p, err := s.demanded(ctx, objective.Problem{Routing: s.chosen}, objective.GroupTraffic, objective.GroupConditions,
		objective.GroupRadius)
	if err == nil {
		err = cli.InFlag("traffic", p.CheckRoom())
	}
	return p, err
}

// matrixFlags are those that go with a matrix in any command.
var matrixFlags = []string{"torus", "mesh", "routing", "traffic", "per-node", "fixed", "forbidden", "json", "placement",
	"loads", "network", "seed", "time", "evaluations", "workers", "out", "question"}

// onlyFlags refuses flags that are not in a list.
func onlyFlags(cmd *cobra.Command, names []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(names, f.Name) && err == nil {
			err = cli.Errorf("--%s does not go with a traffic matrix", f.Name)
		}
	})
	return err
}

// assigned reads the problem and the assignment that --placement says, or a record or evaluation; with optional the
// assignment may be missing. Nodes are those of the tasks in turn if they are listed, others in ascending order.
func (s *subject) assigned(cmd *cobra.Command, files []string, optional bool) (objective.Problem, objective.Assignment,
	error) {
	ctx := cmd.Context()
	if len(files) > 0 {
		err := onlyFlags(cmd, []string{"json", "loads"}) // the file says all else
		var r results.Record
		if err == nil {
			r, err = readAssigned(ctx, files[0])
		}
		if err != nil {
			return objective.Problem{}, nil, err
		}
		return problemOf(r, files[0])
	}
	if err := onlyFlags(cmd, matrixFlags); err != nil {
		return objective.Problem{}, nil, err
	}
	p, err := s.matrixProblem(ctx)
	if err != nil || optional && s.placementText == "" {
		return p, nil, err
	}
	if err := cli.Missing("placement", s.placementText); err != nil {
		return p, nil, err
	}
	a, err := s.readAssignment(ctx, p.Torus())
	if err == nil {
		if problem := p.Refusal(a); problem != "" {
			err = &core.InputError{Text: s.placementText, Problem: problem,
				Hint: "list the nodes of task 0, task 1 and so on: nodes:0,0+1,3"}
		}
	}
	return p, a, cli.InFlag("placement", err)
}

// readAssignment returns the nodes of --placement in the order of the tasks.
func (s *subject) readAssignment(ctx context.Context, t *core.Torus) (objective.Assignment, error) {
	if name, isFile := strings.CutPrefix(s.placementText, "@"); isFile {
		r, err := readAssigned(ctx, name)
		if err != nil {
			return nil, err
		}
		return work.AssignmentOf(r.Assignment)
	}
	list, listed := strings.CutPrefix(s.placementText, "nodes:")
	if !listed {
		p, err := family.Parse(t, s.placementText)
		return p.Nodes(), err
	}
	var a objective.Assignment
	for _, part := range (core.Part{Text: list, Offset: len("nodes:")}).Split("+") {
		nodes, err := core.ParseNodes(t, part.Text) // one: several tasks may be on a node
		if err != nil {
			return nil, core.Within(err, part, s.placementText)
		}
		a = append(a, nodes...)
	}
	return a, nil
}

// readAssigned reads a record or evaluation of an assignment.
func readAssigned(ctx context.Context, file string) (results.Record, error) {
	data, err := disk.ReadFile(ctx, file)
	if err != nil {
		return results.Record{}, err
	}
	r, err := compose.ReadPlaced(data)
	if err == nil && r.Assignment == nil {
		err = &results.ReadError{Problem: "it has no assignment of tasks",
			Hint: "give a record or an evaluation of a traffic matrix"}
	}
	return r, results.InFile(err, file)
}

// problemOf returns problem and assignment of a record.
func problemOf(r results.Record, file string) (objective.Problem, objective.Assignment, error) {
	t, err := r.ReadGrid()
	var p objective.Problem
	if err == nil {
		p.Routing, err = r.ReadRouting(t)
	}
	if err == nil {
		p, err = r.Setting.Apply(p)
	}
	var a objective.Assignment
	if err == nil {
		a, err = work.AssignmentOf(r.Assignment)
	}
	return p, a, results.InFile(err, file)
}

// isAssigned reports whether a file is a record or evaluation of an assignment; other faults are found later.
func isAssigned(ctx context.Context, files []string) bool {
	if len(files) != 1 {
		return false
	}
	_, err := readAssigned(ctx, files[0])
	return err == nil
}

// evalAssigned is eval for an assignment.
func (a *app) evalAssigned(cmd *cobra.Command, s *subject, files []string, withLoads bool) error {
	q, at, err := s.assigned(cmd, files, false)
	if err != nil {
		return err
	}
	e, err := work.EvaluateAssigned(q, at, withLoads)
	if err != nil {
		return err
	}
	return a.show(s.asJSON, e, func() {
		a.Printf("%-12s %s, %d nodes, %d directed links\n", kindOf(e.Grid), q.Torus().Title(), q.Torus().N(), e.Links)
		a.Printf("routing      %s\n", e.Routing)
		a.Printf("traffic      %s\n", describeMatrix(q))
		a.Printf("E_max        %s on %s\n", decimal(e.MaxLoad), core.Count(e.LinksAtMax, "link"))
		a.Printf("mean load    %s\n", decimal(e.MeanLoad))
		for _, l := range e.Loads {
			a.Printf("load         %s dimension %d %s  %s\n", core.JoinInts(l.From, ","), l.Dim, l.Dir, decimal(l.Load))
		}
	})
}

// describeMatrix returns a matrix for a person.
func describeMatrix(q objective.Problem) string {
	m := q.Traffic.Matrix
	return core.Count(m.Tasks, "task") + ", " + core.Count(len(m.Demands), "demand") + ", matrix " + m.SHA256()[:12]
}

// boundAssigned is bound for the tasks of a matrix.
func (a *app) boundAssigned(cmd *cobra.Command, s *subject, files []string) error {
	q, at, err := s.assigned(cmd, files, true)
	if err != nil {
		return err
	}
	d, err := work.BoundsAssigned(q, at)
	if err != nil {
		return err
	}
	return a.show(s.asJSON, d, func() {
		for _, b := range d.Bounds {
			a.row(b.Name, decimal(b.Value))
		}
		a.row("best", decimal(d.Best))
	})
}

// assign is search, or with proving prove, for the tasks of a matrix.
func (a *app) assign(cmd *cobra.Command, q *question, proving bool) error {
	if err := onlyFlags(cmd, matrixFlags); err != nil {
		return err
	}
	p, err := q.matrixProblem(cmd.Context())
	if err != nil {
		return err
	}
	standard := defaultTime
	if proving {
		standard = 0
	}
	b, err := q.effort.read(cmd, standard)
	if err == nil && q.out != "" {
		err = disk.CheckTarget(q.out)
	}
	if err != nil {
		return err
	}
	r, err := a.session(q.workers, nil).Assign(cmd.Context(), p, b, proving)
	if err != nil {
		return err
	}
	if q.out != "" {
		if err := a.keep(q.out, r); err != nil {
			return err
		}
	}
	err = a.show(q.asJSON, r, func() {
		a.Printf("%s, %s, %s: E_max %s, %s\n", r.Grid.Text(), core.Count(p.Traffic.Matrix.Tasks, "task"), r.Routing,
			decimal(r.MaxLoad), r.Status)
		a.Printf("  traffic      %s\n", describeMatrix(p))
		a.Printf("  lower bound  %s (%s)\n", decimal(r.LowerBound), r.BoundReason)
		nodes := make([]string, len(r.Assignment))
		for task, pair := range r.Assignment {
			nodes[task] = strconv.Itoa(task) + "=" + objective.NodesText(p.Torus(), []int{pair[1]})
		}
		a.Printf("  tasks        %s\n", strings.Join(nodes, " "))
		a.Printf("  found by     %s, seed %d, %d evaluations, %.1f s\n", r.FoundBy.Method, r.Seed, r.FoundBy.Evaluations,
			r.FoundBy.Seconds)
	})
	if err == nil && proving && r.Status != results.StatusOptimal {
		err = cli.Status(statusUndecided)
	}
	return err
}
