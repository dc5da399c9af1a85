package main

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestUnlessStopped stops work that does not end and work that does.
func TestUnlessStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun, release := make(chan bool), make(chan bool)
	defer close(release)
	go func() { <-begun; cancel() }()
	_, err := unlessStopped(ctx, time.Millisecond, "the loads were", func() (int, error) { close(begun); <-release; return 1, nil })
	var stopped *stoppedError
	if !errors.As(err, &stopped) || err.Error() != "stopped before the loads were known" || statusOf(err) != 1 {
		t.Errorf("endless work ends with %v", err)
	}
	got, err := unlessStopped(ctx, time.Hour, "it was", func() (int, error) { return 2, nil })
	if got != 2 || err != nil {
		t.Errorf("work that ends after the stop returned %d, %v", got, err)
	}
}
