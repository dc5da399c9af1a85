package cluster

import (
	"context"
	"math/big"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"leeway/search"
	"leeway/search/census"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
	"leeway/search/portfolio"
)

// asked returns the question that a unit belongs to, at a revision.
func asked(u message.Unit, revision uint64) queue.Fact {
	return queue.Fact{Value: message.Encode(message.Question{ID: u.Question(), Last: 1 << 30}), Revision: revision}
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

// TestBanOutlivesCoordinator has a worker known as a liar by the ledger.
func TestBanOutlivesCoordinator(t *testing.T) {
	memory := queuetest.NewMemory()
	if err := memory.Append(t.Context(), message.Seal(testKey, "a test", 1, message.Entry{Question: "q",
		Void: "liar"})); err != nil {
		t.Fatal(err)
	}
	if c := open(t, memory); !c.isBanned("liar") || c.isBanned("honest") {
		t.Error("the next coordinator trusts the worker again")
	}
}

// A sliceLog is a log of slices, the last of each.
type sliceLog struct {
	mu      sync.Mutex
	list    []search.Slice
	dropped atomic.Int64
}

func (l *sliceLog) Walked(string, *big.Rat, int) []search.Slice {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.list)
}

func (l *sliceLog) Keep(_ string, _ *big.Rat, _ int, s search.Slice) error {
	l.remove(s)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, s)
	return nil
}

func (l *sliceLog) Drop(_ string, _ *big.Rat, _ int, s search.Slice) error {
	l.remove(s)
	l.dropped.Add(1)
	return nil
}

func (l *sliceLog) remove(s search.Slice) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(have search.Slice) bool { return slices.Equal(have.First, s.First) })
}

// TestWrongSlicesAreDropped has a worker tell lies of which the first are believed, as a sample may, so that slices are
// kept, and the next is not: what was kept must be taken back.
func TestWrongSlicesAreDropped(t *testing.T) {
	const believed = 2 // reports, of the 8 slices of one prefix that there are
	memory, log, told := queuetest.NewMemory(), &sliceLog{}, 0
	c := open(t, memory)
	c.options.Sample, c.smallNodes, c.probation = 1<<62, -1, 0
	wrong := liar{memory, func(_ context.Context, text []byte) [][]byte {
		r, err := message.ParseReport(text)
		if err != nil {
			panic(err)
		}
		r.Nodes++
		if told++; told > believed {
			r.Done += 1000
		}
		return [][]byte{forged(r)}
	}}
	q := questions(t)[2]
	q.Cluster, q.Log = c, log
	ended := make(chan bool)
	go func() {
		defer close(ended)
		reply, err := census.Decide(t.Context(), q)
		same(t, q, reply, err)
	}()
	if err := Work(t.Context(), wrong, workerOptions("liar")); err == nil {
		t.Error("the liar was not found out")
	}
	if log.dropped.Load() == 0 {
		t.Error("no slice was taken back")
	}
	startWorkers(t, memory, workerOptions("honest"))
	<-ended
	q.Cluster = nil
	reply, err := census.Decide(t.Context(), q)
	if q.Log = nil; reply.Nodes > 0 {
		t.Errorf("%d nodes are walked again", reply.Nodes)
	}
	same(t, q, reply, err)
}

// firstSlice returns the first slice of the tree of a question, and the unit of it.
func firstSlice(t *testing.T, q census.Question) (census.Slice, message.Unit) {
	t.Helper()
	plan, err := q.Engines[0].Plan(t.Context(), q.Problem, q.Below, 1)
	if err != nil {
		t.Fatal(err)
	}
	first := census.Cut(plan)[0]
	u, err := message.NewUnit(q.Problem)
	if err != nil {
		t.Fatal(err)
	}
	u.Census = &message.Range{Below: q.Below.RatString(), Engine: q.Engines[0].Name(), Split: plan.Split(),
		Prefixes: len(plan.Prefixes()), Count: first.Prefixes}
	return first, u
}

// TestKilledBeforeDrop goes on where a coordinator was killed that had found a worker
// out and not yet taken back the slice that it had kept.
func TestKilledBeforeDrop(t *testing.T) {
	q := questions(t)[2]
	first, u := firstSlice(t, q)
	lie := message.Report{Unit: u.ID(), Worker: "liar", Done: first.Prefixes, Nodes: 1, Sum: "0000000000000001"}
	lie = lie.Checked()
	memory, log := queuetest.NewMemory(), &sliceLog{}
	for i, e := range []message.Entry{{Question: u.Question(), Issue: &u}, {Question: u.Question(), Accept: &lie,
		OnWord: true}, {Question: u.Question(), Void: "liar"}} {
		if err := memory.Append(t.Context(), message.Seal(testKey, "a test", int64(i+1), e)); err != nil {
			t.Fatal(err)
		}
	}
	first.Nodes, first.Sum, first.OnWord = 1, 1, true
	log.list = []search.Slice{first.Slice}
	q.Cluster, q.Log = open(t, memory), log
	startWorkers(t, memory, workerOptions("honest"))
	reply, err := census.Decide(t.Context(), q)
	q.Log = nil
	same(t, q, reply, err)
}

// TestBetterOutlivesCoordinator goes on from the ledger of a search that disproved a
// claim by a placement that no unit finds.
func TestBetterOutlivesCoordinator(t *testing.T) {
	p := questions(t)[2].Problem
	best, err := census.Method{Engines: testPortfolio.Engines}.Run(t.Context(), search.Params{Problem: p, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	l, params := portfolio.Portfolio{Methods: []string{"family"}}, search.Params{Problem: p, Seed: 1, Evaluations: 1}
	u, err := message.NewUnit(p)
	if err != nil {
		t.Fatal(err)
	}
	u.Search = &message.Search{Methods: l.Methods}
	for _, known := range []bool{false, true} {
		memory := queuetest.NewMemory()
		if known {
			if err := memory.Append(t.Context(), message.Seal(testKey, "a test", 1, message.Entry{Question: u.Question(),
				Void: "liar", Better: best.Best.Nodes()})); err != nil {
				t.Fatal(err)
			}
		}
		stop := startWorkers(t, memory, workerOptions("one"))
		r, err := open(t, memory).Search(t.Context(), l, params)
		stop()
		if err != nil || (r.Value.Cmp(best.Value) == 0) != known {
			t.Errorf("known %t: %v, %v, optimum %s", known, r.Value, err, best.Value.RatString())
		}
	}
}

// TestRate: the rate of a worker is that of the last half minute, whatever came before.
func TestRate(t *testing.T) {
	var r rate
	start := time.Now()
	at := func(seconds int, sum int64) float64 { return r.of(start.Add(time.Duration(seconds)*time.Second), sum) }
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
