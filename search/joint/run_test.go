package joint_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/search"
	"leeway/search/family"
	"leeway/search/joint"
	"leeway/search/local"
)

func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// outcome is what a record would hold of a result, and the state.
func outcome(t *testing.T, r joint.Result) string {
	return text(t, []any{r.Placement.Nodes(), r.Value, r.Method, r.Evaluations, r.Reason, r.State})
}

// cases are some that are not solved in the first epochs.
func cases() []joint.Params {
	var list []joint.Params
	for _, free := range []routing.Free{{MinPaths: 1}, {Single: true}, {MinPaths: 2}} {
		list = append(list, joint.Params{Torus: core.MustTorus(5, 5), Size: 7, Free: free, Walk: true, Seed: 3, Evaluations: 600_000, Workers: 1,
			Feeders: []search.Method{family.Method{}, local.Method{}}})
	}
	if testing.Short() {
		list = list[:1]
		list[0].Evaluations = 450_000
	}
	return list
}

// TestResumeEqualsUninterrupted goes on from every checkpoint, through JSON, with
// another number of workers, and from where a run was stopped.
func TestResumeEqualsUninterrupted(t *testing.T) {
	for _, p := range cases() {
		var states []string
		p.Checkpoint = func(s joint.State) error {
			states = append(states, text(t, s))
			return nil
		}
		want := outcome(t, run(t, p))
		p.Checkpoint, p.Workers = nil, 3
		if got := outcome(t, run(t, p)); got != want {
			t.Errorf("%s: with 3 workers\n%s\nwith 1\n%s", p.Free, got, want)
		}
		if len(states) < 3 {
			t.Errorf("%s: only %d checkpoints", p.Free, len(states))
		}
		for i, s := range states {
			p.Resume = new(joint.State)
			if err := json.Unmarshal([]byte(s), p.Resume); err != nil {
				t.Fatal(err)
			}
			if got := outcome(t, run(t, p)); got != want {
				t.Errorf("%s: from checkpoint %d\n%s\nwithout a stop\n%s", p.Free, i, got, want)
			}
		}
		p.Resume = nil
		ctx, cancel := context.WithCancel(context.Background())
		p.Observe = func(e search.Event) {
			if e.Evaluations > p.Evaluations/2 {
				cancel()
			}
		}
		stopped, err := joint.Run(ctx, p)
		if err != nil || stopped.Reason != search.Stopped {
			t.Fatalf("%s: %s, %v", p.Free, stopped.Reason, err)
		}
		sound(t, p.Free, stopped.Found)
		p.Resume, p.Observe = &stopped.State, nil
		if stopped.State.Epochs == 0 {
			p.Resume = nil
		}
		if got := outcome(t, run(t, p)); got != want {
			t.Errorf("%s: stopped and resumed\n%s\nwithout a stop\n%s", p.Free, got, want)
		}
	}
}

// TestStatesOfOthers are refused.
func TestStatesOfOthers(t *testing.T) {
	p := cases()[0]
	p.Evaluations = 100_000
	good := run(t, p).State
	for name, spoil := range map[string]func(*joint.State){
		"problem": func(s *joint.State) { s.Problem = "another" },
		"seed":    func(s *joint.State) { s.Seed++ },
		"value":   func(s *joint.State) { s.Best.Value = big.NewRat(1, 7) },
		"paths":   func(s *joint.State) { s.Pool[0].Paths = s.Pool[0].Paths[1:] },
		"set":     func(s *joint.State) { s.Pool[0].Paths[0] = []int{99} },
		"nodes":   func(s *joint.State) { s.Pool[0].Nodes = []int{0, 1} },
	} {
		p.Resume = new(joint.State)
		if err := json.Unmarshal([]byte(text(t, good)), p.Resume); err != nil {
			t.Fatal(err)
		}
		spoil(p.Resume)
		var input *core.InputError
		if _, err := joint.Run(context.Background(), p); !errors.As(err, &input) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for name, p := range map[string]joint.Params{
		"size 0":     {Torus: core.MustTorus(4, 4)},
		"size 17":    {Torus: core.MustTorus(4, 4), Size: 17},
		"both":       {Torus: core.MustTorus(4, 4), Size: 4, Free: routing.Free{Single: true, MinPaths: 2}},
		"torus":      {Torus: core.MustTorus(65, 65), Size: 4},
		"many paths": {Torus: core.MustTorus(4, 4, 4, 4), Size: 200},
		"start":      {Torus: core.MustTorus(4, 4), Size: 4, Starts: []core.Placement{core.MustPlacement(core.MustTorus(4, 4), []int{1})}},
	} {
		p.Workers = 1
		var input *core.InputError
		if _, err := joint.Run(context.Background(), p); !errors.As(err, &input) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheckpointError ends a run, and what was found comes with it.
func TestCheckpointError(t *testing.T) {
	p, full := cases()[0], errors.New("disk full")
	p.Checkpoint = func(joint.State) error { return full }
	if r, err := joint.Run(context.Background(), p); !errors.Is(err, full) || r.Value == nil {
		t.Errorf("%v, %v", r.Value, err)
	}
}

// TestLargest compares with the optimum of every size by brute force.
func TestLargest(t *testing.T) {
	const most = 5
	tor, free := core.MustTorus(2, 3), routing.Free{Single: true}
	var values []*big.Rat // of 1, 2, ... processors
	for n := 1; n <= most; n++ {
		values = append(values, optimum(tor, n, free))
	}
	for _, limit := range values[:most-1] {
		want := 0
		for want < most && values[want].Cmp(limit) <= 0 {
			want++
		}
		if want == most {
			t.Fatalf("%s is no limit on sizes up to %d", limit.RatString(), most)
		}
		p := joint.Params{Torus: tor, Free: free, Walk: true, Seed: 1, Evaluations: 60_000, Workers: 2}
		r, err := joint.Largest(context.Background(), p, joint.Sizing{Limit: func(int) *big.Rat { return limit }, Lower: func(n int) *big.Rat { return big.NewRat(int64(n-1), 3) }})
		if err != nil {
			t.Fatal(err)
		}
		if r.Size != want || r.Value.Cmp(limit) > 0 || r.UpperBound < want {
			t.Errorf("within %s: %d processors with %s, at most %d; by brute force %d", limit.RatString(), r.Size, r.Value.RatString(), r.UpperBound, want)
		}
		sound(t, free, r.Found)
	}
}

// TestEvaluations are never more than allowed, however few.
func TestEvaluations(t *testing.T) {
	for _, p := range cases() {
		for _, p.Evaluations = range []int64{1, 2, 5, 10, 100, 3000, 30_000, 100_000} {
			if testing.Short() && p.Evaluations > 3000 {
				continue
			}
			r := run(t, p)
			if r.Evaluations > p.Evaluations || r.Found.Evaluations > r.Evaluations || r.Reason != search.Spent {
				t.Errorf("%s: %d evaluations of %d (%s), the best after %d", p.Free, r.Evaluations, p.Evaluations, r.Reason, r.Found.Evaluations)
			}
			sound(t, p.Free, r.Found)
		}
	}
}
