package cluster

import (
	"testing"
	"time"

	"leeway/search/census"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
)

// serve starts a server on a free port of this machine.
func serve(t *testing.T, l queue.Listen) *queue.Server {
	t.Helper()
	l.Host, l.Port = "127.0.0.1", -1
	s, err := queue.Start(l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// dial connects to a server, by TCP or, with inside, without.
func dial(t *testing.T, s *queue.Server, inside bool) *queue.Nats {
	t.Helper()
	a := queue.Access{URLs: "nats://" + s.Addr(), Token: s.Token(), Name: t.Name(), Lead: inside, Patience: 10 * time.Second}
	if inside {
		a.Server = s
	}
	q, err := queue.Dial(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	return q
}

// each runs a test with every queue there is.
func each(t *testing.T, test func(t *testing.T, q queue.Queue)) {
	t.Run("memory", func(t *testing.T) { test(t, queuetest.NewMemory()) })
	t.Run("nats", func(t *testing.T) { test(t, dial(t, serve(t, queue.Listen{}), true)) })
}

// TestWalkOverNats has workers of several connections.
func TestWalkOverNats(t *testing.T) {
	for _, q := range questions(t)[:4] {
		s := serve(t, queue.Listen{})
		c := open(t, dial(t, s, true))
		stop := []func(){startWorkers(t, dial(t, s, true), workerOptions("one")), startWorkers(t, dial(t, s, false), workerOptions("two"))}
		q.Cluster = c
		reply, err := census.Decide(t.Context(), q)
		same(t, q, reply, err)
		for _, f := range stop {
			f()
		}
	}
}
