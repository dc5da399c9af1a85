package backend

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"leeway/encode/dimacs"
	"leeway/encode/lrat"
)

// Solve runs a solver on a formula and returns its answer. If it is unsatisfiable, the steps of the proof that are
// needed go to a new writer, up to the empty clause; nil: no proof is asked for. When the context ends the process is
// killed and the status is Unknown, without an error. Other errors are *SolverError, or those of the formula, the
// writer and the folder for temporary files.
func Solve(ctx context.Context, solver string, formula dimacs.Formula, w *lrat.Writer) (dimacs.Answer, error) {
	folder, err := os.MkdirTemp("", "leeway-solve-")
	if err != nil {
		return dimacs.Answer{}, err
	}
	defer os.RemoveAll(folder)
	input := filepath.Join(folder, "formula.cnf")
	if err := writeFile(input, func(w io.Writer) error { return dimacs.Write(w, nil, formula) }); err != nil {
		return dimacs.Answer{}, err
	}
	var empty emptyClause
	if w != nil && formula.Write(&empty) == errEmpty { // of which solvers write no steps
		w.Add(nil, []int64{empty.number})
		return dimacs.Answer{Status: dimacs.Unsatisfiable}, nil
	}
	args, proof := []string{"-q", input}, filepath.Join(folder, "proof.lrat")
	if w != nil {
		args = append(slices.Clone(proving), input, proof)
	}
	answer, err := run(ctx, folder, solver, args, func(output io.Reader) (dimacs.Answer, error) {
		return dimacs.ReadAnswer(output, formula.Vars(), "")
	})
	switch {
	case err != nil:
	case answer.Status == dimacs.Satisfiable && formula.Write(modelCheck{answer}) != nil:
		err = &SolverError{Solver: solver, Why: errViolated.Error()}
	case answer.Status == dimacs.Unsatisfiable && w != nil:
		if err = trim(ctx, solver, proof, w); err != nil && ctx.Err() != nil {
			return dimacs.Answer{}, nil
		}
	}
	if err != nil {
		return dimacs.Answer{}, err
	}
	return answer, nil
}

// trim writes what is needed of the proof that a solver left.
func trim(ctx context.Context, solver, proof string, w *lrat.Writer) error {
	file, err := os.Open(proof)
	if err != nil {
		return &SolverError{Solver: solver, Why: "it left no proof", Err: err}
	}
	defer file.Close()
	err = lrat.Trim(ctx, file, w)
	if errors.As(err, new(*lrat.StepError)) {
		err = &SolverError{Solver: solver, Why: "its proof cannot be read", Err: err}
	}
	return err
}

// SolveTo is Solve with the proof in a file, which is there afterwards only if the formula is unsatisfiable; "": no
// proof is asked for.
func SolveTo(ctx context.Context, solver string, formula dimacs.Formula,
	proof string) (answer dimacs.Answer, err error) {
	if proof == "" {
		return Solve(ctx, solver, formula, nil)
	}
	err = writeFile(proof, func(to io.Writer) error {
		w := lrat.NewWriter(to, formula.Clauses())
		if answer, err = Solve(ctx, solver, formula, w); err == nil && answer.Status == dimacs.Unsatisfiable {
			err = w.Close()
		}
		return err
	})
	if err != nil {
		answer = dimacs.Answer{}
	}
	if answer.Status != dimacs.Unsatisfiable {
		if gone := os.Remove(proof); gone != nil && !errors.Is(gone, os.ErrNotExist) && err == nil {
			err = gone
		}
	}
	return answer, err
}

// writeFile makes a file of what write writes.
func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	err = write(file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// exits lists what the exit statuses of solvers say: 10 with a model and 20 without; clasp leaves with 30 where it
// could also say that there is no better one, and with 1 when it is interrupted.
var exits = map[int]dimacs.Status{0: dimacs.Unknown, 1: dimacs.Unknown, 10: dimacs.Satisfiable,
	20: dimacs.Unsatisfiable, 30: dimacs.Satisfiable}

// run runs the process and reads its output, with which the exit status must agree. When the context ends the answer is
// Unknown. The output goes to files in the folder: the end of the process is the end of it, where a pipe would have to
// be waited for, also when something else holds it open.
func run(ctx context.Context, folder, solver string, args []string,
	read func(io.Reader) (dimacs.Answer, error)) (dimacs.Answer, error) {
	output, err := os.Create(filepath.Join(folder, "output"))
	if err != nil {
		return dimacs.Answer{}, err
	}
	defer output.Close()
	complaint, err := os.Create(filepath.Join(folder, "complaint"))
	if err != nil {
		return dimacs.Answer{}, err
	}
	defer complaint.Close()
	cmd := exec.CommandContext(ctx, solver, args...)
	cmd.Stdout, cmd.Stderr = output, complaint
	err = cmd.Run()
	if ctx.Err() != nil {
		return dimacs.Answer{}, nil
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return dimacs.Answer{}, &SolverError{Solver: solver, Why: "it does not run", Err: err}
	}
	want, known := exits[cmd.ProcessState.ExitCode()]
	if !known {
		return dimacs.Answer{}, &SolverError{Solver: solver,
			Why: "it failed with " + cmd.ProcessState.String() + firstLine(complaint.Name())}
	}
	if _, err := output.Seek(0, io.SeekStart); err != nil {
		return dimacs.Answer{}, err
	}
	answer, err := read(output)
	if err != nil {
		return dimacs.Answer{}, &SolverError{Solver: solver, Why: "its answer cannot be read", Err: err}
	}
	if answer.Status != want {
		return dimacs.Answer{}, &SolverError{Solver: solver,
			Why: "it says " + answer.Status.String() + ", but its exit status says " + want.String()}
	}
	return answer, nil
}

// firstLine returns the first line of a file after a colon, "" if there is none.
func firstLine(path string) string {
	text, _ := os.ReadFile(path) // what cannot be read adds nothing
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}

// emptyClause is a sink that finds the first empty clause.
type emptyClause struct {
	number int64 // of the last clause, counts from 1
}

var errEmpty = errors.New("an empty clause")

// Add implements cnf.Sink.
func (e *emptyClause) Add(clause []int) error {
	if e.number++; len(clause) == 0 {
		return errEmpty
	}
	return nil
}

// modelCheck is a sink that finds the first clause that a model violates.
type modelCheck struct {
	answer dimacs.Answer
}

var errViolated = errors.New("its model violates a clause")

// Add implements cnf.Sink.
func (c modelCheck) Add(clause []int) error {
	for _, l := range clause {
		if c.answer.Value(max(l, -l)) == (l > 0) {
			return nil
		}
	}
	return errViolated
}
