package queuetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
)

// Conform fails unless an empty queue keeps the promises of queue.Queue.
func Conform(t *testing.T, q queue.Queue) {
	t.Helper()
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
}

// checkFacts goes through facts and what is sent without being kept.
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
	if err := errors.Join(q.Answer(ctx, func() []byte { return []byte("fine") }), q.Hear(ctx,
		func(b []byte) { heard <- string(b) })); err != nil {
		t.Fatal(err)
	}
	if a, err := q.Ask(ctx); err != nil || string(a) != "fine" {
		t.Errorf("%s, %v", a, err)
	}
	if err := q.Say(ctx, []byte("hello")); err != nil || <-heard != "hello" {
		t.Error(err)
	}
}
