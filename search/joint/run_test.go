package joint_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/family"
	"leeway/search/joint"
	"leeway/search/local"
	"leeway/search/portfolio"
)

// parts are those of a search with a free routing.
var parts = map[string]int{joint.Name: 64}

// problem is the problem of a size with a free routing.
func problem(t *core.Torus, size int, free routing.Free) objective.Problem {
	return objective.FreeProblem(t, free).WithSize(size)
}

func run(t *testing.T, m joint.Method, p search.Params, o portfolio.Options) portfolio.Outcome {
	t.Helper()
	o.Parts = parts
	return coretest.Must(portfolio.Run(context.Background(), []search.Method{m}, p, o))
}

func text(t *testing.T, v any) string {
	t.Helper()
	data := coretest.Must(json.Marshal(v))
	return string(data)
}

// outcome is what a record would hold of a result, and the state.
func outcome(t *testing.T, r portfolio.Outcome) string {
	return text(t, []any{r.Best.Nodes(), r.Table.Entries(), r.Value, r.Method, r.Evaluations, r.Reason, r.State})
}

// finders look for placements in the cases.
var finders = []search.Method{family.Method{}, local.Method{}}

// cases are some that are not solved in the first rounds.
func cases() []search.Params {
	var list []search.Params
	for _, free := range []routing.Free{{MinPaths: 1}, {Single: true}, {MinPaths: 2}} {
		list = append(list, search.Params{Problem: problem(core.MustTorus(5, 5), 7, free), Seed: 3, Evaluations: 900_000,
			Workers: 1})
	}
	network := coretest.Must(core.ParseNetwork("5x4:open=0:bandwidth=1,2"))
	p := coretest.Must(problem(network, 8, routing.Free{MinPaths: 1}).WithNodes([]int{0, 9}, []int{6}))
	list = append(list, search.Params{Problem: p, Seed: 3, Evaluations: 900_000, Workers: 1})
	if testing.Short() {
		list = []search.Params{list[0], list[3]}
		list[0].Evaluations, list[1].Evaluations = 700_000, 700_000
	}
	if coretest.Raced() {
		list = list[:1]
	}
	return list
}

