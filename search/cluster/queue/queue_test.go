package queue_test

import (
	"errors"
	"net"
	"strconv"
	"testing"

	"leeway/core/coretest"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
)

func TestConform(t *testing.T) { queuetest.Each(t, queuetest.Conform) }

// TestNewServer has a server end, and another one begin anew in its place with lower
// revisions: who watches must hear of its facts.
func TestNewServer(t *testing.T) {
	s := queuetest.Serve(t, queue.Listen{Token: "that of both"})
	lead, worker := queuetest.Dial(t, s, true), queuetest.Dial(t, s, false)
	seen := make(chan string, 99)
	coretest.Try(worker.Watch(t.Context(), message.KeyQuestion, func(f queue.Fact) { seen <- string(f.Value) }))
	for _, value := range []string{"1", "2", "3", "old"} {
		coretest.Try(lead.Put(t.Context(), message.KeyQuestion, []byte(value), queue.Any))
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
	port := coretest.Must(strconv.Atoi(text))
	s.Stop()
	again := coretest.Must(queue.Start(queue.Listen{Host: "127.0.0.1", Port: port, Token: s.Token()}))
	t.Cleanup(again.Stop)
	coretest.Try(queuetest.Dial(t, again, true).Put(t.Context(), message.KeyQuestion, []byte("new"), queue.Any))
	await("new")
}

func TestOpenServerIsRefused(t *testing.T) {
	var open *queue.OpenError
	for _, l := range []queue.Listen{{Host: "0.0.0.0"}, {Host: "192.0.2.1", Token: "x"}, {Host: "::", CertFile: "x",
		KeyFile: "x"}, {Host: "example.org"}} {
		if _, err := queue.Start(l); !errors.As(err, &open) {
			t.Errorf("%+v gives %v", l, err)
		}
	}
}

func TestWrongToken(t *testing.T) {
	s := queuetest.Serve(t, queue.Listen{Token: "right"})
	for _, token := range []string{"", "wrong"} {
		if _, err := queue.Dial(t.Context(), queue.Access{URLs: "nats://" + s.Addr(), Token: token}); err == nil {
			t.Errorf("token %q opens", token)
		}
	}
	q := coretest.Must(queue.Reach(queue.Access{URLs: "nats://" + s.Addr(), Token: "right"}))
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}
