package fast

import (
	"math"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lanes"
	"leeway/objective/orders"
)

// recount is an Incremental that evaluates anew after changes, by a kernel: that of dimension orders on large tori,
// where this is cheaper than the flows of all pairs of one processor, or of routings whose loads depend on the
// placement.
type recount struct {
	in    core.Set
	stale bool
	count kernel
	nodes []int
	load  []int64
	changes
}

func newRecount(t *core.Torus, den int64, exact bool, count kernel) *recount {
	e := &recount{in: core.NewSet(t.N()), count: count, changes: changes{den: den, exact: exact}}
	e.empty = func() {
		clear(e.in)
		e.stale = true
	}
	e.put = func(v int, sign int64) {
		if e.stale = true; sign > 0 {
			e.in.Add(v)
		} else {
			e.in.Remove(v)
		}
	}
	e.empty()
	return e
}

// newCounted returns the evaluator of dimension orders on large tori, whose counter keeps the processors.
func newCounted(c *orders.Counter, t *core.Torus, den int64) *recount {
	e := newRecount(t, den, true, func(_ []int, w *core.Watch) ([]int64, error) { return c.Count(w) })
	e.empty = func() {
		_, _ = c.Loads(nil, nil) // no watch, no error
		e.stale = true
	}
	e.put = func(v int, sign int64) {
		c.Put(v, (sign+1)/2)
		e.stale = true
	}
	e.empty()
	return e
}

func (e *recount) TrySwap(out, in int) (int64, int) { return trySwap(e, out, in) }

func (e *recount) Peak() (int64, int) {
	if e.stale {
		e.nodes = e.in.AppendNodes(e.nodes[:0])
		e.load, _ = e.count(e.nodes, nil) // no watch, no error
		e.stale = false
	}
	return lanes.Most(e.load)
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

// guideUnits returns the denominator of guiding values of up to n processors.
func guideUnits(n int) int64 { return min(guideDen, math.MaxInt64/4/int64(max(1, n*n))) }

// newAvoidance evaluates avoid for up to n processors, by guiding values where exact ones do not fit.
func newAvoidance(r *routing.Avoid, n int) *recount {
	units := guideUnits(n)
	den := objective.Denominator(r)
	exact := den != nil && fits(den, n, 1)
	if exact {
		units = den.Int64()
	}
	return newRecount(r.Torus(), units, exact, newAvoidanceLoads(r, units).loads)
}

// newAvoidanceLoads counts loads in units of 1/den, shares rounded down.
func newAvoidanceLoads(r *routing.Avoid, den int64) *avoidance {
	t := r.Torus()
	return &avoidance{routing: r, torus: t, byPair: !routing.Invariant(r), den: den, in: core.NewSet(t.N()),
		load: make([]int64, t.M()), paths: make([][][][]core.Link, t.N())}
}

// listed returns how many links the lists of candidate paths of all pairs can have, at most.
func (e *avoidance) listed() float64 {
	if t := e.torus; !t.Separable() {
		links := 0.0
		for q := 1; q < t.N(); q++ {
			for path := range e.routing.Candidates().Paths(0, q, nil) {
				links += float64(len(path))
			}
		}
		return links
	}
	links, paths := 0, 1.0
	for j, k := range e.torus.Dims() {
		paths *= float64(j + 1)
		if e.torus.Open(j) {
			links += k - 1
			continue
		}
		links += k / 2
		if k > 2 && k%2 == 0 && e.routing.Tie() == routing.TieBoth {
			paths *= 2
		}
	}
	lists := float64(e.torus.N())
	if e.byPair {
		lists *= lists
	}
	return lists * paths * float64(links)
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

// loads is a kernel.
func (e *avoidance) loads(nodes []int, w *core.Watch) ([]int64, error) {
	clear(e.load)
	clear(e.in)
	for _, v := range nodes {
		e.in.Add(v)
	}
	for _, p := range nodes {
		for _, q := range nodes {
			if p == q {
				continue
			}
			paths, origin := e.candidates(p, q)
			if err := w.Err(2 * len(paths) * len(paths[0])); err != nil {
				return nil, err
			}
			e.addPair(paths, origin)
		}
	}
	return e.load, nil
}

// addPair adds the share of every candidate path with the fewest processors
// inside; origin is the node -p.
func (e *avoidance) addPair(paths [][]core.Link, origin int) {
	fewest, count := math.MaxInt, int64(0)
	for _, path := range paths {
		switch inside := e.processorsInside(origin, path); {
		case inside < fewest:
			fewest, count = inside, 1
		case inside == fewest:
			count++
		}
	}
	n := e.torus.N()
	for _, path := range paths {
		if e.processorsInside(origin, path) != fewest {
			continue
		}
		for _, l := range path {
			e.load[int(l)/n*n+e.torus.Displacement(origin, int(l)%n)] += e.den / (count * int64(e.torus.LinkBandwidth(l)))
		}
	}
}

func (e *avoidance) processorsInside(origin int, path []core.Link) int {
	count := 0
	for _, l := range path[1:] {
		if e.in.Has(e.torus.Displacement(origin, int(l)%e.torus.N())) {
			count++
		}
	}
	return count
}
