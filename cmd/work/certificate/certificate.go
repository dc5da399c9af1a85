// Package certificate makes files that other programs can check: a formula and a proof that it cannot be satisfied,
// in LRAT or in VeriPB's format. It knows the programs for that: what refutes formulas, and the checkers, its own and
// those on PATH.
package certificate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"leeway/encode/dimacs"
	"leeway/encode/lrat"
	"leeway/results/atlas"
	"leeway/results/disk"
)

// The names of the files of a certificate, in LRAT and in VeriPB's format.
const (
	FormulaName = "formula.cnf"
	ProofName   = "proof.lrat"
	RowsName    = "formula.opb"
	SumsName    = "proof.pbp"
)

// A Checker looks at a proof and says whether it accepts it. An error means that it could not
// tell.
type Checker struct {
	atlas.Checker
	Accepts func(ctx context.Context, q Proof) (bool, error)
}

// A Proof is a formula with a proof that it cannot be satisfied, in files.
type Proof struct {
	Formula, Steps string // paths
	Of             dimacs.Formula
}

// A RefusedError says that a checker refuses a proof that was just made: a bug in what made it, or in the checker.
type RefusedError struct{ Checker string }

// Error names the checker.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s refuses the proof: it was not written", e.Checker)
}

// An Order says what a certificate is of, and where it goes.
type Order struct {
	Folder   string                // made if it is not there
	Write    func(io.Writer) error // the formula as a file, with comments
	Formula  dimacs.Formula        // what Refute refutes
	Refute   lrat.Refuter
	Sums     func(io.Writer) error // writes a proof in VeriPB's format, instead of Refute; nil: in LRAT
	Checkers []Checker             // the first must be able to tell, of a proof in LRAT
	// Silent is told of a checker that could not tell, as where its memory is not enough.
	Silent func(name string, err error)
}

// Files are those of a certificate.
type Files struct {
	Formula, Proof             string // names in the folder
	FormulaSHA256, ProofSHA256 string
	FormulaBytes, ProofBytes   int64
	By                         []string // the checkers that accepted the file of the proof
}

// Make writes the files of a certificate, over older ones, once the checkers accepted the proof: before that they stand
// in a folder of their own inside, which is gone at the end, or, of a process that is killed, at the next call. Errors
// are *RefusedError, lrat.ErrSatisfiable, others of the refuter, *disk.WriteError, and that of the context; after an
// error there are no new files.
func Make(ctx context.Context, o Order) (files Files, err error) {
	_, missing := os.Stat(o.Folder)
	if err := os.MkdirAll(o.Folder, 0o777); err != nil {
		return files, &disk.WriteError{Path: o.Folder, Err: err}
	}
	part, done, err := disk.NewFolder(o.Folder, ".part-")
	if err != nil {
		return files, err
	}
	defer func() {
		done()
		if err != nil && missing != nil {
			os.Remove(o.Folder) // if it is empty
		}
	}()
	if files.Formula, files.Proof = FormulaName, ProofName; o.Sums != nil {
		files.Formula, files.Proof = RowsName, SumsName
	}
	proof := Proof{Of: o.Formula, Formula: filepath.Join(part, files.Formula), Steps: filepath.Join(part, files.Proof)}
	files.FormulaSHA256, files.FormulaBytes, err = written(proof.Formula, o.Write)
	if err != nil {
		return Files{}, err
	}
	files.ProofSHA256, files.ProofBytes, err = written(proof.Steps, func(w io.Writer) error {
		return o.refute(ctx, w)
	})
	if err == nil {
		err = o.ask(ctx, proof, &files)
	}
	if err == nil {
		err = unchanged(proof.Formula, files.FormulaSHA256)
	}
	if err == nil {
		err = unchanged(proof.Steps, files.ProofSHA256)
	}
	if err == nil {
		err = o.move(part, files)
	}
	if err != nil {
		return Files{}, err
	}
	return files, nil
}

// unchanged sees that a file is what was written: what checkers accepted is then what has the hash.
func unchanged(path, sum string) error {
	now, err := HashOf(path)
	if err == nil && now != sum {
		err = errors.New("it was changed by another program while checkers read it")
	}
	if err != nil {
		return &disk.WriteError{Path: path, Err: err}
	}
	return nil
}

// HashOf returns the SHA-256 of a file.
func HashOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// refute writes the steps of the proof.
func (o Order) refute(ctx context.Context, w io.Writer) error {
	if o.Sums != nil {
		return o.Sums(w)
	}
	steps := lrat.NewWriter(w, o.Formula.Clauses())
	err := o.Refute(ctx, o.Formula, steps)
	if failed := steps.Err(); failed != nil {
		return failed
	}
	if err != nil {
		return &refuteError{err}
	}
	return steps.Close()
}

// A refuteError is what a refuter says, not what is written to.
type refuteError struct{ error }

// ask has the checkers look at the proof and notes those that accept it.
func (o Order) ask(ctx context.Context, proof Proof, files *Files) error {
	for i, k := range o.Checkers {
		accepts, err := k.Accepts(ctx, proof)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && i == 0 && o.Sums == nil:
			return fmt.Errorf("%s: %w", k.Name, err)
		case err != nil:
			if o.Silent != nil {
				o.Silent(k.Name, err)
			}
		case !accepts:
			return &RefusedError{Checker: k.Name}
		default:
			files.By = append(files.By, k.Name)
		}
	}
	return nil
}

// move puts the files where they belong. In between there is no proof: an old one never stands beside a new formula.
func (o Order) move(part string, files Files) error {
	proof := filepath.Join(o.Folder, files.Proof)
	if err := os.Remove(proof); err != nil && !errors.Is(err, os.ErrNotExist) {
		return &disk.WriteError{Path: proof, Err: err}
	}
	for _, name := range []string{files.Formula, files.Proof} {
		if err := os.Rename(filepath.Join(part, name), filepath.Join(o.Folder, name)); err != nil {
			return &disk.WriteError{Path: filepath.Join(o.Folder, name), Err: err}
		}
	}
	return nil
}

// written writes a file and returns its SHA-256 and length. Errors are *disk.WriteError and those of a refuter.
func written(path string, write func(io.Writer) error) (sum string, bytes int64, err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", 0, &disk.WriteError{Path: path, Err: err}
	}
	hash := sha256.New()
	err = write(io.MultiWriter(file, hash))
	if info, e := file.Stat(); e == nil {
		bytes = info.Size()
	}
	closed := file.Close()
	var refuted *refuteError
	switch {
	case errors.As(err, &refuted):
		return "", 0, refuted.error
	case err == nil:
		err = closed
	}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		err = &disk.WriteError{Path: path, Err: err}
	}
	return hex.EncodeToString(hash.Sum(nil)), bytes, err
}

// InsideOf returns the place of a folder inside that of a file, as records spell it, and whether it is there.
func InsideOf(file, folder string) (string, bool) {
	from, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return "", false
	}
	to, err := filepath.Abs(folder)
	if err != nil {
		return "", false
	}
	inside, err := filepath.Rel(from, to)
	if err != nil || !filepath.IsLocal(inside) {
		return "", false
	}
	if inside == "." {
		inside = ""
	}
	return filepath.ToSlash(inside), true
}
