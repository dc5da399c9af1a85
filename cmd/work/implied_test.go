package work

import (
	"math/big"
	"path/filepath"
	"testing"

	"leeway/core"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/store"
	"leeway/search"
	"leeway/search/searchtest"
)

// keep puts the record of the first nodes of a torus into a store: a poor placement.
func keep(t *testing.T, s *Session, task Task) {
	t.Helper()
	nodes := make([]int, task.Size)
	for v := range nodes {
		nodes[v] = v
	}
	p := core.MustPlacement(task.Torus(), nodes)
	value, _ := task.Naive(p).Max()
	r := &run{Session: s, Task: task, baseline: startBaseline(t.Context(), task.Problem)}
	record, err := r.record(t.Context(), task.Problem, search.Outcome{Method: "test", Best: p, Value: value},
		newLowerBound(t.Context(), task.Problem, nil, true))
	if err == nil {
		_, err = s.Store.AddRecord(record)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTakeImplied: poor cells get the placements of their neighbours, and bounds with proofs that the checker repeats,
// which together show an optimum; taken once more nothing is new.
func TestTakeImplied(t *testing.T) {
	proved := Task{Problem: searchtest.Problem("4x4", "udr:tie=both", 6), Budget: Budget{Seed: 1},
		Proof: &Proof{Engine: EngineAuto}}
	tasks := []Task{proved}
	for _, name := range []string{"udr:tie=both", "minimal:tie=both", "avoid:tie=both"} {
		for n := 5; n <= 7; n++ {
			if p := searchtest.Problem("4x4", name, n); n != 6 || name != "udr:tie=both" {
				tasks = append(tasks, Task{Problem: p, Budget: Budget{Seed: 1}})
			}
		}
	}
	cube := Task{Problem: searchtest.Problem("2x2x2", "udr", 5), Budget: Budget{Seed: 1},
		Proof: &Proof{Engine: EngineAuto}}
	same := Task{Problem: searchtest.Problem("2x2x2", "minimal", 5), Budget: Budget{Seed: 1}}
	tasks = append(tasks, cube, same)
	path := filepath.Join(t.TempDir(), "s.store")
	again(t, path, func(s *Session) {
		for _, task := range tasks {
			if task.Proof != nil {
				solve(t, s, task)
				continue
			}
			keep(t, s, task)
		}
	})
	told := 0
	take := func() (news bool) {
		again(t, path, func(s *Session) {
			view, err := atlas.OpenStore(path)
			if err != nil {
				t.Fatal(err)
			}
			defer view.Close()
			if err := s.Known.LearnAtlas(view, nil, false); err != nil {
				t.Fatal(err)
			}
			news, err = s.TakeImplied(t.Context(), view, tasks, func(r results.Record) {
				told++
				verify(t, r)
			})
			if err != nil {
				t.Fatal(err)
			}
		})
		return news
	}
	rounds := 0
	for take() {
		if rounds++; rounds > 10 {
			t.Fatal("there is no end to it")
		}
	}
	again(t, path, func(s *Session) {
		optimum, _, err := s.Store.Best(store.ProblemOf(proved.Problem))
		if err != nil {
			t.Fatal(err)
		}
		rat := func(text string) *big.Rat {
			v, err := results.ParseFraction(text)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		for _, task := range tasks {
			best, _, err := s.Store.Best(store.ProblemOf(task.Problem))
			if err != nil {
				t.Fatal(err)
			}
			if p := task.Problem; p.Routing.String() == proved.Routing.String() && p.Size == 5 &&
				rat(best.MaxLoad).Cmp(rat(optimum.MaxLoad)) > 0 {
				t.Errorf("%s: E_max %s, but one more processor has %s", p, best.MaxLoad, optimum.MaxLoad)
			}
		}
	})
	view, err := atlas.OpenStore(path)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	one, _ := view.Cell(atlas.KeyOf(cube.Problem))
	other, _ := view.Cell(atlas.KeyOf(same.Problem))
	if other.Status != atlas.Optimal || other.MaxLoad != one.MaxLoad || rounds == 0 || told < 5 {
		t.Errorf("%d rounds, %d placements; %+v follows from %+v", rounds, told, other, one)
	}
	found, err := view.Verify(t.Context(), view.Known([]atlas.Key{atlas.KeyOf(same.Problem)}), 1, nil)
	if err != nil || len(found) != 1 || found[0].Verdict.Verdict != "valid" || found[0].ProofVerdict != "verified" {
		t.Errorf("%+v, %v", found, err)
	}
}
