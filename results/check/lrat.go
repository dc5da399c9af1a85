package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"leeway/encode/dimacs"
	"leeway/results"
	"leeway/results/check/meter"
	"leeway/results/check/sat"
)

// maxFormulaBytes bounds the files of formulas and proofs that are read.
const maxFormulaBytes = 4 << 30

// LRAT returns the verdict, as an only item, whether a proof in the text form of LRAT shows that a formula in DIMACS
// CNF cannot be satisfied. Reasons name the file and the line. Of the options only Steps counts; without it what may be
// taken grows with both files. When the context ends there is no item, but its error.
func LRAT(ctx context.Context, formula, proof string, o Options) ([]Item, error) {
	item := Item{File: proof, Formula: formula, Verdict: lratVerdict(ctx, formula, proof, o)}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return []Item{item}, nil
}

func lratVerdict(ctx context.Context, formula, proof string, o Options) Verdict {
	m := meter.New(ctx, 0, o.Steps)
	return judged(m, func() Verdict {
		clauses, err := results.Open(ctx, formula)
		if err != nil {
			return unreadable(err)
		}
		defer clauses.Close()
		steps, err := results.Open(ctx, proof)
		if err != nil {
			return unreadable(err)
		}
		defer steps.Close()
		text, err := dimacs.Read(&metered{m: m, r: m.Reader(clauses)})
		var verdict sat.Refutation
		if err == nil {
			verdict, err = sat.Refute(m, text, sat.FormatLRAT, &metered{m: m, r: steps})
		}
		var line *dimacs.FormulaError
		switch {
		case errors.As(err, &line):
			return unreadable(fmt.Errorf("%s: %w", formula, line))
		case err != nil:
			return unreadable(err)
		case verdict.Verdict == sat.Verified:
			return Verdict{Verdict: Valid, ProofVerdict: Verified, Reasons: []string{}}
		case verdict.Verdict == sat.Unreadable:
			if !strings.HasPrefix(verdict.Reason, "line ") { // it is not about a place
				verdict.Reason = fmt.Sprintf("line %d: %s", verdict.Line, verdict.Reason)
			}
			return unreadable(fmt.Errorf("%s: %s", proof, verdict.Reason))
		}
		return Verdict{Verdict: Wrong, ProofVerdict: Wrong,
			Reasons: []string{fmt.Sprintf("%s: line %d: %s", proof, verdict.Line, verdict.Reason)}}
	})
}

// metered reads a file and allows the steps for what it reads.
type metered struct {
	m    *meter.Meter
	r    io.Reader
	read int64
}

// Read implements io.Reader.
func (f *metered) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	f.m.Grow(int64(n))
	if f.read += int64(n); f.read > maxFormulaBytes {
		return 0, fmt.Errorf("it has more than %d bytes, the most that is read", int64(maxFormulaBytes))
	}
	return n, err
}
