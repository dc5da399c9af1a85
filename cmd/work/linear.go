package work

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"leeway/encode/veripb"
	"leeway/results"
	"leeway/results/check"
	"leeway/search/linear"
)

// Refute returns a proof by linear reasoning that no placement is below the value, for the rows of the formula, which
// must be plain ones in OPB. Errors are those of linear.Refute.
func (f Formula) Refute(ctx context.Context) (*veripb.Proof, error) {
	if f.Format != "opb" || f.Strengthen || f.BreakSymmetry {
		return nil, errors.New("a proof by linear reasoning is for the plain rows of OPB")
	}
	_, proof, err := linear.Refute(ctx, f.Problem, f.Below)
	return proof, err
}

// A DisagreementError says that a checker does not accept a proof that was just made: a bug in what made it, or in the
// checker.
type DisagreementError struct{ Checker, Reason string }

// Error names the checker and what it says.
func (e *DisagreementError) Error() string {
	return fmt.Sprintf("%s does not accept the proof: %s", e.Checker, e.Reason)
}

// WriteRefuted writes a formula and its refutation to files, in version 2.0 of VeriPB's format, once the checker of
// this program has accepted them, and returns the names of the checkers that did: this one, and veripb where it is on
// the path. silent is told why that one came to no answer. Errors are *DisagreementError, *results.WriteError, and
// that of the context.
func WriteRefuted(ctx context.Context, f Formula, proof *veripb.Proof, formulaFile, proofFile string,
	silent func(why string)) (by []string, err error) {
	write, err := f.Writer(ctx)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "leeway-linear-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	rows, steps := filepath.Join(folder, "formula.opb"), filepath.Join(folder, "proof.pbp")
	inVersion := func(v veripb.Version) func(io.Writer) error {
		return func(w io.Writer) error { return proof.Write(stopper{ctx, w}, v) }
	}
	if err := cmpErr(results.WriteWhole(rows, write), results.WriteWhole(steps, inVersion(veripb.V2))); err != nil {
		return nil, err
	}
	items, err := check.VeriPB(ctx, rows, steps, check.Options{})
	if err != nil {
		return nil, err
	}
	if v := items[0].Verdict; v.ProofVerdict != check.Verified {
		return nil, &DisagreementError{"leeway", strings.Join(v.Reasons, "; ")}
	}
	by = []string{"leeway"}
	accepted, err := outsideVeriPB(ctx, rows, steps, inVersion, silent)
	if err != nil {
		return nil, err
	}
	if accepted {
		by = append(by, "veripb")
	}
	return by, cmpErr(results.WriteWhole(formulaFile, write), results.WriteWhole(proofFile, inVersion(veripb.V2)))
}

func cmpErr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// maxOutside is how long a checker of others may take.
const maxOutside = 5 * time.Minute

// outsideVeriPB has veripb, where it is on the path, check a proof, and reports whether it accepted it. Each version of
// it reads some of the text forms: they are tried in turn.
func outsideVeriPB(ctx context.Context, formula, proof string, inVersion func(veripb.Version) func(io.Writer) error,
	silent func(why string)) (accepted bool, err error) {
	path, err := exec.LookPath("veripb")
	if err != nil {
		silent("veripb is not on the path")
		return false, nil
	}
	limited, cancel := context.WithTimeout(ctx, maxOutside)
	defer cancel()
	said := ""
	for _, v := range []veripb.Version{veripb.V2, veripb.V3, veripb.V1} {
		if err := results.WriteWhole(proof, inVersion(v)); err != nil {
			return false, err
		}
		text, err := exec.CommandContext(limited, path, formula, proof).CombinedOutput()
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case limited.Err() != nil:
			silent(fmt.Sprintf("veripb came to no answer within %s", maxOutside))
			return false, nil
		case err == nil && acceptedBy(string(text)):
			return true, nil
		case err != nil && !errors.As(err, new(*exec.ExitError)):
			silent("veripb did not start: " + err.Error())
			return false, nil
		case !strings.Contains(string(text), "ersion"): // it is not the version that it does not take
			said = string(text)
		}
	}
	if said == "" {
		silent("veripb reads none of the versions 1.1, 2.0 and 3.0")
		return false, nil
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	return false, &DisagreementError{"veripb", lines[len(lines)-1]}
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
