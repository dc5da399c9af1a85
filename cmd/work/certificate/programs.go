package certificate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"leeway/encode/dimacs"
	"leeway/encode/lrat"
	"leeway/encode/veripb"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check/meter"
	"leeway/results/check/sat"
	checker "leeway/results/check/veripb"
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
		return errors.New(solver + " came to no answer")
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

// OwnLinear returns the checker of this program for proofs over linear rows.
func OwnLinear(version string) Checker {
	return Checker{atlas.Checker{Name: "leeway", Version: version}, func(ctx context.Context, p Proof) (bool, error) {
		rows, err := os.Open(p.Formula)
		if err != nil {
			return false, err
		}
		defer rows.Close()
		steps, err := os.Open(p.Steps)
		if err != nil {
			return false, err
		}
		defer steps.Close()
		verdict, err := checker.Refute(meter.Unlimited(ctx), rows, steps)
		if err == nil && verdict.Verdict != checker.Verified {
			err = &RefusedError{"leeway", fmt.Sprintf("line %d: %s", verdict.Line, verdict.Reason)}
		}
		return err == nil, err
	}}
}

// maxOutside is how long a checker of proofs over linear rows may take.
const maxOutside = 5 * time.Minute

// OutsideLinear returns the checkers of others for proofs over linear rows that stand on PATH: veripb. Each version of
// it reads some of the text forms: they are tried in turn, and what it accepts in another one than that of the file is
// noted with its hash.
func OutsideLinear() []Checker {
	path, err := exec.LookPath("veripb")
	if err != nil {
		return nil
	}
	return []Checker{{atlas.Checker{Name: "veripb", Version: versionOf(path)},
		func(ctx context.Context, p Proof) (bool, error) {
			limited, cancel := context.WithTimeout(ctx, maxOutside)
			defer cancel()
			said := ""
			for _, v := range []veripb.Version{veripb.V2, veripb.V3, veripb.V1} {
				steps := p.Steps
				if v != veripb.V2 {
					steps += "." + string(v)
					write := func(w io.Writer) error { return p.Linear.Write(w, v) }
					if err := results.WriteWhole(steps, write); err != nil {
						return false, err
					}
				}
				text, err := exec.CommandContext(limited, path, p.Formula, steps).CombinedOutput()
				var failed *exec.ExitError
				switch {
				case ctx.Err() != nil:
					return false, ctx.Err()
				case limited.Err() != nil:
					return false, fmt.Errorf("it came to no answer within %s: %w", maxOutside, limited.Err())
				case err == nil && acceptedBy(string(text)):
					if v != veripb.V2 {
						sum, err := hashOf(steps)
						*p.Rewritten = atlas.Reading{Checker: "veripb", Version: string(v), Proof: sum}
						return err == nil, err
					}
					return true, nil
				case err != nil && (!errors.As(err, &failed) || !failed.Exited()): // such as one that the system ended
					return false, err
				case !strings.Contains(string(text), "ersion"): // it is not the version that it does not take
					said = strings.TrimSpace(string(text))
				}
			}
			if said == "" {
				return false, errors.New("it reads none of the versions 1.1, 2.0 and 3.0")
			}
			return false, &RefusedError{"veripb", said[strings.LastIndex(said, "\n")+1:]}
		}}}
}

// acceptedBy reports whether a line of what veripb prints says that it accepts a proof.
func acceptedBy(text string) bool {
	for line := range strings.Lines(text) {
		switch strings.TrimSpace(line) {
		case "Verification succeeded.", "s VERIFIED UNSATISFIABLE":
			return true
		}
	}
	return false
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
	sum, err := hashOf(path)
	if err != nil {
		return "unknown"
	}
	return "sha256:" + sum
}
