package sat

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"leeway/core"
	"leeway/encode/cnf"
	"leeway/encode/dimacs"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
	"leeway/results/check/optima"
)

// CertificateProblem says why the files of a certificate do not show that no placement of a problem has E_max below the
// value, or, of a list, that none but the optima listed and their images has at most the value, "" if they do: they
// have the recorded hashes, the clauses in the one are those that are built here from the problem, in the same
// sequence, and the other refutes them. The files are in the folder dir, or in the folder inside it that the
// certificate names. Cost: that of Refute, and reading both files twice.
func CertificateProblem(m *meter.Meter, dir string, p objective.Problem, below *big.Rat,
	listed [][]int, c *results.Certificate) string {
	if c.Format != FormatLRAT {
		return fmt.Sprintf("its format is %q, not %q", c.Format, FormatLRAT)
	}
	dir, err := folderInside(dir, c.Folder)
	if err != nil {
		return err.Error()
	}
	formula, err := meter.OpenNamed(dir, c.Formula)
	if err != nil {
		return err.Error()
	}
	defer formula.Close()
	if problem := m.HashProblem(formula, c.FormulaSHA256); problem != "" {
		return fmt.Sprintf("the file %q %s", c.Formula, problem)
	}
	if c.Kind == results.CertificateList {
		if listed, err = optima.Images(m, p, listed); err != nil {
			return err.Error()
		}
		if int64(len(listed)) != *c.Labelled {
			return fmt.Sprintf("labelled is %d, the optima of the record have %d images", *c.Labelled, len(listed))
		}
	}
	return RefutationProblem(m, dir, c.Format, c.Proof, c.ProofSHA256, func(proof io.Reader) (Refutation, error) {
		built, err := certified(m, p, below, listed, c)
		if err != nil {
			return Refutation{}, err
		}
		text, err := dimacs.Read(m.Reader(formula))
		if err != nil {
			return Refutation{}, fmt.Errorf("the file %q: %w", c.Formula, err)
		}
		if text.Vars() != built.Vars() || text.Clauses() != built.Clauses() {
			return Refutation{}, fmt.Errorf("the file %q has %d variables and %d clauses, the formula of the problem %d and %d",
				c.Formula, text.Vars(), text.Clauses(), built.Vars(), built.Clauses())
		}
		verdict, err := Refute(m, &compared{built, text}, proof)
		var differs *dimacs.TextError
		if errors.As(err, &differs) {
			err = fmt.Errorf("the file %q: %w", c.Formula, err)
		}
		return verdict, err
	})
}

// certified returns the formula of a certificate. That of a list has a model without the clauses about the listed: the
// first of them.
func certified(m *meter.Meter, p objective.Problem, below *big.Rat, listed [][]int,
	c *results.Certificate) (dimacs.Formula, error) {
	if c.Kind != results.CertificateList {
		return placementFormula(m, p, below, c.Symmetry)
	}
	d := p.Denominator()
	if d == nil {
		return nil, fmt.Errorf("the loads of %s have no common unit of reasonable size", p)
	}
	formula, err := placementFormula(m, p, new(big.Rat).Add(below, new(big.Rat).SetFrac(big.NewInt(1), d)), false)
	if err != nil {
		return nil, err
	}
	first, err := core.NewPlacement(p.Torus(), listed[0])
	if err != nil {
		return nil, err
	}
	if problem := modelProblem(m, formula, first); problem != "" {
		return nil, fmt.Errorf("%v should be a model of the formula without the clauses about the list: %s", listed[0],
			problem)
	}
	m.ChargeAll(8, len(listed), p.Size)
	return formula.Except(listed), nil
}

// folderInside returns a folder inside another: names joined by slashes, none of them a link.
func folderInside(dir, inside string) (string, error) {
	if inside == "" {
		return dir, nil
	}
	for name := range strings.SplitSeq(inside, "/") {
		if meter.BareName(name) != nil {
			return "", fmt.Errorf("%q is no folder inside that of the record", inside)
		}
		dir = filepath.Join(dir, name)
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			return "", fmt.Errorf("%q is no folder inside that of the record", inside)
		}
	}
	return dir, nil
}

// compared is a formula that is the same in a file, or fails to be written with a *dimacs.TextError.
type compared struct {
	dimacs.Formula
	text *dimacs.Text
}

// Write implements dimacs.Formula.
func (c *compared) Write(sink cnf.Sink) error {
	if err := c.Formula.Write(comparing{c.text, sink}); err != nil {
		return err
	}
	_, more, err := c.text.Next()
	if err == nil && more {
		err = c.text.Differs("there are more clauses than in the formula of the problem")
	}
	return err
}

type comparing struct {
	text *dimacs.Text
	sink cnf.Sink
}

// Add implements cnf.Sink.
func (c comparing) Add(clause []int) error {
	have, more, err := c.text.Next()
	switch {
	case err != nil:
		return err
	case !more || !slices.Equal(have, clause):
		return c.text.Differs("this is not the clause that stands there in the formula of the problem")
	}
	return c.sink.Add(clause)
}
