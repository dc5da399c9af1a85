package backend

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"leeway/encode/dimacs"
)

// Solve runs a solver on a formula and returns its answer. If it is unsatisfiable and a proof path is given, that file
// holds the proof in the text form of DRAT; in all other cases there is no such file afterwards. When the context ends
// the process is killed and the status is Unknown, without an error. Other errors are *SolverError, or those of the
// formula and of the folder for temporary files.
func Solve(ctx context.Context, solver string, formula dimacs.Formula, proof string) (dimacs.Answer, error) {
	folder, err := os.MkdirTemp("", "leeway-solve-")
	if err != nil {
		return dimacs.Answer{}, err
	}
	defer os.RemoveAll(folder)
	input := filepath.Join(folder, "formula.cnf")
	if err := writeFile(input, func(w io.Writer) error { return dimacs.Write(w, nil, formula) }); err != nil {
		return dimacs.Answer{}, err
	}
	answer, err := ask(ctx, solver, formula, input, proof)
	if err == nil && answer.Status == dimacs.Satisfiable {
		if wrong := formula.Write(modelCheck{answer}); wrong != nil {
			err = &SolverError{Solver: solver, Why: wrong.Error()}
		}
	}
	if err == nil && answer.Status == dimacs.Unsatisfiable && proof != "" {
		if missing := endProof(proof); missing != nil {
			err = &SolverError{Solver: solver, Why: "it left no proof", Err: missing}
		}
	}
	if err != nil {
		answer = dimacs.Answer{}
	}
	if proof != "" && answer.Status != dimacs.Unsatisfiable {
		if gone := os.Remove(proof); gone != nil && !errors.Is(gone, os.ErrNotExist) && err == nil {
			err = gone
		}
	}
	return answer, err
}

// endProof ends a proof in text after its empty clause. A solver that meets it while it reads the formula, as unit
// clauses make it do, may go on with deletions, which say nothing and which the checker refuses.
func endProof(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	lines, end, within := bufio.NewReaderSize(file, 1<<16), int64(0), false // within a line that is longer than that
	for {
		line, err := lines.ReadSlice('\n')
		end += int64(len(line))
		switch {
		case err == io.EOF:
			return nil
		case err != nil && err != bufio.ErrBufferFull:
			return err
		case !within && string(line) == "0\n":
			return file.Truncate(end)
		}
		within = err != nil
	}
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

// ask runs a SAT solver and reads what it says.
func ask(ctx context.Context, solver string, formula dimacs.Formula, input, proof string) (dimacs.Answer, error) {
	args := []string{"-q", "--no-binary", input}
	if proof != "" {
		args = append(args, proof)
	}
	return run(ctx, filepath.Dir(input), solver, args, func(output io.Reader) (dimacs.Answer, error) {
		return dimacs.ReadAnswer(output, formula.Vars(), "")
	})
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
