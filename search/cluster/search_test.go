package cluster

import (
	"context"
	"math/big"
	"reflect"
	"testing"

	"leeway/core"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue/queuetest"
	"leeway/search/orderly"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
)

var testPortfolio = portfolio.Portfolio{Methods: []string{"family", "local"}, Exact: []string{"census"},
	Engines: []census.Engine{orderly.Engine{}}}

// TestSearchProves looks with a census among the methods: the search ends early, with
// the refutation that one machine has, whoever works.
func TestSearchProves(t *testing.T) {
	p := searchtest.Problem("4x5", "udr:tie=both", 6)
	params := search.Params{Problem: p, Seed: 2, Evaluations: 4_000_000}
	for _, names := range [][]string{{"one"}, {"one", "two"}} {
		memory := queuetest.NewMemory()
		c := open(t, memory)
		for _, n := range names {
			startWorkers(t, memory, workerOptions(n))
		}
		r, err := c.Search(t.Context(), testPortfolio, params)
		if err != nil || r.Reason != search.Complete || r.Evaluations > params.Evaluations/2 {
			t.Fatal(r, err)
		}
		alone, err := census.Decide(t.Context(), census.Question{Problem: p, Below: r.Value, Engines: testPortfolio.Engines,
			Workers: 1})
		if err != nil || alone.Refutation == nil || !reflect.DeepEqual(alone.Refutation, r.Refutation) {
			t.Errorf("%+v, alone %+v, %v", r.Refutation, alone.Refutation, err)
		}
	}
}

// TestFalseClaim has a worker that says of what it found that nothing is better, of a
// placement that is bad: the search must go on and end as it does without that.
func TestFalseClaim(t *testing.T) {
	p := searchtest.Problem("4x5", "udr:tie=both", 6)
	s, err := message.Placement(p, firstNodes(6))
	if err != nil {
		t.Fatal(err)
	}
	h := &searchRun{question: question{problem: p}}
	bad := h.evaluate(s)
	memory := queuetest.NewMemory()
	c, log := logged(t, memory)
	lied := make(chan bool, 1000)
	wrong := liar{memory, func(_ context.Context, text []byte) [][]byte {
		r, err := message.ParseReport(text)
		if err != nil {
			panic(err)
		}
		if r.Refuted = len(r.Best) > 0; r.Refuted {
			r.Best, r.Value = bad.Placement.Nodes(), bad.Value.RatString()
		}
		lied <- true
		return [][]byte{forged(r)}
	}}
	startWorkers(t, wrong, workerOptions("liar"))
	ended := make(chan search.Outcome)
	go func() {
		r, err := c.Search(t.Context(), testPortfolio, search.Params{Problem: p, Seed: 2, Evaluations: 100_000})
		if err != nil {
			t.Error(err)
		}
		ended <- r
	}()
	<-lied
	startWorkers(t, memory, workerOptions("honest"))
	r := <-ended
	if want := questions(t)[2].Below; r.Value == nil || r.Value.Cmp(want) != 0 || r.Refutation == nil ||
		!log.has("not trusted any more") {
		t.Errorf("%+v, optimum %s", r, want.RatString())
	}
}

// TestTurns adds up what units are given: all evaluations, exact methods in the units
// that have a turn, and in no others.
func TestTurns(t *testing.T) {
	for _, all := range []int64{1, 2000, 30_001, 1_000_000} {
		h := &searchRun{params: search.Params{Problem: searchtest.Problem("3x3", "odr", 2), Evaluations: all},
			schedule: newSchedule(1, nil, nil)}
		base, err := message.NewUnit(h.params.Problem)
		if err != nil {
			t.Fatal(err)
		}
		exact, total := 0, int64(0)
		for each, left := h.evaluations(); left > 0; each, left = h.evaluations() {
			for !h.schedule.ready() {
				i := h.schedule.units[h.schedule.merged]
				pair := core.MustPlacement(h.params.Problem.Torus(), []int{0, 1})
				h.schedule.finish(i, search.Found{Placement: pair, Value: big.NewRat(1, 1)}, 1)
			}
			u := base
			u.Search, u.Issue = h.schedule.next(testPortfolio, each, left, ""), int64(len(h.schedule.units))
			if u.Search.Exact != nil {
				exact++
			}
			if n := exactFactor(u.Search.Number); u.Search.Evaluations > max(1, n)*each || u.Search.Evaluations > left ||
				(n > 0) != (u.Search.Exact != nil) {
				t.Fatalf("%+v, each %d, left %d", u.Search, each, left)
			}
			total += u.Search.Evaluations
			if err := h.schedule.issue(u, zero); err != nil {
				t.Fatal(err)
			}
		}
		if total != all || exact == 0 || exact > exactUnits {
			t.Errorf("%d of %d evaluations, %d units with exact methods", total, all, exact)
		}
	}
}
