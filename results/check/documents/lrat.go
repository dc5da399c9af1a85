package documents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"leeway/encode/dimacs"
	"leeway/results/check"
	"leeway/results/check/meter"
	"leeway/results/check/sat"
	"leeway/results/disk"
)

// maxFormulaBytes bounds the files of formulas and proofs that are read.
const maxFormulaBytes = 4 << 30

// LRAT returns the verdict, as an only item, whether a proof in the text form of LRAT shows that a formula in DIMACS
// CNF cannot be satisfied. Reasons name the file and the line. Of the options only Limits counts. When the context ends
// there is no item, but its error.
func LRAT(ctx context.Context, formula, proof string, o check.Options) ([]Item, error) {
	item := Item{File: proof, Formula: formula, Verdict: lratVerdict(ctx, formula, proof, o)}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return []Item{item}, nil
}

func lratVerdict(ctx context.Context, formula, proof string, o check.Options) check.Verdict {
	return refuted(ctx, formula, proof, o, func(m *meter.Meter, clauses, steps io.Reader) check.Verdict {
		text, err := dimacs.Read(clauses)
		var verdict sat.Refutation
		if err == nil {
			verdict, err = sat.Refute(m, text, steps)
		}
		var line *dimacs.TextError
		switch {
		case errors.As(err, &line):
			return check.Undecided(fmt.Errorf("%s: %w", formula, line))
		case err != nil:
			return check.Undecided(err)
		case verdict.Verdict == sat.Verified:
			return check.Verdict{Verdict: check.Valid, ProofVerdict: check.Verified, Reasons: []string{}}
		case verdict.Verdict == sat.Unreadable:
			if !strings.HasPrefix(verdict.Reason, "line ") { // it is not about a place
				verdict.Reason = fmt.Sprintf("line %d: %s", verdict.Line, verdict.Reason)
			}
			return check.Undecided(fmt.Errorf("%s: %s", proof, verdict.Reason))
		}
		return check.Verdict{Verdict: check.Wrong, ProofVerdict: check.Wrong,
			Reasons: []string{fmt.Sprintf("%s: line %d: %s", proof, verdict.Line, verdict.Reason)}}
	})
}

// refuted opens a formula and a proof and returns what judge says of them.
func refuted(ctx context.Context, formula, proof string, o check.Options,
	judge func(m *meter.Meter, formula, proof io.Reader) check.Verdict) check.Verdict {
	m := meter.New(ctx, o.Limits)
	return check.Judged(m, func() check.Verdict {
		rows, err := disk.Open(ctx, formula)
		if err != nil {
			return check.Undecided(err)
		}
		defer rows.Close()
		steps, err := disk.Open(ctx, proof)
		if err != nil {
			return check.Undecided(err)
		}
		defer steps.Close()
		return judge(m, &bounded{r: m.Reader(rows)}, &bounded{r: m.Reader(steps)})
	})
}

// bounded reads a file of at most maxFormulaBytes.
type bounded struct {
	r    io.Reader
	read int64
}

// Read implements io.Reader.
func (f *bounded) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if f.read += int64(n); f.read > maxFormulaBytes {
		return 0, fmt.Errorf("it has more than %d bytes, the most that is read", int64(maxFormulaBytes))
	}
	return n, err
}
