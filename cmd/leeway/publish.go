package main

import (
	"fmt"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/results"
)

// publish writes the record of an answer to its file and, without --json, shows it.
func (a *app) publish(q *question, t work.Task, answer work.Answer) error {
	r := *answer.Record
	failed := a.saveRecord(q, work.RecordBase(t.Problem, r.Size, t.Seed), r)
	if !q.asJSON {
		a.printRecord(r) // what could not be written still goes to stdout
		a.printOnWord(answer)
	}
	return failed
}

// printOnWord says on whose word a proof rests.
func (a *app) printOnWord(answer work.Answer) {
	if answer.OnWord {
		a.Printf("  unconfirmed  the proof rests on the word of the workers until \"leeway check\" has gone through it\n")
	}
}

// publishBelow shows the answer to a question about a value, and writes it to the file of --out.
func (a *app) publishBelow(q *question, answer work.Answer) error {
	d := *answer.Below
	if !q.asJSON {
		a.Printf("%s, %d processors, %s: E_max below %s is %s\n", d.Grid.Text(), d.Size, d.Routing,
			results.WithDecimal(d.Below), d.Status)
		a.row("  traffic", describeTraffic(d.Demand))
		a.printConditions(d.Conditions)
		switch {
		case d.Nodes != nil:
			a.Printf("  E_max        %s\n  nodes        %s\n", results.WithDecimal(*d.MaxLoad), core.JoinNodes(*d.Nodes))
		case d.Proof != nil:
			a.Printf("  proof        %s\n", d.Proof.Describe())
			a.printCertificate(d.Certificate)
			a.printOnWord(answer)
		case d.SolverClaim != nil:
			a.Printf("  claim        %s says none; it left no proof\n", d.SolverClaim.Engine)
		}
	}
	if q.out == "" {
		return nil
	}
	return a.keep(q.out, d)
}

// saveRecord writes a record to the file of --out, or to a new one.
func (a *app) saveRecord(q *question, base string, r results.Record) error {
	if q.out == "" && (q.asJSON || q.inStore) {
		return nil
	}
	if q.out != "" {
		return a.keep(q.out, r)
	}
	data, err := r.Encode()
	if err != nil {
		return err
	}
	name, err := results.WriteNumbered(base, ".json", data)
	if err == nil {
		a.Remark("wrote %s", name)
	}
	return err
}

// proofEnding ends the name of a solver's proof.
const proofEnding = ".drat"

// printRecord writes a record for a person.
func (a *app) printRecord(r results.Record) {
	decimal := results.WithDecimal
	a.Printf("%s, %d processors, %s: E_max %s, %s\n", r.Grid.Text(), r.Size, r.Routing, decimal(r.MaxLoad), r.Achieved())
	a.row("  traffic", describeTraffic(r.Demand))
	switch {
	case r.Proof != nil:
		a.Printf("  proof        none is below %s: %s\n", decimal(r.LowerBound), r.Proof.Describe())
	default:
		a.Printf("  lower bound  %s (%s)\n", decimal(r.LowerBound), r.BoundText())
	}
	a.printCertificate(r.Certificate)
	if c := r.SolverClaim; c != nil {
		a.Printf("  not proved   %s: %s\n", decimal(c.Below), c.Describe())
	}
	if r.UpperBound != nil {
		a.Printf("  within %-5s no placement of more than %d processors%s\n", *r.LoadLimit, *r.UpperBound, r.Excluded())
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
		if share, better := r.ShareOfBaseline(); better {
			carried = fmt.Sprintf(": this placement carries %.0f%% of it", 100*share)
		}
		a.Printf("  the papers'  %s has %s%s\n", b.Placement, decimal(b.MaxLoad), carried)
	}
	a.printConditions(r.Conditions)
	a.Printf("  nodes        %s\n", core.JoinNodes(r.Nodes))
	if form, ok := work.Form(r); ok {
		a.row("  form", form.String())
	}
	f := r.FoundBy
	method := f.Method
	if f.Engine != "" {
		method += " (" + f.Engine + ")"
	}
	a.Printf("  found by     %s, seed %d, %d evaluations, %.1f s\n", method, f.Seed, f.Evaluations, f.Seconds)
}

// row writes a text behind its label, nothing for "".
func (a *app) row(label, text string) {
	if text != "" {
		a.Printf("%-14s %s\n", label, text)
	}
}

// printConditions shows the fixed and the forbidden nodes, the radius and the distance, if there are any.
func (a *app) printConditions(c results.Conditions) {
	a.row("  fixed", core.JoinNodes(c.Fixed))
	a.row("  forbidden", core.JoinNodes(c.Forbidden))
	if c.Radius > 0 {
		a.Printf("  radius       %d\n", c.Radius)
	}
	if c.Distance > 0 {
		a.Printf("  distance     at most %d links from all nodes to their nearest processors, added up\n", c.Distance)
	}
}

// shownOptima is how many optima people are shown.
const shownOptima = 12

// printOptima lists the optima of a record with their orbits, the first of many.
func (a *app) printOptima(r results.Record) {
	list, orbits, err := r.ListedOptima()
	if err != nil || list == nil { // the record does not list them
		return
	}
	rows := [][]string{{"    orbit", "placements", "fixed by", "first of them"}}
	for i, p := range list[:min(shownOptima, len(list))] {
		symmetries := "symmetries"
		if orbits[i].Stabiliser == 1 {
			symmetries = "symmetry"
		}
		form := "nodes:" + core.JoinNodes(p.Coords())
		if len(form) > shownForm {
			form = work.FormOf(p)
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