// TestResumeEqualsUninterrupted goes on from every checkpoint, through JSON, with
// another number of workers, and from where a run was stopped.
func TestResumeEqualsUninterrupted(t *testing.T) {
	m := joint.Method{Finders: finders}
	for _, p := range cases() {
		free := p.Problem.Free
		var states []string
		want := outcome(t, run(t, m, p, portfolio.Options{Checkpoint: func(s portfolio.State) error {
			states = append(states, text(t, s))
			return nil
		}}))
		p.Workers = 3
		if got := outcome(t, run(t, m, p, portfolio.Options{})); got != want {
			t.Errorf("%s: with 3 workers\n%s\nwith 1\n%s", free, got, want)
		}
		if len(states) < 3 {
			t.Errorf("%s: only %d checkpoints", free, len(states))
		}
		for i, s := range states {
			if !coretest.Long() && i > 0 && i < len(states)-1 {
				continue
			}
			o := portfolio.Options{Resume: new(portfolio.State)}
			coretest.Try(json.Unmarshal([]byte(s), o.Resume))
			if got := outcome(t, run(t, m, p, o)); got != want {
				t.Errorf("%s: from checkpoint %d\n%s\nwithout a stop\n%s", free, i, got, want)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		p.Observe = func(e search.Event) {
			if e.Evaluations > p.Evaluations/2 {
				cancel()
			}
		}
		stopped, err := portfolio.Run(ctx, []search.Method{m}, p, portfolio.Options{Parts: parts})
		if err != nil || stopped.Reason != search.Stopped {
			t.Fatalf("%s: %s, %v", free, stopped.Reason, err)
		}
		sound(t, *free, stopped)
		p.Observe = nil
		o := portfolio.Options{Resume: &stopped.State}
		if stopped.State.Epoch == 0 {
			o.Resume = nil
		}
		if got := outcome(t, run(t, m, p, o)); got != want {
			t.Errorf("%s: stopped and resumed\n%s\nwithout a stop\n%s", free, got, want)
		}
	}
}

// TestStatesOfOthers are refused: what the archive says of a table, and what the method itself keeps.
func TestStatesOfOthers(t *testing.T) {
	p := cases()[0]
	p.Evaluations = 200_000
	good := text(t, run(t, joint.Method{}, p, portfolio.Options{}).State)
	p.Evaluations *= 2
	type own struct {
		Rounds int               `json:"epochs"`
		Pool   []json.RawMessage `json:"pool"`
	}
	pool := func(change func(entry map[string]any)) func(*portfolio.State) {
		return func(s *portfolio.State) {
			var o own
			var first map[string]any
			if json.Unmarshal(s.Methods[0].State, &o) != nil || json.Unmarshal(o.Pool[0], &first) != nil {
				t.Fatal("the state is none")
			}
			change(first)
			o.Pool[0] = json.RawMessage(text(t, first))
			s.Methods[0].State = json.RawMessage(text(t, o))
		}
	}
	for name, spoil := range map[string]func(*portfolio.State){
		"problem":       func(s *portfolio.State) { s.Problem = "another" },
		"value":         func(s *portfolio.State) { s.Archive[0].Value = big.NewRat(1, 7) },
		"paths":         func(s *portfolio.State) { s.Archive[0].Paths = s.Archive[0].Paths[1:] },
		"set":           func(s *portfolio.State) { s.Archive[0].Paths[0] = []int{99} },
		"own value":     pool(func(e map[string]any) { e["value"] = "1/7" }),
		"own paths":     pool(func(e map[string]any) { e["paths"] = [][]int{{0}} }),
		"own nodes":     pool(func(e map[string]any) { e["nodes"] = []int{0, 1} }),
		"own node":      pool(func(e map[string]any) { e["nodes"] = []int{-1} }),
		"own, not JSON": func(s *portfolio.State) { s.Methods[0].State = json.RawMessage(`"none"`) },
	} {
		o := portfolio.Options{Resume: new(portfolio.State), Parts: parts}
		coretest.Try(json.Unmarshal([]byte(good), o.Resume))
		spoil(o.Resume)
		var input *core.InputError
		if _, err := portfolio.Run(context.Background(), []search.Method{joint.Method{}}, p, o); !errors.As(err, &input) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStateWithoutConditions is refused where its placements do not keep to those of the problem.
func TestStateWithoutConditions(t *testing.T) {
	p := cases()[0]
	p.Evaluations = 100_000
	state := run(t, joint.Method{}, p, portfolio.Options{}).State
	p.Evaluations *= 2
	for _, archive := range []bool{true, false} {
		s := state
		if !archive {
			s.Archive = nil // the pool of the method is left
		}
		var input *core.InputError
		for _, v := range state.Archive[0].Nodes {
			p.Problem = coretest.Must(p.Problem.WithNodes(nil, []int{v}))
			s.Problem = p.Problem.String()
			_, err := portfolio.Run(context.Background(), []search.Method{joint.Method{}}, p,
				portfolio.Options{Resume: &s, Parts: parts})
			if !errors.As(err, &input) {
				t.Errorf("node %d forbidden, archive %v: %v", v, archive, err)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	any := routing.Free{MinPaths: 1}
	clients := problem(core.MustTorus(4, 4), 4, any)
	clients.Traffic = objective.Traffic{Request: 1, Reply: 1}
	for name, p := range map[string]objective.Problem{
		"both":       problem(core.MustTorus(4, 4), 4, routing.Free{Single: true, MinPaths: 2}),
		"torus":      problem(core.MustTorus(65, 65), 4, any),
		"many paths": problem(core.MustTorus(4, 4, 4, 4), 200, any),
		"given":      problem(core.MustTorus(4, 4), 4, any).Given(),
		"clients":    clients,
	} {
		var unsupported *search.UnsupportedError
		_, err := portfolio.Run(context.Background(), []search.Method{joint.Method{}},
			search.Params{Problem: p, Workers: 1}, portfolio.Options{})
		if !errors.As(err, &unsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var unsupported *search.UnsupportedError
	p := problem(core.MustTorus(4, 4), 4, any)
	if err := search.Supports(local.Method{}, p); !errors.As(err, &unsupported) {
		t.Errorf("a method that finds no tables: %v", err)
	}
	var input *core.InputError
	start := core.MustPlacement(core.MustTorus(4, 4), []int{1})
	_, err := joint.Method{}.Run(context.Background(),
		search.Params{Problem: p, Starts: []core.Placement{start}, Workers: 1})
	if !errors.As(err, &input) {
		t.Errorf("a start of another size: %v", err)
	}
}

// TestCheckpointError ends a run, and what was found comes with it.
func TestCheckpointError(t *testing.T) {
	full := errors.New("disk full")
	o := portfolio.Options{Parts: parts, Checkpoint: func(portfolio.State) error { return full }}
	r, err := portfolio.Run(context.Background(), []search.Method{joint.Method{}}, cases()[0], o)
	if !errors.Is(err, full) || r.Value == nil {
		t.Errorf("%v, %v", r.Value, err)
	}
}

// TestLargest compares with the optimum of every size by brute force.
func TestLargest(t *testing.T) {
	const most = 5
	tor, free := core.MustTorus(2, 3), routing.Free{Single: true}
	var values []*big.Rat // of 1, 2, ... processors
	for n := 1; n <= most; n++ {
		values = append(values, optimum(problem(tor, n, free)))
	}
	for _, limit := range values[:most-1] {
		want := 0
		for want < most && values[want].Cmp(limit) <= 0 {
			want++
		}
		if want == most {
			t.Fatalf("%s is no limit on sizes up to %d", limit.RatString(), most)
		}
		p := objective.FreeProblem(tor, free)
		p.Limit = &objective.Limit{Value: limit}
		r := run(t, joint.Method{}, search.Params{Problem: p, Seed: 1, Evaluations: 60_000, Workers: 2}, portfolio.Options{})
		if r.Best.Size() != want || r.Value.Cmp(limit) > 0 || r.UpperBound < want {
			t.Errorf("within %s: %d processors with %s, at most %d; by brute force %d", limit.RatString(), r.Best.Size(),
				r.Value.RatString(), r.UpperBound, want)
		}
		sound(t, free, r)
	}
}

// TestLargestOnNetworks does the same on random networks, with fixed and forbidden nodes.
func TestLargestOnNetworks(t *testing.T) {
	compared := 0
	for i := range coretest.Cases(60, 12) {
		rng := coretest.Rng(44, i)
		network := coretest.Network(rng, 8)
		if i%4 == 3 {
			network = coretest.Twisted(rng, 8)
		}
		free := []routing.Free{{MinPaths: 1}, {Single: true}}[rng.IntN(2)]
		nodes := rng.Perm(network.N())
		forbidden := max(0, network.N()-2-rng.IntN(3)) // 2 to 4 nodes are left
		fixed := rng.IntN(3)
		p := objective.FreeProblem(network, free)
		p.Limit = &objective.Limit{Value: new(big.Rat)}
		p = coretest.Must(p.WithNodes(nodes[:fixed], nodes[network.N()-forbidden:]))
		least, most := p.Sizes()
		if work(p.WithSize(most)) > 1e9 {
			continue
		}
		var values []*big.Rat
		for n := least; n <= most; n++ {
			values = append(values, optimum(p.WithSize(n)))
		}
		at := rng.IntN(len(values))
		limit, want := values[at], least
		for n, v := range values {
			if v.Cmp(limit) <= 0 {
				want = least + n
			}
		}
		p.Limit.Value = limit
		r := run(t, joint.Method{}, search.Params{Problem: p, Seed: 1, Evaluations: 60_000, Workers: 2}, portfolio.Options{})
		if r.Best.Size() != want || r.Value.Cmp(limit) > 0 || r.UpperBound < want || !p.Admits(r.Best) {
			t.Errorf("%s: nodes %v with %s, at most %d; by brute force %d", p, r.Best.Nodes(), r.Value.RatString(), r.UpperBound,
				want)
		}
		sound(t, free, r)
		compared++
	}
	if compared < 5 {
		t.Errorf("only %d comparisons", compared)
	}
}

// TestBothWaysAroundARing: nothing but processors across the ring, with both ways for either pair, keeps to the limit,
// which chains that know single ways only do not come near.
func TestBothWaysAroundARing(t *testing.T) {
	for seed := range uint64(20) {
		p := objective.FreeProblem(coretest.Must(core.ParseNetwork("4:bandwidth=3")), routing.Free{MinPaths: 1})
		p.Limit = &objective.Limit{Value: big.NewRat(1, 6)}
		p = coretest.Must(p.WithNodes([]int{1}, []int{0}))
		r := run(t, joint.Method{}, search.Params{Problem: p, Seed: seed, Evaluations: 2000, Workers: 1}, portfolio.Options{})
		if !slices.Equal(r.Best.Nodes(), []int{1, 3}) || r.Value.Cmp(p.Limit.Value) != 0 {
			t.Errorf("seed %d: nodes %v with %s", seed, r.Best.Nodes(), r.Value.RatString())
		}
	}
}

// TestFixedAboveLimit: nodes that are fixed and have no paths within the limit are refused.
func TestFixedAboveLimit(t *testing.T) {
	p := objective.FreeProblem(core.MustTorus(4), routing.Free{MinPaths: 1})
	p.Limit = &objective.Limit{Value: big.NewRat(1, 4)}
	p = coretest.Must(p.WithNodes([]int{0, 1}, nil))
	var input *core.InputError
	_, err := portfolio.Run(context.Background(), []search.Method{joint.Method{}},
		search.Params{Problem: p, Workers: 1}, portfolio.Options{})
	if !errors.As(err, &input) {
		t.Error(err)
	}
}

// TestEvaluations are never more than allowed, however few.
func TestEvaluations(t *testing.T) {
	for _, p := range cases() {
		for _, p.Evaluations = range []int64{1, 2, 5, 10, 100, 3000, 30_000, 100_000} {
			if testing.Short() && p.Evaluations > 3000 {
				continue
			}
			r := run(t, joint.Method{Finders: finders}, p, portfolio.Options{Recheck: 1})
			if r.Evaluations > p.Evaluations || r.Reason != search.Spent {
				t.Errorf("%s: %d evaluations of %d (%s)", p.Problem.Free, r.Evaluations, p.Evaluations, r.Reason)
			}
			sound(t, *p.Problem.Free, r)
		}
	}
}
