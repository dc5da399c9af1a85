package parallel

import (
	"context"
	"time"
)

// Await returns what work returns. If the context ends and work does not end within
// grace after that, it is left behind and the error is that of the context: work goes
// on until it looks at the context itself, and what it does in the meantime must do
// no harm.
func Await[T any](ctx context.Context, grace time.Duration, work func() (T, error)) (T, error) {
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
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case o := <-done:
		return o.value, o.err
	case <-late.C:
		var none T
		return none, ctx.Err()
	}
}
