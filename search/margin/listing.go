package margin

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// errTooMany says that more margins fit than are kept.
var errTooMany = errors.New("margin: too many margins")

// find lists the margins within the limit, at most most of them, in the order
// of the tree. It fails with errTooMany or with the error of the context.
func (s *side) find(ctx context.Context, most, workers int) error {
	l := &listing{side: s, ctx: ctx, most: int64(most), could: s.patterns()}
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
	most  int64        // margins
	could []pattern    // contents of a fullest line, nil if any will do
	next  atomic.Int64 // prefix that no worker has taken
	kept  atomic.Int64
}

// over reports whether the listing ends early.
func (l *listing) over() bool { return l.kept.Load() > l.most || l.ctx.Err() != nil }

// err returns why the listing is not complete, nil if it is.
func (l *listing) err() error {
	if l.kept.Load() > l.most {
		return errTooMany
	}
	return l.ctx.Err()
}
