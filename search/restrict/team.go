package restrict

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"leeway/core/parallel"
)

const (
	walks    = 4       // side by side, whatever the number of workers
	round    = 1 << 14 // changes that a walk tries between two meetings
	maxStale = 12      // meetings without progress after which a walk starts anew
	takeBest = 4       // one in so many of these starts is from the best, shaken
	patience = 24      // new starts without progress after which a grain that is not the last is left
)

// shares says how far towards the target walks set their limits, in turn.
var shares = [...]float64{1, 0.5, 0, 0.25}

// A team is some walks under one model that meet after every round.
type team struct {
	*model
	starts      [][][]bool // the best first
	target      int64
	walks       []*walk
	stale       []int   // by walk: rounds without progress
	record      []int64 // by walk: its best since it started
	random      *rand.Rand
	best        [][]bool
	value       int64
	evaluations int64
	rounds      int
	renewed     int // new starts since the last progress
}

// newTeam orders the starts and sets the walks off from them.
func newTeam(m *model, starts [][][]bool, seed uint64, target int64) *team {
	t := &team{model: m, starts: starts, target: target, random: rand.New(rand.NewPCG(seed, walks)), stale: make([]int, walks), record: make([]int64, walks)}
	slices.SortStableFunc(t.starts, func(a, b [][]bool) int { return cmp.Compare(newState(m, a).max(), newState(m, b).max()) })
	for i := range walks {
		w := newWalk(m, t.starts[i%len(starts)], seed, uint64(i))
		t.walks, t.record[i] = append(t.walks, w), w.value
	}
	t.meet()
	return t
}

// choice reports whether there is anything to choose.
func (t *team) choice() bool {
	return slices.ContainsFunc(t.items, func(it item) bool { return len(it.blocks) > 1 })
}

// run walks in rounds until the target is reached, the evaluations, unless 0, are
// spent, the context ends or patience does, new starts without progress, and calls
// met after every round.
func (t *team) run(ctx context.Context, evaluations int64, workers, patience int, met func()) {
	met()
	for t.choice() && t.value > t.target && ctx.Err() == nil && t.renewed < patience {
		quota, over := int64(walks*round), int64(maxTried)
		if evaluations > 0 {
			if t.evaluations >= evaluations {
				return
			}
			if left := evaluations - t.evaluations; left < quota+walks*over {
				quota, over = min(quota, left), 0 // the last rounds
			}
		}
		t.walk(ctx, quota, over, workers)
		t.meet()
		t.renew()
		met()
	}
}

// walk lets the walks try so many changes, an equal number each, and end their last
// step with so many over.
func (t *team) walk(ctx context.Context, quota, over int64, workers int) {
	tried := make([]int64, walks)
	parallel.Each(context.Background(), workers, walks, func(i int) { // a walk that begins after the end finds that out
		own := quota*int64(i+1)/walks - quota*int64(i)/walks
		tried[i] = t.walks[i].run(ctx, t.target, own, over, shares[(t.rounds+i)%len(shares)])
	})
	for _, n := range tried {
		t.evaluations += n
	}
	t.rounds++
}

// meet takes the best of all walks, the first among equals.
func (t *team) meet() {
	for i, w := range t.walks {
		if t.best == nil || w.value < t.value {
			t.value, t.renewed = w.value, 0
			t.best = make([][]bool, len(w.best))
			for k, c := range w.best {
				t.best[k] = slices.Clone(c)
			}
		}
		t.stale[i]++
		if w.value < t.record[i] {
			t.stale[i], t.record[i] = 0, w.value
		}
	}
}

// renew sets walks without progress off again: from the best or a start, shaken.
func (t *team) renew() {
	for i, w := range t.walks {
		if t.stale[i] < maxStale+i {
			continue
		}
		from := t.best
		if t.random.IntN(takeBest) == 0 {
			from = t.starts[t.random.IntN(len(t.starts))]
		}
		w.enter(t.model, t.shaken(from, t.random))
		t.renewed++
		t.stale[i], t.record[i] = 0, w.value
	}
}
