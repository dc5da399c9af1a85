package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"sync/atomic"

	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/kernel"
	"leeway/search/refuters"
)

// Streams returns nil for problems whose proofs can be written as steps, else an error that says why not.
func Streams(p objective.Problem) error {
	list, others := refuters.Supporting(p)
	if len(list) > 0 {
		return nil
	}
	return errors.Join(others...)
}

// A wanted says which steps are wanted: that no placement of a problem has E_max below a value, or, listing, that none
// has at most that but those that they place.
type wanted struct {
	objective.Problem
	value   *big.Rat
	listing bool
	engine  string // that alone is to write them, "" for any
	file    string // where they go, "": nowhere
	workers int    // slices written side by side; at most 1: one after the other
	most    int64  // what they may take, as the kernel spends it; 0: what their refuter says
	spent   int64  // what they took
}

// whatever is what steps may take that are to be written however long it takes.
const whatever = math.MaxInt64

// leastByByte is what a byte of steps costs the kernel at least, mostly.
const leastByByte = 1 << 7

// write has the refuters write steps in turn until the kernel accepts those of one, and returns the proof that these
// are, with the placements that they place. Those that go to a file may take whatever they need. Errors are the
// first of those that no refuter takes the problem, of files, and of check.Follow.
func (w wanted) write(ctx context.Context) (proof *results.Proof, placed [][]int, first error) {
	list, others := refuters.Supporting(w.Problem)
	for _, r := range list {
		if w.engine != "" && w.engine != r.Name || w.listing && r.List == nil {
			continue
		}
		proof, placed, err := w.writeBy(ctx, r)
		if err == nil {
			return proof, placed, nil
		}
		if first = cmp.Or(first, err); ctx.Err() != nil {
			break
		}
	}
	return nil, nil, cmp.Or(first, errors.Join(others...), errNoEngine)
}

var (
	errNoEngine = errors.New("no engine writes steps about this")
	errSpent    = errors.New("the steps take more than they may")
)

// writeBy is steps for one refuter.
func (w *wanted) writeBy(ctx context.Context, r refuters.Refuter) (*results.Proof, [][]int, error) {
	w.spent = 0
	spend := func(steps int64) error {
		if w.spent += steps; w.file == "" && w.spent > cmp.Or(w.most, r.Spend) {
			return errSpent
		}
		return ctx.Err()
	}
	copied, finish := io.Discard, func() error { return nil }
	if w.file != "" {
		part := w.file + PartEnding
		file, err := os.Create(part)
		if err != nil {
			return nil, nil, err
		}
		defer os.Remove(part)
		defer file.Close()
		copied, finish = file, func() error { return cmp.Or(file.Close(), os.Rename(part, w.file)) }
	}
	var written atomic.Int64 // bytes, with those of drafts
	pay := func(bytes int64) error {
		if w.file == "" && written.Add(bytes) > cmp.Or(w.most, r.Spend)/leastByByte {
			return errSpent
		}
		return ctx.Err()
	}
	write := func(ctx context.Context, cut steps.Cut, to io.Writer) error {
		return r.Write(ctx, w.Problem, w.value, w.listing, cut,
			refuters.Spending{Writer: io.MultiWriter(to, copied), Spend: pay})
	}
	var stream check.Stream
	var err error
	if w.file == "" && !w.listing {
		stream, err = check.FollowSlices(ctx, w.Problem, w.value, w.workers, spend, write)
	} else {
		stream, err = check.Follow(ctx, w.Problem, w.value, w.listing, spend,
			func(ctx context.Context, to io.Writer) error { return write(ctx, steps.Cut{}, to) })
	}
	if err == nil {
		err = finish()
	}
	if err != nil {
		return nil, nil, err
	}
	proof := proofOfStream(r.Name, w.value, stream)
	if w.file != "" {
		proof.File = filepath.Base(w.file)
	}
	if w.listing {
		count := int64(len(stream.Placed))
		proof.Placed = &count
	}
	return proof, stream.Placed, nil
}

