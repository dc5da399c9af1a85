package cluster

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/cluster/message"
	"leeway/search/portfolio"
	"leeway/search/refuters"
)

// prove writes the slice of a unit.
func (w *worker) prove(ctx context.Context, u message.Unit) message.Report {
	p, err := u.Problem()
	if err == nil && w.Write == nil {
		err = errors.New("there are no engines here")
	}
	if err != nil {
		return message.Report{Refused: err.Error()}
	}
	below, err := message.ParseValue(u.Proof.Below)
	if err != nil {
		return message.Report{Refused: err.Error()}
	}
	var stream bytes.Buffer
	err = w.Write(ctx, u.Proof.Engine, p, below, u.Proof.Name, io.MultiWriter(&stream, counter{&w.effort}))
	found, ok := refuters.Found(err)
	switch {
	case ok:
		return message.Report{Found: found.List()}
	case ctx.Err() != nil:
		return message.Report{}
	case err != nil:
		return message.Report{Refused: err.Error()}
	}
	r := message.Report{Stream: message.Compress(stream.Bytes())}
	if len(r.Text()) > message.MaxText-maxNames {
		return message.Report{Refused: "its steps are more than a message can have"}
	}
	return r
}

// maxNames is more than the names in a report take.
const maxNames = 1 << 12

// A counter counts the bytes that are written.
type counter struct{ sum *atomic.Int64 }

func (c counter) Write(p []byte) (int, error) {
	c.sum.Add(int64(len(p)))
	return len(p), nil
}

// search does a unit of a search: a portfolio on one core. It posts at once what is better than the incumbent.
func (w *worker) search(ctx context.Context, u message.Unit) message.Report {
	p, params, err := paramsOf(u)
	if err != nil {
		return message.Report{Refused: err.Error()}
	}
	if w.Methods == nil {
		return message.Report{Refused: "there are no methods here"}
	}
	methods, err := w.Methods(u.Search.Methods)
	if err != nil {
		return message.Report{Refused: err.Error()}
	}
	var mu sync.Mutex
	counted := int64(0)
	count := func(evaluations int64) {
		mu.Lock()
		defer mu.Unlock()
		if more := evaluations - counted; more > 0 {
			w.effort.Add(more)
			counted = evaluations
		}
	}
	params.Observe = func(e search.Event) {
		count(e.Evaluations)
		if e.Improved && e.Best.Size() == p.Size {
			w.post(ctx, p, e)
		}
	}
	found, err := portfolio.Run(ctx, methods, params, portfolio.Options{Parts: u.Search.Parts})
	count(found.Evaluations)
	switch {
	case err != nil:
		return message.Report{Refused: err.Error()}
	case ctx.Err() != nil || found.Value == nil:
		return message.Report{}
	}
	return message.Report{Best: found.Best.List(), Value: found.Value.RatString(), Method: found.Method,
		Evaluations: found.Evaluations}
}

// post posts an improvement. It may be lost: the report of the unit has it too.
func (w *worker) post(ctx context.Context, p objective.Problem, e search.Event) {
	if exact, _ := fast.Evaluate(p, e.Best).Max(); exact.Cmp(e.Value) != 0 {
		return
	}
	if err := Post(ctx, w.queue, p, e.Best, e.Value, w.Name); err != nil && ctx.Err() == nil {
		w.Log.Debug("no incumbent could be posted", "error", err)
	}
}

// paramsOf returns what a unit of a search asks for.
func paramsOf(u message.Unit) (objective.Problem, search.Params, error) {
	p, err := u.Problem()
	if err != nil {
		return p, search.Params{}, err
	}
	params := search.Params{Problem: p, Seed: u.Search.Seed, Evaluations: u.Search.Evaluations, Workers: 1}
	if u.Search.Goal != "" {
		if params.Goal, err = message.ParseValue(u.Search.Goal); err != nil {
			return p, params, err
		}
	}
	for _, nodes := range u.Search.Starts {
		s, err := message.Placement(p, nodes)
		if err != nil {
			return p, params, err
		}
		params.Starts = append(params.Starts, s)
	}
	return p, params, nil
}
