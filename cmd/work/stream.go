package work

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"

	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/kernel"
	"leeway/search/orderly"
)

// Streams returns nil for problems whose proofs can be written as steps, else an error that says why not.
func Streams(p objective.Problem) error { return orderly.Refutes(p) }

// stream writes the proof of a record, or of an answer, as steps where that is asked for, and returns it; else the
// proof that there is.
func (r *run) stream(ctx context.Context, proof *results.Proof, below string) (*results.Proof, error) {
	if r.Proof == nil || r.Proof.Stream == "" || proof == nil {
		return proof, nil
	}
	value, err := results.ParseFraction(below)
	if err != nil {
		return proof, err
	}
	made, err := writeStream(ctx, r.Problem, value, r.Proof.Stream)
	if err != nil {
		return proof, fmt.Errorf("the proof is not written as steps: %w", err)
	}
	r.remark("wrote %s: %d steps in %d bytes", r.Proof.Stream, *made.Steps, *made.Bytes)
	return made, nil
}

// writeStream writes to a file, as steps, that no placement of a problem has E_max below a value, has the kernel follow
// them, and returns the proof that names the file. Errors are *search.UnsupportedError and *kernel.UnsupportedError for
// problems that there are no steps for yet, those of files, *kernel.WrongError, and the context's.
func writeStream(ctx context.Context, p objective.Problem, below *big.Rat, path string) (*results.Proof, error) {
	part := path + PartEnding
	file, err := os.Create(part)
	if err != nil {
		return nil, err
	}
	defer os.Remove(part)
	defer file.Close()
	hash := sha256.New()
	out := steps.NewWriter(io.MultiWriter(file, hash), 1+p.Torus().N())
	if _, err := orderly.Refute(ctx, p, below, out); err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	question, err := check.StepsQuestion(p, p.Size, below)
	if err == nil {
		_, err = kernel.Check(question, file, false, func(int64) error { return ctx.Err() })
	}
	if err == nil {
		err = file.Close()
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	return &results.Proof{Kind: results.ProofSteps, Engine: orderly.Name, Below: below.RatString(), Steps: &out.Steps,
		Bytes: &out.Bytes, File: filepath.Base(path), SHA256: hex.EncodeToString(hash.Sum(nil))}, err
}
