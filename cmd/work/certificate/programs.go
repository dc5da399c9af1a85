package certificate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
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
	"leeway/search/elaborate"
)

// BySolver returns what refutes formulas with a solver, a path or the name of a program on PATH that writes DRAT, and
// its name with its version.
func BySolver(solver string) (refute lrat.Refuter, name string, err error) {
	path, err := backend.Find(solver)
	if err != nil {
		return nil, "", err
	}
	return func(ctx context.Context, formula dimacs.Formula, w *lrat.Writer) error {
		folder, err := os.MkdirTemp("", "leeway-refute-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		proof := filepath.Join(folder, "proof.drat")
		answer, err := backend.Solve(ctx, path, formula, proof)
		switch {
		case err != nil:
			return err
		case answer.Status == dimacs.Satisfiable:
			return lrat.ErrSatisfiable
		case answer.Status != dimacs.Unsatisfiable && ctx.Err() != nil:
			return ctx.Err()
		case answer.Status != dimacs.Unsatisfiable:
			return errors.New(solver + " came to no answer")
		}
		steps, err := os.Open(proof)
		if err != nil {
			return err
		}
		defer steps.Close()
		return elaborate.DRAT(ctx, formula, steps, w)
	}, filepath.Base(path) + " " + versionOf(path, "--version"), nil
}

// Own returns the checker of this program.
func Own(version string) Checker {
	return Checker{atlas.Checker{Name: "leeway", Version: version}, func(ctx context.Context, p Proof) (bool, error) {
		file, err := os.Open(p.LRAT)
		if err != nil {
			return false, err
		}
		defer file.Close()
		var verdict sat.Refutation
		m := meter.Unlimited(ctx)
		ended := m.Run(func() { verdict, err = sat.Refute(m, p.Of, sat.FormatLRAT, file) })
		return verdict.Verdict == sat.Verified, errors.Join(ended, err)
	}}
}

// outside are the checkers of LRAT that are looked for on PATH, with what they print when they accept a proof.
var outside = []struct{ name, accepts string }{{"cake_lpr", "s VERIFIED UNSAT"}, {"lrat-check", "c VERIFIED"}}

// Outside returns the checkers of others that stand on PATH.
func Outside() (list []Checker) {
	for _, o := range outside {
		path, err := exec.LookPath(o.name)
		if err != nil {
			continue
		}
		list = append(list, Checker{atlas.Checker{Name: o.name, Version: versionOf(path)},
			func(ctx context.Context, p Proof) (bool, error) {
				text, err := exec.CommandContext(ctx, path, p.Formula, p.LRAT).Output()
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
						return true, nil
					}
				}
				return false, nil
			}})
	}
	return list
}

// plainVersion is what a version looks like that is worth repeating.
var plainVersion = regexp.MustCompile(`^[\w.+-]{1,40}$`)

// versionOf returns the version that a program prints when it is asked as given, and, where it is not asked or prints
// none, the SHA-256 of its file.
func versionOf(path string, ask ...string) string {
	if len(ask) > 0 {
		if out, err := exec.Command(path, ask...).Output(); err == nil && plainVersion.Match(bytes.TrimSpace(out)) {
			return string(bytes.TrimSpace(out))
		}
	}
	file, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "unknown"
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil))
}