// WriteSteps has the engine that a proof of a problem names write its steps into a file, once the kernel accepts them.
// Errors are those of check.Follow and of the file.
func WriteSteps(ctx context.Context, p objective.Problem, proof results.Proof, file string) error {
	value, err := results.ParseFraction(proof.Below)
	if err == nil {
		w := wanted{Problem: p, value: value, listing: proof.Placed != nil, engine: proof.Engine, file: file}
		_, _, err = w.write(ctx)
	}
	return err
}

// proofOfStream returns the proof that the steps of an engine below a value are.
func proofOfStream(engine string, below *big.Rat, s check.Stream) *results.Proof {
	return &results.Proof{Kind: results.ProofSteps, Engine: engine, Below: below.RatString(), Steps: &s.Steps,
		Bytes: &s.Bytes, SHA256: s.SHA256}
}

// pendingProof returns the proof that no placement is below a value by steps that are still to be written.
func pendingProof(value *big.Rat) *results.Proof {
	return &results.Proof{Kind: results.ProofSteps, Below: value.RatString()}
}

// writeProof returns a proof with its steps, which it has an engine write if need be. If that fails it is nil, unless
// the proof names its engine: then it is from an atlas, and takes longer. Steps of a bound may take what their engine
// says.
func (s *Session) writeProof(ctx context.Context, w wanted, proof *results.Proof) *results.Proof {
	if proof == nil || proof.Kind != results.ProofSteps || proof.Steps != nil {
		return proof
	}
	if w.engine, w.workers = cmp.Or(w.engine, proof.Engine), s.Workers; proof.Bound == "" {
		w.most = whatever
	}
	made, _, err := w.write(ctx)
	switch {
	case err == nil:
		return made
	case proof.Engine != "":
		return proof
	}
	s.tellRefused(w, err)
	return nil
}

// tellRefused remarks that the kernel does not accept the steps of an engine, if an error says so: one of the two has a
// bug.
func (s *Session) tellRefused(w wanted, err error) {
	if wrong := (*kernel.WrongError)(nil); errors.As(err, &wrong) {
		s.remark("%s: the kernel refuses the steps for %s: %v; please report this", w.Problem, w.value.RatString(), err)
	}
}

// prover returns the name of the engine that alone is to give the proof, "" for any.
func (r *run) prover() string {
	if r.needsEngine() {
		return r.Proof.Engine
	}
	return ""
}

// writeTaskProof is writeProof for what the task is to prove. A proof that goes to a file is left to writeStream.
func (r *run) writeTaskProof(ctx context.Context, p objective.Problem, below *big.Rat,
	proof *results.Proof) *results.Proof {
	if !r.wantsStream() {
		w := wanted{Problem: p, value: below, engine: r.prover()}
		proof = r.writeProof(ctx, w, proof)
	}
	return proof
}

// wantsStream reports whether the proof is to be written to a file as steps.
func (r *run) wantsStream() bool { return r.Proof != nil && r.Proof.Stream != "" }

// writeStream writes the proof of an answer, or of a record without a list, into the file of --stream and returns it;
// without that flag it returns the proof as it is.
func (r *run) writeStream(ctx context.Context, proof *results.Proof, below string) (*results.Proof, error) {
	if !r.wantsStream() || r.Proof.All || proof == nil {
		return proof, nil
	}
	value, err := results.ParseFraction(below)
	if err != nil {
		return proof, err
	}
	w := wanted{Problem: r.Problem, value: value, file: r.Proof.Stream}
	if proof.Kind == results.ProofSteps {
		w.engine = proof.Engine // another may come to no end
	}
	made, _, err := w.write(ctx)
	if err != nil {
		return proof, fmt.Errorf("the proof is not written as steps: %w", err)
	}
	r.tellWritten(made)
	return made, nil
}

// tellWritten says that a file with steps was written.
func (r *run) tellWritten(proof *results.Proof) {
	r.remark("wrote %s: %d steps in %d bytes", r.Proof.Stream, *proof.Steps, *proof.Bytes)
}
