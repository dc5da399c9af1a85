package fast

import (
	"fmt"
	"math"
	"math/big"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lanes"
	"leeway/objective/orders"
)

// An Incremental keeps the loads of a placement while processors come and go. It
// is not safe for concurrent use; make one per worker.
type Incremental interface {
	// Reset starts over with the given nodes.
	Reset(nodes []int)
	// Add puts a processor on node v, which must carry none.
	Add(v int)
	// Remove takes the processor from node v, which must carry one.
	Remove(v int)
	// Swap moves the processor on node out to node in, which must carry none.
	Swap(out, in int)
	// Undo takes back the latest change that was not taken back yet. There must
	// be one since Reset.
	Undo()
	// TrySwap returns what Peak would be with the processor on node out moved to
	// node in, without moving it.
	TrySwap(out, in int) (most int64, links int)
	// Peak returns the largest load in units of 1/Den and how many links have
	// it.
	Peak() (most int64, links int)
	// Den returns the denominator of Peak.
	Den() int64
	// Exact reports whether Peak is exact. If not, it is rounded by less than
	// one part in 2^20 and only guides; Evaluate decides.
	Exact() bool
}

// An OverflowError says that exact loads of a problem do not fit the words of an
// incremental evaluator.
type OverflowError struct {
	Routing string
	Size    int
	Den     *big.Int // nil: too large to be of use
}

// Error names the routing, the size and the denominator.
func (e *OverflowError) Error() string {
	if e.Den == nil {
		return fmt.Sprintf("loads of %d processors under %s have no common denominator of use", e.Size, e.Routing)
	}
	return fmt.Sprintf("loads of %d processors under %s with denominator %s exceed 63 bits", e.Size, e.Routing, e.Den)
}

// none stands for no node in a move.
const none = -1

// A move takes the processor from node out and puts one on node in.
type move struct{ out, in int }

// A moveLog makes moves and takes them back: the part of an Incremental that all have in common.
type moveLog struct {
	moves  []move
	change func(out, in int) // makes a move; either may be none
}

func (l *moveLog) Add(v int)    { l.Swap(none, v) }
func (l *moveLog) Remove(v int) { l.Swap(v, none) }

func (l *moveLog) Swap(out, in int) {
	l.moves = append(l.moves, move{out, in})
	l.change(out, in)
}

func (l *moveLog) Undo() {
	last := l.moves[len(l.moves)-1]
	l.moves = l.moves[:len(l.moves)-1]
	l.change(last.in, last.out)
}

// NewIncremental returns an incremental evaluator for placements of up to n processors under routing and traffic of the
// problem. It fails with an *OverflowError when their exact loads could pass 63 bits; for avoid it then falls back to
// guiding values.
//
// On small tori TrySwap costs less than one operation per link, and Add and Remove one flow of a pair for every node;
// on larger ones each costs O(n) flows of pairs; for avoid each is a new evaluation. For client traffic a swap costs
// one operation or less per link on networks whose NodeLoads are stored.
func NewIncremental(p objective.Problem, n int) (Incremental, error) {
	if err := Incrementable(p, n); err != nil {
		return nil, err
	}
	if p.Traffic.Clients() {
		nodes, err := NewNodeLoads(p)
		if err != nil {
			return nil, err
		}
		if packed := newLined(nodes, n); packed != nil {
			return packed, nil
		}
		return newAdditive(nodes), nil
	}
	r := p.Routing
	if avoid, ok := r.(*routing.Avoid); ok {
		return newAvoidance(avoid, n), nil
	}
	den := p.Denominator()
	if l, ok := packedLanes(r, den.Int64(), n); ok && (routing.Invariant(r) || r.Torus().N() <= MaxPairNodes) {
		return newPacked(r, den.Int64(), l), nil
	}
	// Beyond the tables of node sums a new evaluation is the cheaper way.
	if of, ok := r.(*routing.Orders); ok && r.Torus().N() > maxSumTable {
		if c := orders.New(of); c != nil && fits(den, n, c.Margin()) {
			return newCounted(c, den.Int64()), nil
		}
	}
	return newPairSums(r, den.Int64()), nil
}

