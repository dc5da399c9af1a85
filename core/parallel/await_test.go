package parallel_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"leeway/core/parallel"
)

// TestAwait leaves work behind that does not end, and waits for work that does.
func TestAwait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun, release := make(chan bool), make(chan bool)
	defer close(release)
	go func() { <-begun; cancel() }()
	got, err := parallel.Await(ctx, 0, func() (int, error) { close(begun); <-release; return 1, nil })
	if !errors.Is(err, context.Canceled) || got != 0 {
		t.Errorf("endless work gives %d, %v", got, err)
	}
	got, err = parallel.Await(ctx, time.Hour, func() (int, error) { return 2, nil })
	if got != 2 || err != nil {
		t.Errorf("work that ends after the context gives %d, %v", got, err)
	}
}
