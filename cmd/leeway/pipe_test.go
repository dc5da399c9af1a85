//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNobodyReads: Ctrl-C ends a command that writes what nobody reads, to a pipe that nobody opens
// or to one that is full.
func TestNobodyReads(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, args := range []string{
		"search --torus 4x4 --size 4 --routing odr --evaluations 50 --out ",
		"draw --torus 4x4 --placement linear --routing odr --format svg --out ",
		"exchange --torus 4x4 --ranks ",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var stdout, stderr bytes.Buffer
		status := make(chan int)
		go func() { status <- run(ctx, strings.Fields(args+pipe), strings.NewReader(""), &stdout, &stderr) }()
		cancel()
		if s := <-status; s != 1 || !strings.Contains(stderr.String(), "leeway: ") {
			t.Errorf("%s: status %d\n%s", args, s, stderr.String())
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := &output{to: w, stop: ctx}
	failed := make(chan error)
	go func() {
		_, err := o.raw(make([]byte, 1<<22))
		failed <- err
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