// Incrementable returns nil if there is an incremental evaluator of the problem for placements of up to n processors,
// otherwise the error of NewIncremental, without making one.
func Incrementable(p objective.Problem, n int) error {
	if _, ok := p.Routing.(*routing.Avoid); ok && !p.Traffic.Clients() {
		return nil
	}
	den := p.Denominator()
	if p.Traffic.Clients() && fitClients(p, den, n+2) || !p.Traffic.Clients() && fits(den, n, 1) {
		return nil
	}
	return &OverflowError{Routing: p.Routing.String(), Size: n, Den: den}
}

// fits reports whether sums over ordered pairs of n processors, in units of
// 1/den with a margin for intermediate values, stay inside an int64; without a
// denominator they do not.
func fits(den *big.Int, n int, margin int64) bool {
	if den == nil {
		return false
	}
	bound := new(big.Int).Mul(den, big.NewInt(int64(n)))
	bound.Mul(bound, big.NewInt(int64(n)))
	bound.Mul(bound, big.NewInt(margin))
	return bound.Cmp(big.NewInt(math.MaxInt64/2)) < 0
}

// trySwap makes a swap, looks, and undoes it.
func trySwap(e Incremental, out, in int) (most int64, links int) {
	e.Swap(out, in)
	most, links = e.Peak()
	e.Undo()
	return most, links
}

// pairSums adds and removes the joint flows of pairs.
type pairSums struct {
	flows *flowTable
	den   int64
	load  []int64
	nodes []int
	place []int // where a node stands in nodes, -1 if it has no processor
	moveLog
}

func newPairSums(r routing.Routing, den int64) *pairSums {
	t := r.Torus()
	e := &pairSums{flows: newFlowTable(r, den), den: den, load: make([]int64, t.M()), place: make([]int, t.N())}
	e.change = e.exchange
	e.Reset(nil)
	return e
}

func (e *pairSums) Den() int64  { return e.den }
func (e *pairSums) Exact() bool { return true }

func (e *pairSums) Reset(nodes []int) {
	clear(e.load)
	e.nodes, e.moves = e.nodes[:0], e.moves[:0]
	for v := range e.place {
		e.place[v] = -1
	}
	for _, v := range nodes {
		e.add(v)
	}
}

func (e *pairSums) exchange(out, in int) {
	if out != none {
		e.remove(out)
	}
	if in != none {
		e.add(in)
	}
}

func (e *pairSums) add(v int) {
	for _, q := range e.nodes {
		e.flows.each(v, q, func(l int, w int64) { e.load[l] += w })
	}
	e.place[v] = len(e.nodes)
	e.nodes = append(e.nodes, v)
}

func (e *pairSums) remove(v int) {
	last := e.nodes[len(e.nodes)-1]
	e.nodes[e.place[v]] = last
	e.place[last] = e.place[v]
	e.nodes = e.nodes[:len(e.nodes)-1]
	e.place[v] = -1
	for _, q := range e.nodes {
		e.flows.each(v, q, func(l int, w int64) { e.load[l] -= w })
	}
}

func (e *pairSums) Peak() (int64, int) { return lanes.Most(e.load) }

func (e *pairSums) TrySwap(out, in int) (int64, int) { return trySwap(e, out, in) }

// counted counts anew after changes, which on large tori is cheaper than the flows of all pairs of one processor.
type counted struct {
	counter *orders.Counter
	den     int64
	load    []int64 // nil after changes
	moveLog
}

func newCounted(c *orders.Counter, den int64) *counted {
	e := &counted{counter: c, den: den}
	e.change = e.exchange
	e.Reset(nil)
	return e
}

func (e *counted) Den() int64  { return e.den }
func (e *counted) Exact() bool { return true }

func (e *counted) Reset(nodes []int) {
	e.load, _ = e.counter.Loads(nodes, nil) // no watch, no error
	e.moves = e.moves[:0]
}

func (e *counted) exchange(out, in int) {
	if out != none {
		e.counter.Put(out, 0)
	}
	if in != none {
		e.counter.Put(in, 1)
	}
	e.load = nil
}

func (e *counted) Peak() (int64, int) {
	if e.load == nil {
		e.load, _ = e.counter.Count(nil) // no watch, no error
	}
	return lanes.Most(e.load)
}

func (e *counted) TrySwap(out, in int) (int64, int) { return trySwap(e, out, in) }
