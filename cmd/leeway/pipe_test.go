//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"leeway/core/coretest"
)

// TestNobodyReads: Ctrl-C ends a command that writes to a pipe from which nobody reads on.
func TestNobodyReads(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	reader := coretest.Must(os.OpenFile(pipe, os.O_RDWR, 0))
	defer reader.Close()
	for _, args := range []string{
		"draw --torus 32x32 --placement full --routing odr --format svg --out ",
		"restrict --torus 16x16 --placement random:n=100 --by pair --evaluations 1 --out ",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var stdout, stderr bytes.Buffer
		status := make(chan int)
		go func() {
			status <- execute(ctx, strings.Fields(args+pipe), strings.NewReader(""), &stdout, &stderr)
		}()
		if _, err := reader.Read(make([]byte, 1)); err != nil { // it is being written
			t.Fatal(err)
		}
		cancel()
		if s := <-status; s != 1 || !strings.Contains(stderr.String(), "stopped before") {
			t.Errorf("%s: status %d\n%s", args, s, stderr.String())
		}
	}
}
