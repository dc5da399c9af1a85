package atlas

import (
	"context"
	"sync"
	"sync/atomic"
)

// parallel calls work with 0 to count-1 in turn, by so many workers, until the context
// ends.
func parallel(ctx context.Context, workers, count int, work func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(max(1, workers), count) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < count && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				work(i)
			}
		})
	}
	all.Wait()
}
