package check

import (
	"context"
	"fmt"
	"iter"
	"math"
	"sync/atomic"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/results"
)

// What a check may take unless Options say otherwise. A step is one look at the
// link of a path, a count, a candidate or a literal, or a byte of memory set aside:
// some nanoseconds. The longest record of the atlas takes a third of what it may.
const (
	baseSteps    = 1 << 31 // for any file
	stepsPerByte = 1 << 10 // of the file, and of the file of a proof that it names
	headSteps    = 1 << 16 // more for each of the first headBytes bytes
	headBytes    = 1 << 16
)

// A meter counts the steps of one check and ends it at the most that it may take, or
// when the context ends. Every loop whose length a file decides charges it, and
// everything that a file makes large is charged before memory is taken for it.
//
// A meter belongs to one goroutine; its forks count together. How many steps a check
// takes depends on the file alone, not on the number of workers.
type meter struct {
	ctx     context.Context
	budget  *budget
	pending int64 // charged, and not counted together yet
}

// A budget is what the forks of a meter share.
type budget struct {
	most  atomic.Int64
	fixed bool // most does not grow
	used  atomic.Int64
	spent atomic.Bool // more was asked for than there was
	// Only tests change these: up to how many steps of one goroutine are counted
	// together at once, and what is called then.
	grain   int64
	charged func()
}

// meterGrain is the grain of every budget: well under a millisecond.
const meterGrain = 1 << 14

// newMeter returns a meter for a file of so many bytes, for so many steps if most
// is not 0.
func newMeter(ctx context.Context, bytes, most int64) *meter {
	m := &meter{ctx: ctx, budget: &budget{grain: meterGrain, fixed: most != 0}}
	if most == 0 {
		most = baseSteps + headSteps*min(bytes, headBytes)
	}
	m.budget.most.Store(most)
	m.grow(bytes)
	return m
}

// unmetered returns a meter that ends with the context only.
func unmetered(ctx context.Context) *meter {
	m := &meter{ctx: ctx, budget: &budget{grain: meterGrain, fixed: true}}
	m.budget.most.Store(math.MaxInt64)
	return m
}

// fork returns a meter for another goroutine.
func (m *meter) fork() *meter { return &meter{ctx: m.ctx, budget: m.budget} }

// grow allows the steps for so many bytes more that belong to what is checked.
func (m *meter) grow(bytes int64) {
	if !m.budget.fixed {
		m.budget.most.Add(stepsPerByte * min(max(bytes, 0), math.MaxInt64/4/stepsPerByte))
	}
}

// A StepsError says that a check would take more steps than it may.
type StepsError struct{ Most int64 }

// Error gives the limit and how to raise it.
func (e *StepsError) Error() string {
	return fmt.Sprintf("too large to be recomputed: it takes more than %d steps, the most for a file of this size (check --steps allows more)", e.Most)
}

// spend counts so many steps, which are to be taken now. It fails with a *StepsError
// when they are too many, and with the error of the context when that has ended.
func (m *meter) spend(steps int64) error {
	if m.pending += min(steps, math.MaxInt64/2); m.pending < m.budget.grain {
		return nil
	}
	return m.settle()
}

// settle counts what is pending.
func (m *meter) settle() error {
	steps := m.pending
	m.pending = 0
	if m.budget.charged != nil {
		m.budget.charged()
	}
	if err := m.ctx.Err(); err != nil {
		return err
	}
	most := m.budget.most.Load()
	if used := m.budget.used.Add(steps); used > most || used < 0 || m.budget.spent.Load() {
		m.budget.used.Add(-steps) // they are not taken
		m.budget.spent.Store(true)
		return &StepsError{most}
	}
	return nil
}

// left returns how many steps may still be taken.
func (m *meter) left() int64 {
	return max(0, m.budget.most.Load()-m.budget.used.Load()-m.pending)
}

// A halt unwinds a check that spent all it may, or whose context ended. It is caught
// by run, which every entry of this package and every worker starts with: the loops in
// between, many of them recursive, have nothing to clean up.
type halt struct{ err error }

// charge is spend for what runs under run: it does not return when the check ends.
func (m *meter) charge(steps int64) {
	if err := m.spend(steps); err != nil {
		panic(halt{err})
	}
}

// must ends the check if a fork has spent all, or the context has ended.
func (m *meter) must() {
	if err := m.settle(); err != nil {
		panic(halt{err})
	}
}

