package portfolio_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/family"
	"leeway/search/genetic"
	"leeway/search/local"
	"leeway/search/orbit"
	"leeway/search/portfolio"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// all are the real methods.
func all() []search.Method {
	return []search.Method{family.Method{}, orbit.Lattice{}, orbit.Method{}, genetic.Method{}, local.Method{},
		refuters.Bounded{Method: refuters.Method{Refuter: refuters.Deciding(refuters.All())[0]}}}
}

// problems lists some that are not solved in the first epochs.
func problems() []objective.Problem {
	list := []objective.Problem{searchtest.Problem("4x4x2", "orders:012+120", 10),
		searchtest.Problem("6x6:open=0:bandwidth=2,1:fixed=0,0+3,2:forbidden=5,5", "udr", 11)}
	if testing.Short() {
		return list
	}
	return append(list, searchtest.Problem("9x9", "odr", 41), searchtest.Problem("8x8", "udr:tie=both", 29),
		searchtest.Problem("5x7", "minimal", 14))
}

func text(t *testing.T, v any) string {
	t.Helper()
	data := coretest.Must(json.Marshal(v))
	return string(data)
}

// outcome is what a record would hold of a result.
func outcome(t *testing.T, r portfolio.Outcome) string {
	nodes := []int(nil)
	if r.Value != nil {
		nodes = r.Best.Nodes()
	}
	return text(t, []any{nodes, r.Value, r.Method, r.Evaluations, r.Reason, r.Refutation, r.State})
}

// history runs methods and returns their checkpoints and their result as JSON.
func history(t *testing.T, p search.Params, resume *portfolio.State, methods ...search.Method) []string {
	t.Helper()
	var list []string
	o := portfolio.Options{Resume: resume, Recheck: 2, Checkpoint: func(s portfolio.State) error {
		list = append(list, text(t, s))
		return nil
	}}
	return append(list, outcome(t, run(t, p, o, methods...)))
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d epochs, want %d", what, len(got)-1, len(want)-1)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: after epoch %d:\n%s\nwant\n%s", what, i, got[i], want[i])
		}
	}
}

// TestSameForAnyWorkers compares everything, after every epoch.
func TestSameForAnyWorkers(t *testing.T) {
	for _, problem := range problems() {
		p := search.Params{Problem: problem, Seed: 3, Evaluations: 40_000, Workers: 1}
		want := history(t, p, nil, all()...)
		if len(want) < 4 {
			t.Errorf("%s: %d epochs show little", problem, len(want)-1)
		}
		for _, workers := range []int{7, 2}[:coretest.Cases(2, 1)] {
			p.Workers = workers
			same(t, problem.String(), history(t, p, nil, all()...), want)
		}
	}
}

// TestResumedIsUninterrupted stops after every epoch, or in short after every third.
func TestResumedIsUninterrupted(t *testing.T) {
	for _, problem := range problems() {
		p := search.Params{Problem: problem, Seed: 4, Evaluations: 40_000, Workers: 2}
		want := history(t, p, nil, all()...)
		for i, checkpoint := range want[:len(want)-1] {
			if testing.Short() && i%3 != 1 {
				continue
			}
			var s portfolio.State
			coretest.Try(json.Unmarshal([]byte(checkpoint), &s))
			same(t, problem.String(), history(t, p, &s, all()...), want[i+1:])
		}
	}
}

// TestCutEpoch ends the context inside an epoch: what is better goes into the result, and not into the state, from
// which the run goes on as if nothing had happened.
func TestCutEpoch(t *testing.T) {
	acts := []act{{nodes: row}, {nodes: diagonal}, {nodes: even, below: "1"}}
	want := run(t, square(), portfolio.Options{}, &scripted{name: "m", acts: acts})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := square()
	p.Observe = func(e search.Event) {
		if e.Value != nil && e.Value.RatString() == "1" {
			cancel()
		}
	}
	cut := coretest.Must(portfolio.Run(ctx, []search.Method{&scripted{name: "m", acts: acts}}, p, portfolio.Options{}))
	if cut.Value.RatString() != "1" || cut.Refutation == nil || cut.Evaluations <= cut.State.Evaluations {
		t.Errorf("value %s, refutation %v, %d evaluations, %d in the state", cut.Value.RatString(), cut.Refutation,
			cut.Evaluations, cut.State.Evaluations)
	}
	if s := cut.State; s.Epoch != 2 || len(s.Refutations) != 0 || s.Archive[0].Value.RatString() != "3/2" ||
		s.Improvements != 2 {
		t.Errorf("state %s", text(t, s))
	}
	got := run(t, square(), portfolio.Options{Resume: &cut.State}, &scripted{name: "m", acts: acts[2:]})
	if outcome(t, got) != outcome(t, want) {
		t.Errorf("resumed %s\nuninterrupted %s", outcome(t, got), outcome(t, want))
	}
}

func TestResumeRefusesOtherRuns(t *testing.T) {
	m := plays("m", act{nodes: diagonal}, act{nodes: row})
	good := text(t, run(t, square(), portfolio.Options{}, m).State)
	for name, change := range map[string]func(*portfolio.State, *search.Params){
		"problem": func(_ *portfolio.State, p *search.Params) { p.Problem.Size = 5 },
		"seed":    func(_ *portfolio.State, p *search.Params) { p.Seed++ },
		"methods": func(s *portfolio.State, _ *search.Params) { s.Methods[0].Method = "other" },
		"nodes":   func(s *portfolio.State, _ *search.Params) { s.Archive[0].Nodes[3] = 99 },
		"size":    func(s *portfolio.State, _ *search.Params) { s.Archive[0].Nodes = row[:3] },
		"value":   func(s *portfolio.State, _ *search.Params) { s.Archive[0].Value = fraction("1") },
		"nothing": func(s *portfolio.State, _ *search.Params) { s.Archive[0].Value = nil },
		"order":   func(s *portfolio.State, _ *search.Params) { s.Archive[0], s.Archive[1] = s.Archive[1], s.Archive[0] },
	} {
		var s portfolio.State
		coretest.Try(json.Unmarshal([]byte(good), &s))
		p := square()
		change(&s, &p)
		var input *core.InputError
		if _, err := portfolio.Run(context.Background(), []search.Method{m}, p,
			portfolio.Options{Resume: &s}); !errors.As(err, &input) {
			t.Errorf("another %s: %v", name, err)
		}
	}
}
