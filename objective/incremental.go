package objective

import (
	"fmt"
	"math"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
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
	Den     *big.Int
}

// Error names the routing, the size and the denominator.
func (e *OverflowError) Error() string {
	return fmt.Sprintf("loads of %d processors under %s with denominator %s exceed 63 bits", e.Size, e.Routing, e.Den)
}

// none stands for no node in a move.
const none = -1

// A move takes the processor from node out and puts one on node in.
type move struct{ out, in int }

// A moveLog makes moves and takes them back.
type moveLog []move

func (l *moveLog) make(e interface{ change(out, in int) }, out, in int) {
	*l = append(*l, move{out, in})
	e.change(out, in)
}

func (l *moveLog) undo(e interface{ change(out, in int) }) {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	e.change(last.in, last.out)
}

// NewIncremental returns an incremental evaluator for placements of up to n
// processors under r. It fails with an *OverflowError when their exact loads
// could pass 63 bits; for avoid it then falls back to guiding values.
//
// On small tori TrySwap costs less than one operation per link, and Add and
// Remove one flow of a pair for every node; on larger ones each costs O(n) flows
// of pairs; for avoid each is a new evaluation.
func NewIncremental(r routing.Routing, n int) (Incremental, error) {
	if avoid, ok := r.(*routing.Avoid); ok {
		return newRecount(avoid, n), nil
	}
	den := r.Denominator()
	if !fits(den, n, 1) {
		return nil, &OverflowError{Routing: r.String(), Size: n, Den: den}
	}
	if l, ok := packedLanes(r.Torus(), den.Int64(), n); ok && routing.Invariant(r) {
		return newPacked(r, den.Int64(), l), nil
	}
	// Beyond the tables of node sums a new evaluation is the cheaper way.
	if _, ok := r.(*routing.Orders); ok && r.Torus().N() > maxSumTable && fits(den, n, NewEvaluator(r).margin) {
		return newRefresh(r, den.Int64()), nil
	}
	return newPairSums(r, den.Int64()), nil
}

// pairSums adds and removes the joint flows of pairs.
type pairSums struct {
	flows *flowTable
	den   int64
	load  []int64
	nodes []int
	place []int // where a node stands in nodes, -1 if it has no processor
	log   moveLog
}

func newPairSums(r routing.Routing, den int64) *pairSums {
	t := r.Torus()
	e := &pairSums{flows: newFlowTable(r, den), den: den, load: make([]int64, t.M()), place: make([]int, t.N())}
	e.Reset(nil)
	return e
}

func (e *pairSums) Den() int64  { return e.den }
func (e *pairSums) Exact() bool { return true }

func (e *pairSums) Reset(nodes []int) {
	clear(e.load)
	e.nodes, e.log = e.nodes[:0], e.log[:0]
	for v := range e.place {
		e.place[v] = -1
	}
	for _, v := range nodes {
		e.add(v)
	}
}

func (e *pairSums) Add(v int)        { e.log.make(e, none, v) }
func (e *pairSums) Remove(v int)     { e.log.make(e, v, none) }
func (e *pairSums) Swap(out, in int) { e.log.make(e, out, in) }
func (e *pairSums) Undo()            { e.log.undo(e) }

func (e *pairSums) change(out, in int) {
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

func (e *pairSums) Peak() (int64, int) { return peak(e.load) }

func (e *pairSums) TrySwap(out, in int) (int64, int) { return trySwap(e, out, in) }

// trySwap makes a swap, looks, and undoes it.
func trySwap(e Incremental, out, in int) (most int64, links int) {
	e.Swap(out, in)
	most, links = e.Peak()
	e.Undo()
	return most, links
}

// recount evaluates avoid anew after every change, pair by pair over candidate
// paths tabled by displacement.
type recount struct {
	routing *routing.Avoid
	torus   *core.Torus
	den     int64
	exact   bool
	paths   [][][]core.Link // by displacement: candidate paths from node 0
	in      core.Set
	load    []int64
	stale   bool
	log     moveLog
}

// guideDen is the denominator of guiding values: with it and shares rounded per
// pair, errors stay below one part in 2^20 for loads of at least one path.
const guideDen = 1 << 40

func newRecount(r *routing.Avoid, n int) *recount {
	t := r.Torus()
	e := &recount{routing: r, torus: t, in: core.NewSet(t.N()), load: make([]int64, t.M()), paths: make([][][]core.Link, t.N())}
	den := r.Denominator()
	if e.exact = den != nil && fits(den, n, 1); e.exact {
		e.den = den.Int64()
	} else {
		e.den = min(guideDen, math.MaxInt64/4/int64(n*n))
	}
	for q := 1; q < t.N(); q++ {
		for path := range r.Candidates().Paths(0, q, nil) {
			e.paths[q] = append(e.paths[q], append([]core.Link(nil), path...))
		}
	}
	return e
}

func (e *recount) Den() int64  { return e.den }
func (e *recount) Exact() bool { return e.exact }

func (e *recount) Reset(nodes []int) {
	clear(e.in)
	for _, v := range nodes {
		e.in.Add(v)
	}
	e.stale, e.log = true, e.log[:0]
}

func (e *recount) Add(v int)        { e.log.make(e, none, v) }
func (e *recount) Remove(v int)     { e.log.make(e, v, none) }
func (e *recount) Swap(out, in int) { e.log.make(e, out, in) }
func (e *recount) Undo()            { e.log.undo(e) }

func (e *recount) change(out, in int) {
	if out != none {
		e.in.Remove(out)
	}
	if in != none {
		e.in.Add(in)
	}
	e.stale = true
}

func (e *recount) TrySwap(out, in int) (int64, int) { return trySwap(e, out, in) }

func (e *recount) Peak() (int64, int) {
	if e.stale {
		e.count()
		e.stale = false
	}
	return peak(e.load)
}

func (e *recount) count() {
	clear(e.load)
	nodes := e.in.Nodes()
	for _, p := range nodes {
		origin := e.torus.Displacement(p, 0)
		for _, q := range nodes {
			if p != q {
				e.addPair(origin, e.paths[e.torus.Displacement(p, q)])
			}
		}
	}
}

// addPair adds the share of every candidate path with the fewest processors
// inside; origin is the node -p.
func (e *recount) addPair(origin int, paths [][]core.Link) {
	fewest, count := math.MaxInt, int64(0)
	for _, path := range paths {
		switch inside := e.inside(origin, path); {
		case inside < fewest:
			fewest, count = inside, 1
		case inside == fewest:
			count++
		}
	}
	n := e.torus.N()
	for _, path := range paths {
		if e.inside(origin, path) != fewest {
			continue
		}
		for _, l := range path {
			e.load[int(l)/n*n+e.torus.Displacement(origin, int(l)%n)] += e.den / count
		}
	}
}

func (e *recount) inside(origin int, path []core.Link) int {
	count := 0
	for _, l := range path[1:] {
		if e.in.Has(e.torus.Displacement(origin, int(l)%e.torus.N())) {
			count++
		}
	}
	return count
}
