package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// TestBusyPort: a port in use is failed work with a clear message.
func TestBusyPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
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
	if strings.Contains(w.text.String(), "serving") {
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
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 200 {
		t.Errorf("status %d", answer.StatusCode)
	}
	cancel()
	if status := <-ended; status != 0 {
		t.Errorf("exit status %d", status)
	}
}
