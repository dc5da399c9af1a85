package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"

	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/kernel"
	"leeway/search/refuters"
)

// Streams returns nil for problems whose proofs can be written as steps, else an error that says why not.
func Streams(p objective.Problem) error {
	list, others := refuters.Of(p)
	if len(list) > 0 {
		return nil
	}
	return errors.Join(others...)
}

// inSteps returns the proof that the kernel accepted that no placement of a problem has E_max below a value, by the
// first refuter whose steps it does within what they may take, or only that of a name; else the proof that there is.
func (s *Session) inSteps(ctx context.Context, p objective.Problem, below *big.Rat, name string,
	proof *results.Proof) *results.Proof {
	if proof == nil || proof.Kind != results.ProofBound && proof.Kind != results.ProofCensus {
		return proof
	}
	list, _ := refuters.Of(p)
	for _, r := range list {
		if name != "" && name != r.Name {
			continue
		}
		made, err := accepted(ctx, r, p, below, r.Spend, io.Discard)
		switch wrong := (*kernel.WrongError)(nil); {
		case err == nil:
			return made
		case errors.As(err, &wrong):
			s.remark("%s: the kernel refuses the steps of %s: %v; please report this", p, r.Name, err)
		case ctx.Err() != nil:
			return proof
		}
	}
	return proof
}

// bySteps is inSteps for what the task is to prove: by the engine that is named, if one is. A proof that goes to a file
// is left to stream.
func (r *run) bySteps(ctx context.Context, p objective.Problem, below *big.Rat, proof *results.Proof) *results.Proof {
	name := ""
	if r.forced() {
		name = r.Proof.Engine
	}
	if !r.streamed() {
		made := r.inSteps(ctx, p, below, name, proof)
		r.onWord = r.onWord && made == proof
		proof = made
	}
	if r.onWord {
		r.remark("%s: none is below %s by the word of the workers (--confirm sample): only \"leeway check\" makes "+
			"that a proof", p, below.RatString())
	}
	return proof
}

// stream writes the proof of a record, or of an answer, as steps where that is asked for, and returns it; else the
// proof that there is.
func (r *run) stream(ctx context.Context, proof *results.Proof, below string) (*results.Proof, error) {
	if !r.streamed() || proof == nil {
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
	r.onWord = false
	r.remark("wrote %s: %d steps in %d bytes", r.Proof.Stream, *made.Steps, *made.Bytes)
	return made, nil
}

// streamed reports whether the proof is to be written to a file as steps.
func (r *run) streamed() bool { return r.Proof != nil && r.Proof.Stream != "" }

// writeStream writes to a file, as steps, that no placement of a problem has E_max below a value, has the kernel follow
// them, and returns the proof that names the file. Errors are that of Streams, those of files and of the first refuter,
// and *kernel.WrongError.
func writeStream(ctx context.Context, p objective.Problem, below *big.Rat, path string) (*results.Proof, error) {
	list, others := refuters.Of(p)
	if len(list) == 0 {
		return nil, errors.Join(others...)
	}
	part := path + PartEnding
	defer os.Remove(part)
	var first error
	for _, r := range list {
		file, err := os.Create(part)
		if err != nil {
			return nil, err
		}
		made, err := accepted(ctx, r, p, below, 0, file)
		if err = cmp.Or(err, file.Close()); err == nil {
			made.File = filepath.Base(path)
			return made, os.Rename(part, path)
		}
		if first = cmp.Or(first, err); ctx.Err() != nil {
			break
		}
	}
	return nil, first
}

// accepted has the kernel follow what a refuter writes, copies it, and returns the proof that it is. The kernel takes
// at most so many steps, 0: any number. Errors are those of check.Follow.
func accepted(ctx context.Context, r refuters.Refuter, p objective.Problem, below *big.Rat, most int64,
	copied io.Writer) (*results.Proof, error) {
	spent := int64(0)
	spend := func(steps int64) error {
		if spent += steps; most > 0 && spent > most {
			return errSpent
		}
		return ctx.Err()
	}
	stream, err := check.Follow(ctx, p, below, false, spend, func(ctx context.Context, to io.Writer) error {
		return r.Write(ctx, p, below, false, io.MultiWriter(to, copied))
	})
	if err != nil {
		return nil, err
	}
	return &results.Proof{Kind: results.ProofSteps, Engine: r.Name, Below: below.RatString(), Steps: &stream.Steps,
		Bytes: &stream.Bytes, SHA256: stream.SHA256}, nil
}

// errSpent ends the check of steps that take more than they may.
var errSpent = errors.New("the steps take more than they may")
