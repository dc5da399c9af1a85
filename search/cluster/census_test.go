package cluster

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/clients"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
	"leeway/search/family"
	"leeway/search/local"
	"leeway/search/orderly"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
	"leeway/search/slabs"
)

var engines = []census.Engine{clients.Engine{}, slabs.Margin{}, slabs.Levels{}, orderly.Engine{}}

// workerOptions returns what a worker of a test works with.
func workerOptions(name string) WorkerOptions {
	return WorkerOptions{Name: name, Key: keyOf(name), Host: "here", Program: "test", Cores: 1, Engines: engines,
		Log: slog.New(slog.DiscardHandler),
		Methods: func(names []string) ([]search.Method, error) {
			var list []search.Method
			for _, m := range []search.Method{family.Method{}, census.Bounded{Engines: func(int,
				int64) []census.Engine {
				return engines
			}}, local.Method{}} {
				if slices.Contains(names, m.Name()) {
					list = append(list, m)
				}
			}
			if len(list) < len(names) {
				return nil, fmt.Errorf("unknown method in %q", names)
			}
			return list, nil
		}}
}

// keyOf returns the key of the worker of a name.
func keyOf(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	return ed25519.NewKeyFromSeed(seed[:])
}

// forged returns a report that was changed, as its worker would sign it.
func forged(r message.Report) []byte { return r.Signed(keyOf(r.Worker)).Text() }

// testKey is the key of the coordinators of tests.
var testKey = []byte("the key of the coordinators of tests")

// open returns a coordinator with small units. byPlan walks a tree again by its own plan.
func byPlan(_ context.Context, tree census.Tree) (Rewalk, error) {
	return func(ctx context.Context, from, to int) (all census.Tally, _ error) {
		w := tree.Plan.Walker()
		for i := from; i < to && !all.Ended && all.Found.Size() == 0; i++ {
			t := w.Walk(i, func(int64) bool { return ctx.Err() == nil })
			all.Nodes, all.Sum, all.Found = all.Nodes+t.Nodes, all.Sum+t.Sum, t.Found
			all.Ended = t.Ended || ctx.Err() != nil
		}
		return all, nil
	}, nil
}

func open(t *testing.T, q queue.Queue) *Coordinator {
	t.Helper()
	c, err := Open(t.Context(), q, Options{Program: "test", Job: "a test", Log: slog.New(slog.DiscardHandler),
		UnitTime: time.Microsecond, Key: testKey, Confirm: byPlan})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// startWorkers starts workers; they end with the test, or when stop is called.
func startWorkers(t *testing.T, q queue.Queue, list ...WorkerOptions) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for _, tool := range list {
		all.Go(func() {
			var ban *BanError
			if err := Work(ctx, q, tool); err != nil && ctx.Err() == nil && !(errors.As(err, &ban) && tool.Name == "liar") {
				t.Errorf("worker %s: %v", tool.Name, err)
			}
		})
	}
	stop = func() { cancel(); all.Wait() }
	t.Cleanup(stop)
	return stop
}

// questions are small problems, each with an engine and a value: the optimum, so
// that none is below, or something above.
func questions(t *testing.T) []census.Question {
	t.Helper()
	list, err := allQuestions()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(list)
}

// allQuestions finds the optima once for all tests.
var allQuestions = sync.OnceValues(func() (list []census.Question, err error) {
	for _, c := range []struct {
		torus, routing string // torus as objective.ParseProblem reads it
		size           int
		engine         census.Engine
	}{{"5x5", "odr", 8, slabs.Margin{}}, {"4x5", "udr:tie=both", 6, orderly.Engine{}}, {"3x3x3", "odr", 5,
		slabs.Levels{}}, {"5x5", "minimal", 5, orderly.Engine{}}, {"4x5:open=0:bandwidth=2,1", "udr", 7, slabs.Margin{}},
		{"4x5:fixed=0,0:forbidden=1,1+2,3", "odr", 7, slabs.Margin{}},
		{"4x4:open=0,1:fixed=0,0+1,2:forbidden=3,3", "udr", 5, orderly.Engine{}},
		{"5x5:open=0,1:traffic=clients:request=1:reply=2:fixed=1,0:forbidden=2,3+4,2", "udr:tie=both", 7, clients.Engine{}},
		{"3x6:open=0:bandwidth=4,1:traffic=clients:request=1:reply=2:reply-routing=udr:tie=both:fixed=2,1:forbidden=" +
			"0,3+1,0", "udr", 5, clients.Engine{}}} {
		p, err := objective.ParseProblem(c.torus, c.routing, c.size)
		if err != nil {
			return nil, err
		}
		out, err := census.Method{Engines: []census.Engine{c.engine}}.Run(context.Background(), search.Params{Problem: p,
			Workers: 1})
		if err != nil || out.Refutation == nil {
			return nil, fmt.Errorf("%s: %+v: %w", p, out, err)
		}
		for _, add := range []*big.Rat{new(big.Rat), big.NewRat(1, 64)} {
			list = append(list, census.Question{Problem: p, Below: new(big.Rat).Add(out.Value, add),
				Engines: []census.Engine{c.engine}, Workers: 1})
		}
	}
	return list, nil
})

// same compares the answers of a cluster and of one machine.
func same(t *testing.T, q census.Question, got census.Reply, err error) {
	t.Helper()
	q.Cluster, q.Log = nil, nil
	alone, errAlone := census.Decide(t.Context(), q)
	if err != nil || errAlone != nil {
		t.Fatal(err, errAlone)
	}
	if !reflect.DeepEqual(got.Refutation, alone.Refutation) || !slices.Equal(nodesOf(got), nodesOf(alone)) {
		t.Errorf("%s below %s: %+v and %v, alone %+v and %v", q.Problem, q.Below.RatString(), got.Refutation, nodesOf(got),
			alone.Refutation, nodesOf(alone))
	}
}

