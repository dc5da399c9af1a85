package work

import (
	"context"
	"errors"
	"io"
	"os"

	"leeway/cmd/work/certificate"
	"leeway/encode/veripb"
	"leeway/results"
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

// WriteRefuted writes a formula and its refutation to files, in version 2.0 of VeriPB's format, once the checker of
// this program, of the given version, has accepted them, and veripb where it is on the path. It returns their names.
// silent is told of one that could not tell, and why. Errors are those of certificate.Make.
func WriteRefuted(ctx context.Context, f Formula, proof *veripb.Proof, formulaFile, proofFile, version string,
	silent func(name string, err error)) (by []string, err error) {
	write, err := f.Writer(ctx)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "leeway-linear-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	files, err := certificate.Make(ctx, certificate.Order{Folder: folder, Write: write,
		Linear:   func(context.Context) (*veripb.Proof, error) { return proof, nil },
		Checkers: append([]certificate.Checker{certificate.OwnLinear(version)}, certificate.OutsideLinear()...),
		Silent:   silent})
	if err != nil {
		return nil, err
	}
	if err := results.WriteWhole(formulaFile, write); err != nil {
		return nil, err
	}
	return files.By, results.WriteWhole(proofFile, func(w io.Writer) error {
		return proof.Write(stopper{ctx, w}, veripb.V2)
	})
}
