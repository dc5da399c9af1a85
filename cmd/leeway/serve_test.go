package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"leeway/core/coretest"
)

// TestBusyPort: a port in use is failed work with a clear message.
func TestBusyPort(t *testing.T) {
	l := coretest.Must(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	var out, messages bytes.Buffer
	status := execute(context.Background(), []string{"serve", "--listen", l.Addr().String()}, nil, &out, &messages)
	if status != 1 || !strings.Contains(messages.String(), "in use by another program") ||
		!strings.Contains(messages.String(), "hint: ") {
		t.Errorf("status %d: %s", status, messages.String())
	}
}

// A lineWriter hands on what is written.
type lineWriter struct {
	mu    sync.Mutex
	text  strings.Builder
	lines chan string
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(p)
	if strings.Contains(w.text.String(), "Ctrl-C ends") {
		select {
		case w.lines <- w.text.String():
		default:
		}
	}
	return len(p), nil
}

// TestServeUntilInterrupted serves the shipped atlas, answers, and ends with status
// 0.
func TestServeUntilInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	messages := &lineWriter{lines: make(chan string, 1)}
	ended := make(chan int)
	go func() {
		ended <- execute(ctx, []string{"serve", "--listen", "127.0.0.1:0"}, nil, io.Discard, messages)
	}()
	var line string
	select {
	case line = <-messages.lines:
	case status := <-ended:
		t.Fatalf("ended with %d: %s", status, messages.text.String())
	}
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(line)
	answer := coretest.Must(http.Get(address))
	answer.Body.Close()
	if answer.StatusCode != 200 {
		t.Errorf("status %d", answer.StatusCode)
	}
	cancel()
	if status := <-ended; status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// TestEngineOfTheEditor: pages have the engine that lies beside the program, or where make install puts it; without one
// the program says how to get it.
func TestEngineOfTheEditor(t *testing.T) {
	coretest.Alone(t)
	folder := t.TempDir()
	file := func(elements ...string) string { return filepath.Join(append([]string{folder}, elements...)...) }
	write := func(data []byte, elements ...string) {
		t.Helper()
		coretest.Try(os.MkdirAll(filepath.Dir(file(elements...)), 0o777))
		coretest.Try(os.WriteFile(file(elements...), data, 0o777))
	}
	write(coretest.Must(os.ReadFile(coretest.Must(os.Executable()))), "bin", "leeway")
	run := func(args ...string) string {
		t.Helper()
		cmd := program(t, args...)
		cmd.Path = file("bin", "leeway")
		if err := cmd.Run(); err != nil {
			t.Fatal(err, cmd.Stderr)
		}
		return cmd.Stderr.(*bytes.Buffer).String()
	}
	run("search", "--torus", "3x3", "--size", "3", "--routing", "odr", "--evaluations", "100", "--store", file("s.store"))
	for i, where := range [][]string{nil, {"share", "leeway"}, {"bin"}} {
		site, want := fmt.Sprint("site", i), ""
		if where != nil {
			want = strings.Join(where, " ")
			write([]byte(want), append(where, "engine.wasm.js")...)
		}
		said := run("atlas", "export", "--store", file("s.store"), "--format", "site", "--out", file(site))
		if got, _ := os.ReadFile(file(site, "assets", "engine.wasm.js")); string(got) != want {
			t.Errorf("the engine of the pages is %q, want %q", got, want)
		}
		if hint := strings.Contains(said, "hint: make engine\n"); hint != (where == nil) {
			t.Errorf("with an engine in %q the program says %s", where, said)
		}
	}
}
