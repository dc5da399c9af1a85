package store_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/store"
)

func aRun(t testing.TB, size int, seed uint64) store.Run {
	evaluations := int64(1000)
	return store.Run{Problem: compose.KeyOf(problem(t, size)), Seed: seed,
		Budget: results.Budget{Evaluations: &evaluations}, Methods: []string{"genetic", "local"}}
}

func checkpoint(t testing.TB, s *store.Store, r store.Run, state string) {
	t.Helper()
	raw := json.RawMessage(state)
	if state == "" {
		raw = nil
	}
	coretest.Try(s.Checkpoint(r, raw))
}

// resumes fails the test unless the run has the state; "-" is not a run.
func resumes(t testing.TB, s *store.Store, r store.Run, want string) {
	t.Helper()
	state, ok, err := s.Resume(r)
	if have := string(state); err != nil || ok != (want != "-") || ok && have != want {
		t.Fatalf("the state is %q, %v, %v, want %q", have, ok, err, want)
	}
}

func TestRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	s := open(t, path)
	one, two := aRun(t, 5, 1<<63+5), aRun(t, 5, 2)
	resumes(t, s, one, "-")
	checkpoint(t, s, one, "")
	resumes(t, s, one, "")
	checkpoint(t, s, one, `{"step": 1}`)
	checkpoint(t, s, two, `[2]`)
	checkpoint(t, s, one, `{"step": 2}`)
	s.Close()
	s = open(t, path)
	resumes(t, s, one, `{"step": 2}`)
	resumes(t, s, two, `[2]`)
	list, err := s.Unfinished()
	if err != nil || len(list) != 2 || !reflect.DeepEqual([]store.Run{list[0].Run, list[1].Run}, []store.Run{one, two}) {
		t.Fatalf("%v, %v", list, err)
	}
	null := store.Null{Method: "genetic", Seed: one.Seed, Budget: one.Budget, Evaluations: 1000, Best: "5/2"}
	for range 2 { // the second time says nothing new
		coretest.Try(s.Finish(one, null))
	}
	resumes(t, s, one, "-")
	for r, want := range map[*store.Run]bool{&one: true, &two: false} {
		if done, err := s.Finished(*r); err != nil || done != want {
			t.Errorf("finished %v, %v, want %v", done, err, want)
		}
	}
	if list, err := s.Unfinished(); err != nil || len(list) != 1 || !reflect.DeepEqual(list[0].Run, two) {
		t.Errorf("%v, %v", list, err)
	}
	nulls, err := s.Nulls(one.Problem)
	if err != nil || len(nulls) != 1 {
		t.Fatalf("%v, %v", nulls, err)
	}
	null.Added = nulls[0].Added
	if !reflect.DeepEqual(nulls[0], null) {
		t.Errorf("%v, want %v", nulls[0], null)
	}
	checkpoint(t, s, one, `[3]`) // anew
	resumes(t, s, one, `[3]`)
}

// TestRunsApart: every field of a run tells it from others.
func TestRunsApart(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	time := "90s"
	runs := []store.Run{aRun(t, 5, 1), aRun(t, 6, 1), aRun(t, 5, 3), aRun(t, 5, 1), aRun(t, 5, 1), aRun(t, 5, 1),
		aRun(t, 5, 1)}
	runs[3].Goal = "max-load 5/2"
	runs[4].Budget.Time = &time
	runs[5].Budget.Evaluations = nil
	runs[6].Methods = nil
	for i, r := range runs {
		resumes(t, s, r, "-")
		state, _ := json.Marshal(i)
		checkpoint(t, s, r, string(state))
	}
	runs[6].Methods = []string{} // the same as nil
	for i, r := range runs {
		state, _ := json.Marshal(i)
		resumes(t, s, r, string(state))
	}
}

// TestRunsThen: a second key makes another run, and runs without have the keys of stores before there was one.
func TestRunsThen(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	plain, then := aRun(t, 5, 1), aRun(t, 5, 1)
	then.Then = results.ThenDistance
	checkpoint(t, s, then, `[1]`)
	resumes(t, s, plain, "-")
	resumes(t, s, then, `[1]`)
	if text, err := json.Marshal(plain); err != nil || strings.Contains(string(text), "Then") {
		t.Errorf("%s, %v", text, err)
	}
	list, err := s.Unfinished()
	if err != nil || len(list) != 1 || !reflect.DeepEqual(list[0].Run, then) {
		t.Errorf("%v, %v", list, err)
	}
}

func TestRunsRefuse(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	var input *core.InputError
	if err := s.Checkpoint(aRun(t, 5, 1), json.RawMessage(`{"a":`)); !errors.As(err, &input) {
		t.Errorf("half a state: %v", err)
	}
	if err := s.AddNull(aRun(t, 5, 1).Problem, store.Null{Best: "2.5"}); !errors.As(err, &input) {
		t.Errorf("a decimal number: %v", err)
	}
	if err := s.AddBound(aRun(t, 5, 1).Problem, store.Bound{}); !errors.As(err, &input) {
		t.Errorf("no value: %v", err)
	}
	resumes(t, s, aRun(t, 5, 1), "-")
}

// TestNulls: each once, in order.
func TestNulls(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	p := aRun(t, 5, 1).Problem
	for i := range 6 {
		coretest.Try(s.AddNull(p, store.Null{Method: "local", Seed: uint64(i / 2), Best: "3"}))
	}
	list, err := s.Nulls(p)
	if err != nil || len(list) != 3 {
		t.Fatalf("%v, %v", list, err)
	}
	for i, n := range list {
		if n.Seed != uint64(i) || n.Method != "local" || n.Best != "3" {
			t.Errorf("null result %d is %v", i, n)
		}
	}
}

// TestPlan: what is planned can be gone on with, in its order; what began or ended stays as it was.
func TestPlan(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	runs := []store.Run{aRun(t, 4, 1), aRun(t, 5, 1), aRun(t, 6, 1), aRun(t, 7, 1)}
	checkpoint(t, s, runs[1], `"begun"`)
	coretest.Try(s.Finish(runs[2]))
	for range 2 {
		coretest.Try(s.Plan(runs))
	}
	list, err := s.Unfinished()
	if err != nil || len(list) != 3 || list[0].Updated == "" || list[1].Updated != "" ||
		!reflect.DeepEqual(list[1].Run, runs[0]) || !reflect.DeepEqual(list[2].Run, runs[3]) {
		t.Errorf("%+v, %v", list, err)
	}
	if ended, err := s.Ended(); err != nil || !reflect.DeepEqual(ended, runs[2:3]) {
		t.Errorf("ended: %+v, %v", ended, err)
	}
	resumes(t, s, runs[1], `"begun"`)
	if done, err := s.Finished(runs[2]); err != nil || !done {
		t.Errorf("finished %v, %v", done, err)
	}
	checkpoint(t, s, runs[0], `1`)
	if list, err := s.Unfinished(); err != nil || list[1].Started == "" || list[1].Updated == "" {
		t.Errorf("%+v, %v", list, err)
	}
}
