// Package documents checks all that files can hold: records and answers, with proofs and certificates of formulas,
// which the package sat follows, lists of bounds, worst cases, answers about
// deadlock, and schedules of complete exchange.
package documents

import (
	"bytes"
	"context"
	"path/filepath"

	"leeway/results"
	"leeway/results/answers"
	"leeway/results/check"
	"leeway/results/check/assigned"
	"leeway/results/check/channels"
	"leeway/results/check/exchange"
	"leeway/results/check/optima"
	"leeway/results/check/sat"
	"leeway/results/check/witnesses"
	"leeway/results/check/worst"
	"leeway/results/disk"
	"leeway/results/schedules"
)

// An Item is the verdict about one file.
type Item struct {
	File    string `json:"file"`
	Formula string `json:"formula,omitempty"` // of a proof in a file of its own: the formula that it is checked for
	check.Verdict
	Exchange *exchange.Verdict `json:"exchange,omitempty"` // of a schedule: its figures
}

// Files returns a verdict for every file, in order. A file that cannot be opened is unreadable. When the context ends
// it returns the verdicts of the files that were finished, and its error.
func Files(ctx context.Context, paths []string, o check.Options) ([]Item, error) {
	var items []Item
	for _, path := range paths {
		// The file may be a pipe to which nobody ever writes, or on a disk that hangs.
		done := make(chan Item, 1)
		go func() { done <- fileItem(ctx, path, o) }()
		select {
		case item := <-done:
			if ctx.Err() != nil {
				return items, ctx.Err()
			}
			items = append(items, item)
		case <-ctx.Done():
			return items, ctx.Err()
		}
	}
	return items, nil
}

// fileItem returns the verdict about a file.
func fileItem(ctx context.Context, path string, o check.Options) Item {
	if isSchedule(ctx, path) {
		return scheduleItem(ctx, path, o)
	}
	data, err := disk.ReadFile(ctx, path)
	if err != nil {
		return Item{File: path, Verdict: check.Undecided(err)}
	}
	return Item{File: path, Verdict: Document(ctx, data, filepath.Dir(path), o)}
}

// Document is check.Document with proofs and certificates of formulas, lists of bounds, worst cases
// and answers about deadlock.
func Document(ctx context.Context, data []byte, folder string, o check.Options) check.Verdict {
	has := func(schema string) bool {
		if !bytes.Contains(data, []byte(schema)) {
			return false
		}
		have, _ := results.SchemaOf(data)
		return have == schema
	}
	if has(schedules.Schema) { // without phases, or not in a file of its own
		if _, err := schedules.Read(bytes.NewReader(data)); err != nil {
			return check.Undecided(err)
		}
	}
	o.Kinds = map[string]check.Judge{results.ProofUnsat: sat.PlacementProblem,
		results.ProofAssignments: assigned.Unproved}
	o.Certified, o.Assigned, o.Optima = sat.CertificateProblem, assigned.Faults, optima.Problem
	switch {
	case has(answers.BoundsSchema):
		return witnesses.Document(ctx, data, o)
	case has(answers.DeadlockSchema):
		return channels.Document(ctx, data, o)
	case has(answers.WorstSchema):
		return worst.Document(ctx, data, o)
	}
	return check.Document(ctx, data, folder, o)
}
