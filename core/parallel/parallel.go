// Package parallel shares work out among goroutines.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

// Each calls f with 0, 1, ... n-1, each once, on a given number of goroutines side by side, at least
// one and at most n. Calls begin in this order; once the context ends no further one
// begins. Each returns when all calls have.
func Each(ctx context.Context, workers, n int, f func(i int)) {
	EachWithState(ctx, workers, n, func(int) struct{} { return struct{}{} }, func(_ struct{}, i int) { f(i) })
}

// EachWithState does what Each does and gives every goroutine a state of its own, as an evaluator
// with its buffers: own is called with the number of each goroutine, 0 first, by the caller's
// goroutine.
func EachWithState[S any](ctx context.Context, workers, n int, own func(worker int) S, f func(s S, i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for worker := range max(1, min(workers, n)) {
		s := own(worker)
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				f(s, i)
				Pause()
			}
		})
	}
	all.Wait()
}
