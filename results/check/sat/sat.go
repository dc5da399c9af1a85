// Package sat goes through proofs that a formula cannot be satisfied, in the format LRAT, and builds the
// formula of a question about placements.
package sat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"

	"leeway/encode"
	"leeway/encode/cnf"
	"leeway/encode/dimacs"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
	"leeway/results/check/optima"
)

// FormatLRAT is the format of a proof that a formula cannot be satisfied: LRAT as text, without RAT hints.
const FormatLRAT = "lrat"

// The verdicts about a proof.
const (
	Verified   = "verified"
	Wrong      = "wrong"
	Unreadable = "unreadable"
)

// A Refutation is the verdict about a proof that a formula cannot be satisfied.
type Refutation struct {
	Verdict string // Verified, Wrong or Unreadable
	Steps   int64  // steps read; if wrong, the last one is what is wrong
	Line    int    // on which the last step starts, or what cannot be read stands
	Reason  string // why not verified, with the step; "" if verified
}

func wrongProof(step int64, line int, reason string) Refutation {
	return Refutation{Verdict: Wrong, Steps: step, Line: line, Reason: fmt.Sprintf("step %d: %s", step, reason)}
}

func unreadableProof(step int64, line int, err error) Refutation {
	return Refutation{Verdict: Unreadable, Steps: step, Line: line, Reason: err.Error()}
}

// A step of a proof adds a clause or deletes some.
type step struct {
	number  int // of the clause
	deletes bool
	list    []int // literals, or numbers of clauses to delete
	hints   []int
}

// check reads the steps of a proof up to the empty clause.
func (c *lratChecker) check(proof io.Reader) Refutation {
	s, count, at := dimacs.NewScanner(proof), int64(0), step{}
	for {
		first, err := s.Next()
		switch {
		case err != nil:
			return unreadableProof(count, s.Line, err)
		case first.Kind == dimacs.End:
			return wrongProof(count, s.Line, "the proof ends without the empty clause")
		}
		count++
		line := s.Line
		at = step{list: at.list[:0], hints: at.hints[:0]}
		if err := read(s, first, &at); err != nil {
			return unreadableProof(count, s.Line, err)
		}
		if problem := c.take(&at); problem != "" {
			return wrongProof(count, line, problem)
		}
		if !at.deletes && len(at.list) == 0 {
			if err := s.Rest(); err != nil {
				return unreadableProof(count, s.Line, err)
			}
			return Refutation{Verdict: Verified, Steps: count, Line: line}
		}
	}
}

// A clause is the one that a checker looks at, as literals without repeats.
type clause struct {
	vars     int         // of the formula
	marks    *literalSet // to take out repeats
	literals []literal
}

func newClause(vars int) clause { return clause{vars: vars, marks: newLiteralSet(vars)} }

// set takes a clause as the formula or a proof has it, and says what is wrong with it, "" if nothing is.
func (c *clause) set(list []int) string {
	var past int
	if c.literals, past = c.marks.distinct(c.literals[:0], list); past != 0 {
		return fmt.Sprintf("variable %d is not one of the %d of the formula", past, c.vars)
	}
	return ""
}

// Refute returns the verdict about a proof in LRAT that a formula cannot be satisfied. Nothing may follow the empty
// clause. The error is that of the formula or of the context. Cost: for each step a look at the clauses it names.
func Refute(m *meter.Meter, formula dimacs.Formula, proof io.Reader) (Refutation, error) {
	m.ChargeAll(128, formula.Vars()) // what is kept of every variable
	c := newLRATChecker(m, formula.Vars())
	if err := formula.Write(meterSink{m, c}); err != nil {
		return Refutation{}, err
	}
	verdict := c.check(m.Reader(proof))
	if m.Err() != nil {
		return Refutation{}, m.Err()
	}
	return verdict, nil
}

// clauseSteps and literalSteps are what it takes to keep a clause, most of it memory.
const (
	clauseSteps  = 96
	literalSteps = 16
)

