package restrict

import (
	"context"
	"math/rand/v2"
	"slices"
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
