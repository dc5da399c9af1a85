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

// mostPending is how many results wait to be walked again at most: more are taken
// without.
const mostPending = 16

// A checker walks units again, one at a time, beside everything else.
type checker struct {
	walker   census.Walker
	jobs     chan suspect
	verdicts chan suspect
	pending  int // of one goroutine, that of the walk
	ended    sync.WaitGroup
}

// A suspect is a result that is walked again.
type suspect struct {
	delivery Delivery
	result   Result
	piece    *piece
	span     span
	wrong    error // afterwards
}

func newChecker(ctx context.Context, p census.Plan) *checker {
	c := &checker{walker: p.Walker(), jobs: make(chan suspect, mostPending), verdicts: make(chan suspect, mostPending)}
	c.ended.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case s := <-c.jobs:
				if s.wrong = c.walk(ctx, s); ctx.Err() == nil {
					c.verdicts <- s
				}
			}
		}
	})
	return c
}

// walk repeats what a result counts.
func (c *checker) walk(ctx context.Context, s suspect) error {
	nodes, sum := int64(0), uint64(0)
	for i := s.span.from; i < s.span.from+s.result.Done; i++ {
		t := c.walker.Walk(i, func(int64) bool { return ctx.Err() == nil })
		if t.Found.Size() > 0 {
			return refusal(fmt.Sprintf("prefix %d holds a placement", i))
		}
		nodes, sum = nodes+t.Nodes, sum+t.Sum
	}
	if nodes != s.result.Nodes || sum != s.result.sum() {
		return refusal(fmt.Sprintf("its counts are wrong: %d nodes, sum %016x, not %d, %s", nodes, sum, s.result.Nodes, s.result.Sum))
	}
	return nil
}

// doubtful reports whether a result is to be walked again.
func (w *walk) doubtful(r Result) bool {
	if r.Done == 0 || w.vouchedFor(r) || w.checker.pending >= mostPending {
		return false
	}
	id, err := hex.DecodeString(r.Unit)
	return err == nil && (r.Nodes <= SmallNodes || census.Hash(w.secret, int(binary.LittleEndian.Uint64(id)))%uint64(w.options.Sample) == 0)
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
func readIncumbent(p objective.Problem, text []byte) (Incumbent, core.Placement, error) {
	var i Incumbent
	if len(text) == 0 {
		return i, core.Placement{}, nil
	}
	if len(text) > maxText || json.Unmarshal(text, &i) != nil {
		return i, core.Placement{}, refusal("it is no incumbent")
	}
	s, err := placementOf(p, i.Nodes)
	if err != nil {
		return i, s, refusal("it is no placement: " + err.Error())
	}
	claimed, err := parseValue(i.Value)
	if err != nil {
		return i, s, refusal(err.Error())
	}
	if v, _ := objective.Naive(p.Routing, s).Max(); v.Cmp(claimed) != 0 {
		return i, s, refusal(fmt.Sprintf("it claims E_max %s and has %s", claimed.RatString(), v.RatString()))
	}
	return i, s, nil
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
		if have, placement, err := readIncumbent(p, f.Value); err == nil && placement.Size() > 0 {
			if v, _ := new(big.Rat).SetString(have.Value); v.Cmp(value) <= 0 {
				return nil
			}
		}
		if err := q.Put(ctx, keyBest, text, f.Revision); err != ErrChanged {
			return err
		}
	}
}
