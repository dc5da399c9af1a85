package joint

import (
	"context"
	"math/rand/v2"
	"slices"
)

// How a walk goes.
const (
	memory    = 64      // steps that a step may be as bad as
	nearby    = 2       // one move in so many goes to a node next to some processor
	keepBest  = 4       // states of the best value that a walk hands back
	patience  = 1 << 13 // choices that a walk weighs, or up to 16 times as many
	lookEvery = 16      // steps between looks at the context
)

// A walk is a chain of states of one limit after the other: a move is taken when
// the excess after it is no larger than now, or than so many steps ago (late
// acceptance: Burke and Bykov 2017).
type walk struct {
	*state
	before *state
	random *rand.Rand
	past   [memory]int64
	step   int
	target int64   // nothing better is wanted
	share  float64 // of the way from the target to the best value at which the limit lies
	value  int64   // largest load of the best states
	best   []*state
}

// newWalk begins at a state.
func newWalk(start *state, target int64, share float64, random *rand.Rand) *walk {
	w := &walk{state: start, before: newState(start.tiling, start.nodes, 0), random: random, target: target, share: share, value: -1}
	w.keep()
	return w
}

// keep takes the state as one of the best if it is, and brings the limit down.
func (w *walk) keep() {
	value := w.most()
	switch {
	case w.value >= 0 && value > w.value:
		return
	case value == w.value && (len(w.best) == keepBest || slices.ContainsFunc(w.best, w.sameNodes)):
		return
	case value != w.value:
		w.value, w.best = value, nil
		w.aim()
	}
	kept := newState(w.tiling, w.nodes, 0)
	kept.copyFrom(w.state)
	w.best = append(w.best, kept)
}

// sameNodes reports whether a state has the processors of the walk.
func (w *walk) sameNodes(s *state) bool { return slices.Equal(s.taken, w.taken) }

// aim sets the limit for the best value.
func (w *walk) aim() {
	w.setLimit(w.target + int64(w.share*float64(max(w.value-1-w.target, 0))))
	for i := range w.past {
		w.past[i] = w.excess
	}
}

// run walks until the target is reached, the context ends, or so many sets are
// weighed and the step is over.
func (w *walk) run(ctx context.Context, quota int64) {
	for end := max(0, w.left-quota); w.left > end && w.value > w.target && (w.step%lookEvery != 0 || ctx.Err() == nil); w.step++ {
		w.before.copyFrom(w.state)
		if w.size < w.torus.N() {
			w.move(w.random.IntN(w.slots), w.destination(), w.random)
		}
		w.settle(w.random)
		w.left = max(0, w.left-1) // so that a walk without any choice ends too
		past := &w.past[w.step%memory]
		if w.excess <= w.before.excess || w.excess <= *past {
			w.keep()
		} else {
			w.copyFrom(w.before)
		}
		*past = w.excess
	}
}

// destination draws a free node: next to a processor, or any.
func (w *walk) destination() int {
	if w.random.IntN(nearby) == 0 {
		port := w.torus.Port(w.random.IntN(w.torus.Degree()))
		v := w.torus.Shift(w.nodes[w.random.IntN(w.slots)], port.Dim, int(port.Dir))
		if !w.taken[w.reps[v]] {
			return v
		}
	}
	for {
		if v := w.random.IntN(w.torus.N()); !w.taken[w.reps[v]] {
			return v
		}
	}
}
