package cluster

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/search"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
)

var testPortfolio = portfolio.Portfolio{Methods: []string{"family", "local"}}

func sampleUnits() []message.Unit {
	c := message.Unit{Schema: message.UnitSchema, Key: texts.Key{Torus: "8x8", Routing: "odr:tie=plus", Size: 15},
		Proof: &message.Slice{Below: "13/2", Engine: "counts", Name: []int{3, 0, 7}}, Issue: 12}
	s := message.Unit{Schema: message.UnitSchema, Key: texts.Key{Torus: "3x3", Routing: "udr:tie=both", Size: 2},
		Search: &message.Search{Number: 4, Seed: 1<<64 - 1, Methods: []string{"local"}, Evaluations: 5000,
			Starts: [][]int{{0, 4}}, Goal: "1/2"}}
	return []message.Unit{c, s}
}

var zero = time.Time{}

// searched is a problem of which the optimum is known.
var (
	searched = searchtest.Problem("4x4", "udr", 6)
	optimum  = sync.OnceValue(func() *big.Rat { return searchtest.Optimum(searched) })
)

// TestSearchDependsOnTheSeedOnly compares searches by different crews.
func TestSearchDependsOnTheSeedOnly(t *testing.T) {
	for _, where := range []string{"4x4", "4x4:open=0,1:fixed=0,0:forbidden=1,2+2,2",
		"4x5:open=1:traffic=clients:request=2:reply=1:reply-routing=odr:order=1,0:tie=both:fixed=0,0"} {
		p := coretest.Must(texts.ParseProblem(where, "odr", 6))
		searchByCrews(t, p, "family", "local")
	}
	p := coretest.Must(texts.ParseProblem("4x4:traffic=matrix:tasks=5:demands=0-1*3,1-2*1/2,2-0,3-4*2,4-0", "udr", 5))
	searchByCrews(t, p, "annealing")
}

func searchByCrews(t *testing.T, p objective.Problem, methods ...string) {
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
		r, err := c.Search(t.Context(), portfolio.Portfolio{Methods: methods}, params)
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
	alone := coretest.Must(c.Search(t.Context(), portfolio.Portfolio{Methods: []string{"local"}}, params))
	coretest.Try(c.Finish(t.Context()))
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

// TestHostileSearcher has a search beside a hostile worker: what it returns has the value that it says.
func TestHostileSearcher(t *testing.T) {
	for seed := range uint64(coretest.Cases(16, 4)) {
		memory := queuetest.NewMemory()
		c := open(t, memory)
		h := &hostile{queue: memory, random: rand.New(rand.NewPCG(seed, 78))}
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			for i := 0; i < 60 && h.act(ctx) == nil; i++ {
			}
		})
		all.Go(func() { _ = Work(ctx, memory, workerOptions("honest")) })
		r, err := c.Search(t.Context(), testPortfolio, search.Params{Problem: searched, Seed: seed, Evaluations: 60_000})
		stop()
		all.Wait()
		if err != nil || r.Value == nil {
			t.Fatal(seed, r, err)
		}
		if v, _ := searched.Naive(r.Best).Max(); v.Cmp(r.Value) != 0 || r.Value.Cmp(optimum()) < 0 {
			t.Errorf("seed %d: E_max %s, not %s", seed, v.RatString(), r.Value.RatString())
		}
	}
}

// TestForgedLedger has lines in the ledger of a search that say of a unit what is not so, or are junk.
func TestForgedLedger(t *testing.T) {
	u := coretest.Must(message.NewUnit(searched))
	u.Search = &message.Search{Methods: testPortfolio.Methods, Evaluations: 2000}
	lie := message.Report{Unit: u.ID(), Best: core.Range(6), Value: "1/2", Evaluations: 2000}
	none := message.Report{Unit: u.ID(), Best: []int{-1, 1 << 40}, Value: "1/2"}
	for i, line := range [][]byte{message.Encode(message.Entry{Question: u.Question(), Accept: &lie}),
		message.Encode(message.Entry{Question: u.Question(), Accept: &none}), []byte("junk"), nil} {
		memory := queuetest.NewMemory()
		for _, l := range [][]byte{message.Encode(message.Entry{Question: u.Question(), Issue: &u}), line} {
			coretest.Try(memory.Append(t.Context(), l))
		}
		startWorkers(t, memory, workerOptions("honest"))
		r, err := open(t, memory).Search(t.Context(), testPortfolio, search.Params{Problem: searched, Evaluations: 4000})
		if err != nil || r.Value == nil || r.Value.Cmp(optimum()) < 0 {
			t.Errorf("%d: %+v, %v", i, r, err)
		}
	}
}