// chargeAll charges a product of counts, which may be beyond an int64.
func (m *meter) chargeAll(factors ...int) {
	product := int64(1)
	for _, f := range factors {
		if f = max(f, 0); f > 0 && product > math.MaxInt64/2/int64(f) {
			product = math.MaxInt64 / 2
			break
		}
		product *= int64(f)
	}
	m.charge(product)
}

// run calls f and returns what ended it early: a *StepsError or the error of the
// context, nil if nothing did.
func (m *meter) run(f func()) (err error) {
	defer func() {
		switch h := recover().(type) {
		case nil:
		case halt:
			err = h.err
		default:
			panic(h)
		}
	}()
	f()
	return m.settle()
}

// within is run for what returns a value or an error: that of the meter if it ended f.
func within[T any](m *meter, f func() (T, error)) (v T, err error) {
	if ended := m.run(func() { v, err = f() }); ended != nil {
		return v, ended
	}
	return v, err
}

// foreign runs what another package does in one piece, which is charged before. When
// the context ends meanwhile the check ends, and the piece is left to itself.
func (m *meter) foreign(steps int64, f func()) {
	m.charge(max(steps, meterGrain))
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		f()
	}()
	select {
	case p := <-done:
		if p != nil {
			panic(p)
		}
	case <-m.ctx.Done():
		panic(halt{m.ctx.Err()})
	}
}

// paths yields the paths of a pair and charges their links, and before that what the
// routing lists for itself.
func (m *meter) paths(r routing.Routing, from, to int, processors core.Set) iter.Seq[[]core.Link] {
	return func(yield func([]core.Link) bool) {
		m.chargePair(r, from, to)
		for path := range r.Paths(from, to, processors) {
			if m.charge(int64(len(path) + 1)); !yield(path) {
				return
			}
		}
	}
}

// chargePair charges what the routing lists for a pair before its first path: the
// orders of the dimensions in which it differs and, where the fewest processors inside
// decide, all paths.
func (m *meter) chargePair(r routing.Routing, from, to int) {
	t, differ := r.Torus(), 0
	for j := range t.D() {
		if t.Coord(from, j) != t.Coord(to, j) {
			differ++
		}
	}
	switch r := r.(type) {
	case *routing.Orders:
		if r.All() {
			m.charge(ordersListed(differ))
		} else {
			m.chargeAll(4, len(r.List()), t.D())
		}
	case *routing.Avoid:
		v := t.Displacement(from, to)
		m.chargeAll(int(ordersListed(differ)), 1<<ties(r, v), 1+t.LeeDistance(0, v)/max(1, differ))
	default:
		m.charge(int64(t.D()))
	}
}

// ordersListed returns what it takes to list all orders of so many dimensions; from 9 on
// that is memory.
func ordersListed(dims int) int64 {
	steps := int64(4 * max(1, dims))
	if dims > 8 {
		steps *= 8
	}
	for i := 2; i <= dims && steps < 1<<50; i++ {
		steps *= int64(i)
	}
	return steps
}

// chargeFlows charges the flows of all displacements.
func (m *meter) chargeFlows(r routing.Routing) {
	work := flowSteps(r)
	for v := 1; v < r.Torus().N(); v++ {
		m.charge(16 + work(v))
	}
}

// symmetryOf returns the group that preserves E_max under a routing. It is charged as
// one that is verified by all flows for each of its generators, and lists all points that
// package symmetry may list.
func (m *meter) symmetryOf(r routing.Routing) (group *symmetry.Group, err error) {
	m.chargeGroup(r)
	m.foreign(0, func() { group, err = symmetry.Of(r) })
	return group, err
}

// maxGroupPoints is the most points that package symmetry lists.
const maxGroupPoints = 50_000

func (m *meter) chargeGroup(r routing.Routing) {
	t := r.Torus()
	points := 1 // permutations and reflections
	for j := 0; j < t.D() && points < maxGroupPoints; j++ {
		points *= (j + 1) * min(2, t.Side(j)-1)
	}
	m.chargeAll(4, min(points, maxGroupPoints), t.N()+64)
	m.chargeFlows(r)
}

// readRouting returns the routing of a record.
func (m *meter) readRouting(record results.Record, t *core.Torus) (r routing.Routing, err error) {
	steps := int64(0)
	if record.Table != nil {
		n := int64(len(record.Nodes))
		steps = int64(t.N()) + n*n
	}
	m.foreign(steps, func() { r, err = record.ReadRouting(t) })
	return r, err
}
