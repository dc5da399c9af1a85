package objective

import (
	"math"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// recount is an Incremental that evaluates anew after changes: by the kernel of its routing on large tori, where that
// is cheaper than the flows of all pairs of one processor, or pair by pair where loads depend on the placement.
type recount struct {
	den   int64
	exact bool
	in    core.Set
	stale bool
	count func(nodes []int) []int64 // the loads of all links
	nodes []int
	load  []int64
	moveLog
}

func newRecount(t *core.Torus, den int64, exact bool, count func(nodes []int) []int64) *recount {
	e := &recount{den: den, exact: exact, in: core.NewSet(t.N()), stale: true, count: count}
	e.change = e.exchange
	return e
}

// newRefresh evaluates by the kernel of a routing.
func newRefresh(r routing.Routing, den int64) *recount {
	kernel := NewEvaluator(r).kernel
	return newRecount(r.Torus(), den, true, func(nodes []int) []int64 {
		loads, _ := kernel(nodes, nil) // no watch, no error
		return loads
	})
}

func (e *recount) Den() int64  { return e.den }
func (e *recount) Exact() bool { return e.exact }

func (e *recount) Reset(nodes []int) {
	clear(e.in)
	for _, v := range nodes {
		e.in.Add(v)
	}
	e.stale, e.moves = true, e.moves[:0]
}

func (e *recount) exchange(out, in int) {
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
		e.nodes = e.in.AppendNodes(e.nodes[:0])
		e.load = e.count(e.nodes)
		e.stale = false
	}
	return peak(e.load)
}

// avoidance evaluates avoid pair by pair over candidate paths tabled by displacement, or by pair
// where dimensions are open.
type avoidance struct {
	routing *routing.Avoid
	torus   *core.Torus
	byPair  bool
	den     int64
	paths   [][][][]core.Link // by start and end: candidate paths, once they were needed; from node 0 only unless byPair
	in      core.Set
	load    []int64
}

// guideDen is the denominator of guiding values: with it and shares rounded per
// pair, errors stay below one part in 2^20 for loads of at least one path.
const guideDen = 1 << 40

// newAvoidance evaluates avoid for up to n processors, by guiding values where exact ones do not fit.
func newAvoidance(r *routing.Avoid, n int) *recount {
	t := r.Torus()
	e := &avoidance{routing: r, torus: t, byPair: !routing.Invariant(r), in: core.NewSet(t.N()),
		load: make([]int64, t.M()), paths: make([][][][]core.Link, t.N())}
	den := Denominator(r)
	exact := den != nil && fits(den, n, 1)
	if exact {
		e.den = den.Int64()
	} else {
		e.den = min(guideDen, math.MaxInt64/4/int64(n*n))
	}
	return newRecount(t, e.den, exact, e.count)
}

// candidates returns the candidate paths of a pair, listed when they are first asked for, and
// the node whose displacement from their nodes is where they are: -p for paths listed from node 0.
func (e *avoidance) candidates(p, q int) (paths [][]core.Link, origin int) {
	from, to, origin := 0, e.torus.Displacement(p, q), e.torus.Displacement(p, 0)
	if e.byPair {
		from, to, origin = p, q, 0
	}
	if e.paths[from] == nil {
		e.paths[from] = make([][][]core.Link, e.torus.N())
	}
	if e.paths[from][to] == nil {
		for path := range e.routing.Candidates().Paths(from, to, nil) {
			e.paths[from][to] = append(e.paths[from][to], slices.Clone(path))
		}
	}
	return e.paths[from][to], origin
}

func (e *avoidance) count(nodes []int) []int64 {
	clear(e.load)
	clear(e.in)
	for _, v := range nodes {
		e.in.Add(v)
	}
	for _, p := range nodes {
		for _, q := range nodes {
			if p != q {
				e.addPair(e.candidates(p, q))
			}
		}
	}
	return e.load
}

// addPair adds the share of every candidate path with the fewest processors
// inside; origin is the node -p.
func (e *avoidance) addPair(paths [][]core.Link, origin int) {
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
			_, port := e.torus.LinkFrom(l)
			e.load[int(l)/n*n+e.torus.Displacement(origin, int(l)%n)] += e.den / (count * int64(e.torus.Bandwidth(port.Dim)))
		}
	}
}

func (e *avoidance) inside(origin int, path []core.Link) int {
	count := 0
	for _, l := range path[1:] {
		if e.in.Has(e.torus.Displacement(origin, int(l)%e.torus.N())) {
			count++
		}
	}
	return count
}
