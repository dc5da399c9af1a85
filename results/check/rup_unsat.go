package check

import (
	"context"
	"fmt"
	"io"
	"math/big"

	"leeway/encode"
	"leeway/encode/cnf"
	"leeway/encode/dimacs"
	"leeway/objective"
)

// The formats of a proof that a formula cannot be satisfied.
const (
	FormatDRAT = "drat" // text, RUP steps and deletions only
	FormatLRAT = "lrat" // text, without RAT hints
)

// A Refutation is the verdict about a proof that a formula cannot be satisfied.
type Refutation struct {
	Verdict string // Verified, Wrong or Unreadable
	Steps   int64  // steps read; if wrong, the last one is what is wrong
	Reason  string // why not verified, with the step; "" if verified
}

func wrongProof(step int64, reason string) Refutation {
	return Refutation{Verdict: Wrong, Steps: step, Reason: fmt.Sprintf("step %d: %s", step, reason)}
}

func unreadableProof(step int64, err error) Refutation {
	return Refutation{Verdict: Unreadable, Steps: step, Reason: err.Error()}
}

// A proofChecker takes the clauses of a formula and then a proof.
type proofChecker interface {
	cnf.Sink
	check(proof io.Reader) Refutation
}

// Refute returns the verdict about a proof, in one of the formats, that a
// formula cannot be satisfied. Nothing may follow the empty clause. The
// error is that of the formula or of the context, or says that the format is
// unknown.
func Refute(ctx context.Context, formula dimacs.Formula, format string, proof io.Reader) (Refutation, error) {
	var c proofChecker
	switch format {
	case FormatDRAT:
		c = newRUPChecker(formula.Vars())
	case FormatLRAT:
		c = newLRATChecker(formula.Vars())
	default:
		return Refutation{}, fmt.Errorf("the format %q of a proof is neither %s nor %s", format, FormatDRAT, FormatLRAT)
	}
	if err := formula.Write(&contextSink{ctx: ctx, sink: c}); err != nil {
		return Refutation{}, err
	}
	verdict := c.check(contextReader{ctx, proof})
	if ctx.Err() != nil {
		return Refutation{}, ctx.Err()
	}
	return verdict, nil
}

// contextSink passes clauses on while the context lasts.
type contextSink struct {
	ctx   context.Context
	sink  cnf.Sink
	taken int
}

// Add implements cnf.Sink.
func (s *contextSink) Add(clause []int) error {
	if s.taken++; s.taken%1024 == 0 && s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	return s.sink.Add(clause)
}

// contextReader reads while the context lasts. The steps that one read brings
// are checked in well under a second.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// Unsat returns the verdict about a proof that no placement of the problem has
// E_max below a value. The formula is rebuilt from the problem; symmetry says
// whether with the rows that break it, which the checker derives from the
// routing. The error says that there is no such formula, that the format is
// unknown, or that the context ended; then there is no verdict. Cost: that of the formula, and for each step
// unit propagation (DRAT) or a look at the clauses it names (LRAT).
func Unsat(ctx context.Context, p objective.Problem, below *big.Rat, symmetry bool, format string, proof io.Reader) (Refutation, error) {
	model, err := encode.NewModel(p, encode.Options{BreakSymmetry: symmetry})
	if err != nil {
		return Refutation{}, err
	}
	formula, err := model.Formula(dimacs.Limit(p.Routing, below))
	if err != nil {
		return Refutation{}, err
	}
	return Refute(ctx, formula, format, proof)
}