// The parsers of everything that comes from the server.

func FuzzLedger(f *testing.F) {
	u := sampleUnits()[1]
	f.Add(message.Encode(message.Entry{Question: u.Question(), Issue: &u}))
	f.Add([]byte(`{"question":"x"}`))
	f.Fuzz(func(_ *testing.T, line []byte) {
		if e, err := message.ParseEntry(line); err == nil && e.Issue != nil {
			_ = newSchedule(1, nil, nil).issue(*e.Issue, zero) // an error or not, no panic
		}
	})
}

func FuzzFacts(f *testing.F) {
	f.Add([]byte(`{"nodes":[0,4],"value":"1/2","worker":"w"}`))
	f.Add(message.Encode(message.Question{ID: "x"}))
	f.Add(message.Encode(message.Job{Protocol: 1, Program: "p", Job: "j"}))
	f.Add(message.Encode(message.Hello{Name: "n", Host: "h", Cores: 3}))
	f.Add(message.Encode(message.Status{Job: "j", Workers: []message.Worker{{Name: "w"}}}))
	p := coretest.Must(sampleUnits()[1].Problem())
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, s, v, err := message.ParseIncumbent(p, text); err == nil && len(text) > 0 {
			if true, _ := p.Naive(s).Max(); v.Cmp(true) != 0 {
				t.Errorf("%s has E_max %s, not %s", text, true, v)
			}
		}
		w := &worker{running: map[*runningUnit]bool{}, end: func(error) {}}
		w.setQuestion(queue.Fact{Value: text, Revision: 1}, queue.Any)
		c := &Coordinator{workers: map[string]*workerState{}, log: slog.New(slog.DiscardHandler)}
		c.hear(text)
		cores, _ := c.capacity()
		if s, err := message.ParseStatus(c.answer()); err != nil || cores > message.MaxCores || len(s.Workers) > 1 {
			t.Errorf("%s becomes %+v, %v", text, s, err)
		}
		if s, err := message.ParseStatus(text); err == nil {
			if _, err := message.ParseStatus(message.Encode(s)); err != nil {
				t.Error(err)
			}
		}
		memory := queuetest.NewMemory()
		coretest.Try(memory.Put(t.Context(), message.KeyJob, text, queue.Any))
		var job *JobError
		if c, err := Open(t.Context(), memory, Options{Program: "test", Job: "j",
			Log: slog.New(slog.DiscardHandler)}); err == nil {
			c.Close()
		} else if !errors.As(err, &job) {
			t.Error(err)
		}
	})
}

// TestUnits: a unit grows with the nodes of the network, up to a limit, and with the budget.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		torus     string
		all, want int64
	}{{"2x3", 30_000, 2000}, {"4x4", 30_000, 4000}, {"6x6x6", 1_000_000, 50_000}, {"4x4", 2_560_000, 10_000}} {
		h := &searchRun{params: search.Params{Problem: searchtest.Problem(c.torus, "odr", 2), Evaluations: c.all},
			schedule: newSchedule(1, nil, nil)}
		if each, left := h.evaluations(); each != c.want || left != c.all {
			t.Errorf("%s: a unit has %d of %d evaluations, not %d", c.torus, each, left, c.want)
		}
	}
}

// TestTurns adds up what units are given: all evaluations.
func TestTurns(t *testing.T) {
	for _, all := range []int64{1, 2000, 30_001, 1_000_000} {
		h := &searchRun{params: search.Params{Problem: searchtest.Problem("3x3", "odr", 2), Evaluations: all},
			schedule: newSchedule(1, nil, nil)}
		base := coretest.Must(message.NewUnit(h.params.Problem))
		total := int64(0)
		for each, left := h.evaluations(); left > 0; each, left = h.evaluations() {
			for !h.schedule.ready() {
				i := h.schedule.units[h.schedule.merged]
				pair := core.MustPlacement(h.params.Problem.Torus(), []int{0, 1})
				h.schedule.finish(i, search.Found{Placement: pair, Value: big.NewRat(1, 1)}, 1)
			}
			u := base
			u.Search, u.Issue = h.schedule.next(testPortfolio, each, left, ""), int64(len(h.schedule.units))
			if u.Search.Evaluations > each || u.Search.Evaluations > left {
				t.Fatalf("%+v, each %d, left %d", u.Search, each, left)
			}
			total += u.Search.Evaluations
			coretest.Try(h.schedule.issue(u, zero))
		}
		if total != all {
			t.Errorf("%d of %d evaluations", total, all)
		}
	}
}