// meterSink charges clauses and passes them on.
type meterSink struct {
	meter *meter.Meter
	sink  cnf.Sink
}

// Add implements cnf.Sink.
func (s meterSink) Add(clause []int) error {
	if err := s.meter.Spend(clauseSteps + literalSteps*int64(len(clause))); err != nil {
		return err
	}
	return s.sink.Add(clause)
}

// unsat returns the verdict about a proof that no placement of the problem has E_max below a value. The formula is
// rebuilt from the problem; symmetry says whether with the rows that break it, which the checker derives from the
// routing. The error says that there is no such formula or that the context ended; then there is no verdict.
func unsat(m *meter.Meter, p objective.Problem, below *big.Rat, symmetry bool, proof io.Reader) (Refutation, error) {
	formula, err := placementFormula(m, p, below, symmetry)
	if err != nil {
		return Refutation{}, err
	}
	return Refute(m, formula, proof)
}

// maxFormulaNodes is the largest torus that package encode takes.
const maxFormulaNodes = 2048

// maxCompared is the most numbers that package symmetry compares for the group of client traffic.
const maxCompared = 1 << 26

// placementFormula returns the formula "some placement has E_max below a value". What its model takes is charged before
// it is made.
func placementFormula(m *meter.Meter, p objective.Problem, below *big.Rat,
	symmetry bool) (formula *encode.Formula, err error) {
	t := p.Torus()
	if t.N() <= maxFormulaNodes {
		m.ChargeAll(16, t.N(), t.M())
		m.ChargeFlows(p.Routing, t.N()/t.Translations())
		if p.Traffic.Clients() {
			m.ChargeFlows(p.ReplyRouting(), t.N()/t.Translations())
			m.ChargeAll(64, t.N(), t.M()) // what is kept of every node and link, and sorted
		}
		if symmetry {
			optima.ChargeGroup(m, p.Routing, p.Conditioned())
			if p.Traffic.Clients() {
				m.Charge(maxCompared)
			}
		}
	}
	m.Foreign(0, func() {
		var model *encode.Model
		if model, err = encode.NewModel(context.Background(), p, encode.Options{BreakSymmetry: symmetry}); err == nil {
			formula, err = model.Formula(context.Background(), dimacs.Limit(p, below))
		}
	})
	if err == nil {
		m.Charge(formula.Clauses())
	}
	return formula, err
}

// PlacementProblem says why the file that a proof names, in the folder dir, does not show that no placement of a
// problem has E_max below the value, "" if it does. The file must be one of the folder itself and have the recorded
// hash. If the context ends it says so. Cost: that of Unsat, and reading the file twice.
func PlacementProblem(m *meter.Meter, dir string, question objective.Problem, below *big.Rat, p *results.Proof) string {
	if p.Symmetry == nil {
		return "it does not say whether the formula breaks symmetry"
	}
	return RefutationProblem(m, dir, p.Format, p.File, p.SHA256, func(proof io.Reader) (Refutation, error) {
		return unsat(m, question, below, *p.Symmetry, proof)
	})
}

// RefutationProblem says why a file of the folder, with the recorded hash, is not a proof in LRAT, the format that must
// be named, or why refute does not accept it; "" if all is well.
func RefutationProblem(m *meter.Meter, dir, format, name, hash string,
	refute func(proof io.Reader) (Refutation, error)) string {
	if format != FormatLRAT {
		return fmt.Sprintf("its format is %q, not %q", format, FormatLRAT)
	}
	return m.FileProblem(dir, name, hash, func(proof io.Reader) (string, error) {
		verdict, err := refute(proof)
		if large := (*cnf.SizeError)(nil); errors.As(err, &large) {
			m.End(&meter.LimitError{What: fmt.Sprintf("%d clauses", large.Limit)})
		}
		if err != nil || verdict.Verdict == Verified {
			return "", err
		}
		return verdict.Verdict + ": " + verdict.Reason, nil
	})
}
