package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"time"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/cmd/work/coordinator"
	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/export"
	"leeway/results/layout"
	"leeway/search"
)

// session returns a session of this program, which shows how it goes in the terminal.
func (a *app) session(workers int) *work.Session {
	s := &work.Session{Version: version, Command: append([]string{"leeway"}, a.Args...), Workers: max(1, workers)}
	var show *shownLine
	var place string // of the task among several: "2/5"
	var sizes func(search.Event)
	s.Observer = work.Observer{
		Next: func(i, of int) { place = fmt.Sprintf("%d/%d", i, of) },
		Begin: func(t work.Task, lower *big.Rat) {
			if t.Limit != nil {
				sizes = a.tellSizes(t.Problem)
				return
			}
			name := fmt.Sprintf("%s n=%d %s", t.Torus().Title(), t.Size, work.RoutingAndTraffic(t.Problem))
			show = newLine(a.Stderr, place, name, lower, t.Budget)
			show.view.Start()
		},
		Bound: func(lower, checking *big.Rat) { show.setBound(lower, checking) },
		Event: func(e search.Event) {
			if show != nil {
				show.observe(e)
			} else {
				sizes(e)
			}
		},
		End: func() {
			if show != nil {
				show.view.Stop()
			}
			show = nil
		},
		Remark: func(format string, args ...any) {
			if show != nil {
				show.view.Clear()
			}
			a.Remark(format, args...)
		},
	}
	return s
}

// tellSizes returns an observer that remarks every larger size that is found within
// the limit.
func (a *app) tellSizes(p objective.Problem) func(search.Event) {
	var mu sync.Mutex
	started, largest := time.Now(), 1
	return func(e search.Event) {
		mu.Lock()
		defer mu.Unlock()
		if n := e.Best.Size(); n > largest && e.Value != nil && e.Value.Cmp(p.Limit.ValueAt(n)) <= 0 {
			largest = n
			a.Remark("%s  %s with E_max %s (%s)", time.Since(started).Round(time.Second), core.Count(n, "processor"),
				decimal(e.Value.RatString()), e.Method)
		}
	}
}

// workOn works on tasks and publishes what comes of each. Of several tasks one that fails is reported and the others
// are done, unless it is a store that cannot be written.
func (a *app) workOn(ctx context.Context, s *work.Session, q *question, tasks []work.Task) error {
	list, several := []any{}, len(tasks) != 1 // a list is never null
	status := 0
	var failed error
	err := s.All(ctx, tasks, func(t work.Task, answer work.Answer, err error) error {
		switch {
		case answer.Record != nil:
			list = append(list, *answer.Record)
			if !answer.Before {
				err = cmp.Or(a.publish(q, t, answer), err)
			}
		case answer.Below != nil && err == nil:
			list = append(list, *answer.Below)
			err = a.publishBelow(q, answer)
		}
		if err == nil && ctx.Err() == nil && undecided(t, answer) {
			status = statusUndecided
		}
		if t.Proof != nil && t.Proof.Log != nil {
			err = cmp.Or(err, t.Proof.Log.Err())
		}
		var full *disk.WriteError
		if err == nil || !several || s.Store != nil && errors.As(err, &full) {
			return err
		}
		a.Remark("%s: %v", t.Problem, err)
		_, calls := diagnose(err)
		failed = cli.Status(calls) // it was reported
		return nil
	})
	failed = cmp.Or(err, failed)
	// What was found is not lost with its file.
	if a.asJSON() && failed == nil || len(list) > 0 && (a.asJSON() || failed != nil) {
		if err := printList(a, compose.ListSchema, list, several); err != nil {
			return err
		}
	}
	return cmp.Or(failed, exit(status))
}

// undecided reports whether an answer leaves open what a task is to prove: the smallest E_max, of all placements or of
// those with a symmetry, or whether one is below a value.
func undecided(t work.Task, answer work.Answer) bool {
	switch {
	case t.Proof == nil:
		return false
	case answer.Record != nil:
		return answer.Record.Status != results.StatusOptimal && answer.Record.SymmetryClaim == nil
	}
	return answer.Below != nil && answer.Below.Status == results.StatusUnknown
}

// storeUsage is that of the store of searches.
const storeUsage = "file that keeps records, bounds, null results and the state of searches (with --plan: named " +
	"after the plan); leeway serve --store shows them while they run"

