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

// NewIncremental returns an incremental evaluator for placements of up to n
// processors under r. It fails with an *OverflowError when their exact loads
// could pass 63 bits; for avoid it then falls back to guiding values.
//
// A move costs O(n) flows of pairs for routings that do not depend on the
// placement and a new evaluation for avoid.
func NewIncremental(r routing.Routing, n int) (Incremental, error) {
	if avoid, ok := r.(*routing.Avoid); ok {
		return newRecount(avoid, n), nil
	}
	den := r.Denominator()
	if !fits(den, n, 1) {
		return nil, &OverflowError{Routing: r.String(), Size: n, Den: den}
	}
	return newPairSums(r, den.Int64()), nil
}

// pairSums adds and removes the joint flows of pairs, tabled by displacement.
type pairSums struct {
	torus *core.Torus
	den   int64
	flows [][]offsetFlow // by displacement d: joint flow of nodes 0 and d
	sums  [][]int32      // sums[p][x] is the node p+x; nil on large tori
	load  []int64
	nodes []int
	place []int // where a node stands in nodes, -1 if it has no processor
}

// An offsetFlow is the flow on one link, which leaves node from by port.
type offsetFlow struct {
	from   int32
	port   int32
	weight int64
}

// maxSumTable is the most nodes for which node additions are tabled.
const maxSumTable = 2048

func newPairSums(r routing.Routing, den int64) *pairSums {
	t := r.Torus()
	e := &pairSums{torus: t, den: den, flows: make([][]offsetFlow, t.N()), load: make([]int64, t.M()), place: make([]int, t.N())}
	for q := 1; q < t.N(); q++ {
		e.flows[q] = jointFlow(r, q, den)
	}
	if t.N() <= maxSumTable {
		e.sums = make([][]int32, t.N())
		for p := range e.sums {
			e.sums[p] = make([]int32, t.N())
			for x := range e.sums[p] {
				e.sums[p][x] = int32(t.Displacement(t.Displacement(p, 0), x))
			}
		}
	}
	e.Reset(nil)
	return e
}

// jointFlow returns what nodes 0 and q send each other, in units of 1/den.
func jointFlow(r routing.Routing, q int, den int64) []offsetFlow {
	t := r.Torus()
	var list []offsetFlow
	at := map[core.Link]int{}
	for _, f := range []routing.Flow{r.Flow(0, q, nil), r.Flow(q, 0, nil)} {
		unit := new(big.Int).Div(big.NewInt(den), f.Den).Int64()
		for _, s := range f.Shares {
			i, ok := at[s.Link]
			if !ok {
				i, at[s.Link] = len(list), len(list)
				list = append(list, offsetFlow{from: int32(int(s.Link) % t.N()), port: int32(int(s.Link) / t.N())})
			}
			list[i].weight += s.Num.Int64() * unit
		}
	}
	return list
}

func (e *pairSums) Den() int64  { return e.den }
func (e *pairSums) Exact() bool { return true }

func (e *pairSums) Reset(nodes []int) {
	clear(e.load)
	e.nodes = e.nodes[:0]
	for v := range e.place {
		e.place[v] = -1
	}
	for _, v := range nodes {
		e.Add(v)
	}
}

func (e *pairSums) Add(v int) {
	e.shift(v, 1)
	e.place[v] = len(e.nodes)
	e.nodes = append(e.nodes, v)
}

func (e *pairSums) Remove(v int) {
	last := e.nodes[len(e.nodes)-1]
	e.nodes[e.place[v]] = last
	e.place[last] = e.place[v]
	e.nodes = e.nodes[:len(e.nodes)-1]
	e.place[v] = -1
	e.shift(v, -1)
}

// shift adds sign times the joint flows of v with every processor.
func (e *pairSums) shift(v int, sign int64) {
	n := e.torus.N()
	for _, q := range e.nodes {
		flows := e.flows[e.torus.Displacement(v, q)]
		if e.sums != nil {
			row := e.sums[v]
			for i := range flows {
				f := &flows[i]
				e.load[int(f.port)*n+int(row[f.from])] += sign * f.weight
			}
			continue
		}
		origin := e.torus.Displacement(v, 0)
		for i := range flows {
			f := &flows[i]
			e.load[int(f.port)*n+e.torus.Displacement(origin, int(f.from))] += sign * f.weight
		}
	}
}

func (e *pairSums) Peak() (int64, int) { return peak(e.load) }

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
	e.stale = true
}

func (e *recount) Add(v int)    { e.in.Add(v); e.stale = true }
func (e *recount) Remove(v int) { e.in.Remove(v); e.stale = true }

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
