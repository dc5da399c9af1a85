// Package check recomputes what a record claims from its text.
//
// It trusts core (routings as listers of paths) and the naive evaluator, and nothing that searches, bounds or evaluates
// fast: that no placement is below a value only the kernel says, of steps that anybody may write. Its answer tells
// four things apart: a file that cannot be read, a record that is wrong, a valid one, and one whose check would take
// more than it may; and for a proof whether it was verified.
//
//	v := check.Record(text)
//	if v.Verdict != check.Valid { fmt.Println(v.Reasons) }
package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"leeway/results"
	"leeway/results/check/meter"
	"leeway/results/check/sat"
	"leeway/results/schedules"
)

// The verdicts about a file and about its proof.
const (
	Valid      = "valid"
	Wrong      = sat.Wrong // of a file or of its proof
	Unreadable = sat.Unreadable
	Verified   = sat.Verified
	Absent     = "absent"
	Limit      = "not checked: limit" // the check of a file or of its proof ended at a limit, see meter.Limits
)

// A Verdict says whether a record is right and why not.
type Verdict struct {
	Verdict      string   `json:"verdict"`       // valid, wrong, unreadable or Limit
	ProofVerdict string   `json:"proof_verdict"` // verified, wrong, absent or Limit
	Reasons      []string `json:"reasons"`       // what is wrong; remarks start with "note: "
	// Slices are the streams, in order, by which steps that are in no file were followed; only with Options.Slices.
	Slices []Accepted `json:"slices,omitempty"`

	steps int64 // that the check took
}

// note adds a remark.
func (v *Verdict) note(text string) { v.Reasons = append(v.Reasons, "note: "+text) }

// An Item is the verdict about one file.
type Item struct {
	File    string `json:"file"`
	Formula string `json:"formula,omitempty"` // of a proof in a file of its own: the formula that it is checked for
	Verdict
	Exchange *ExchangeVerdict `json:"exchange,omitempty"` // of a schedule: its figures
}

// undecided returns the verdict that a file is unreadable, or was not checked where a limit is why.
func undecided(err error) Verdict {
	v := Verdict{Verdict: Unreadable, ProofVerdict: Absent, Reasons: []string{err.Error()}}
	if isLimit(err) {
		v.Verdict, v.ProofVerdict = Limit, Limit
	}
	return v
}

// isLimit reports whether an error says that a limit ended a check.
func isLimit(err error) bool {
	var limit *meter.LimitError
	return errors.As(err, &limit)
}

// Options say how to check.
type Options struct {
	Workers int // for the slices of proofs as steps; changes the speed only
	// Limits are for each file. What would take more has the verdict Limit, unless it was found wrong until then.
	Limits meter.Limits
	// Certificate is where the files of certificates are; "": where the records say.
	Certificate string
	// Produce writes the steps of proofs whose streams are in no file; nil: these are not checked.
	Produce Producer
	Slices  bool // verdicts list the streams by which steps were followed
	// Stream is a file whose steps are to prove what the proofs of documents say; "": the proofs that they have.
	Stream string
	// Kept has what the checks of documents before found and this one needs again; nil: nothing. The verdicts are the
	// same.
	Kept *meter.Kept
}

// Files returns a verdict for every file, in order. A file that cannot be opened is unreadable. When the context ends
// it returns the verdicts of the files that were finished, and its error.
func Files(ctx context.Context, paths []string, o Options) ([]Item, error) {
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
func fileItem(ctx context.Context, path string, o Options) Item {
	if isSchedule(ctx, path) {
		return scheduleItem(ctx, path, o)
	}
	data, err := results.ReadFile(ctx, path)
	if err != nil {
		return Item{File: path, Verdict: undecided(err)}
	}
	return Item{File: path, Verdict: Document(ctx, data, filepath.Dir(path), o)}
}

// Document returns the verdict about a record, a list of bounds or an answer to "is E_max below a value possible". The
// folder is where the files lie that it names. When the context ends before the verdict is found, the verdict means
// nothing.
func Document(ctx context.Context, data []byte, folder string, o Options) Verdict {
	return document(meter.New(ctx, o.Limits), data, folder, o)
}

func document(m *meter.Meter, data []byte, folder string, o Options) Verdict {
	if o.Kept != nil {
		m.Keep(o.Kept)
	}
	verify := &verifier{meter: m, folder: folder, options: o}
	v := judged(m, func() Verdict { return verify.document(data) })
	if o.Slices {
		v.Slices = verify.slices
	}
	return v
}

// judged returns the verdict of f, or that the document is undecided where f is ended early. A bug of the checker is
// the verdict of the one file that meets it.
func judged(m *meter.Meter, f func() Verdict) (v Verdict) {
	defer func() {
		if p := recover(); p != nil {
			v = undecided(fmt.Errorf("internal error: %v: please report this with the file", p))
		}
		v.steps = m.Steps()
	}()
	if err := m.Run(func() { v = f() }); err != nil {
		v = undecided(err)
	}
	return v
}

// document tells the kinds of documents apart.
func (v *verifier) document(data []byte) Verdict {
	schema := ""
	v.meter.Foreign(parseSteps(data), func() { schema, _ = results.SchemaOf(data) })
	switch schema {
	case results.BoundsSchema:
		return boundsVerdict(data, v)
	case results.BelowSchema:
		return below(data, v)
	case schedules.Schema: // without phases, or not in a file of its own
		if _, err := schedules.Read(bytes.NewReader(data)); err != nil {
			return undecided(err)
		}
	}
	return record(data, v)
}

// parseSteps is what it takes to read a document strictly.
func parseSteps(data []byte) int64 { return 16 * int64(len(data)) }

// Record returns the verdict about a record that names no other file; see Document.
func Record(data []byte) Verdict {
	return Document(context.Background(), data, "", Options{})
}
