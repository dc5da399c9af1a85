package main

import (
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
		if d.Traffic != "" {
			a.Printf("  traffic      %s\n", describeTraffic(d.Demand))
		}
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
	data, err := results.Encode(d)
	if err != nil {
		return err
	}
	return a.deliver(q.out, data)
}

// saveRecord writes a record to the file of --out, or to a new one.
func (a *app) saveRecord(q *question, base string, r results.Record) error {
	if q.out == "" && (q.asJSON || q.inStore) {
		return nil
	}
	data, err := r.Encode()
	if err != nil {
		return err
	}
	if q.out != "" {
		return a.deliver(q.out, data)
	}
	name, err := results.WriteNumbered(base, ".json", data)
	if err == nil {
		a.Remark("wrote %s", name)
	}
	return err
}

// proofEnding ends the name of a solver's proof.
const proofEnding = ".drat"
