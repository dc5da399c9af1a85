package joint

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/parallel"
	"leeway/objective"
	"leeway/search"
	"leeway/search/portfolio"
)

// How the work of an round is dealt out.
const (
	streams     = 4       // chains and tables side by side, whatever the number of workers
	firstWork   = 1 << 17 // choices of the first round; half as many again in each after
	mostWork    = 1 << 26
	finderPart  = 4                // one in this many parts of a turn goes to the finders
	feederTime  = 20 * time.Second // at most, without a budget of evaluations
	firstPart   = 4                // one in this many parts of what is left goes to either of the first looks at tables
	streamKeeps = 6                // states that a stream hands back
)

// depths say how far from the target the limits of a stream's chains lie.
var depths = [streams]float64{1, 0.5, 0, 0.75}

// round does the next part of the work.
func (r *run) round(ctx context.Context) error {
	work := r.work()
	if !r.method.TablesOnly && r.rounds > 1 { // first every placement of the finders gets its table
		chains := work / 2
		if r.pool.pick(r.best.Value, 1) == nil {
			chains = work
		}
		r.runChains(ctx, chains)
		work -= chains
	}
	if !r.done() && ctx.Err() == nil {
		if err := r.refine(ctx, work); err != nil {
			return err
		}
	}
	r.rounds++
	r.report(false)
	return nil
}

// work returns the choices that the next round may weigh.
func (r *run) work() int64 {
	work := int64(firstWork)
	for e := 0; e < r.rounds && work < mostWork; e++ {
		work += work / 2
	}
	left := r.left()
	switch {
	case r.rounds < 2:
		return min(work, max(1, left/firstPart))
	case left < 2*work:
		return left
	}
	return work
}

// left returns the evaluations that may still be made.
func (r *run) left() int64 {
	if r.Evaluations == 0 {
		return math.MaxInt64
	}
	return r.Evaluations - r.evaluations
}

// feed lets the finders look for placements under all paths, for a part of the turn.
func (r *run) feed(ctx context.Context) error {
	problem := r.Problem.Given()
	methods := search.Supporting(r.method.Finders, problem)
	if r.finding = r.finding && len(methods) > 0; !r.finding || r.done() || r.left() < 1 {
		return nil
	}
	p := search.Params{Problem: problem, Goal: r.Goal, Seed: r.Seed, Workers: r.Workers, Starts: r.Starts}
	o := portfolio.Options{Resume: r.finderState}
	limited := ctx
	if r.finderState != nil {
		p.Seed = r.finderState.Seed
	}
	if r.Evaluations > 0 {
		p.Evaluations = max(1, r.left()/finderPart)
		if r.finderState != nil {
			p.Evaluations += r.finderState.Evaluations
		}
	} else {
		limit := feederTime
		if deadline, ok := ctx.Deadline(); ok {
			limit = min(limit, time.Until(deadline)/finderPart)
		}
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	before := int64(0)
	if r.finderState != nil {
		before = r.finderState.Evaluations
	}
	out, err := portfolio.Run(limited, methods, p, o)
	r.evaluations += out.Evaluations - before
	if err != nil {
		return err
	}
	r.finderState, r.finding = &out.State, out.Reason == search.Stopped || out.Reason == search.Spent
	for _, e := range out.State.Archive {
		if ctx.Err() != nil {
			break
		}
		r.consider(core.MustPlacement(r.torus, e.Nodes), e.Method)
	}
	return nil
}

// random returns the generator of a stream in this round.
func (r *run) random(stream int) *rand.Rand {
	return rand.New(rand.NewPCG(r.Seed, search.Hash(search.Hash(0, r.rounds), stream)))
}

// runChains lets the streams run and takes what they found.
func (r *run) runChains(ctx context.Context, work int64) {
	var ends [streams][]*state
	var tried [streams]int64
	parallel.Each(context.Background(), r.Workers, streams, func(stream int) {
		own := work*int64(stream+1)/streams - work*int64(stream)/streams
		ends[stream], tried[stream] = r.stream(ctx, stream, own)
	})
	for stream := range streams {
		r.evaluations += tried[stream]
	}
	for stream := range streams {
		for _, s := range ends[stream] {
			if ctx.Err() != nil && !(search.Found{Value: big.NewRat(s.most(), s.unit)}).IsBelow(r.best.Value) {
				continue // the end is not to wait for the pool
			}
			r.take(s.found(Name))
		}
	}
}

// stream makes chains one after the other until a given number of choices are weighed, and
// returns the best states of all, with the choices.
func (r *run) stream(ctx context.Context, stream int, work int64) (best []*state, tried int64) {
	random, left := r.random(stream), work
	for left > 0 && ctx.Err() == nil {
		w := newChain(r.start(left, random), r.target(), depths[stream], random)
		w.run(ctx, patience<<(random.IntN(2)*random.IntN(5)))
		left = w.left
		best = append(best, w.best...)
		slices.SortStableFunc(best, func(a, b *state) int { return cmp.Compare(a.most(), b.most()) })
		best = best[:min(len(best), streamKeeps)]
		if w.value <= w.target {
			break
		}
	}
	return best, work - left
}

// start returns a state for a chain to start from: one in three is of the pool, the good ones rather, and keeps about
// half of its symmetry or none; the others are new, of a lattice drawn.
func (r *run) start(left int64, random *rand.Rand) *state {
	if n := len(r.pool.list); random.IntN(3) == 0 && n > 0 {
		p := r.pool.list[min(random.IntN(n), random.IntN(n))].Placement
		l := periodOf(p)
		if random.IntN(2) == 0 {
			l = family.Span(r.torus)
		}
		return r.stateOf(p, l, left, random)
	}
	t := r.tilings.draw(r.instance, random)
	var free []int
	for v, rep := range t.reps {
		if int(rep) == v && t.open(v) && !slices.Contains(t.fixed, v) {
			free = append(free, v)
		}
	}
	random.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	s := newState(t, slices.Concat(t.fixed, free)[:t.slots], left)
	s.setLimit(r.target())
	s.routeAll(random)
	return s
}

// target returns the goal in units, rounded up.
func (r *run) target() int64 {
	if r.Goal == nil {
		return 0
	}
	return objective.NumeratorUp(r.Goal, big.NewInt(r.unit)).Int64()
}
