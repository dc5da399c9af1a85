package sat

import (
	"bufio"
	"bytes"
	"context"
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
	"leeway/encode/opb"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
	"leeway/results/check/veripb"
)

// FormatVeriPB is the format of a proof over linear rows, which only certificates have: version 2.0 of VeriPB's.
const FormatVeriPB = "veripb"

// CertificateProblem says why the files of a certificate do not show that no placement of a problem has E_max below the
// value, or, of a list, that none but those listed has at most the value, "" if they do: they have the recorded hashes,
// the clauses or linear rows in the one are those that are built here from the problem, in the same sequence, and the
// other refutes them. The files are in the folder dir, or in the folder inside it that the certificate names. Cost:
// that of Refute, or of veripb.Refute, and reading both files twice or, with rows, the formula three times.
func CertificateProblem(m *meter.Meter, dir string, p objective.Problem, below *big.Rat,
	listed [][]int, c *results.Certificate) string {
	switch {
	case c.Format != FormatLRAT && c.Format != FormatVeriPB:
		return fmt.Sprintf("its format is %q, neither %q nor %q", c.Format, FormatLRAT, FormatVeriPB)
	case c.Format == FormatVeriPB && c.Symmetry:
		return "linear rows with a proof break no symmetry"
	case c.Format == FormatVeriPB && c.Kind != "":
		return "of a list the formula is in clauses"
	}
	dir, err := folderInside(dir, c.Folder)
	if err != nil {
		return err.Error()
	}
	formula, err := openProof(dir, c.Formula)
	if err != nil {
		return err.Error()
	}
	defer formula.Close()
	if problem := hashProblem(m, formula, c.FormulaSHA256); problem != "" {
		return fmt.Sprintf("the file %q %s", c.Formula, problem)
	}
	return FileProblem(m, dir, c.Proof, c.ProofSHA256, func(proof io.Reader) (Refutation, error) {
		if c.Format == FormatVeriPB {
			return refuteRows(m, p, below, c.Formula, formula, proof)
		}
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
		var differs *dimacs.FormulaError
		if errors.As(err, &differs) {
			err = fmt.Errorf("the file %q: %w", c.Formula, err)
		}
		return verdict, err
	})
}

// certified returns the formula of a certificate. That of a list has a model without the clauses about the listed: the
// first of them, with the values that its variables mean.
func certified(m *meter.Meter, p objective.Problem, below *big.Rat, listed [][]int,
	c *results.Certificate) (dimacs.Formula, error) {
	if c.Kind != results.CertificateList {
		return placementFormula(m, p, below, c.Symmetry)
	}
	d := shares.Denominator(m, p.Routing)
	if d == nil {
		return nil, fmt.Errorf("the loads of %s have no common unit of reasonable size", p)
	}
	above := new(big.Rat).Add(below, new(big.Rat).SetFrac(big.NewInt(1), d))
	e, err := NewExtension(m, p, above, false)
	if err != nil {
		return nil, err
	}
	first, err := core.NewPlacement(p.Torus(), listed[0])
	if err != nil {
		return nil, err
	}
	if problem := e.Problem(first); problem != "" {
		return nil, fmt.Errorf("%v should be a model of the formula without the clauses about the list: %s", listed[0],
			problem)
	}
	m.ChargeAll(8, len(listed), p.Size)
	return e.formula.Except(listed), nil
}

// folderInside returns a folder inside another: names joined by slashes, none of them a link.
func folderInside(dir, inside string) (string, error) {
	if inside == "" {
		return dir, nil
	}
	for name := range strings.SplitSeq(inside, "/") {
		if BareName(name) != nil {
			return "", fmt.Errorf("%q is no folder inside that of the record", inside)
		}
		dir = filepath.Join(dir, name)
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			return "", fmt.Errorf("%q is no folder inside that of the record", inside)
		}
	}
	return dir, nil
}

// compared is a formula that is the same in a file, or fails to be written with a *dimacs.FormulaError.
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

