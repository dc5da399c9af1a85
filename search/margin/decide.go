package margin

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"sync"

	"leeway/core"
	"leeway/objective"
)

// A Verdict answers whether a placement within a limit exists.
type Verdict int

// The verdicts.
const (
	Unknown Verdict = iota // the context ended or the nodes are spent
	Found
	None
)

// String returns one word.
func (v Verdict) String() string { return [...]string{"unknown", "found", "none"}[v] }

// Effort says how much a decision may take.
type Effort struct {
	Nodes   int64 // rows placed and classes opened; 0: no limit
	Workers int   // changes the speed, never the answer
	Margins int   // of one dimension that are kept; 0: half a million
}

func (e Effort) margins() int {
	if e.Margins == 0 {
		return 1 << 19 // some 100 MB
	}
	return e.Margins
}

// An Answer is the outcome of a decision. It does not depend on the number of
// workers unless the context ended it.
type Answer struct {
	Verdict   Verdict
	Placement core.Placement // if found
	Slices    []Slice        // those that were run to their end, in order; with None these are all
	Nodes     int64          // of the slices, and of the one in which the nodes were spent
}

// Decide answers whether some placement of the problem has E_max at most limit.
// The limit is fixed: counts of nodes depend on problem and limit only, slice by
// slice. It fails with an *search.UnsupportedError, a *TooManyError, or a
// *WrongFillError where what was found does not stand exact evaluation.
func Decide(ctx context.Context, p objective.Problem, limit *big.Rat, e Effort) (Answer, error) {
	if err := (Method{}).Supports(p); err != nil {
		return Answer{}, err
	}
	if limit.Sign() < 0 {
		return Answer{Verdict: None}, nil
	}
	q, err := prepare(ctx, p, limit, e)
	if ctx.Err() != nil {
		return Answer{}, nil
	}
	if err != nil {
		return Answer{}, err
	}
	d := &decision{question: q, left: e.Nodes, open: map[int]outcome{}}
	if d.left == 0 {
		d.left = math.MaxInt64
	}
	d.run(ctx, e.Workers)
	if d.answer.Verdict == Found {
		if exact, _ := objective.Evaluate(p.Routing, d.answer.Placement).Max(); exact.Cmp(limit) > 0 {
			return Answer{}, &WrongFillError{Problem: p.String(), Nodes: d.answer.Placement.Nodes(), Value: exact, Limit: limit}
		}
	}
	return d.answer, nil
}

// A WrongFillError says that a placement that fits its margins line by line has
// a load above the limit. It means a bug in this package.
type WrongFillError struct {
	Problem      string
	Nodes        []int
	Value, Limit *big.Rat
}

// Error names the placement and both values.
func (e *WrongFillError) Error() string {
	return fmt.Sprintf("margin: %s: nodes %v have E_max %s, above the limit %s", e.Problem, e.Nodes, e.Value.RatString(), e.Limit.RatString())
}

// A decision runs the slices side by side and takes their outcomes in order.
type decision struct {
	*question
	mu     sync.Mutex
	left   int64           // nodes, after the slices taken
	open   map[int]outcome // finished ahead of their turn
	taken  int
	closed bool // a slice ended the decision
	answer Answer
}

// An outcome is what a slice returned.
type outcome struct {
	slice Slice
	picks []uint16
	ended bool
}

// run takes slices until one finds a placement, the nodes are spent or the
// context ends. A slice that starts knows at least the nodes that it may use; if
// it needs more than turn out to be left, it is cut to them when it is taken.
func (d *decision) run(ctx context.Context, workers int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	each(len(d.columns), workers, func(i int) bool {
		d.mu.Lock()
		most := d.left
		d.mu.Unlock()
		var o outcome
		o.slice, o.picks, o.ended = d.slice(ctx, i, most)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.open[i] = o
		for !d.closed && d.next() {
		}
		if d.closed {
			cancel() // what comes later does not count
		}
		return !d.closed
	})
	if !d.closed {
		d.answer.Verdict = None
	}
}

// next takes the outcome of the next slice, if it is there.
func (d *decision) next() bool {
	o, ok := d.open[d.taken]
	if !ok {
		return false
	}
	delete(d.open, d.taken)
	d.taken++
	if o.slice.Nodes > d.left || !o.ended {
		d.answer.Nodes += min(o.slice.Nodes, d.left)
		d.closed = true
		return true
	}
	d.left -= o.slice.Nodes
	d.answer.Nodes += o.slice.Nodes
	d.answer.Slices = append(d.answer.Slices, o.slice)
	if o.picks != nil {
		d.answer.Verdict, d.closed = Found, true
		d.answer.Placement = core.MustPlacement(d.problem.Torus(), nodesOf(o.picks, d.along.k))
	}
	return true
}
