package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"sync"

	"leeway/core"
	"leeway/encode/cut"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/kernel"
	"leeway/results/check/meter"
)

// A Producer has an engine write, as steps, that no placement of a problem has E_max below a value; with listing, that
// none has at most that but those that the steps place, without slices. Without the name of an engine it takes the
// first that can. What it writes is believed as little as a file. It ends with the context, soon after writing fails,
// and with an error where the engine does not prove that.
type Producer func(ctx context.Context, engine string, p objective.Problem, value *big.Rat, listing bool,
	part cut.Cut, to io.Writer) error

// A Stream is what the kernel accepted of one, or of the slices that together are a proof.
type Stream struct {
	kernel.Result
	SHA256 string
	Slices []Accepted // in the order of their names, without what they left; nil for a stream that was not to be cut
}

// Prepare returns the question that steps about a problem and a value refute, as the kernel takes it: see StepsQuestion
// and kernel.Prepare.
func Prepare(p objective.Problem, value *big.Rat, listing bool, spend kernel.Spender) (*kernel.Prepared, error) {
	return kernel.Prepare(StepsQuestion(p, value, listing), spend)
}

// Follow has the kernel follow the steps about a problem and a value while write writes them: none are kept. The
// context of write ends with the kernel. Errors are those of kernel.Check, and that of write before the proof is
// complete.
func Follow(ctx context.Context, p objective.Problem, value *big.Rat, listing bool, spend kernel.Spender,
	write func(ctx context.Context, to io.Writer) error) (Stream, error) {
	return follow(ctx, write, func(stream io.Reader) (kernel.Result, error) {
		return kernel.Check(StepsQuestion(p, value, listing), stream, listing, spend)
	})
}

// follow has judge read what write writes.
func follow(ctx context.Context, write func(ctx context.Context, to io.Writer) error,
	judge func(stream io.Reader) (kernel.Result, error)) (Stream, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	from, to := io.Pipe()
	var writing sync.WaitGroup
	var bug any
	writing.Go(func() {
		defer func() {
			if bug = recover(); bug != nil {
				to.CloseWithError(fmt.Errorf("internal error: %v", bug))
			}
		}()
		to.CloseWithError(write(ctx, to))
	})
	hash := sha256.New()
	result, err := judge(io.TeeReader(from, hash))
	cancel()
	from.Close()
	writing.Wait()
	if bug != nil {
		panic(bug)
	}
	return Stream{Result: result, SHA256: hex.EncodeToString(hash.Sum(nil))}, err
}

// stepsProblem says why the stream that a proof names, or that its engine writes where it names none, does not show
// that no placement of n processors has E_max below the value, and remarks where the engine's is not the one that the
// proof was made with.
func (v *verifier) stepsProblem(q objective.Problem, n int, below *big.Rat, p *results.Proof) said {
	switch {
	case p.Steps != nil && *p.Steps < 1 || p.Bytes != nil && *p.Bytes < 1:
		return said{problem: "its stream has no steps"}
	case p.File == "":
		return v.producedProblem(v.asked(q, n), below, p)
	case p.Steps == nil || p.Bytes == nil:
		return said{problem: "it does not say how many steps and bytes its stream has"}
	}
	v.meter.Need(*p.Steps)
	var read kernel.Result
	problem := v.meter.FileProblem(v.folder, p.File, p.SHA256, func(stream io.Reader) (string, error) {
		var err error
		read, err = v.follow(v.asked(q, n), below, p.Placed != nil, stream)
		if wrong := (*kernel.WrongError)(nil); errors.As(err, &wrong) {
			return Wrong + ": " + err.Error(), nil
		}
		return "", err
	})
	switch {
	case problem != "":
		return said{problem: problem}
	case read.Steps != *p.Steps || read.Bytes != *p.Bytes:
		return said{problem: fmt.Sprintf("its stream has %d steps in %d bytes, not %d in %d", read.Steps, read.Bytes,
			*p.Steps, *p.Bytes)}
	case p.Placed != nil && *p.Placed != int64(len(read.Placed)):
		return said{problem: fmt.Sprintf("its steps place %d placements, not %d", len(read.Placed), *p.Placed)}
	}
	return v.listedBy(p, v.asked(q, n), below, read)
}

// producedProblem is stepsProblem for a stream that the engine of the proof writes again. The steps are a proof
// whatever the engine wrote when the record was made, which may have been an older version.
func (v *verifier) producedProblem(q objective.Problem, below *big.Rat, p *results.Proof) said {
	listing := p.Placed != nil
	if p.Steps != nil {
		v.meter.Need(*p.Steps)
	}
	stream, problem := v.written(p.Engine, q, below, listing)
	if problem != "" {
		return said{problem: problem}
	}
	out := v.listedBy(p, q, below, stream.Result)
	if p.Steps != nil && p.Bytes != nil && (stream.Steps != *p.Steps || stream.Bytes != *p.Bytes ||
		stream.SHA256 != p.SHA256 || listing && *p.Placed != int64(len(stream.Placed))) {
		out.note = fmt.Sprintf("the engine %s wrote %d steps in %d bytes now, which prove it; the record had others, "+
			"%d in %d", p.Engine, stream.Steps, stream.Bytes, *p.Steps, *p.Bytes)
	}
	return out
}

// streamProblem is stepsProblem for a stream in a file of any name.
func (v *verifier) streamProblem(q objective.Problem, n int, below *big.Rat, p *results.Proof, path string) said {
	stream, err := os.Open(path)
	if err != nil {
		return said{problem: err.Error()}
	}
	defer stream.Close()
	read, err := v.follow(v.asked(q, n), below, p.Placed != nil, stream)
	if err != nil {
		v.meter.Must()
		return said{problem: fmt.Sprintf("the stream %q: %v", path, err)}
	}
	return v.listedBy(p, v.asked(q, n), below, read)
}

