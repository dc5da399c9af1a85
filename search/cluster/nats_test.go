package cluster

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"leeway/search/census"
)

// serve starts a server on a free port of this machine.
func serve(t *testing.T, l Listen) *Server {
	t.Helper()
	l.Host, l.Port = "127.0.0.1", -1
	s, err := Start(l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// dial connects to a server, by TCP or, with inside, without.
func dial(t *testing.T, s *Server, inside bool) *Nats {
	t.Helper()
	a := Access{URLs: "nats://" + s.Addr(), Token: s.Token(), Name: t.Name(), Lead: inside, Patience: 10 * time.Second}
	if inside {
		a.Server = s
	}
	q, err := Dial(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	return q
}

// each runs a test with every queue there is.
func each(t *testing.T, test func(t *testing.T, q Queue)) {
	t.Run("memory", func(t *testing.T) { test(t, NewMemory()) })
	t.Run("nats", func(t *testing.T) { test(t, dial(t, serve(t, Listen{}), true)) })
}

// TestQueue goes through what both queues promise.
func TestQueue(t *testing.T) {
	each(t, func(t *testing.T, q Queue) {
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
			must(d.Beat())
			must(d.Done(ctx))
		}
		short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		if d, err := q.Take(short); err == nil {
			t.Errorf("took %s from an empty queue", d.Text)
		}
		cancel()
		must(q.Give(ctx, []byte("result")))
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

func checkFacts(t *testing.T, q Queue) {
	t.Helper()
	ctx := t.Context()
	f, err := q.Get(ctx, keyBest)
	if err != nil || f.Revision != 0 {
		t.Fatal(f, err)
	}
	seen := make(chan string, 9)
	if err := q.Watch(ctx, keyBest, func(f Fact) { seen <- string(f.Value) }); err != nil {
		t.Fatal(err)
	}
	if err := q.Put(ctx, keyBest, []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
	if f, err = q.Get(ctx, keyBest); err != nil || string(f.Value) != "5" {
		t.Fatal(f, err)
	}
	if err := q.Put(ctx, keyBest, []byte("4"), f.Revision+7); !errors.Is(err, ErrChanged) {
		t.Errorf("a wrong revision gives %v", err)
	}
	if err := q.Put(ctx, keyBest, []byte("4"), f.Revision); err != nil {
		t.Error(err)
	}
	for last := ""; last != "4"; {
		last = <-seen
	}
	if _, err := q.Ask(ctx); !errors.Is(err, ErrNobody) {
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

// TestWalkOverNats has workers of several connections.
func TestWalkOverNats(t *testing.T) {
	for _, q := range questions(t)[:4] {
		s := serve(t, Listen{})
		c := open(t, dial(t, s, true))
		stop := []func(){crew(t, dial(t, s, true), tools("one")), crew(t, dial(t, s, false), tools("two"))}
		q.Crew = c
		reply, err := census.Decide(t.Context(), q)
		same(t, q, reply, err)
		for _, f := range stop {
			f()
		}
	}
}

// TestNewServer has a server end, and another one begin anew in its place with lower
// revisions: who watches must hear of its facts.
func TestNewServer(t *testing.T) {
	s := serve(t, Listen{Token: "that of both"})
	lead, worker := dial(t, s, true), dial(t, s, false)
	seen := make(chan string, 99)
	if err := worker.Watch(t.Context(), keyQuestion, func(f Fact) { seen <- string(f.Value) }); err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"1", "2", "3", "old"} {
		if err := lead.Put(t.Context(), keyQuestion, []byte(value), Any); err != nil {
			t.Fatal(err)
		}
	}
	await := func(value string) {
		for <-seen != value {
		}
	}
	await("old")
	port := s.server.Addr().(*net.TCPAddr).Port
	s.Stop()
	again, err := Start(Listen{Host: "127.0.0.1", Port: port, Token: s.Token()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(again.Stop)
	if err := dial(t, again, true).Put(t.Context(), keyQuestion, []byte("new"), Any); err != nil {
		t.Fatal(err)
	}
	await("new")
}

func TestOpenServerIsRefused(t *testing.T) {
	var open *OpenError
	for _, l := range []Listen{{Host: "0.0.0.0"}, {Host: "192.0.2.1", Token: "x"}, {Host: "::", CertFile: "x", KeyFile: "x"}, {Host: "example.org"}} {
		if _, err := Start(l); !errors.As(err, &open) {
			t.Errorf("%+v gives %v", l, err)
		}
	}
}

func TestWrongToken(t *testing.T) {
	s := serve(t, Listen{Token: "right"})
	for _, token := range []string{"", "wrong"} {
		if _, err := Dial(t.Context(), Access{URLs: "nats://" + s.Addr(), Token: token}); err == nil {
			t.Errorf("token %q opens", token)
		}
	}
	q, err := Reach(Access{URLs: "nats://" + s.Addr(), Token: "right"})
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}
