package fast

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
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

// changes are what all Incrementals have in common: the unit of loads, and moves that are taken back.
type changes struct {
	den    int64
	exact  bool
	moves  []move
	empty  func()                  // takes all processors away
	put    func(v int, sign int64) // puts a processor on a node, or with sign -1 takes it away
	change func(out, in int)       // makes a move of which either may be none; nil: by put
}

func (c *changes) Den() int64  { return c.den }
func (c *changes) Exact() bool { return c.exact }

func (c *changes) Reset(nodes []int) {
	c.moves = c.moves[:0]
	c.empty()
	for _, v := range nodes {
		c.make(none, v)
	}
}

func (c *changes) Add(v int)    { c.Swap(none, v) }
func (c *changes) Remove(v int) { c.Swap(v, none) }

func (c *changes) Swap(out, in int) {
	c.moves = append(c.moves, move{out, in})
	c.make(out, in)
}

func (c *changes) Undo() {
	last := c.moves[len(c.moves)-1]
	c.moves = c.moves[:len(c.moves)-1]
	c.make(last.in, last.out)
}

func (c *changes) make(out, in int) {
	if c.change != nil {
		c.change(out, in)
		return
	}
	if out != none {
		c.put(out, -1)
	}
	if in != none {
		c.put(in, 1)
	}
}

// NewIncremental returns an incremental evaluator for placements of up to n processors under routing and traffic of the
// problem. Where their exact loads could pass 63 bits it has guiding values, as far as pairs are not too many, and
// fails with an *OverflowError beyond and for client traffic.
//
// On small tori TrySwap costs less than one operation per link, and Add and Remove one flow of a pair for every node;
// on larger ones each costs O(n) flows of pairs; for avoid each is a new evaluation. For client traffic a swap costs
// one operation or less per link on networks whose NodeLoads are stored.
func NewIncremental(p objective.Problem, n int) (Incremental, error) {
	if err := Incrementable(p, n); err != nil {
		return nil, err
	}
	if p.Traffic.Clients() {
		nodes, err := NewNodeLoads(p, nil)
		if err != nil {
			return nil, err
		}
		if packed := packRows(nodes, n); packed != nil {
			return packed, nil
		}
		return newRowSums(nodes), nil
	}
	r := p.Routing
	if avoid, ok := r.(*routing.Avoid); ok {
		return newAvoidance(avoid, n), nil
	}
	den := p.Denominator()
	if !fits(den, n, 1) {
		return newGuided(r, n), nil
	}
	if l, ok := packedLanes(r, den.Int64(), n); ok && (routing.Invariant(r) || r.Torus().N() <= MaxPairNodes) {
		return packPairs(r, den.Int64(), l), nil
	}
	// Beyond the tables of node sums a new evaluation is the cheaper way.
	if of, ok := r.(*routing.Orders); ok && r.Torus().N() > maxSumTable {
		if c := orders.New(of); c != nil && fits(den, n, c.Margin()) {
			return newCounted(c, r.Torus(), den.Int64()), nil
		}
	}
	return newPairSums(r, den.Int64(), true), nil
}

// Incrementable returns nil if there is an incremental evaluator of the problem for placements of up to n processors,
// otherwise the error of NewIncremental, without making one.
func Incrementable(p objective.Problem, n int) error {
	if _, ok := p.Routing.(*routing.Avoid); !p.Traffic.Clients() && (ok || p.Torus().N() <= maxGuidedNodes) {
		return nil
	}
	den := p.Denominator()
	if p.Traffic.Clients() && fitClients(p, den, n+2) || !p.Traffic.Clients() && fits(den, n, 1) {
		return nil
	}
	return &OverflowError{Routing: p.Routing.String(), Size: n, Den: den}
}

// maxGuidedNodes is the most nodes of a network on which rounded loads of pairs guide.
const maxGuidedNodes = 1024

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

// A sums adds what a processor brings to the loads, and takes it away.
type sums struct {
	load []int64
	changes
}

func newSums(t *core.Torus, den int64, exact bool) *sums {
	e := &sums{load: make([]int64, t.M()), changes: changes{den: den, exact: exact}}
	e.empty = func() { clear(e.load) }
	return e
}

func (e *sums) Peak() (int64, int)               { return lanes.Most(e.load) }
func (e *sums) TrySwap(out, in int) (int64, int) { return trySwap(e, out, in) }

// newPairSums returns the sums of the joint flows of pairs.
func newPairSums(r routing.Routing, den int64, exact bool) *sums {
	e, table, nodes := newSums(r.Torus(), den, exact), NewTable(r, den), []int(nil)
	e.empty = func() {
		clear(e.load)
		nodes = nodes[:0]
	}
	e.put = func(v int, sign int64) {
		if i := slices.Index(nodes, v); i >= 0 {
			last := len(nodes) - 1
			nodes[i] = nodes[last]
			nodes = nodes[:last]
		}
		for _, q := range nodes {
			Add(table, e.load, v, q, sign)
		}
		if sign > 0 {
			nodes = append(nodes, v)
		}
	}
	return e
}

// newRowSums returns the sums of the loads by node of client traffic.
func newRowSums(loads *NodeLoads) *sums {
	e, scratch := newSums(loads.torus, loads.den, true), make([]int64, loads.torus.M())
	e.put = func(v int, sign int64) {
		for l, load := range loads.Row(v, scratch) {
			e.load[l] += sign * load
		}
	}
	return e
}

// newGuided returns the sums of rounded loads of up to n processors.
func newGuided(r routing.Routing, n int) *sums {
	units := guideUnits(n)
	return newPairSums(r, units-units%int64(r.Torus().CommonBandwidth()), false)
}
