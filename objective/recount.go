package objective

import (
	"math"

	"leeway/core"
	"leeway/core/routing"
)

// recount evaluates avoid anew after every change, pair by pair over candidate
// paths tabled by displacement.
type recount struct {
	routing *routing.Avoid
	torus   *core.Torus
	den     int64
	exact   bool
	paths   [][][]core.Link // by displacement: candidate paths from node 0, once they were needed
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
	return e
}

// candidates returns the candidate paths from node 0 to another, listed when they are first
// asked for.
func (e *recount) candidates(q int) [][]core.Link {
	if e.paths[q] == nil {
		for path := range e.routing.Candidates().Paths(0, q, nil) {
			e.paths[q] = append(e.paths[q], append([]core.Link(nil), path...))
		}
	}
	return e.paths[q]
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
				e.addPair(origin, e.candidates(e.torus.Displacement(p, q)))
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
