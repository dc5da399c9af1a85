package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"sync"
	"testing"

	"leeway/search"
	"leeway/search/census"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
	"leeway/search/portfolio"
)

// A record of what a coordinator logs; it may be read at any time.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) has(words string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Contains(r.text.String(), words)
}

// logged returns a coordinator whose log can be read.
func logged(t *testing.T, q queue.Queue) (*Coordinator, *record) {
	t.Helper()
	r := &record{}
	c, err := Open(t.Context(), q, Options{Program: "test", Job: "a test", Log: slog.New(slog.NewTextHandler(r, nil)),
		UnitTime: 1, Key: testKey, Confirm: byPlan})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, r
}

// TestClockHoursOff has a worker whose clock makes units look hours long, and one
// that says they take no time: only sizes of units may follow from that.
func TestClockHoursOff(t *testing.T) {
	memory := queuetest.NewMemory()
	q := questions(t)[2]
	shown := make(chan message.Status, 1000)
	c, err := Open(t.Context(), memory, Options{Program: "test", Job: "a test", Log: slog.New(slog.DiscardHandler),
		Confirm: byPlan, Watch: func(s message.Status) { shown <- s }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	for i, seconds := range []float64{36_000, 0} {
		off := liar{memory, func(_ context.Context, text []byte) [][]byte {
			r, err := message.ParseReport(text)
			if err != nil {
				panic(err)
			}
			r.Seconds = seconds
			return [][]byte{forged(r)}
		}}
		startWorkers(t, off, workerOptions(fmt.Sprint(i)))
	}
	q.Cluster = c
	reply, err := census.Decide(t.Context(), q)
	same(t, q, reply, err)
	if s := <-shown; s.Problem != q.Problem.String() || s.Prefixes == 0 {
		t.Errorf("%+v", s)
	}
}

func firstNodes(n int) (list []int) {
	for v := range n {
		list = append(list, v)
	}
	return list
}

// TestPoisonedIncumbents posts placements that do not have the load they claim, while a proof and a search run.
func TestPoisonedIncumbents(t *testing.T) {
	q := questions(t)[2]
	poison := [][]byte{
		message.Encode(message.Incumbent{Nodes: firstNodes(6), Value: "1/2", Worker: "w"}),
		message.Encode(message.Incumbent{Nodes: firstNodes(5), Value: "1", Worker: "w"}),
		message.Encode(message.Incumbent{Nodes: []int{-1, 99}, Value: "1", Worker: "w"}),
		message.Encode(message.Incumbent{Nodes: firstNodes(6), Value: "0/0"}), []byte("nonsense"), {0xff},
	}
	for i, text := range poison {
		memory := queuetest.NewMemory()
		c, log := logged(t, memory)
		if err := memory.Put(t.Context(), message.KeyBest, text, queue.Any); err != nil {
			t.Fatal(err)
		}
		q.Cluster = c
		ended := make(chan bool)
		go func() {
			defer close(ended)
			reply, err := census.Decide(t.Context(), q)
			same(t, q, reply, err)
		}()
		down := make(chan bool, 1000)
		if err := memory.Watch(t.Context(), message.KeyBest, func(f queue.Fact) { down <- len(f.Value) == 0 }); err != nil {
			t.Fatal(err)
		}
		for !<-down { // before a worker posts a better one
		}
		stop := startWorkers(t, memory, workerOptions("one"))
		<-ended
		r, err := c.Search(t.Context(), portfolio.Portfolio{Methods: []string{"local"}},
			search.Params{Problem: q.Problem, Seed: 1,
				Evaluations: 4000})
		if err != nil || r.Value.Cmp(q.Below) < 0 {
			t.Errorf("%d: %v, %v", i, r.Value, err)
		}
		stop()
		if f, _ := memory.Get(t.Context(), message.KeyBest); bytes.Equal(f.Value, text) || !log.has("incumbent refused") {
			t.Errorf("%d: the incumbent %s is still there", i, f.Value)
		}
	}
}

// TestIncumbentEndsQuestion posts a placement below the value before anybody works.
func TestIncumbentEndsQuestion(t *testing.T) {
	q := questions(t)[2]
	out, err := census.Method{Engines: q.Engines}.Run(t.Context(), search.Params{Problem: q.Problem, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	memory := queuetest.NewMemory()
	if err := Post(t.Context(), memory, q.Problem, out.Best, out.Value, "w"); err != nil {
		t.Fatal(err)
	}
	q.Below, q.Cluster = new(big.Rat).Add(out.Value, big.NewRat(1, 1)), open(t, memory)
	reply, err := census.Decide(t.Context(), q)
	if err != nil || reply.Found.Size() == 0 {
		t.Errorf("%+v, %v", reply, err)
	}
}

// TestQuarantine hands a unit out three times without a report.
func TestQuarantine(t *testing.T) {
	memory := queuetest.NewMemory()
	c, log := logged(t, memory)
	q := questions(t)[2]
	q.Cluster = c
	ended := make(chan census.Reply)
	go func() {
		reply, err := census.Decide(t.Context(), q)
		if err != nil {
			t.Error(err)
		}
		ended <- reply
	}()
	var victim []byte
	for range MaxDeaths {
		d, err := memory.Take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if victim == nil {
			victim = d.Text
		}
		if !bytes.Equal(d.Text, victim) {
			t.Fatalf("%s, not %s", d.Text, victim)
		}
		memory.Redeliver()
	}
	stop := startWorkers(t, memory, workerOptions("careful"))
	reply := <-ended
	stop()
	s := c.Status()
	if reply.Refutation != nil || s.Units.Quarantined != 1 || s.Units.Out != 0 || s.PrefixesLeft == 0 ||
		!log.has("quarantine") {
		t.Fatalf("%+v, %+v", reply, s)
	}
	c.Close() // the next coordinator tries again
	next := open(t, memory)
	startWorkers(t, memory, workerOptions("healthy"))
	q.Cluster = next
	again, err := census.Decide(t.Context(), q)
	same(t, q, again, err)
}

// TestCoordinatorReplaced stops coordinators after every few reports; the ledger has what was done.
func TestCoordinatorReplaced(t *testing.T) {
	queuetest.Each(t, func(t *testing.T, queue queue.Queue) {
		q := questions(t)[2] // 4x5
		startWorkers(t, queue, workerOptions("one"), workerOptions("two"))
		for round := 0; ; round++ {
			c := open(t, queue)
			ctx, cancel := context.WithCancel(t.Context())
			results := 0
			q.Cluster, q.Observe = c, func(census.Progress) {
				if results++; results == 2 && round < 4 {
					cancel()
				}
			}
			reply, err := census.Decide(ctx, q)
			cancel()
			c.Close()
			if reply.Refutation == nil && err == nil && round < 5 {
				continue
			}
			same(t, q, reply, err)
			if round < 2 {
				t.Errorf("only %d rounds", round)
			}
			return
		}
	})
}

func TestOtherVersion(t *testing.T) {
	memory := queuetest.NewMemory()
	open(t, memory)
	other := workerOptions("old")
	other.Program = "0.0.1"
	var version *VersionError
	if err := Work(t.Context(), memory, other); !errors.As(err, &version) || version.Coordinator.Program != "test" {
		t.Errorf("got %v", err)
	}
	if _, err := Open(t.Context(), memory, Options{Program: "test", Job: "another",
		Log: slog.New(slog.DiscardHandler)}); err == nil {
		t.Error("two jobs in one queue")
	}
}

// TestStrangeUnits puts units into the queue that a worker must refuse.
func TestStrangeUnits(t *testing.T) {
	memory := queuetest.NewMemory()
	q := questions(t)[2]
	good, err := message.NewUnit(q.Problem)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := q.Engines[0].Plan(t.Context(), q.Problem, q.Below, 1)
	if err != nil {
		t.Fatal(err)
	}
	good.Census = &message.Range{Below: q.Below.RatString(), Engine: q.Engines[0].Name(), Split: plan.Split(),
		Prefixes: len(plan.Prefixes()), Count: 1}
	for i, change := range []func(*message.Unit){
		func(*message.Unit) {}, // this one it does
		func(u *message.Unit) { u.Census.Prefixes++ }, func(u *message.Unit) { u.Census.Split++ },
		func(u *message.Unit) { u.Census.Engine = "none" },
		func(u *message.Unit) { u.Torus = "3x3x3" }, func(u *message.Unit) { u.Torus += ":open=0,1" },
		func(u *message.Unit) { u.Torus += ":forbidden=0,0+1,1+2,2" }, func(u *message.Unit) { u.Schema = "x" },
	} {
		u, c := good, *good.Census
		u.Census, u.Issue = &c, int64(i)
		change(&u)
		ctx, cancel := context.WithCancel(t.Context())
		if err := memory.Put(ctx, message.KeyJob, message.Encode(message.Job{Protocol: message.Protocol, Program: "test"}),
			queue.Any); err != nil {
			t.Fatal(err)
		}
		if err := memory.Put(ctx, message.KeyQuestion, message.Encode(message.Question{ID: u.Question(), Last: 1 << 30}),
			queue.Any); err != nil {
			t.Fatal(err)
		}
		if err := memory.Issue(ctx, fmt.Sprint(i), u.Text()); err != nil {
			t.Fatal(err)
		}
		stop := startWorkers(t, memory, workerOptions("strict"))
		d, err := memory.Result(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := message.ParseReport(d.Text); err != nil || (r.Refused == "") != (i == 0) || r.Unit != u.ID() {
			t.Errorf("%d: %+v, %v", i, r, err)
		}
		_ = d.Done(ctx)
		stop()
		cancel()
	}
}

// TestLeaving stops a worker in the middle: what it had goes on elsewhere, without a death.
func TestLeaving(t *testing.T) {
	memory := queuetest.NewMemory()
	c := open(t, memory)
	q := questions(t)[2]
	q.Cluster = c
	ended := make(chan bool)
	go func() {
		defer close(ended)
		reply, err := census.Decide(t.Context(), q)
		same(t, q, reply, err)
	}()
	for range 20 {
		startWorkers(t, memory, workerOptions("short"))()
	}
	startWorkers(t, memory, workerOptions("long"))
	<-ended
}

// A slow queue tells of the question when it is told to, so that a worker hears of an
// old one while it does a unit of the new one, and takes it for newer.
type slow struct {
	queue.Queue
	late func()
}

func (s *slow) Watch(ctx context.Context, key string, each func(queue.Fact)) error {
	if key == message.KeyQuestion {
		s.late = func() { each(queue.Fact{Revision: queue.Any - 1}) }
	}
	return s.Queue.Watch(ctx, key, each)
}

// TestOldNewsLosesNoUnit has the only worker hear of an old question in the middle of
// units: it drops them, and they must be handed out again.
func TestOldNewsLosesNoUnit(t *testing.T) {
	memory := queuetest.NewMemory()
	q := &slow{Queue: memory}
	worker, turns := workerOptions("one"), 0
	methods := worker.Methods
	worker.Methods = func(names []string) ([]search.Method, error) {
		if turns++; turns%3 == 1 {
			q.late()
		}
		return methods(names)
	}
	once := sync.OnceFunc(func() { q.late() })
	worker.Planned = func(string) census.Plan { once(); return nil }
	stop := startWorkers(t, q, worker)
	c := open(t, memory)
	question := questions(t)[2]
	question.Cluster = c
	reply, err := census.Decide(t.Context(), question)
	same(t, question, reply, err)
	r, err := c.Search(t.Context(), portfolio.Portfolio{Methods: []string{"local"}},
		search.Params{Problem: question.Problem,
			Seed: 1, Evaluations: 20_000})
	stop()
	if err != nil || r.Evaluations != 20_000 || turns < 10 {
		t.Errorf("%+v after %d turns, %v", r, turns, err)
	}
}