// searchTasks works on the tasks of a function, in a store if one is named, from which they may come.
func (a *app) searchTasks(ctx context.Context, q *question, storeFile string, head *coordinator.Coordinator,
	tasks func(*work.Session) ([]work.Task, error)) error {
	s := a.session(q.workers)
	if err := q.readKnown(ctx, s); err != nil {
		return err
	}
	if head != nil {
		s.Head = head
	}
	do := func() error {
		list, err := tasks(s)
		if err != nil {
			return err
		}
		return a.workOn(ctx, s, q, list)
	}
	if storeFile == "" {
		return do()
	}
	return storeHint(s.WithStore(storeFile, do))
}

// storeHint names the flag of a store that cannot be opened.
func storeHint(err error) error {
	var open *work.OpenError
	if errors.As(err, &open) {
		return cli.InFlag("store", open.Err)
	}
	return err
}

// decimal returns a load as people read it, with its decimal beside a fraction.
var decimal = layout.WithDecimal

// publish writes the record of an answer to its file and, without --json, shows it.
func (a *app) publish(q *question, t work.Task, answer work.Answer) error {
	r := *answer.Record
	failed := a.saveRecord(q, work.RecordBase(t.Problem, r.Size, t.Seed), r)
	if !a.asJSON() {
		a.printProved(r, answer.Proof) // what could not be written still goes to stdout
	}
	return failed
}

// publishBelow shows the answer to a question about a value, and writes it to the file of --out.
func (a *app) publishBelow(q *question, answer work.Answer) error {
	d := *answer.Below
	if !a.asJSON() {
		a.Printf("%s, %s, %s: E_max below %s is %s\n", d.Grid.Title(), core.Count(d.Size, nounOf(d.Setting)), d.Routing,
			layout.WithDecimal(d.Below), d.Status)
		a.row("  traffic", describeTraffic(d.Setting))
		a.printConditions(d.Grid, d.Setting)
		switch {
		case d.Nodes != nil:
			a.Printf("  E_max        %s\n  nodes        %s\n", layout.WithDecimal(*d.MaxLoad), d.Grid.NodesText(*d.Nodes))
			a.row("  tasks", tasksText(d.Grid, d.Assignment))
		case d.Proof != nil:
			a.Printf("  proof        %s\n", layout.Proof(d.Proof))
			a.printCertificate(d.Certificate)
		case d.SolverClaim != nil:
			a.Printf("  claim        %s reports none, without a proof\n", d.SolverClaim.Engine)
		}
	}
	return a.keepIn(q.out, d)
}

// saveRecord writes a record to the file of --out, or to a new one.
func (a *app) saveRecord(q *question, base string, r results.Record) error {
	if q.out == "" && (a.asJSON() || q.inStore) {
		return nil
	}
	if q.out != "" {
		return a.keep(q.out, r)
	}
	data, err := layout.Encode(r)
	if err != nil {
		return err
	}
	name, err := disk.WriteNumbered(base, ".json", data)
	if err == nil {
		a.Remark("wrote %s", name)
	}
	return err
}

// proofEnding ends the name of a solver's proof.
const proofEnding = ".lrat"

// printRecord writes a record for a person.
func (a *app) printRecord(r results.Record) { a.printProved(r, 0) }

