package cli

import (
	"context"
	"errors"
	"os"
	"testing"
)

// TestNobodyReads: the end of the context ends a write to a pipe from which nobody reads on.
func TestNobodyReads(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := &Output{to: w, stop: ctx}
	failed := make(chan error)
	go func() {
		failed <- o.WriteRaw(make([]byte, 1<<22))
	}()
	if _, err := r.Read(make([]byte, 1)); err != nil { // it is being written
		t.Fatal(err)
	}
	cancel()
	if err := <-failed; !errors.Is(err, errUnread) {
		t.Errorf("a full pipe: %v", err)
	}
	r.Close() // the writer that was left behind ends
	w.Close()
}