func nodesOf(r census.Reply) []int {
	if r.Found.Size() == 0 {
		return nil
	}
	return r.Found.Nodes()
}

// TestWalkIsThatOfOneMachine puts questions to some workers, that lose everything they have now and then.
func TestWalkIsThatOfOneMachine(t *testing.T) {
	for i, q := range questions(t) {
		memory := queuetest.NewMemory()
		c := open(t, memory)
		stop := startWorkers(t, memory, workerOptions("one"), workerOptions("two"), workerOptions("three"))
		q.Cluster = c
		q.Observe = func(p census.Progress) {
			if i%2 == 1 && p.Nodes%7 == 0 {
				memory.Redeliver()
			}
		}
		reply, err := census.Decide(t.Context(), q)
		same(t, q, reply, err)
		stop()
	}
}

// TestDescentIsThatOfOneMachine compares whole proofs, question after question.
func TestDescentIsThatOfOneMachine(t *testing.T) {
	p := searchtest.Problem("5x5", "odr", 9)
	memory := queuetest.NewMemory()
	m := census.Method{Engines: []census.Engine{slabs.Margin{}}}
	alone, err := m.Run(t.Context(), search.Params{Problem: p, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	m.Cluster = open(t, memory)
	startWorkers(t, memory, workerOptions("one"), workerOptions("two"))
	together, err := m.Run(t.Context(), search.Params{Problem: p, Workers: 1})
	if err != nil || !reflect.DeepEqual(alone.Refutation, together.Refutation) || !slices.Equal(alone.Best.Nodes(),
		together.Best.Nodes()) {
		t.Errorf("%+v, alone %+v (%v)", together, alone, err)
	}
}

// TestSearchDependsOnTheSeedOnly compares searches by different crews.
func TestSearchDependsOnTheSeedOnly(t *testing.T) {
	for _, where := range []string{"4x4", "4x4:open=0,1:fixed=0,0:forbidden=1,2+2,2",
		"4x5:open=1:traffic=clients:request=2:reply=1:reply-routing=odr:order=1,0:tie=both:fixed=0,0"} {
		p, err := objective.ParseProblem(where, "odr", 6)
		if err != nil {
			t.Fatal(err)
		}
		searchByCrews(t, p)
	}
}

func searchByCrews(t *testing.T, p objective.Problem) {
	t.Helper()
	params := search.Params{Problem: p, Seed: 5, Evaluations: few(40_000)}
	var first search.Outcome
	for round, names := range [][]string{{"one"}, {"one", "two", "three"}} {
		memory := queuetest.NewMemory()
		c := open(t, memory)
		var list []WorkerOptions
		for _, n := range names {
			list = append(list, workerOptions(n))
		}
		stop := startWorkers(t, memory, list...)
		r, err := c.Search(t.Context(), portfolio.Portfolio{Methods: []string{"family", "local"}}, params)
		stop()
		if err != nil || r.Value == nil || r.Evaluations == 0 {
			t.Fatal(r, err)
		}
		if v, _ := p.Naive(r.Best).Max(); v.Cmp(r.Value) != 0 || !p.Admits(r.Best) {
			t.Errorf("%s: %v has E_max %s, not %s", p, r.Best.Nodes(), v.RatString(), r.Value.RatString())
		}
		if round == 0 {
			first = r
		} else if !reflect.DeepEqual(first, r) {
			t.Errorf("%+v by three, %+v by one", r, first)
		}
	}
}

// TestSearchGoesOn stops coordinators after every few reports; the outcome is that of one that was left alone.
func TestSearchGoesOn(t *testing.T) {
	p := searchtest.Problem("4x4", "odr", 6)
	params := search.Params{Problem: p, Seed: 3, Evaluations: 30_000}
	memory := queuetest.NewMemory()
	startWorkers(t, memory, workerOptions("one"), workerOptions("two"))
	c := open(t, memory)
	alone, err := c.Search(t.Context(), portfolio.Portfolio{Methods: []string{"local"}}, params)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Close()
	for round := 0; ; round++ {
		c := open(t, memory)
		ctx, cancel := context.WithCancel(t.Context())
		results := 0
		params.Observe = func(e search.Event) {
			if e.Evaluations > 0 && round < 3 {
				if results++; results == 4 {
					cancel()
				}
			}
		}
		r, err := c.Search(ctx, portfolio.Portfolio{Methods: []string{"local"}}, params)
		stopped := ctx.Err() != nil
		cancel()
		c.Close()
		if err != nil || c.Stopped() != stopped {
			t.Fatal(err, stopped)
		}
		if stopped {
			continue
		}
		if !reflect.DeepEqual(r, alone) || round < 2 {
			t.Errorf("after %d rounds %+v, alone %+v", round, r, alone)
		}
		return
	}
}

// few returns fewer evaluations in the short form of a test.
func few(evaluations int64) int64 {
	if testing.Short() {
		return evaluations / 3
	}
	return evaluations
}

// TestWalkOverNats has workers of several connections.
func TestWalkOverNats(t *testing.T) {
	for _, q := range questions(t)[:4] {
		s := queuetest.Serve(t, queue.Listen{})
		c := open(t, queuetest.Dial(t, s, true))
		stop := []func(){startWorkers(t, queuetest.Dial(t, s, true), workerOptions("one")),
			startWorkers(t, queuetest.Dial(t, s, false), workerOptions("two"))}
		q.Cluster = c
		reply, err := census.Decide(t.Context(), q)
		same(t, q, reply, err)
		for _, f := range stop {
			f()
		}
	}
}
