package queue_test

import (
	"context"
	"errors"
	"net"
	"strconv"
	"testing"
	"time"

	"leeway/search/cluster/message"
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

// TestQueue goes through what both queues promise.
func TestQueue(t *testing.T) {
	each(t, func(t *testing.T, q queue.Queue) {
		ctx := t.Context()
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(q.Issue(ctx, "a", []byte("first")))
		must(q.Issue(ctx, "b", []byte("second")))
		must(q.Issue(ctx, "a", []byte("first")))
		for _, want := range []string{"first", "second"} {
			d, err := q.Take(ctx)
			must(err)
			if string(d.Text) != want || d.Attempt != 1 {
				t.Errorf("took %s for the %d. time, want %s", d.Text, d.Attempt, want)
			}
			must(d.Renew())
			must(d.Done(ctx))
		}
		short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		if d, err := q.Take(short); err == nil {
			t.Errorf("took %s from an empty queue", d.Text)
		}
		cancel()
		must(q.Submit(ctx, []byte("result")))
		d, err := q.Result(ctx)
		must(err)
		if string(d.Text) != "result" {
			t.Errorf("result %s", d.Text)
		}
		must(d.Done(ctx))
		must(q.Append(ctx, []byte("one")))
		must(q.Append(ctx, []byte("two")))
		var ledger string
		must(q.Ledger(ctx, func(e []byte) error { ledger += string(e); return nil }))
		if ledger != "onetwo" {
			t.Errorf("ledger %q", ledger)
		}
		checkFacts(t, q)
		must(q.Clear(ctx))
		must(q.Ledger(ctx, func(e []byte) error { t.Errorf("ledger has %s", e); return nil }))
	})
}

func checkFacts(t *testing.T, q queue.Queue) {
	t.Helper()
	ctx := t.Context()
	f, err := q.Get(ctx, message.KeyBest)
	if err != nil || f.Revision != 0 {
		t.Fatal(f, err)
	}
	seen := make(chan string, 9)
	if err := q.Watch(ctx, message.KeyBest, func(f queue.Fact) { seen <- string(f.Value) }); err != nil {
		t.Fatal(err)
	}
	if err := q.Put(ctx, message.KeyBest, []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
	if f, err = q.Get(ctx, message.KeyBest); err != nil || string(f.Value) != "5" {
		t.Fatal(f, err)
	}
	if err := q.Put(ctx, message.KeyBest, []byte("4"), f.Revision+7); !errors.Is(err, queue.ErrChanged) {
		t.Errorf("a wrong revision gives %v", err)
	}
	if err := q.Put(ctx, message.KeyBest, []byte("4"), f.Revision); err != nil {
		t.Error(err)
	}
	for last := ""; last != "4"; {
		last = <-seen
	}
	if _, err := q.Ask(ctx); !errors.Is(err, queue.ErrNobody) {
		t.Errorf("asking nobody gives %v", err)
	}
	heard := make(chan string, 1)
	if err := errors.Join(q.Answer(ctx, func() []byte { return []byte("fine") }), q.Hear(ctx, func(b []byte) { heard <- string(b) })); err != nil {
		t.Fatal(err)
	}
	if a, err := q.Ask(ctx); err != nil || string(a) != "fine" {
		t.Errorf("%s, %v", a, err)
	}
	if err := q.Say(ctx, []byte("hello")); err != nil || <-heard != "hello" {
		t.Error(err)
	}
}

// TestNewServer has a server end, and another one begin anew in its place with lower
// revisions: who watches must hear of its facts.
func TestNewServer(t *testing.T) {
	s := serve(t, queue.Listen{Token: "that of both"})
	lead, worker := dial(t, s, true), dial(t, s, false)
	seen := make(chan string, 99)
	if err := worker.Watch(t.Context(), message.KeyQuestion, func(f queue.Fact) { seen <- string(f.Value) }); err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"1", "2", "3", "old"} {
		if err := lead.Put(t.Context(), message.KeyQuestion, []byte(value), queue.Any); err != nil {
			t.Fatal(err)
		}
	}
	await := func(value string) {
		for <-seen != value {
		}
	}
	await("old")
	_, text, err := net.SplitHostPort(s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	s.Stop()
	again, err := queue.Start(queue.Listen{Host: "127.0.0.1", Port: port, Token: s.Token()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(again.Stop)
	if err := dial(t, again, true).Put(t.Context(), message.KeyQuestion, []byte("new"), queue.Any); err != nil {
		t.Fatal(err)
	}
	await("new")
}

func TestOpenServerIsRefused(t *testing.T) {
	var open *queue.OpenError
	for _, l := range []queue.Listen{{Host: "0.0.0.0"}, {Host: "192.0.2.1", Token: "x"}, {Host: "::", CertFile: "x", KeyFile: "x"}, {Host: "example.org"}} {
		if _, err := queue.Start(l); !errors.As(err, &open) {
			t.Errorf("%+v gives %v", l, err)
		}
	}
}

func TestWrongToken(t *testing.T) {
	s := serve(t, queue.Listen{Token: "right"})
	for _, token := range []string{"", "wrong"} {
		if _, err := queue.Dial(t.Context(), queue.Access{URLs: "nats://" + s.Addr(), Token: token}); err == nil {
			t.Errorf("token %q opens", token)
		}
	}
	q, err := queue.Reach(queue.Access{URLs: "nats://" + s.Addr(), Token: "right"})
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}
