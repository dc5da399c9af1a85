package parallel_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"leeway/core/parallel"
)

// TestEach: every number is called once, whatever the number of workers.
func TestEach(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 2, 5, 100} {
		for _, n := range []int{0, 1, 2, 7, 64} {
			calls := make([]atomic.Int32, n)
			parallel.Each(context.Background(), workers, n, func(i int) { calls[i].Add(1) })
			for i := range calls {
				if c := calls[i].Load(); c != 1 {
					t.Errorf("%d workers, n=%d: %d called %d times", workers, n, i, c)
				}
			}
		}
	}
}

// TestSideBySide: as many calls as there are workers run at a time, in the order of the
// numbers, and no more.
func TestSideBySide(t *testing.T) {
	const workers, n = 3, 9
	var mu sync.Mutex
	running, most := 0, 0
	arrived := make(chan int, n)
	release := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		parallel.Each(context.Background(), workers, n, func(i int) {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			arrived <- i
			<-release
			mu.Lock()
			running--
			mu.Unlock()
		})
	}()
	first := map[int]bool{}
	for range workers { // all of them before one goes on
		first[<-arrived] = true
	}
	if !first[0] || !first[1] || !first[2] {
		t.Errorf("began with %v", first)
	}
	close(release)
	<-done
	if most != workers {
		t.Errorf("%d at a time, want %d", most, workers)
	}
}

// TestEnd: no call begins after the context ended.
func TestEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	parallel.Each(ctx, 1, 10, func(i int) {
		calls++
		if i == 3 {
			cancel()
		}
	})
	if calls != 4 {
		t.Errorf("%d calls, want 4", calls)
	}
}

// TestWith: a state belongs to one goroutine and is never used by two at a time.
func TestWith(t *testing.T) {
	type state struct {
		worker int
		busy   atomic.Bool
		calls  int
	}
	var states []*state
	parallel.EachWithState(context.Background(), 4, 500, func(worker int) *state {
		states = append(states, &state{worker: worker})
		return states[worker]
	}, func(s *state, _ int) {
		if s.busy.Swap(true) {
			t.Errorf("worker %d is busy", s.worker)
		}
		s.calls++
		s.busy.Store(false)
	})
	sum := 0
	for i, s := range states {
		if s.worker != i {
			t.Errorf("state %d belongs to worker %d", i, s.worker)
		}
		sum += s.calls
	}
	if len(states) != 4 || sum != 500 {
		t.Errorf("%d states, %d calls", len(states), sum)
	}
}
