package check

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"leeway/core/routing"
)

// What a check may take unless Options say otherwise. A step is one look at the
// link of a path, a count, a candidate or a literal, or a byte of memory set aside:
// some nanoseconds. The longest record of the atlas takes a quarter of baseSteps.
const (
	baseSteps    = 1 << 30 // for any file
	stepsPerByte = 1 << 14 // of the file, and of the file of a proof that it names
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
	m := unmetered(ctx)
	if most == 0 {
		most = baseSteps
		m.budget.most.Store(most)
		m.grow(bytes)
		return m
	}
	m.budget.most.Store(most)
	return m
}

// unmetered returns a meter that ends with the context only.
func unmetered(ctx context.Context) *meter {
	m := &meter{ctx: ctx, budget: &budget{grain: meterGrain}}
	m.budget.most.Store(math.MaxInt64)
	return m
}

// fork returns a meter for another goroutine.
func (m *meter) fork() *meter { return &meter{ctx: m.ctx, budget: m.budget} }

// grow allows the steps for so many bytes more that belong to what is checked.
func (m *meter) grow(bytes int64) {
	if most := m.budget.most.Load(); most < math.MaxInt64/2 {
		m.budget.most.Store(most + min(max(bytes, 0), math.MaxInt64/4/stepsPerByte)*stepsPerByte)
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

// chargeFlows charges the flows of all displacements.
func (m *meter) chargeFlows(r routing.Routing) {
	work := flowSteps(r)
	for v := 1; v < r.Torus().N(); v++ {
		m.charge(16 + work(v))
	}
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
