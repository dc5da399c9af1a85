package margin

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// errTooMany says that more margins fit than are kept, errTooLong that listing them
// takes more steps than are allowed.
var (
	errTooMany = errors.New("margin: too many margins")
	errTooLong = errors.New("margin: too many steps")
)

// bounds say how far a listing goes: how many margins are kept, how many steps are
// taken, 0 for any number.
type bounds struct{ kept, steps int64 }

// find lists the margins within the limit in the order of the tree. It fails with
// errTooMany, errTooLong or the error of the context.
func (s *side) find(ctx context.Context, most bounds, workers int) error {
	l := &listing{side: s, ctx: ctx, most: most, could: s.patterns()}
	var all sync.WaitGroup
	var mu sync.Mutex
	var frames []frame
	for range max(1, workers) {
		all.Go(func() {
			c := newCounting(l)
			c.fill(0, 1, s.n, 0)
			mu.Lock()
			defer mu.Unlock()
			frames = append(frames, c.found...)
		})
	}
	all.Wait()
	if err := l.err(); err != nil {
		return err
	}
	slices.SortFunc(frames, order)
	s.keep(frames)
	return nil
}

// A listing is what the workers that list margins share.
type listing struct {
	*side
	ctx   context.Context
	most  bounds
	could []pattern    // contents of a fullest line, nil if any will do
	next  atomic.Int64 // prefix that no worker has taken
	kept  atomic.Int64
	steps atomic.Int64 // of all workers, now and then brought up to date
}

// over reports whether the listing ends early.
func (l *listing) over() bool { return l.err() != nil }

// err returns why the listing is not complete, nil if it is.
func (l *listing) err() error {
	switch {
	case l.kept.Load() > l.most.kept:
		return errTooMany
	case l.most.steps > 0 && l.steps.Load() > l.most.steps:
		return errTooLong
	}
	return l.ctx.Err()
}
