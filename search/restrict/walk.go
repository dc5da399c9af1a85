package restrict

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"leeway/core/parallel"
)

const (
	fewAbove  = 64      // classes above the limit up to which every step looks for a new best
	maxTried  = 96      // changes of an item that are tried at a time
	drift     = 64      // one in so many steps is taken although it makes things worse
	stillFor  = 8       // steps, at most, for which an item is left alone after a change
	lookEvery = 1 << 10 // steps between looks at the context
)

// A walk is one chain of changes under a model, with the best state it has seen.
type walk struct {
	*state
	random *rand.Rand
	best   [][]bool
	value  int64 // largest load of best
	until  []int64
	step   int64
	list   []change
}

func newWalk(m *model, start [][]bool, seed, stream uint64) *walk {
	w := &walk{random: rand.New(rand.NewPCG(seed, stream)), until: make([]int64, len(m.items))}
	w.enter(m, start)
	return w
}

// enter goes on from other blocks.
func (w *walk) enter(m *model, start [][]bool) {
	w.state = newState(m, start)
	w.best, w.value = nil, 0
	w.keep()
}

// keep takes the state as the best if it is.
func (w *walk) keep() {
	value := w.max()
	if w.best != nil && value >= w.value {
		return
	}
	w.value = value
	if w.best == nil {
		w.best = w.every(func(int) bool { return false })
	}
	for i, c := range w.chosen {
		copy(w.best[i], c)
	}
}

// run walks until target is reached, the given number of changes are tried or the
// context ends, and returns how many were tried; the last step may try so many over. Its limit lies between
// target and what it has: share 0 aims at the target itself, 1 at the next
// smaller load.
func (w *walk) run(ctx context.Context, target, evaluations, over int64, share float64) int64 {
	tried := int64(0)
	aim := func() { w.setLimit(target + int64(share*float64(w.value-1-target))) }
	for aim(); tried < evaluations && w.value > target; w.step++ {
		if w.step%lookEvery == 0 && ctx.Err() != nil {
			break
		}
		if len(w.above) == 0 { // the largest load is at most the limit
			w.keep()
			aim()
			continue
		}
		tried += w.once(evaluations + over - tried)
		if len(w.above) <= fewAbove || w.step%16 == 0 {
			w.keepIfLower()
		}
	}
	return tried
}

// keepIfLower is keep, which first looks at the classes above the limit only.
func (w *walk) keepIfLower() {
	for _, c := range w.above {
		if w.loads[c] >= w.value {
			return
		}
	}
	if len(w.above) > 0 {
		w.keep()
	}
}

// once makes one step and returns how many changes it tried, at least 1 and at
// most so many.
func (w *walk) once(most int64) int64 {
	c := w.above[w.random.IntN(len(w.above))]
	i, ok := w.crosser(c)
	if !ok {
		return 1
	}
	w.list = w.changes(w.list[:0], i)
	n := int(min(int64(len(w.list)), maxTried, most))
	var best change
	gained, ties := int64(0), 0
	for k := range n {
		if n < len(w.list) {
			other := k + w.random.IntN(len(w.list)-k)
			w.list[k], w.list[other] = w.list[other], w.list[k]
		}
		switch gain := w.gain(w.list[k]); {
		case ties == 0 || gain > gained:
			best, gained, ties = w.list[k], gain, 1
		case gain == gained:
			if ties++; w.random.IntN(ties) == 0 {
				best = w.list[k]
			}
		}
	}
	switch {
	case ties == 0:
		return 1
	case gained >= 0 || w.random.IntN(drift) == 0:
		w.apply(best)
		w.until[i] = w.step + int64(w.random.IntN(min(stillFor, 1+len(w.items)/4)))
	}
	return int64(n)
}

// crosser draws an item that now crosses a class and may be changed.
func (w *walk) crosser(c int32) (int, bool) {
	list := w.crossing[c]
	for range min(2*len(list), 64) {
		i := int(list[w.random.IntN(len(list))])
		at, _ := slices.BinarySearch(w.items[i].classes, c)
		if w.sums[i][at] > 0 && len(w.items[i].blocks) > 1 && w.until[i] <= w.step {
			return i, true
		}
	}
	return 0, false
}

const (
	walkCount = 4       // side by side, whatever the number of workers
	round     = 1 << 14 // changes that a walk tries between two meetings
	maxStale  = 12      // meetings without progress after which a walk starts anew
	takeBest  = 4       // one in so many of these starts is from the best, shaken
	patience  = 24      // new starts without progress after which a coarsening that is not the last is left
)

// shares says how far towards the target walks set their limits, in turn.
var shares = [...]float64{1, 0.5, 0, 0.25}

// walks are some walks under one model that meet after every round.
type walks struct {
	*model
	starts      [][][]bool // the best first
	target      int64
	each        []*walk
	stale       []int   // by walk: rounds without progress
	record      []int64 // by walk: its best since it started
	random      *rand.Rand
	best        [][]bool
	value       int64
	evaluations int64
	rounds      int
	renewed     int // new starts since the last progress
}

// newWalks orders the starts and sets the walks off from them.
func newWalks(m *model, starts [][][]bool, seed uint64, target int64) *walks {
	t := &walks{model: m, starts: starts, target: target, random: rand.New(rand.NewPCG(seed, walkCount)),
		stale: make([]int, walkCount), record: make([]int64, walkCount)}
	slices.SortStableFunc(t.starts, func(a, b [][]bool) int {
		return cmp.Compare(newState(m, a).max(),
			newState(m, b).max())
	})
	for i := range walkCount {
		w := newWalk(m, t.starts[i%len(starts)], seed, uint64(i))
		t.each, t.record[i] = append(t.each, w), w.value
	}
	t.meet()
	return t
}

// choice reports whether there is anything to choose.
func (t *walks) choice() bool {
	return slices.ContainsFunc(t.items, func(it item) bool { return len(it.blocks) > 1 })
}

// run walks in rounds until the target is reached, the evaluations, unless 0, are
// spent, the context ends or patience does, new starts without progress, and calls
// met after every round.
func (t *walks) run(ctx context.Context, evaluations int64, workers, patience int, met func()) {
	met()
	for t.choice() && t.value > t.target && ctx.Err() == nil && t.renewed < patience {
		quota, over := int64(walkCount*round), int64(maxTried)
		if evaluations > 0 {
			if t.evaluations >= evaluations {
				return
			}
			if left := evaluations - t.evaluations; left < quota+walkCount*over {
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
func (t *walks) walk(ctx context.Context, quota, over int64, workers int) {
	tried := make([]int64, walkCount)
	parallel.Each(context.Background(), workers, walkCount,
		func(i int) { // a walk that begins after the end finds that out
			own := quota*int64(i+1)/walkCount - quota*int64(i)/walkCount
			tried[i] = t.each[i].run(ctx, t.target, own, over, shares[(t.rounds+i)%len(shares)])
		})
	for _, n := range tried {
		t.evaluations += n
	}
	t.rounds++
}

// meet takes the best of all walks, the first among equals.
func (t *walks) meet() {
	for i, w := range t.each {
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
func (t *walks) renew() {
	for i, w := range t.each {
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
