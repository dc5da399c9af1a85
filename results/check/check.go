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
	"context"
	"errors"
	"fmt"
	"math/big"

	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
)

// The verdicts about a file and about its proof.
const (
	Valid      = "valid"
	Wrong      = "wrong" // of a file or of its proof
	Unreadable = "unreadable"
	Verified   = "verified"
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

	Steps int64 `json:"-"` // that the check took
}

// note adds a remark.
func (v *Verdict) note(text string) { v.Reasons = append(v.Reasons, "note: "+text) }

// Undecided returns the verdict that a file is unreadable, or was not checked where a limit is why.
func Undecided(err error) Verdict {
	v := Verdict{Verdict: Unreadable, ProofVerdict: Absent, Reasons: []string{err.Error()}}
	if IsLimit(err) {
		v.Verdict, v.ProofVerdict = Limit, Limit
	}
	return v
}

// IsLimit reports whether an error says that a limit ended a check.
func IsLimit(err error) bool {
	var limit *meter.LimitError
	return errors.As(err, &limit)
}

// A Judge says why a proof does not show that no placement of a problem has E_max below a value, "" if it does. Files
// that the proof names are in the folder.
type Judge func(m *meter.Meter, folder string, p objective.Problem, below *big.Rat, proof *results.Proof) string

// Options say how to check.
type Options struct {
	Workers int // for the slices of proofs as steps; changes the speed only
	// Limits are for each file. What would take more has the verdict Limit, unless it was found wrong until then.
	Limits meter.Limits
	// Certificate is where the files of certificates are; "": where the records say.
	Certificate string
	// Produce writes the steps of proofs whose streams are in no file; nil: these are not checked.
	Produce Producer
	// Kinds judge proofs of the kinds that they are listed by, as that of the package sat does. Proofs of other kinds than
	// these, closed forms, steps and those about neighbours are not accepted.
	Kinds map[string]Judge
	// Certified says what is wrong with a certificate, as CertificateProblem of the package sat does, and Assigned what
	// is wrong with a record about tasks and with its proof, as assigned.Faults does; nil: they are not accepted.
	Certified func(m *meter.Meter, folder string, p objective.Problem, below *big.Rat, listed [][]int,
		c *results.Certificate) string
	Assigned func(m *meter.Meter, p objective.Problem, r results.Record) (faults, ofProof []string)
	// Optima says what is wrong with a list of all optima, as optima.Problem does; nil: they are not accepted.
	Optima func(m *meter.Meter, l Listed) string

	Slices bool // verdicts list the streams by which steps were followed
	// Stream is a file whose steps are to prove what the proofs of documents say; "": the proofs that they have.
	Stream string
	// Kept has what the checks of documents before found and this one needs again; nil: nothing. The verdicts are the
	// same.
	Kept *meter.Kept
}

// Document returns the verdict about a record or an answer to "is E_max below a value possible". The
// folder is where the files lie that it names. When the context ends before the verdict is found, the verdict means
// nothing.
func Document(ctx context.Context, data []byte, folder string, o Options) Verdict {
	return Metered(NewMeter(ctx, o), data, folder, o)
}

// NewMeter returns the meter of a check.
func NewMeter(ctx context.Context, o Options) *meter.Meter {
	m := meter.New(ctx, o.Limits)
	if o.Kept != nil {
		m.Keep(o.Kept)
	}
	return m
}

// Metered is Document at the cost of a meter.
func Metered(m *meter.Meter, data []byte, folder string, o Options) Verdict {
	verify := &verifier{meter: m, folder: folder, options: o}
	v := Judged(m, func() Verdict { return verify.document(data) })
	if o.Slices {
		v.Slices = verify.slices
	}
	return v
}

// Judged returns the verdict of f, or that the document is undecided where f is ended early. A bug of the checker is
// the verdict of the one file that meets it.
func Judged(m *meter.Meter, f func() Verdict) (v Verdict) {
	defer func() {
		if p := recover(); p != nil {
			v = Undecided(fmt.Errorf("internal error: %v: please report this with the file", p))
		}
		v.Steps = m.Steps()
	}()
	if err := m.Run(func() { v = f() }); err != nil {
		v = Undecided(err)
	}
	return v
}

// document tells the kinds of documents apart.
func (v *verifier) document(data []byte) Verdict {
	schema := ""
	v.meter.Foreign(ReadingSteps(data), func() { schema, _ = results.SchemaOf(data) })
	if schema == results.BelowSchema {
		return checkBelow(data, v)
	}
	return record(data, v)
}

// ReadingSteps is what it takes to read a document strictly.
func ReadingSteps(data []byte) int64 { return 16 * int64(len(data)) }

// Record returns the verdict about a record that names no other file; see Document.
func Record(data []byte) Verdict {
	return Document(context.Background(), data, "", Options{})
}