// printProved is printRecord where it is known how much of the time went to the proof.
func (a *app) printProved(r results.Record, proof time.Duration) {
	a.Printf("%s, %s, %s: E_max %s, %s\n", r.Grid.Title(), core.Count(r.Size, nounOf(r.Setting)), r.Routing,
		decimal(r.MaxLoad), layout.Achieved(r))
	a.row("  traffic", describeTraffic(r.Setting))
	switch {
	case r.Proof != nil:
		text, bound := layout.Proof(r.Proof), "bound "+r.BoundReason
		switch {
		case r.Proof.Kind == results.ProofBound:
			text = bound
		case r.Proof.Kind == results.ProofSteps && !strings.HasSuffix(r.BoundReason, ": none is below"):
			text = bound + ", in " + text
		}
		a.Printf("  proof        none is below %s: %s\n", decimal(r.LowerBound), text)
	default:
		a.Printf("  lower bound  %s (%s)\n", decimal(r.LowerBound), layout.BoundText(r))
	}
	a.printCertificate(r.Certificate)
	if c := r.SolverClaim; c != nil {
		a.Printf("  not proved   %s: %s\n", decimal(c.Below), layout.Claim(c))
	}
	if r.UpperBound != nil {
		a.Printf("  within %-5s no placement of more than %s%s\n", *r.LoadLimit,
			core.Count(*r.UpperBound, "processor"), layout.Excluded(r))
	}
	if c := r.SymmetryClaim; c != nil {
		a.Printf("  symmetry     %s: none below %s among the placements with symmetry %s (order %d)\n", c.Engine,
			decimal(c.Below), c.Symmetry, c.Order)
	}
	if r.Orbits != nil {
		a.Printf("  optima       %d up to symmetry, %d in all\n", *r.Orbits, *r.Labelled)
		a.printOptima(r)
	}
	if r.MeanDistance != "" {
		a.Printf("  distance     %s links on average\n", decimal(r.MeanDistance))
	}
	if b := r.Baseline; b != nil {
		carried := ""
		if share, better := layout.ShareOfBaseline(r); better {
			carried = fmt.Sprintf(": this placement carries %.0f%% of it", 100*share)
		}
		label := "diagonals" // which nobody has proposed here
		if _, proposed := family.Proposed(r.Where(), r.Routing, r.Size); proposed {
			label = "the papers'"
		}
		a.Printf("  %-11s  %s has %s%s\n", label, b.Placement, decimal(b.MaxLoad), carried)
	}
	a.row("  credit", r.Credit.String())
	a.printConditions(r.Grid, r.Setting)
	if r.Assignment == nil {
		a.Printf("  nodes        %s\n", r.Grid.NodesText(r.Nodes))
	}
	a.row("  tasks", tasksText(r.Grid, r.Assignment))
	if p, err := work.PlacementOf(r); err == nil && r.Assignment == nil {
		a.row("  form", formText(p))
	}
	f := r.FoundBy
	method := f.Method
	if f.Engine != "" {
		method += " (" + f.Engine + ")"
	}
	took := fmt.Sprintf("%.1f s", f.Seconds-proof.Seconds())
	if proof > 0 {
		took += fmt.Sprintf("; proved in %.1f s", proof.Seconds())
	}
	a.Printf("  found by     %s, seed %d, %s, %s\n", method, f.Seed, core.Count(int(f.Evaluations), "evaluation"), took)
}

// formText describes the pattern that a placement follows, "" where none is looked for.
func formText(p core.Placement) string {
	if form, ok := work.FormOf(p); ok {
		return form.String()
	}
	return ""
}

// tasksText returns which task is on which node, unchecked.
func tasksText(g results.Grid, pairs [][2]int) string {
	var list []string
	t, err := g.ReadGrid()
	for _, pair := range pairs {
		if err == nil {
			list = append(list, fmt.Sprintf("%d=%s", pair[0], t.NodeText(pair[1])))
		}
	}
	return strings.Join(list, " ")
}

// row writes a text behind a label, which may be indented, nothing for "".
func (a *app) row(label, text string) {
	if text != "" {
		a.Printf("%-*s %s\n", 12+len(label)-len(strings.TrimLeft(label, " ")), label, text)
	}
}

// printConditions shows the conditions on placements, if there are any.
func (a *app) printConditions(g results.Grid, c results.Setting) {
	a.row("  fixed", g.NodesText(c.Fixed))
	a.row("  forbidden", g.NodesText(c.Forbidden))
	a.row("  fixed tasks", tasksText(g, c.FixedTasks))
	for _, x := range objective.Axes {
		if text := c.Says(x); x.Group == objective.GroupRadius && text != "" {
			usage, _, _ := strings.Cut(x.Usage, " (default")
			a.row("  "+x.Name, text+": "+usage)
		}
	}
}

// shownOptima is how many optima people are shown.
const shownOptima = 12

// printOptima lists the optima of a record with their orbits, the first of many.
func (a *app) printOptima(r results.Record) {
	list, orbits, err := export.Optima(r)
	if err != nil || list == nil { // the record does not list them
		return
	}
	rows := [][]string{{"    orbit", "placements", "fixed by", "first of them"}}
	for i, p := range list[:min(shownOptima, len(list))] {
		symmetries := "symmetries"
		if orbits[i].Stabiliser == 1 {
			symmetries = "symmetry"
		}
		form := "nodes:" + r.Grid.NodesText(p.Coords())
		if len(form) > shownForm {
			form = formText(p)
		}
		rows = append(rows, []string{fmt.Sprintf("    %d", i+1), fmt.Sprint(orbits[i].Size),
			fmt.Sprintf("%d %s", orbits[i].Stabiliser, symmetries), form})
	}
	a.Stdout.Table(rows)
	if more := len(list) - shownOptima; more > 0 {
		a.Printf("    and %d more; leeway export --optima lists all\n", more)
	}
}

// shownForm is the most characters of nodes that are listed in a table.
const shownForm = 40
