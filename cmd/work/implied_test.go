package work

import (
	"math/big"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/search"
	"leeway/search/refuters"
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
			view := coretest.Must(atlas.OpenStore(path))
			defer view.Close()
			coretest.Try(s.Known.LearnAtlas(view, false))
			var err error
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
		optimum, _, err := s.Store.Best(compose.KeyOf(proved.Problem))
		if err != nil {
			t.Fatal(err)
		}
		rat := func(text string) *big.Rat {
			return coretest.Must(results.ParseFraction(text))
		}
		for _, task := range tasks {
			best, _, err := s.Store.Best(compose.KeyOf(task.Problem))
			if err != nil {
				t.Fatal(err)
			}
			if p := task.Problem; p.Routing.String() == proved.Routing.String() && p.Size == 5 &&
				rat(best.MaxLoad).Cmp(rat(optimum.MaxLoad)) > 0 {
				t.Errorf("%s: E_max %s, but one more processor has %s", p, best.MaxLoad, optimum.MaxLoad)
			}
		}
	})
	view := coretest.Must(atlas.OpenStore(path))
	defer view.Close()
	one, _ := view.Cell(texts.KeyOf(cube.Problem))
	other, _ := view.Cell(texts.KeyOf(same.Problem))
	if other.Status != atlas.Optimal || other.MaxLoad != one.MaxLoad || rounds == 0 || told < 5 {
		t.Errorf("%d rounds, %d placements; %+v follows from %+v", rounds, told, other, one)
	}
	found, err := view.Verify(t.Context(), view.Known([]texts.Key{texts.KeyOf(same.Problem)}), 1,
		check.Options{Produce: refuters.Produce}, nil)
	if err != nil || len(found) != 1 || found[0].Verdict.Verdict != "valid" || found[0].ProofVerdict != "verified" {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestSameGraph: a proof about a torus closes the same size on another one of the same graph, the checker repeats it
// there, and refuses it where the graph or the loads are others.
func TestSameGraph(t *testing.T) {
	s, _ := session(t)
	s.Known = &Known{}
	cube := solve(t, s, Task{Problem: searchtest.Problem("2x2x2x2", "minimal", 5), Budget: Budget{Seed: 1},
		Proof: &Proof{Engine: "orderly"}})
	for size := 5; size <= 6; size++ {
		ring := searchtest.Problem("4x4", "minimal", size)
		n := s.Known.best(t.Context(), ring, 1)
		if n == nil || n.proofOf(ring).Torus != "2x2x2x2" {
			t.Fatalf("what is proved of 2x2x2x2 is not known of %s", ring)
		}
		d := results.Below{Schema: results.BelowSchema, Grid: compose.GridOf(ring.Torus()), Routing: ring.Routing.String(),
			Size: size, Below: cube.MaxLoad}
		d.Infeasible(*n.proofOf(ring))
		verdict := func(d results.Below) string {
			data := coretest.Must(layout.Encode(d))
			v := verdictOf(t, data)
			if v.ProofVerdict == check.Verified {
				return ""
			}
			return strings.Join(v.Reasons, "; ")
		}
		if problem := verdict(d); problem != "" {
			t.Errorf("%s: %s", ring, problem)
		}
		for what, change := range map[string]func(d *results.Below){
			"load links differently":            func(d *results.Below) { d.Routing = "udr:tie=both" },
			"not the same graph":                func(d *results.Below) { d.Torus = []int{2, 8} },
			"all to all, without conditions":    func(d *results.Below) { d.Fixed = [][]int{{0, 0}} },
			"a side is missing":                 func(d *results.Below) { d.Proof.Torus = "x" },
			"are not the same graph with other": func(d *results.Below) { d.Proof.Torus = "16" },
		} {
			wrong, proof := d, *d.Proof
			wrong.Proof = &proof
			if change(&wrong); !strings.Contains(verdict(wrong), what) {
				t.Errorf("%q is not said: %q", what, verdict(wrong))
			}
		}
	}
	if n := s.Known.best(t.Context(), searchtest.Problem("4x4", "udr:tie=both", 5), 1); n != nil {
		t.Errorf("a proof is known of a routing with other loads")
	}
}

// TestNothingImplied: no open cell of the program has a value that another one beats, on another torus of the same
// graph too. Where time is short it is a sample.
func TestNothingImplied(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	cells, _ := view.Cells(atlas.Filter{Text: "open"})
	coretest.Rng(1, 0).Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	cells = cells[:coretest.Cases(len(cells), 20)]
	var found []atlas.Finding
	for _, c := range cells {
		found = append(found, atlas.Finding{Cell: c})
	}
	coretest.Try(AddImplied(t.Context(), view, found))
	for _, f := range found {
		for _, better := range f.Implied {
			t.Error(better)
		}
	}
}
