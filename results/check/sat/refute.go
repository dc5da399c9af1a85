package sat

import (
	"fmt"
	"io"
	"math/big"

	"leeway/encode"
	"leeway/encode/cnf"
	"leeway/encode/dimacs"
	"leeway/objective"
	"leeway/results/check/meter"
)

// The formats of a proof that a formula cannot be satisfied.
const (
	FormatDRAT = "drat" // text, RUP steps and deletions only
	FormatLRAT = "lrat" // text, without RAT hints
)

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
// unknown. Cost: for each step unit propagation (DRAT) or a look at the clauses it names (LRAT).
func Refute(m *meter.Meter, formula dimacs.Formula, format string, proof io.Reader) (Refutation, error) {
	m.ChargeAll(128, formula.Vars()) // what is kept of every variable
	var c proofChecker
	switch format {
	case FormatDRAT:
		c = newRUPChecker(m, formula.Vars())
	case FormatLRAT:
		c = newLRATChecker(m, formula.Vars())
	default:
		return Refutation{}, fmt.Errorf("the format %q of a proof is neither %s nor %s", format, FormatDRAT, FormatLRAT)
	}
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

// unsat returns the verdict about a proof that no placement of the problem has
// E_max below a value. The formula is rebuilt from the problem; symmetry says
// whether with the rows that break it, which the checker derives from the
// routing. The error says that there is no such formula, that the format is
// unknown, or that the context ended; then there is no verdict.
func unsat(m *meter.Meter, p objective.Problem, below *big.Rat, symmetry bool, format string, proof io.Reader) (Refutation, error) {
	formula, err := placementFormula(m, p, below, symmetry)
	if err != nil {
		return Refutation{}, err
	}
	return Refute(m, formula, format, proof)
}

// maxFormulaNodes is the largest torus that package encode takes.
const maxFormulaNodes = 2048

// placementFormula returns the formula "some placement has E_max below a value". What its
// model takes is charged before it is made.
func placementFormula(m *meter.Meter, p objective.Problem, below *big.Rat, symmetry bool) (formula *encode.Formula, err error) {
	t := p.Torus()
	if t.N() <= maxFormulaNodes {
		m.ChargeAll(16, t.N(), t.M())
		m.ChargeFlows(p.Routing)
		if symmetry {
			m.ChargeGroup(p.Routing)
		}
	}
	m.Foreign(0, func() {
		var model *encode.Model
		if model, err = encode.NewModel(p, encode.Options{BreakSymmetry: symmetry}); err == nil {
			formula, err = model.Formula(dimacs.Limit(p.Routing, below))
		}
	})
	if err == nil {
		m.Charge(formula.Clauses())
	}
	return formula, err
}