// unshown says why a value is not known to be a lower bound on E_max for n processors, "" if it is: by a closed form,
// by the bound of a name if there is one, or by steps that an engine writes.
func (v *verifier) unshown(q objective.Problem, n int, value *big.Rat) string {
	if n < 1 && value.Sign() > 0 {
		return "without processors there is no load"
	}
	q = v.asked(q, n)
	if closedForm(v.meter, q, value).Cmp(value) >= 0 {
		return ""
	}
	_, problem := v.written("", q, value, false)
	return problem
}

// Unshown is unshown for a problem with its size and conditions. It also returns the streams that were followed.
func Unshown(m *meter.Meter, o Options, p objective.Problem, value *big.Rat) (string, []Accepted) {
	v := &verifier{meter: m, options: o, terms: p.Terms, free: p.Free}
	return v.unshown(p, p.Size, value), v.slices
}

// listed returns the placements of n processors with a value, where none is below, which an engine lists in steps, or
// says why there is no such list.
func (v *verifier) listed(q objective.Problem, n int, value *big.Rat) (*kernel.Result, string) {
	q = v.asked(q, n)
	stream, problem := v.written("", q, value, true)
	if problem != "" {
		return nil, problem
	}
	said := v.placedProblem(q, value, stream.Result)
	return said.placed, said.problem
}

// written returns what the kernel accepts of the steps that an engine writes, "" for the first that can, or says why it
// does not.
func (v *verifier) written(engine string, q objective.Problem, value *big.Rat, listing bool) (Stream, string) {
	if v.options.Produce == nil {
		v.meter.End(&meter.LimitError{What: fmt.Sprintf("this checker has: the engine %q, whose steps are in no file",
			engine)})
	}
	write := func(ctx context.Context, part cut.Cut, to io.Writer) error {
		return v.options.Produce(ctx, engine, q, value, listing, part, to)
	}
	var stream Stream
	var err error
	if listing {
		stream, err = Follow(v.meter.Context(), q, value, true, v.meter.Spend,
			func(ctx context.Context, to io.Writer) error { return write(ctx, cut.Cut{}, to) })
	} else {
		stream, err = FollowSlices(v.meter.Context(), q, value, v.options.Workers, v.meter.Spend, write)
		if err == nil {
			v.slices = append(v.slices, stream.Slices...)
		}
	}
	v.endAt(err)
	if err != nil {
		v.meter.Must()
		return stream, fmt.Sprintf("the steps of the engine %q: %v", engine, err)
	}
	return stream, ""
}

// listedBy is placedProblem for the steps of a proof, if they list.
func (v *verifier) listedBy(p *results.Proof, q objective.Problem, below *big.Rat, read kernel.Result) said {
	if p.Placed == nil {
		return said{}
	}
	return v.placedProblem(q, below, read)
}

// placedProblem says what is wrong with the placements that steps list, and returns those with the value: the others
// have to be above it, so that none is below.
func (v *verifier) placedProblem(q objective.Problem, below *big.Rat, read kernel.Result) said {
	var optima [][]int
	for _, nodes := range read.Placed {
		s := core.MustPlacement(q.Torus(), nodes)
		switch most, _, err := MaxLoad(v.meter, q, s); {
		case err != nil:
			v.endAt(err)
			return said{problem: err.Error()}
		case most.Cmp(below) < 0:
			return said{problem: fmt.Sprintf("its steps place %s with E_max %s", core.JoinNodes(s.Coords()), most.RatString())}
		case most.Cmp(below) == 0:
			optima = append(optima, nodes)
		}
	}
	read.Placed = optima
	return said{placed: &read}
}

// follow has the kernel follow a stream, at the cost of the meter.
func (v *verifier) follow(q objective.Problem, below *big.Rat, listing bool, stream io.Reader) (kernel.Result, error) {
	result, err := kernel.Check(StepsQuestion(q, below, listing), stream, listing, v.meter.Spend)
	v.endAt(err)
	return result, err
}

// asked returns the problem with the size, the choice of routings and the conditions of the document.
func (v *verifier) asked(q objective.Problem, n int) objective.Problem {
	traffic := q.Traffic
	q.Free, q.Size, q.Terms = v.free, n, v.terms
	q.Traffic = traffic
	if v.free != nil {
		q.Routing = objective.FreeProblem(q.Torus(), *v.free).Routing
	}
	return q
}

// endAt ends the check where an error is that of its limits.
func (v *verifier) endAt(err error) {
	if limit := (*meter.LimitError)(nil); errors.As(err, &limit) {
		v.meter.End(limit)
	}
	if large := (*kernel.UnsupportedError)(nil); errors.As(err, &large) {
		v.meter.End(&meter.LimitError{What: large.Problem})
	}
}

// StepsQuestion returns the question that steps refute: a placement with E_max below a value, or with atMost up to it,
// under the size, routing, traffic and conditions of a problem.
func StepsQuestion(p objective.Problem, value *big.Rat, atMost bool) kernel.Question {
	q := kernel.Question{Routing: p.Routing, Free: p.Free, Size: p.Size, Limit: value, AtMost: atMost,
		Fixed: p.Fixed.Nodes(), Forbidden: p.Forbidden.Nodes(), Radius: p.Radius, Distance: p.Distance}
	if p.Traffic.Clients() {
		q.Clients = &kernel.Clients{Request: int64(p.Traffic.Request), Reply: int64(p.Traffic.Reply),
			ReplyRouting: p.ReplyRouting()}
	}
	return q
}
