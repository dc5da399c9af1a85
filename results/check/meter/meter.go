// Package meter counts the steps of a check, so that no file of a few hundred bytes keeps it busy for hours: everything
// whose length a file decides is charged to a Meter, which ends the check at its limit or with its context. It also
// knows what listing the paths of a pair costs.
package meter

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"math/big"
	"runtime"
	"sync"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
)

// Limits are what a check may take; 0 stands for the default. A step is one look at the link of a path, a count, a
// candidate or a literal, or a byte of memory set aside: one to some nanoseconds.
type Limits struct {
	Steps int64
	// Memory is how many bytes the program may hold while it checks, whatever it holds them for.
	Memory int64
}

// The default limits: about a minute of work of one core, whatever the size of the file.
const (
	DefaultSteps  = 10_000_000_000
	DefaultMemory = 4 << 30
)

// None is the limit that nothing exceeds.
const None = math.MaxInt64

// A Meter counts the steps of one check and ends it at the most that it may take, or when the context ends. Every loop
// whose length a file decides charges it, and everything that a file makes large is charged before memory is taken for
// it.
//
// A meter belongs to one goroutine at a time. How many steps a check takes depends on the file alone, not on the number
// of workers.
type Meter struct {
	ctx     context.Context
	limits  Limits
	kept    *Kept       // nil: nothing is
	grain   int64       // how many steps are pending at most
	pending int64       // charged, and not counted yet
	used    int64       // counted
	looked  int64       // used when the memory was looked at last, in units of lookEvery
	over    *LimitError // that has ended it
}

// Kept keeps what checks find that others need again, by name: the cells of an atlas share groups of routings, loads of
// pairs, and proofs that stand for larger sizes too. It may be used by many at once.
type Kept struct {
	mu   sync.Mutex
	list map[string]kept
}

// A kept is something found, and in how many steps.
type kept struct {
	found any
	steps int64
}

// Keep has the meter take what Once finds from what is kept, and keep its own there.
func (m *Meter) Keep(k *Kept) { m.kept = k }

// Once returns what find does, without a call of it if it is kept under the name, which must say all that it depends
// on. It charges the same in both cases.
func Once[T any](m *Meter, name string, find func() T) T {
	if m.kept == nil {
		return find()
	}
	m.kept.mu.Lock()
	have, ok := m.kept.list[name]
	m.kept.mu.Unlock()
	if ok {
		m.Charge(have.steps)
		return have.found.(T)
	}
	m.Must()
	before := m.Steps()
	found := find()
	m.Must()
	m.kept.mu.Lock()
	defer m.kept.mu.Unlock()
	if m.kept.list == nil {
		m.kept.list = map[string]kept{}
	}
	m.kept.list[name] = kept{found, m.Steps() - before}
	return found
}

// OncePer is Once for what depends on a routing only. What is found of a table, whose name says nothing, is not kept.
func OncePer[T any](m *Meter, what string, r routing.Routing, find func() T) T {
	if routing.Tabled(r) {
		return find()
	}
	return Once(m, what+" "+r.Torus().String()+" "+r.String(), find)
}

// Grain is the largest grain: well under a millisecond. That of a small limit is 1/2^17 of it, so that little is left
// when it is spent.
const Grain = 1 << 14

// New returns a meter with limits.
func New(ctx context.Context, l Limits) *Meter {
	l = Limits{cmp.Or(l.Steps, DefaultSteps), cmp.Or(l.Memory, DefaultMemory)}
	return &Meter{ctx: ctx, limits: l, grain: max(1, min(Grain, l.Steps>>17)), looked: -1}
}

// Unlimited returns a meter that ends with the context only.
func Unlimited(ctx context.Context) *Meter { return New(ctx, Limits{None, None}) }

// A LimitError says that a check ended undecided: it would take more than it may.
type LimitError struct {
	What string // it takes more of, as in "100 steps"
	Flag string // of the command line that allows more, "" if none does
}

// Error gives the limit and how to raise it.
func (e *LimitError) Error() string {
	text := "not checked: it takes more than " + e.What
	if e.Flag != "" {
		text += "; " + e.Flag + " allows more"
	}
	return text
}

// Spend counts steps that are to be taken now. It fails with a *LimitError when they are too many or the
// memory is over its limit, and with the error of the context when that has ended.
func (m *Meter) Spend(steps int64) error {
	if m.pending += min(steps, math.MaxInt64/2); m.pending < m.grain {
		return nil
	}
	return m.Settle()
}

// Settle counts what is pending.
func (m *Meter) Settle() error {
	steps := m.pending
	m.pending = 0
	if err := m.ctx.Err(); err != nil {
		return err
	}
	if m.over != nil {
		return m.over
	}
	used := m.used + steps
	if used > m.limits.Steps || used < 0 {
		m.over = &LimitError{fmt.Sprintf("%d steps", m.limits.Steps), "--steps"}
	} else if at := used / lookEvery; m.limits.Memory < None && m.looked != at {
		if m.looked = at; holdsMore(m.limits.Memory) {
			m.over = &LimitError{Bytes(m.limits.Memory) + " of memory", "--memory"}
		}
	}
	if m.over != nil { // they are not taken
		return m.over
	}
	m.used = used
	return nil
}

