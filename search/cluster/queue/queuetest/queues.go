package queuetest

import (
	"testing"
	"time"

	"leeway/search/cluster/queue"
)

// Serve starts a server on a free port of this machine, until the test ends.
func Serve(t testing.TB, l queue.Listen) *queue.Server {
	t.Helper()
	l.Host, l.Port = "127.0.0.1", -1
	s, err := queue.Start(l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// Dial connects to a server until the test ends: as the coordinator, or by TCP as a worker.
func Dial(t testing.TB, s *queue.Server, lead bool) *queue.Nats {
	t.Helper()
	a := queue.Access{URLs: "nats://" + s.Addr(), Token: s.Token(), Name: t.Name(), Lead: lead, Patience: 10 * time.Second}
	if lead {
		a.Server = s
	}
	q, err := queue.Dial(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	return q
}

// Each runs a test with an empty queue of each kind.
func Each(t *testing.T, test func(t *testing.T, q queue.Queue)) {
	t.Run("memory", func(t *testing.T) { test(t, NewMemory()) })
	t.Run("nats", func(t *testing.T) { test(t, Dial(t, Serve(t, queue.Listen{}), true)) })
}
