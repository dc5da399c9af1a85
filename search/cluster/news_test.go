package cluster

import (
	"context"
	"sync"
	"testing"
	"time"

	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
)

// asked returns the question that a unit belongs to, at a revision.
func asked(u message.Unit, revision uint64) queue.Fact {
	return queue.Fact{Value: message.Encode(message.Question{ID: u.Question()}), Revision: revision}
}

// TestLateNews tells a worker of an older question after a newer one: that must not
// stop what it does, but what a new server answers must count.
func TestLateNews(t *testing.T) {
	first, second := sampleUnits()[0], sampleUnits()[1]
	w := &worker{running: map[*runningUnit]bool{}}
	w.setQuestion(asked(second, 7), queue.Any)
	ctx, cancel := context.WithCancel(t.Context())
	w.running[&runningUnit{unit: second, cancel: cancel}] = true
	w.setQuestion(asked(first, 5), queue.Any)
	if !w.question.Wants(second) || ctx.Err() != nil {
		t.Error("old news ends a unit")
	}
	w.setQuestion(asked(first, 2), 7)
	if !w.question.Wants(first) || ctx.Err() == nil {
		t.Error("the answer of a server that began anew is not believed")
	}
}

// An overtaken queue has news come while it is asked for a fact, so that its answer is old.
type overtaken struct {
	queue.Queue
	old  queue.Fact
	news func()
}

func (o overtaken) Get(context.Context, string) (queue.Fact, error) {
	o.news()
	return o.old, nil
}

func TestNewsOvertakesAnswer(t *testing.T) {
	first, second := sampleUnits()[0], sampleUnits()[1]
	w := &worker{running: map[*runningUnit]bool{}}
	w.setQuestion(asked(first, 5), queue.Any)
	w.queue = overtaken{old: asked(first, 5), news: func() { w.setQuestion(asked(second, 7), queue.Any) }}
	if wanted, err := w.wanted(t.Context(), second); !wanted || err != nil {
		t.Error("a unit of the new question is given back", err)
	}
}

// A forgetful queue loses the first answer to a Put with a revision, as a network may: tried again, it fails.
type forgetful struct {
	queue.Queue
	once sync.Once
}

func (q *forgetful) Put(ctx context.Context, key string, value []byte, revision uint64) error {
	err := q.Queue.Put(ctx, key, value, revision)
	q.once.Do(func() { err = q.Queue.Put(ctx, key, value, revision) })
	return err
}

func TestOpenWithoutAnswer(t *testing.T) {
	open(t, &forgetful{Queue: queuetest.NewMemory()})
}

// TestRate: the rate of a worker is that of the last half minute, whatever came before.
func TestRate(t *testing.T) {
	var r rate
	start := time.Now()
	at := func(seconds int, sum int64) float64 {
		return r.perSecond(start.Add(time.Duration(seconds)*time.Second), sum)
	}
	if got := at(0, 0); got != 0 {
		t.Errorf("%v before anything is done", got)
	}
	for s := 2; s <= 100; s += 2 { // 1000 in a second
		if got := at(s, int64(1000*s)); got != 1000 {
			t.Fatalf("after %d s: %v", s, got)
		}
	}
	var got float64
	for s := 102; s <= 140; s += 2 { // then 7
		got = at(s, int64(100_000+7*(s-100)))
	}
	if got != 7 || len(r.times) > 20 {
		t.Errorf("%v in a second, %d samples", got, len(r.times))
	}
}
