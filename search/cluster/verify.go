package cluster

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"sync"

	"leeway/core"
	"leeway/objective"
	"leeway/search/census"
)

// A Rewalk walks the prefixes from..to-1 of a tree again. It ends early with the first
// placement below the value, or when the context ends. Several goroutines call it.
type Rewalk func(ctx context.Context, from, to int) (census.Tally, error)

// rewalkOf returns what walks a tree again by its own plan.
func rewalkOf(p census.Plan) Rewalk {
	return func(ctx context.Context, from, to int) (all census.Tally, _ error) {
		w := p.Walker()
		for i := from; i < to && !all.Ended && all.Found.Size() == 0; i++ {
			t := w.Walk(i, func(int64) bool { return ctx.Err() == nil })
			all.Nodes, all.Sum, all.Found, all.Ended = all.Nodes+t.Nodes, all.Sum+t.Sum, t.Found, t.Ended || ctx.Err() != nil
		}
		return all, nil
	}
}

// A checker walks units again, beside everything else.
type checker struct {
	prepare  func() (Rewalk, error)
	banned   func(worker string) bool
	verdicts chan suspect
	ended    sync.WaitGroup

	mu      sync.Mutex
	waiting []suspect
	wake    chan struct{} // closed when something waits
}

// A suspect is a result that is walked again.
type suspect struct {
	result Result
	piece  *piece
	span   span
	any    bool // there is no result: no worker wants the unit

	true  census.Tally // afterwards
	wrong error        // what the result has wrong
	err   error        // why it could not be walked
}

// newChecker starts to wait for work.
func newChecker(ctx context.Context, t census.Tree, o Options, banned func(string) bool) *checker {
	c := &checker{verdicts: make(chan suspect), wake: make(chan struct{}), banned: banned}
	c.prepare = sync.OnceValues(func() (Rewalk, error) {
		if o.Confirm == nil {
			return rewalkOf(t.Plan), nil
		}
		return o.Confirm(ctx, t)
	})
	for range max(1, o.Confirmers) {
		c.ended.Go(func() { c.work(ctx) })
	}
	return c
}

// add has a result walked again; it never waits.
func (c *checker) add(s suspect) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting = append(c.waiting, s); len(c.waiting) == 1 {
		close(c.wake)
	}
}

// next waits for a result, false if the context ends first.
func (c *checker) next(ctx context.Context) (s suspect, ok bool) {
	for {
		c.mu.Lock()
		if len(c.waiting) > 0 {
			s, c.waiting = c.waiting[0], c.waiting[1:]
			if len(c.waiting) == 0 {
				c.wake = make(chan struct{})
			}
			c.mu.Unlock()
			return s, ctx.Err() == nil
		}
		wake := c.wake
		c.mu.Unlock()
		select {
		case <-ctx.Done():
			return s, false
		case <-wake:
		}
	}
}

func (c *checker) work(ctx context.Context) {
	for {
		s, ok := c.next(ctx)
		if !ok {
			return
		}
		if !s.any && c.banned(s.result.Key) {
			s.wrong, s.true.Ended = untrusted, true
		} else {
			c.judge(ctx, &s)
		}
		select {
		case c.verdicts <- s:
		case <-ctx.Done():
			return
		}
	}
}

// judge walks what a result counts, to the end: if the result is wrong, what was
// counted here takes its place.
func (c *checker) judge(ctx context.Context, s *suspect) {
	var walk Rewalk
	if walk, s.err = c.prepare(); s.err != nil {
		return
	}
	s.true, s.err = walk(ctx, s.span.from, s.span.from+s.result.Done)
	switch {
	case s.err != nil || s.any || s.true.Ended:
	case s.true.Found.Size() > 0:
		s.wrong = refusal(fmt.Sprintf("one of its prefixes from %d on holds a placement", s.span.from))
	case s.true.Nodes != s.result.Nodes || s.true.Sum != s.result.sum():
		s.wrong = refusal(fmt.Sprintf("its counts are wrong: %d nodes, sum %016x, not %d, %s", s.true.Nodes, s.true.Sum, s.result.Nodes, s.result.Sum))
	}
}

// believed reports whether a result of another process counts on the word of its worker.
func (w *walk) believed(r Result) bool {
	if w.doubts() || r.Nodes <= w.small || w.proved[r.Key] < w.early {
		return false
	}
	id, err := hex.DecodeString(macOf(w.options.Key, "sample", []byte(r.Unit)))
	return err == nil && binary.LittleEndian.Uint64(id)%uint64(w.options.Sample) != 0
}

// placed verifies the placement of a result of a census.
func (w *walk) placed(r Result) error {
	if len(r.Found) == 0 {
		return nil
	}
	s, err := placementOf(w.tree.Problem, r.Found)
	if err != nil {
		return refusal("its placement is none: " + err.Error())
	}
	if v, _ := objective.Naive(w.tree.Problem.Routing, s).Max(); v.Cmp(w.tree.Below) >= 0 {
		return refusal(fmt.Sprintf("its placement has E_max %s, which is not below %s", v.RatString(), w.tree.Below.RatString()))
	}
	return nil
}

// An Incumbent is the fact of the best placement that is known.
type Incumbent struct {
	Nodes  []int  `json:"nodes"`
	Value  string `json:"value"`
	Worker string `json:"worker"`
}

// readIncumbent reads a fact and evaluates it from the definition. The placement is
// empty where the fact is.
func readIncumbent(p objective.Problem, text []byte) (i Incumbent, s core.Placement, v *big.Rat, err error) {
	if len(text) == 0 {
		return i, s, nil, nil
	}
	if len(text) > maxText || json.Unmarshal(text, &i) != nil || len(i.Worker) > 200 {
		return i, s, nil, refusal("it is no incumbent")
	}
	if s, err = placementOf(p, i.Nodes); err != nil {
		return i, core.Placement{}, nil, refusal("it is no placement: " + err.Error())
	}
	claimed, err := parseValue(i.Value)
	if err != nil {
		return i, s, nil, refusal(err.Error())
	}
	if v, _ = objective.Naive(p.Routing, s).Max(); v.Cmp(claimed) != 0 {
		return i, s, nil, refusal(fmt.Sprintf("it claims E_max %s and has %s", claimed.RatString(), v.RatString()))
	}
	return i, s, v, nil
}

// refuseIncumbent takes down an incumbent that is none, unless there is another
// by now.
func (c *Coordinator) refuseIncumbent(ctx context.Context, f Fact, why error) error {
	c.log.Warn("incumbent refused", "reason", why.Error())
	c.mu.Lock()
	c.status.Refused++
	c.mu.Unlock()
	if err := c.queue.Put(ctx, keyBest, nil, f.Revision); err != ErrChanged {
		return err
	}
	return nil
}

// Post makes a placement the incumbent if it is better than the one there, or that
// is none. Value is its E_max.
func Post(ctx context.Context, q Queue, p objective.Problem, s core.Placement, value *big.Rat, worker string) error {
	text := mustEncode(Incumbent{Nodes: s.Nodes(), Value: value.RatString(), Worker: worker})
	for {
		f, err := q.Get(ctx, keyBest)
		if err != nil {
			return err
		}
		if _, have, v, err := readIncumbent(p, f.Value); err == nil && have.Size() > 0 && v.Cmp(value) <= 0 {
			return nil
		}
		if err := q.Put(ctx, keyBest, text, f.Revision); err != ErrChanged {
			return err
		}
	}
}
