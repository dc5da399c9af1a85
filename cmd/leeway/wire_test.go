package main

import (
	"net"
	"sync"
	"testing"

	"leeway/core/coretest"
)

// A wire is a network between a worker and its coordinator that can be cut: then
// nothing gets through, and nobody is told.
type wire struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	open     chan struct{} // closed while the wire is whole
	conns    []net.Conn
}

func newWire(t *testing.T, to string) *wire {
	t.Helper()
	l := coretest.Must(net.Listen("tcp", "127.0.0.1:0"))
	w := &wire{listener: l, to: to, open: make(chan struct{})}
	close(w.open)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go w.connect(from)
		}
	}()
	return w
}

func (w *wire) connect(from net.Conn) {
	to, err := net.Dial("tcp", w.to)
	if err != nil {
		_ = from.Close()
		return
	}
	w.mu.Lock()
	w.conns = append(w.conns, from, to)
	w.mu.Unlock()
	go w.copy(to, from)
	w.copy(from, to)
}

func (w *wire) copy(to, from net.Conn) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		w.mu.Lock()
		open := w.open
		w.mu.Unlock()
		<-open
		if _, errTo := to.Write(buffer[:n]); err != nil || errTo != nil {
			return
		}
	}
}

// cut stops what goes over the wire; mend lets it go on, over new connections.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = make(chan struct{})
}

func (w *wire) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns {
		_ = c.Close()
	}
	w.conns = nil
	close(w.open)
}