// Bytes returns a number of bytes in the largest of the units GiB, MiB and bytes of which it is a whole number.
func Bytes(n int64) string {
	switch {
	case n%(1<<30) == 0:
		return fmt.Sprintf("%dGiB", n>>30)
	case n%(1<<20) == 0:
		return fmt.Sprintf("%dMiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// lookEvery is after how many steps the memory is looked at again; a step takes about a byte at most.
const lookEvery = 1 << 24

// holdsMore reports whether the program holds more bytes than a limit, without garbage.
func holdsMore(limit int64) bool {
	held := func() int64 {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		return int64(now.HeapAlloc)
	}
	if held() <= limit {
		return false
	}
	runtime.GC()
	return held() > limit
}

// Left returns how many steps may still be taken.
func (m *Meter) Left() int64 { return max(0, m.limits.Steps-m.used-m.pending) }

// Need ends the check at once, as Charge does, if that number of steps is more than is left. It charges none: it is for
// work of which the size is known before it begins.
func (m *Meter) Need(steps int64) {
	if left := m.Left(); steps > left {
		m.Charge(left + 1)
		m.Must()
	}
}

// A halt unwinds a check that spent all it may, or whose context ended. It is caught by run, which every entry of this
// package and every worker starts with: the loops in between, many of them recursive, have nothing to clean up.
type halt struct{ err error }

// Charge is spend for what runs under run: it does not return when the check ends.
func (m *Meter) Charge(steps int64) {
	if err := m.Spend(steps); err != nil {
		panic(halt{err})
	}
}

// Steps returns how many steps were taken, but for the pending ones of this and other goroutines.
func (m *Meter) Steps() int64 { return m.used }

// Err returns the error of the context, nil while it lasts.
func (m *Meter) Err() error { return m.ctx.Err() }

// Context returns the context, for what another package does while it is checked.
func (m *Meter) Context() context.Context { return m.ctx }

// End ends the check with the error of something that was told to spend.
func (m *Meter) End(err error) { panic(halt{err}) }

// Reader returns a reader that fails when the context ends. What one read brings is dealt with in well under a second.
func (m *Meter) Reader(r io.Reader) io.Reader { return contextReader{m.ctx, r} }

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// Must ends the check if it has spent all, or the context has ended.
func (m *Meter) Must() {
	if err := m.Settle(); err != nil {
		panic(halt{err})
	}
}

// ChargeAll charges a product of counts, which may be beyond an int64.
func (m *Meter) ChargeAll(factors ...int) {
	product := int64(1)
	for _, f := range factors {
		if f = max(f, 0); f > 0 && product > math.MaxInt64/2/int64(f) {
			product = math.MaxInt64 / 2
			break
		}
		product *= int64(f)
	}
	m.Charge(product)
}

// Run calls f and returns what ended it early: a *LimitError or the error of the context, nil if nothing did.
func (m *Meter) Run(f func()) (err error) {
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
	return m.Settle()
}

// Foreign runs what another package does in one piece, which is charged before. When the context ends meanwhile the
// check ends, and the piece is left to itself.
func (m *Meter) Foreign(steps int64, f func()) {
	m.Charge(max(steps, Grain))
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

// MaxLoad returns E_max of a placement from all paths, and charges their links.
func (m *Meter) MaxLoad(q objective.Problem, p core.Placement) *big.Rat {
	loads, err := q.NaiveWithin(func(links int64) error { return m.Spend(1 + 2*links) }, p)
	if err != nil {
		m.End(err)
	}
	most, _ := loads.Max()
	return most
}

// Paths yields the paths of a pair and charges their links, and before that what the routing lists for itself.
func (m *Meter) Paths(r routing.Routing, from, to int, processors core.Set) iter.Seq2[[]core.Link, int64] {
	return func(yield func([]core.Link, int64) bool) {
		m.chargePair(r, from, to)
		for path, weight := range r.Paths(from, to, processors) {
			if m.Charge(int64(len(path) + 1)); !yield(path, weight) {
				return
			}
		}
	}
}

// chargePair charges what the routing lists for a pair before its first path: the orders of the dimensions in which it
// differs and, where the fewest processors inside decide, all paths.
func (m *Meter) chargePair(r routing.Routing, from, to int) {
	t := r.Torus()
	if !t.HasDimensions() {
		m.Charge(int64(t.Links()))
		return
	}
	v := Apart(t, from, to)
	ways := Ways(r, v)
	differ := moving(ways[0])
	for _, steps := range ways[1:] {
		differ = max(differ, moving(steps))
	}
	switch r := r.(type) {
	case *routing.Orders:
		if r.All() {
			m.Charge(ordersListed(differ))
		} else {
			m.ChargeAll(4, len(r.List()), t.D())
		}
	case *routing.Avoid:
		m.ChargeAll(int(ordersListed(differ)), len(ways), 1+t.LeeDistance(0, v)/max(1, differ))
	default:
		m.Charge(int64(t.D()))
	}
}

// ordersListed returns what it takes to list all orders of a number of dimensions; from 9 on that is memory.
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

// ChargeFlows charges the flows of all displacements, from a number of nodes.
func (m *Meter) ChargeFlows(r routing.Routing, from int) {
	work := FlowSteps(r)
	if t := r.Torus(); !t.HasDimensions() {
		m.ChargeAll(t.N(), t.N(), t.Links())
		return
	}
	for v := 1; v < r.Torus().N(); v++ {
		m.Charge(int64(from) * (16 + work(v)))
	}
}

// ReadRouting returns the routing of a record.
func (m *Meter) ReadRouting(record results.Record, t *core.Torus) (r routing.Routing, err error) {
	steps := int64(0)
	if record.Table != nil {
		n := int64(len(record.Nodes))
		steps = int64(t.N()) + n*n
	}
	m.Foreign(steps, func() { r, err = record.ReadRouting(t) })
	return r, err
}
