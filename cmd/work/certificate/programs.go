package certificate

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"leeway/encode/dimacs"
	"leeway/encode/lrat"
	"leeway/results/atlas"
	"leeway/results/check/meter"
	"leeway/results/check/sat"
	"leeway/search/backend"
)

// BySolver returns what refutes formulas with a solver, a path or the name of a program on PATH that writes LRAT, and
// its name with its version. The error is that of backend.Prover.
func BySolver(solver string) (refute lrat.Refuter, name string, err error) {
	path, err := backend.Prover(solver)
	if err != nil {
		return nil, "", err
	}
	return func(ctx context.Context, formula dimacs.Formula, w *lrat.Writer) error {
		switch answer, err := backend.Solve(ctx, path, formula, w); {
		case err != nil:
			return err
		case answer.Status == dimacs.Satisfiable:
			return lrat.ErrSatisfiable
		case answer.Status == dimacs.Unsatisfiable:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		return errors.New(solver + " gave no answer")
	}, filepath.Base(path) + " " + versionOf(path, "--version"), nil
}

// Own returns the checker of this program.
func Own(version string) Checker {
	return Checker{atlas.Checker{Name: "leeway", Version: version}, func(ctx context.Context, p Proof) (bool, error) {
		file, err := os.Open(p.Steps)
		if err != nil {
			return false, err
		}
		defer file.Close()
		var verdict sat.Refutation
		m := meter.Unlimited(ctx)
		ended := m.Run(func() { verdict, err = sat.Refute(m, p.Of, file) })
		return verdict.Verdict == sat.Verified, errors.Join(ended, err)
	}}
}

// A program is a checker that is looked for on PATH, with what it prints when it accepts a proof.
type program struct{ name, accepts string }

// InstalledCheckers returns the independent checkers of LRAT that are on PATH.
func InstalledCheckers() []Checker {
	return onPath(program{"cake_lpr", "s VERIFIED UNSAT"}, program{"lrat-check", "c VERIFIED"})
}

// VeriPB returns the checker of proofs in its format, if it stands on PATH.
func VeriPB() []Checker { return onPath(program{"veripb", "s VERIFIED UNSATISFIABLE"}) }

func onPath(programs ...program) (list []Checker) {
	for _, o := range programs {
		path, err := exec.LookPath(o.name)
		if err != nil {
			continue
		}
		list = append(list, Checker{atlas.Checker{Name: o.name, Version: versionOf(path)},
			func(ctx context.Context, p Proof) (bool, error) {
				text, err := exec.CommandContext(ctx, path, p.Formula, p.Steps).Output()
				if ctx.Err() != nil {
					return false, ctx.Err()
				}
				var failed *exec.ExitError
				switch {
				case errors.As(err, &failed) && bytes.Contains(failed.Stderr, []byte("exhausted")):
					return false, errors.New("its memory was not enough")
				case err != nil && (failed == nil || !failed.Exited()): // such as one that the system ended for its memory
					return false, err
				}
				for line := range strings.Lines(string(text)) {
					if strings.TrimSpace(line) == o.accepts {
						return err == nil, nil
					}
				}
				return false, nil
			}})
	}
	return list
}

// plainVersion is what a version looks like that is worth repeating.
func plainVersion() *regexp.Regexp { return regexp.MustCompile(`^[\w.+-]{1,40}$`) }

// versionOf returns the version that a program prints when it is asked as given, and, where it is not asked or prints
// none, the SHA-256 of its file.
func versionOf(path string, ask ...string) string {
	if len(ask) > 0 {
		if out, err := exec.Command(path, ask...).Output(); err == nil && plainVersion().Match(bytes.TrimSpace(out)) {
			return string(bytes.TrimSpace(out))
		}
	}
	sum, err := HashOf(path)
	if err != nil {
		return "unknown"
	}
	return "sha256:" + sum
}
