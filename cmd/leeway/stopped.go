package main

import (
	"context"
	"fmt"
	"time"
)

// grace is how long work may take to come to its own end after Ctrl-C.
const grace = time.Second

// A stoppedError says that a command was ended before it had a result.
type stoppedError struct{ what string }

func (e *stoppedError) Error() string { return fmt.Sprintf("stopped before %s known", e.what) }

// unlessStopped returns what work returns, or a *stoppedError about what, as in "the
// loads were", if ctx ends and work does not within wait. The work may be cut off
// anywhere then: it must not write.
func unlessStopped[T any](ctx context.Context, wait time.Duration, what string, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.value, o.err
	case <-time.After(wait):
		var none T
		return none, &stoppedError{what}
	}
}
