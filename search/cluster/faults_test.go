package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
	"leeway/search/portfolio"
)

// TestPoisonedIncumbents posts placements that do not have the load they claim, while a proof and a search run.
func TestPoisonedIncumbents(t *testing.T) {
	for i, text := range [][]byte{
		message.Encode(message.Incumbent{Nodes: core.Range(4), Value: "1/2", Worker: "w"}),
		message.Encode(message.Incumbent{Nodes: core.Range(3), Value: "1", Worker: "w"}),
		message.Encode(message.Incumbent{Nodes: []int{-1, 99}, Value: "1", Worker: "w"}),
		message.Encode(message.Incumbent{Nodes: core.Range(4), Value: "0/0"}), []byte("nonsense"), {0xff},
	} {
		memory, x := queuetest.NewMemory(), newTree()
		c, log := logged(t, memory)
		coretest.Try(memory.Put(t.Context(), message.KeyBest, text, queue.Any))
		ended := make(chan error)
		go func() { ended <- c.Prove(t.Context(), x.shared()) }()
		down := make(chan bool, 1000)
		coretest.Try(memory.Watch(t.Context(), message.KeyBest, func(f queue.Fact) { down <- len(f.Value) == 0 }))
		for !<-down {
		}
		startWorkers(t, memory, workerOptions("one"))
		x.complete(t, <-ended)
		r, err := c.Search(t.Context(), testPortfolio, search.Params{Problem: searched, Seed: 1, Evaluations: 4000})
		if err != nil || r.Value.Cmp(optimum()) < 0 || !log.has("incumbent refused") {
			t.Errorf("%d: %v, %v", i, r.Value, err)
		}
	}
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
	good := coretest.Must(message.NewUnit(newTree().shared().Problem))
	good.Proof = &message.Slice{Below: "3", Engine: "tree"}
	for i, change := range []func(*message.Unit){
		func(*message.Unit) {}, // this one it does
		func(u *message.Unit) { u.Proof.Name = []int{-1} }, func(u *message.Unit) { u.Proof.Below = "6/2" },
		func(u *message.Unit) { u.Proof = nil }, func(u *message.Unit) { u.Size = 99 },
		func(u *message.Unit) { u.Torus += ":forbidden=0,0+0,0" }, func(u *message.Unit) { u.Schema = "x" },
	} {
		u, p := good, *good.Proof
		u.Proof, u.Issue = &p, int64(i)
		change(&u)
		ctx, cancel := context.WithCancel(t.Context())
		for key, fact := range map[string]any{
			message.KeyJob:      message.Job{Protocol: message.Protocol, Program: "test"},
			message.KeyQuestion: message.Question{ID: u.Question()},
		} {
			coretest.Try(memory.Put(ctx, key, message.Encode(fact), queue.Any))
		}
		coretest.Try(memory.Issue(ctx, fmt.Sprint(i), u.Text()))
		stop := startWorkers(t, memory, workerOptions("strict"))
		d := coretest.Must(memory.Result(ctx))
		if r, err := message.ParseReport(d.Text); err != nil || (r.Refused == "") != (i == 0) || r.Unit != u.ID() {
			t.Errorf("%d: %+v, %v", i, r, err)
		}
		_ = d.Done(ctx)
		stop()
		cancel()
	}
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

// TestOldNewsLosesNoUnit has the only worker hear of an old question in the middle of units: it drops them, and they
// must be handed out again.
func TestOldNewsLosesNoUnit(t *testing.T) {
	memory, x := queuetest.NewMemory(), newTree()
	q := &slow{Queue: memory}
	worker, turns := workerOptions("one"), 0
	methods := worker.Methods
	worker.Methods = func(names []string) ([]search.Method, error) {
		if turns++; turns%3 == 1 {
			q.late()
		}
		return methods(names)
	}
	write, once := worker.Write, sync.OnceFunc(func() { q.late() })
	worker.Write = func(ctx context.Context, engine string, p objective.Problem, below *big.Rat, name []int,
		to io.Writer) error {
		once()
		return write(ctx, engine, p, below, name, to)
	}
	stop := startWorkers(t, q, worker)
	c := open(t, memory)
	x.complete(t, c.Prove(t.Context(), x.shared()))
	r, err := c.Search(t.Context(), portfolio.Portfolio{Methods: []string{"local"}}, search.Params{Problem: searched,
		Seed: 1, Evaluations: 40_000})
	stop()
	if err != nil || r.Evaluations != 40_000 || turns < 10 {
		t.Errorf("%+v after %d turns, %v", r, turns, err)
	}
}

// TestJunkIsTakenAway has the stream of reports full of junk: the coordinator takes it away, so that
// workers can hand in reports.
func TestJunkIsTakenAway(t *testing.T) {
	s := queuetest.Serve(t, queue.Listen{})
	lead := queuetest.Dial(t, s, true)
	flood := coretest.Must(nats.Connect("nats://"+s.Addr(), nats.Token(s.Token())))
	t.Cleanup(flood.Close)
	junk := make([]byte, message.MaxText)
	for range 130 { // twice what there is room for
		coretest.Try(flood.Publish("leeway.result", junk))
	}
	coretest.Try(flood.Flush())
	x := newTree()
	c, log := logged(t, lead)
	startWorkers(t, queuetest.Dial(t, s, false), workerOptions("one"))
	x.complete(t, c.Prove(t.Context(), x.shared()))
	if !log.has("not a result") {
		t.Error("the junk was not told of")
	}
}

// TestFullQueue has an outside server whose stream of units has no room: the coordinator says so.
func TestFullQueue(t *testing.T) {
	s := coretest.Must(server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true,
		StoreDir: t.TempDir(),
		NoLog:    true, NoSigs: true}))
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server did not start")
	}
	lead := coretest.Must(queue.Dial(t.Context(), queue.Access{URLs: s.ClientURL(), Lead: true}))
	t.Cleanup(func() { _ = lead.Close() })
	conn := coretest.Must(nats.Connect(s.ClientURL()))
	t.Cleanup(conn.Close)
	js := coretest.Must(jetstream.New(conn))
	stream := coretest.Must(js.Stream(t.Context(), "leeway-units"))
	config := stream.CachedInfo().Config
	config.MaxBytes = 100
	coretest.Must(js.UpdateStream(t.Context(), config))
	var full *queue.FullError
	if err := open(t, lead).Prove(t.Context(), newTree().shared()); !errors.As(err, &full) ||
		full.Stream != "leeway-units" {
		t.Errorf("%v", err)
	}
}