// maxRowsNodes is the most nodes of a network whose rows are built.
const maxRowsNodes = 256

// refuteRows has a proof over linear rows checked, once the file of the rows turned out to have those that are built
// here, in the same sequence, and nothing else but comments.
func refuteRows(m *meter.Meter, p objective.Problem, below *big.Rat, name string, formula io.ReadSeeker,
	proof io.Reader) (Refutation, error) {
	t := p.Torus()
	if t.N() > maxRowsNodes || p.Traffic.Clients() {
		return Refutation{}, fmt.Errorf("rows are built for at most %d nodes, and not for client traffic", maxRowsNodes)
	}
	m.ChargeAll(16, t.N(), t.M())
	m.ChargeFlows(p.Routing, t.N())
	var built *opb.Model
	var err error
	m.Foreign(0, func() { built, err = opb.New(context.Background(), p, below, opb.Options{}) })
	if err != nil {
		return Refutation{}, err
	}
	rows := &sameRows{m: m, file: bufio.NewReader(m.Reader(formula))}
	if err = opb.Write(rows, nil, built); err == nil {
		err = rows.end()
	}
	if err == nil {
		_, err = formula.Seek(0, io.SeekStart)
	}
	if err != nil {
		return Refutation{}, fmt.Errorf("the file %q: %w", name, err)
	}
	verdict, err := veripb.Refute(m, formula, proof)
	if verdict.InFormula {
		return Refutation{}, fmt.Errorf("the file %q: line %d: %s", name, verdict.Line, verdict.Reason)
	}
	return Refutation{Verdict: verdict.Verdict, Steps: verdict.Steps, Line: verdict.Line,
		Reason: fmt.Sprintf("line %d: %s", verdict.Line, verdict.Reason)}, err
}

// sameRows takes a formula in OPB as it is written, and fails at the first line that is not the next one of a file.
// Comments of both are passed over, but for the first line, which says how many rows there are.
type sameRows struct {
	m    *meter.Meter
	file *bufio.Reader
	line int    // of the file
	rest []byte // written, the start of a line
	have []byte
}

// Write implements io.Writer.
func (s *sameRows) Write(text []byte) (int, error) {
	s.m.Charge(int64(len(text)))
	s.rest = append(s.rest, text...)
	for {
		end := bytes.IndexByte(s.rest, '\n') + 1
		if end == 0 {
			return len(text), nil
		}
		if err := s.next(s.rest[:end]); err != nil {
			return 0, err
		}
		s.rest = s.rest[end:]
	}
}

// next compares a line.
func (s *sameRows) next(want []byte) error {
	if s.line > 0 {
		if want[0] == '*' {
			return nil
		}
		if _, err := s.comments(); err != nil {
			return err
		}
	}
	s.line++
	s.have = slices.Grow(s.have[:0], len(want))[:len(want)]
	switch _, err := io.ReadFull(s.file, s.have); {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return fmt.Errorf("line %d: the file ends before the row that stands there for the problem", s.line)
	case err != nil:
		return err
	case !bytes.Equal(s.have, want):
		return fmt.Errorf("line %d: this is not what stands there in the rows of the problem", s.line)
	}
	return nil
}

// comments passes over those of the file, and reports whether anything is left.
func (s *sameRows) comments() (more bool, err error) {
	for {
		first, err := s.file.Peek(1)
		switch {
		case err == io.EOF:
			return false, nil
		case err != nil:
			return false, err
		case first[0] != '*':
			return true, nil
		}
		for s.line++; ; {
			if _, err := s.file.ReadSlice('\n'); err == nil || err == io.EOF {
				break
			} else if err != bufio.ErrBufferFull {
				return false, err
			}
		}
	}
}

// end sees that the file has no more rows.
func (s *sameRows) end() error {
	more, err := s.comments()
	if err == nil && more {
		err = fmt.Errorf("line %d: there are more rows than those of the problem", s.line+1)
	}
	return err
}
