package check

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"

	"leeway/objective"
	"leeway/results"
	"leeway/results/check/kernel"
	"leeway/results/check/meter"
	"leeway/results/check/sat"
)

// stepsProblem says why the stream that a proof names does not show that no placement of n processors has E_max below
// the value, "" if it does.
func (v *verifier) stepsProblem(q objective.Problem, n int, below *big.Rat, p *results.Proof) string {
	if p.Steps == nil || p.Bytes == nil {
		return "it does not say how many steps and bytes its stream has"
	}
	var read kernel.Result
	problem := sat.FileProblem(v.meter, v.folder, p.File, p.SHA256, func(stream io.Reader) (sat.Refutation, error) {
		var err error
		read, err = v.follow(q, n, below, stream)
		if wrong := (*kernel.WrongError)(nil); errors.As(err, &wrong) {
			return sat.Refutation{Verdict: Wrong, Reason: err.Error()}, nil
		}
		return sat.Refutation{Verdict: Verified}, err
	})
	if problem == "" && (read.Steps != *p.Steps || read.Bytes != *p.Bytes) {
		problem = fmt.Sprintf("its stream has %d steps in %d bytes, not %d in %d", read.Steps, read.Bytes, *p.Steps, *p.Bytes)
	}
	return problem
}

// streamProblem is stepsProblem for a stream in a file of any name.
func (v *verifier) streamProblem(q objective.Problem, n int, below *big.Rat, path string) string {
	stream, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer stream.Close()
	if _, err = v.follow(q, n, below, stream); err != nil {
		v.meter.Must()
		return fmt.Sprintf("the stream %q: %v", path, err)
	}
	return ""
}

// follow has the kernel follow a stream, at the cost of the meter.
func (v *verifier) follow(q objective.Problem, n int, below *big.Rat, stream io.Reader) (kernel.Result, error) {
	q.Fixed, q.Forbidden, q.Near = v.conditions.Fixed, v.conditions.Forbidden, v.conditions.Near
	question, err := StepsQuestion(q, n, below)
	if err != nil {
		return kernel.Result{}, err
	}
	result, err := kernel.Check(question, stream, false, v.meter.Spend)
	if limit := (*meter.LimitError)(nil); errors.As(err, &limit) {
		v.meter.End(limit)
	}
	return result, err
}

// StepsQuestion returns the question that steps refute: a placement of n processors with E_max below a value, under the
// routing, traffic and conditions of a problem. The error is a *kernel.UnsupportedError.
func StepsQuestion(p objective.Problem, n int, below *big.Rat) (kernel.Question, error) {
	if p.Distance > 0 {
		return kernel.Question{}, &kernel.UnsupportedError{Problem: "conditions on distance"}
	}
	q := kernel.Question{Routing: p.Routing, Size: n, Limit: below, Fixed: p.Fixed.Nodes(),
		Forbidden: p.Forbidden.Nodes(), Radius: p.Radius}
	if p.Traffic.Clients() {
		q.Clients = &kernel.Clients{Request: int64(p.Traffic.Request), Reply: int64(p.Traffic.Reply),
			ReplyRouting: p.ReplyRouting()}
	}
	return q, nil
}
