package work

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/search"
	"leeway/search/portfolio"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// session returns a session with the remarks that it makes.
func session(t *testing.T) (*Session, *[]string) {
	t.Helper()
	var mu sync.Mutex
	remarks := &[]string{}
	s := &Session{Version: "test", Command: []string{"test"}, Workers: 1, Known: &Known{}}
	s.Remark = func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		*remarks = append(*remarks, strings.TrimSpace(format))
	}
	return s, remarks
}

// stored is session with a store in a new file, which is returned too.
func stored(t *testing.T, do func(s *Session)) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "s.store")
	again(t, path, do)
	return path
}

// verdictOf returns the verdict about a document, by the checker with the engines of this program.
func verdictOf(t testing.TB, data []byte) check.Verdict {
	return documents.Document(t.Context(), data, "", check.Options{Workers: 1, Produce: refuters.Produce})
}

// again opens the store of a file for another session.
func again(t *testing.T, path string, do func(s *Session)) {
	t.Helper()
	s, _ := session(t)
	coretest.Try(s.WithStore(path, func() error { do(s); return nil }))
}

// TestWorkersDoNotMatter: which engine's proof a record has, and its steps, are the same for any number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	for _, c := range []struct {
		network, routing string
		size             int
	}{{"3x3x3", "udr", 4}, {"4x4:twist=2", "odr:tie=both", 6}, {"5x5", "minimal", 7}, {"4x5", "odr", 7}} {
		var first *results.Proof
		for workers := 1; workers <= 4; workers++ {
			s, _ := session(t)
			s.Workers = workers
			r := solve(t, s, Task{Problem: searchtest.Problem(c.network, c.routing, c.size), Budget: Budget{Seed: 1},
				Proof: &Proof{Engine: EngineAuto}})
			if first == nil {
				first = r.Proof
			}
			if !reflect.DeepEqual(r.Proof, first) {
				t.Errorf("%v: with %d workers %s, with one %s", c, workers, layout.Proof(r.Proof), layout.Proof(first))
			}
		}
	}
}

func search4x4(size int, evaluations int64) Task {
	return Task{Problem: searchtest.Problem("4x4", "odr:tie=both", size),
		Budget: Budget{Seed: 1, Evaluations: evaluations}}
}

// solve works on a task that succeeds and has the checker look at the record.
func solve(t *testing.T, s *Session, task Task) results.Record {
	t.Helper()
	answer, err := s.Solve(t.Context(), task)
	if err != nil || answer.Record == nil {
		t.Fatalf("%s: %+v, %v", task, answer, err)
	}
	verify(t, *answer.Record)
	return *answer.Record
}

func verify(t *testing.T, r results.Record) {
	t.Helper()
	data := coretest.Must(layout.Encode(r))
	v := verdictOf(t, data)
	if v.Verdict != check.Valid || (v.ProofVerdict == check.Verified) != (r.Status == results.StatusOptimal) {
		t.Errorf("%v n=%d %s: %s, proof %s: %v", r.Torus, r.Size, r.Routing, v.Verdict, v.ProofVerdict, v.Reasons)
	}
}

// TestSearches: what a search says of small problems, against brute force.
func TestSearches(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		size           int
		methods        []string
		optimal        bool
	}{
		{"4x4", "odr:tie=both", 4, nil, true},                  // by a bound
		{"3x3", "udr", 4, []string{"orderly"}, true},           // by lists
		{"3x3", "udr", 4, []string{"counts"}, true},            // by counts
		{"3x3", "minimal", 5, []string{"family"}, false},       // nothing that proves
		{"7", "avoid", 3, []string{"local", "genetic"}, false}, // nor here
	} {
		s, _ := session(t)
		task := Task{Problem: searchtest.Problem(c.torus, c.routing, c.size), Budget: Budget{Seed: 1, Evaluations: 5000},
			Methods: c.methods}
		r := solve(t, s, task)
		optimum := searchtest.Optimum(task.Problem)
		value, _ := results.ParseFraction(r.MaxLoad)
		if c.optimal && (r.Status != results.StatusOptimal || value.Cmp(optimum) != 0) || value.Cmp(optimum) < 0 {
			t.Errorf("%s: E_max %s, %s; the optimum is %s", task, r.MaxLoad, r.Status, optimum.RatString())
		}
		if r.FoundBy.Evaluations > 5000 || r.Budget.Evaluations == nil || *r.Budget.Evaluations != 5000 {
			t.Errorf("%s: %d evaluations of %v", task, r.FoundBy.Evaluations, r.Budget.Evaluations)
		}
	}
}

// TestUnconfirmedBound: a bound that the checker does not repeat ends no search, and its value is a
// claim in the record. The bound is made up, one above the optimum by brute force.
func TestUnconfirmedBound(t *testing.T) {
	p := searchtest.Problem("3x3", "odr", 4)
	optimum := searchtest.Optimum(p)
	if bound.QuickBound(p).Value.Cmp(optimum) >= 0 {
		t.Fatal("a bound with a closed form meets the optimum")
	}
	wrong := lowerbound.Bound{Name: lowerbound.Margin, Value: new(big.Rat).Add(optimum, big.NewRat(1, 2))}
	s, _ := session(t)
	r := &run{Session: s, Task: Task{Problem: p, Budget: Budget{Seed: 1, Evaluations: 3000}}, started: time.Now()}
	r.baseline = startBaseline(t.Context(), p)
	r.lower = &lowerBound{fallback: bound.QuickBound(p)}
	r.lower.proveInBackground(wrong, nil, func(lowerbound.Bound) *results.Proof { return nil })
	methods := coretest.Must(pickMethods([]string{"family", "local"}, p))
	params := search.Params{Problem: p, Seed: 1, Evaluations: 3000, Workers: 1}
	result, err := r.searchToBound(t.Context(), t.Context(), methods, params, portfolio.Options{})
	if err != nil || result.Value.Cmp(optimum) != 0 {
		t.Fatalf("%v, %v", result.Value, err)
	}
	record := coretest.Must(r.record(t.Context(), p, result.Outcome, r.lower))
	if record.Status != results.StatusFeasible || record.SolverClaim == nil ||
		record.SolverClaim.Below != wrong.Value.RatString() {
		t.Errorf("%s, claim %+v", record.Status, record.SolverClaim)
	}
}

// TestOneBound: search and prove know the same bounds, and end where one is met. The values are those
// of docs/margin-bound.md, where the degree says less.
func TestOneBound(t *testing.T) {
	coretest.Alone(t)
	for n, want := range map[int]string{17: "13/2", 24: "39/4"} {
		if testing.Short() && n == 17 {
			continue
		}
		p := searchtest.Problem("8x8", "udr:tie=both", n)
		value, err := results.ParseFraction(want)
		if err != nil || bound.QuickBound(p).Value.Cmp(value) >= 0 {
			t.Fatalf("n=%d: the bounds with a closed form do as well", n)
		}
		for _, proof := range []*Proof{nil, {Engine: EngineAuto}, {Engine: EngineBound}} {
			s, _ := session(t)
			s.Workers = 2
			r := solve(t, s, Task{Problem: p, Budget: Budget{Seed: 1, Evaluations: 60_000}, Proof: proof})
			if r.LowerBound != want || r.MaxLoad == want &&
				(r.Status != results.StatusOptimal || r.Proof.Kind != results.ProofSteps) {
				t.Errorf("n=%d, proof %+v: E_max %s, %s, at least %s; want %s", n, proof, r.MaxLoad, r.Status, r.LowerBound, want)
			}
		}
	}
}

// TestLateBounds: without time for margins and lines the bounds with a closed form are left, and it is known why.
func TestLateBounds(t *testing.T) {
	p := searchtest.Problem("6x6", "odr", 18)
	over, cancel := context.WithTimeout(t.Context(), -1)
	defer cancel()
	if l := newLowerBound(over, p, nil, false); !l.late || l.best.Value.Cmp(bound.QuickBound(p).Value) != 0 {
		t.Errorf("without time: late %v, bound %s", l.late, l.best.Value)
	}
	if l := newLowerBound(t.Context(), p, nil, false); l.late || l.best.Value.Cmp(l.fallback.Value) <= 0 {
		t.Errorf("with time: late %v, bound %s, closed forms %s", l.late, l.best.Value, l.fallback.Value)
	}
}

// TestBoundIsShownOnceProved: a bound that the checker still repeats is no bound to the observer, and
// becomes one only if the checker confirms it.
func TestBoundIsShownOnceProved(t *testing.T) {
	p := searchtest.Problem("3x3", "odr", 4)
	plain := bound.QuickBound(p)
	larger := lowerbound.Bound{Name: lowerbound.Margin, Value: new(big.Rat).Add(plain.Value, big.NewRat(1, 2))}
	for _, valid := range []bool{false, true} {
		told := make(chan string, 3)
		s, _ := session(t)
		s.Begin = func(_ Task, lower *big.Rat) { told <- lower.RatString() }
		s.Bound = func(lower, checking *big.Rat) { told <- fmt.Sprint(lower, checking) }
		r := &run{Session: s, Task: Task{Problem: p}, started: time.Now()}
		last, proof := plain.Value, (*results.Proof)(nil)
		if valid {
			last, proof = larger.Value, &results.Proof{}
		}
		l, let := &lowerBound{fallback: plain}, make(chan bool)
		l.proveInBackground(larger, nil, func(lowerbound.Bound) *results.Proof { <-let; return proof })
		l.verdict.begin()
		end := r.watch(&search.Params{}, l, func(search.Event) {})
		if l.value().Cmp(larger.Value) != 0 {
			t.Errorf("the search aims at %s, not at %s", l.value(), larger.Value)
		}
		got := []string{<-told, <-told}
		close(let)
		got = append(got, <-told)
		end()
		want := []string{plain.Value.RatString(), fmt.Sprint(plain.Value, larger.Value), fmt.Sprint(last, (*big.Rat)(nil))}
		if !slices.Equal(got, want) {
			t.Errorf("confirmed %v: told %q, want %q", valid, got, want)
		}
		if l.confirm(t.Context()) != valid || l.value().Cmp(last) != 0 {
			t.Errorf("confirmed %v: the bound is %s", valid, l.value())
		}
	}
}

// TestLesserBound: where the checker does not repeat the margin bound, the largest smaller value that it does
// repeat is the bound. It is made to refuse values here; those that it repeats are right.
func TestLesserBound(t *testing.T) {
	p := searchtest.Problem("8x8", "odr", 16) // at least 8, by docs/margin-bound.md's method; 4 by the degree
	best, plain := bound.Best(bound.SizeBounds(p.Routing, p.Size)), bound.QuickBound(p)
	for refused := range 6 {
		l, asked := &lowerBound{fallback: plain}, 0
		l.proveInBackground(best, p.Routing.Denominator(), func(b lowerbound.Bound) *results.Proof {
			if asked++; asked <= refused {
				return nil
			}
			proof, _, err := (wanted{Problem: p, value: b.Value}).write(t.Context())
			if err != nil {
				return nil
			}
			return proof
		})
		less := new(big.Rat).Sub(best.Value, big.NewRat(int64(refused), 1))
		if want := refused < 4 && less.Cmp(plain.Value) > 0; !want {
			less = plain.Value
		}
		if ok := l.confirm(t.Context()); ok != (refused == 0) || l.best.Value.Cmp(less) != 0 {
			t.Errorf("%d refused: %v, at least %s, want %s", refused, ok, l.best.Value, less)
		}
		claim := compose.Values{MaxLoad: big.NewRat(20, 1)}
		if l.setBound(t.Context(), p, &claim); claim.LowerBound.Cmp(less) != 0 ||
			(claim.SolverClaim == nil) != (refused == 0) || claim.Proof != nil {
			t.Errorf("%d refused: claim %+v", refused, claim)
		}
	}
}

// TestProofs: every engine that can, and the question about a value.
func TestProofs(t *testing.T) {
	p := searchtest.Problem("3x3", "udr", 4)
	optimum := searchtest.Optimum(p)
	for _, engine := range EngineNames() {
		s, _ := session(t)
		task := Task{Problem: p, Budget: Budget{Seed: 1}, Proof: &Proof{Engine: engine}}
		if s.Supports(task) != nil {
			continue
		}
		r := solve(t, s, task)
		if claimed := engine == "sat" || engine == EngineBound; r.MaxLoad != optimum.RatString() ||
			!claimed && r.Status != results.StatusOptimal {
			t.Errorf("%s: E_max %s, %s; the optimum is %s", engine, r.MaxLoad, r.Status, optimum.RatString())
		}
		for _, more := range []int64{0, 1} {
			below := new(big.Rat).Add(optimum, big.NewRat(more, 2))
			task.Proof = &Proof{Engine: engine, Below: below}
			answer, err := s.Solve(t.Context(), task)
			if err != nil || answer.Below == nil {
				t.Fatalf("%s: %v", engine, err)
			}
			d := answer.Below
			if more > 0 && d.Nodes == nil || more == 0 &&
				(d.Nodes != nil || engine != "sat" && engine != EngineBound && d.Proof == nil) {
				t.Errorf("%s: E_max below %s is %s, proof %v; the optimum is %s", engine, d.Below, d.Status, d.Proof,
					optimum.RatString())
			}
		}
	}
}

// remarked has a session keep what it remarks.
func remarked(s *Session) func() string {
	var mu sync.Mutex
	var said strings.Builder
	s.Remark = func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(&said, format+"\n", args...)
	}
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return said.String()
	}
}

// TestUnprovedSaysWhy: a proof that comes to no end says why, how far it came and what can be done. Where
// no engine can treat the problem, a budget is spent on a search.
func TestUnprovedSaysWhy(t *testing.T) {
	if testing.Short() {
		t.Skip("planning the proofs of large tori takes seconds")
	}
	wants := func(said string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(said, part) {
				t.Errorf("%q is missing in %q", part, said)
			}
		}
	}
	s, _ := session(t)
	said := remarked(s)
	large := searchtest.Problem("9x9x9", "udr:tie=both", 32)
	r := solve(t, s, Task{Problem: large, Budget: Budget{Seed: 1, Evaluations: 203_000},
		Proof: &Proof{Engine: EngineAuto}})
	if r.Status != results.StatusFeasible || r.FoundBy.Evaluations <= warmUp+1000 {
		t.Errorf("%s after %d evaluations: nothing was searched", r.Status, r.FoundBy.Evaluations)
	}
	wants(said(), "no engine takes this problem", "counts: the network has 729 nodes", "orderly: ")

	limits := []*big.Rat{big.NewRat(9, 2)}
	if coretest.Long() {
		limits = append(limits, nil)
	}
	for _, below := range limits {
		s, _ = session(t)
		said = remarked(s)
		ctx, stop := context.WithCancel(t.Context())
		s.Event = func(e search.Event) {
			if e.Total > 0 && strings.HasPrefix(e.Note, "below") {
				stop()
			}
		}
		p := searchtest.Problem("8x8", "minimal", 15)
		answer, err := s.Solve(ctx, Task{Problem: p, Budget: Budget{Seed: 1},
			Proof: &Proof{Engine: EngineAuto, Below: below}})
		stop()
		if err != nil || answer.Record == nil && answer.Below == nil {
			t.Fatalf("%+v, %v", answer, err)
		}
		wants(said(), "interrupted", "parts of the proof for E_max below", "--work FILE")
	}

	if !coretest.Long() {
		return
	}
	s, _ = session(t)
	said = remarked(s)
	solve(t, s, Task{Problem: searchtest.Problem("6x6x6", "udr:tie=both", 36), Budget: Budget{Seed: 1},
		Proof: &Proof{Engine: "levels"}})
	wants(said(), "no proof: levels: ", "is too large", "--backend")
}

// TestSecondAttempt: slices that were accepted count for the next attempt, and a proof within a time is that without
// one.
func TestSecondAttempt(t *testing.T) {
	p := searchtest.Problem("4x4", "udr", 6)
	best := searchtest.Optimum(p)
	s, _ := session(t)
	task := Task{Problem: p, Proof: &Proof{Engine: "orderly", Below: best, recalled: &Log{}}}
	m := s.slicedMethod(task, engine)
	var steps []int64
	for range 2 {
		told := 0
		written, err := m.Prove(t.Context(), best, 0, nil, func(int64, int, int) { told++ })
		if err != nil || written == 0 || (told == 0) != (len(steps) > 0) {
			t.Fatalf("%d steps, told %d times: %v", written, told, err)
		}
		steps = append(steps, written)
	}
	if steps[0] != steps[1] {
		t.Errorf("%d steps", steps)
	}
	var records []results.Record
	for _, limit := range []time.Duration{0, time.Hour} {
		s, _ := session(t)
		q := searchtest.Problem("5x5", "odr", 8)
		r := solve(t, s, Task{Problem: q, Budget: Budget{Seed: 1, Time: limit}, Proof: &Proof{Engine: EngineAuto}})
		r.Command, r.Started, r.FoundBy.Seconds, r.Budget = nil, "", 0, results.Budget{}
		records = append(records, r)
	}
	if !reflect.DeepEqual(records[0], records[1]) || records[0].Status != results.StatusOptimal {
		t.Errorf("without a time %+v\nwith one %+v", records[0], records[1])
	}
}

// TestOneOptimumWhereAllNodesAreFixed: there is one placement, which is listed.
func TestOneOptimumWhereAllNodesAreFixed(t *testing.T) {
	for _, routed := range []string{"udr", "avoid"} {
		s, _ := session(t)
		p := coretest.Must(searchtest.Problem("3x4:open=1", routed, 3).WithNodes([]int{0, 1, 6}, []int{2}))
		answer, err := s.Solve(t.Context(), Task{Problem: p, Budget: Budget{Seed: 1},
			Proof: &Proof{Engine: EngineAuto, All: true}})
		if err != nil || *answer.Record.Labelled != 1 || *answer.Record.Orbits != 1 {
			t.Fatalf("%s: %+v, %v", p, answer, err)
		}
		verify(t, *answer.Record)
	}
}

// TestKnownProofs: a proof of a smaller size closes a larger one of the same value, and one that
// is not sure is repeated before it is used.
func TestKnownProofs(t *testing.T) {
	first, larger := searchtest.Problem("4x4", "odr", 5), searchtest.Problem("4x4", "odr", 6)
	task := Task{Problem: larger, Budget: Budget{Seed: 1}, Proof: &Proof{Engine: EngineBound}}
	alone, _ := session(t)
	if r := solve(t, alone, task); r.Status != results.StatusFeasible {
		t.Fatalf("bounds alone prove %s: this shows nothing", r.MaxLoad)
	}
	s, _ := session(t)
	smaller := solve(t, s, Task{Problem: first, Budget: Budget{Seed: 1}, Proof: &Proof{Engine: "orderly"}})
	r := solve(t, s, task)
	if r.Status != results.StatusOptimal || r.MaxLoad != smaller.MaxLoad || r.Proof.Kind != results.ProofMonotone ||
		*r.Proof.Size != first.Size {
		t.Errorf("E_max %s, %s, proof %+v", r.MaxLoad, r.Status, r.Proof)
	}
	below, _ := new(big.Rat).SetString(smaller.MaxLoad)
	other, _ := session(t)
	answer := coretest.Must(other.Solve(t.Context(), Task{Problem: first, Budget: Budget{Seed: 1},
		Proof: &Proof{Engine: "orderly", Below: below}}))
	for text, document := range map[string]any{"record": smaller, "answer": answer.Below} {
		file := filepath.Join(t.TempDir(), text)
		data, err := layout.Encode(document)
		if err == nil {
			err = os.WriteFile(file, data, 0o644)
		}
		told, _ := session(t)
		if err := errors.Join(err, told.Known.ReadFile(t.Context(), file, 1)); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if again := solve(t, told, task); again.Status != r.Status || !reflect.DeepEqual(again.Proof, r.Proof) {
			t.Errorf("%s: %s, proof %+v", text, again.Status, again.Proof)
		}
	}
	known := s.Known.best(t.Context(), larger, 1)
	if known == nil {
		t.Fatal("nothing is known of a larger size")
	}
	forged := *known
	forged.below, forged.sure = new(big.Rat).Add(known.below, big.NewRat(5, 1)), false
	torus := larger.Torus().String()
	s.Known.list[torus] = append(s.Known.list[torus], &forged)
	if best := s.Known.best(t.Context(), larger, 1); best != known || slices.Contains(s.Known.list[torus], &forged) {
		t.Errorf("a forged proof is used, or still there: %+v", best)
	}
}

// TestLearnAtlas: the proofs of an atlas are used for larger sizes on the same network with the same conditions, and
// only there.
func TestLearnAtlas(t *testing.T) {
	var problems []objective.Problem
	for _, where := range []string{"3x4", "3x4:open=1", "3x4:open=0,1", "3x4:open=1:fixed=0,0"} {
		p := coretest.Must(texts.ParseProblem(where, "odr", 4))
		problems = append(problems, p)
	}
	for i, proved := range problems {
		path := stored(t, func(s *Session) {
			solve(t, s, Task{Problem: proved, Budget: Budget{Seed: 1}, Proof: &Proof{Engine: "orderly"}})
		})
		view := coretest.Must(atlas.OpenStore(path))
		s, _ := session(t)
		coretest.Try(errors.Join(s.Known.LearnAtlas(view, false), view.Close()))
		for j, p := range problems {
			if known := s.Known.best(t.Context(), p.WithSize(5), 1); (known != nil) != (i == j) {
				t.Errorf("a proof about %s is known of %s: %v", proved.Where(), p.Where(), known != nil)
			}
			if known := s.Known.best(t.Context(), p.WithSize(3), 1); known != nil {
				t.Errorf("a proof about 4 processors is known of 3 on %s", p.Where())
			}
		}
	}
}

// TestFalseKnownProof: a proof that passed for sure is dropped where a placement has a smaller load, and
// the optimum, which brute force finds, is proved all the same.
func TestFalseKnownProof(t *testing.T) {
	p := searchtest.Problem("4x4", "odr:tie=both", 5)
	optimum := searchtest.Optimum(p)
	for _, engine := range []string{EngineAuto, "orderly"} {
		s, remarks := session(t)
		torus := p.Torus().String()
		s.Known.list = map[string][]*known{torus: {{where: torus, routing: p.Routing, size: 4,
			below: new(big.Rat).Add(optimum, big.NewRat(7, 1)),
			proof: results.Proof{Kind: results.ProofSteps, Engine: "counts"}, sure: true}}}
		r := solve(t, s, Task{Problem: p, Budget: Budget{Seed: 1}, Proof: &Proof{Engine: engine}})
		if r.MaxLoad != optimum.RatString() || r.Status != results.StatusOptimal {
			t.Errorf("%s: E_max %s, %s; the optimum is %s", engine, r.MaxLoad, r.Status, optimum.RatString())
		}
		said := slices.ContainsFunc(*remarks, func(text string) bool {
			return strings.Contains(text, "refutes the known bound")
		})
		if gone := !slices.ContainsFunc(s.Known.list[torus], func(n *known) bool { return n.size == 4 }); !said || !gone {
			t.Errorf("%s: remarks %q, false proof dropped: %v", engine, *remarks, gone)
		}
	}
}

// TestFreeAndLimit: a routing that is left to the search, and the largest size within a limit.
func TestFreeAndLimit(t *testing.T) {
	s, _ := session(t)
	free := Task{Problem: objective.FreeProblem(core.MustTorus(4, 4), routing.Free{MinPaths: 1}).WithSize(4),
		Budget: Budget{Seed: 1, Evaluations: 50_000}}
	r := solve(t, s, free)
	if r.Routing != results.TableRouting || r.Table == nil || r.FoundBy.Evaluations > 50_000 {
		t.Errorf("routing %s, %d evaluations", r.Routing, r.FoundBy.Evaluations)
	}
	limited := search4x4(1, 20_000)
	limited.Size, limited.Limit = 0, &objective.Limit{Value: big.NewRat(3, 2)}
	largest := 0 // dropping a processor raises no load: the first size out of reach is the end
	for searchtest.Optimum(limited.WithSize(largest+1)).Cmp(limited.Limit.Value) <= 0 {
		largest++
	}
	if r := solve(t, s, limited); r.Size != largest || *r.UpperBound != largest || *r.LoadLimit != "3/2" {
		t.Errorf("%d processors, at most %d; brute force says %d", r.Size, *r.UpperBound, largest)
	}
}

// TestStoreTakesUp: a proved problem, and what was searched before, is passed over; what methods
// did not find stays as null results.
func TestStoreTakesUp(t *testing.T) {
	open := Task{Problem: searchtest.Problem("5x5", "odr", 7), Budget: Budget{Seed: 1, Evaluations: 300},
		Methods: []string{"family", "local"}}
	path := stored(t, func(s *Session) {
		if r := solve(t, s, search4x4(4, 2000)); r.Status != results.StatusOptimal {
			t.Fatal(r.Status)
		}
		solve(t, s, open)
	})
	again(t, path, func(s *Session) {
		other := search4x4(4, 9000) // another budget: a proof stays one
		for _, task := range []Task{other, open} {
			answer, err := s.Solve(t.Context(), task)
			if err != nil || !answer.Before || answer.Record == nil {
				t.Errorf("%s: %+v, %v", task, answer, err)
			}
		}
		nulls, err := s.Store.Nulls(compose.KeyOf(open.Problem))
		if err != nil || len(nulls) != 1 {
			t.Errorf("null results %v, %v", nulls, err)
		}
		open.Seed = 2
		if answer, err := s.Solve(t.Context(), open); err != nil || answer.Before {
			t.Errorf("another seed: %+v, %v", answer, err)
		}
	})
}

// TestStopAndResume stops a search after some events, and goes on from what the store has: by
// evaluations the record is that of a search left alone.
func TestStopAndResume(t *testing.T) {
	task := Task{Problem: searchtest.Problem("6x6", "udr", 17), Budget: Budget{Seed: 3, Evaluations: 20_000},
		Methods: []string{"local", "genetic"}}
	var want []byte
	stored(t, func(s *Session) { want = text(t, solve(t, s, task)) })
	for events := 1; events < 40; events += 6 {
		path := stored(t, func(s *Session) {
			ctx, cancel := context.WithCancel(t.Context())
			left := events
			var mu sync.Mutex
			s.Event = func(search.Event) {
				mu.Lock()
				defer mu.Unlock()
				if left--; left == 0 {
					cancel()
				}
			}
			if _, err := s.Solve(ctx, task); err != nil && !errors.Is(err, ErrNoPlacement) {
				t.Fatal(err)
			}
			cancel()
		})
		again(t, path, func(s *Session) {
			tasks, _, err := s.Unfinished()
			if err != nil {
				t.Fatal(err)
			}
			for _, stopped := range tasks {
				if stopped.String() != task.String() {
					t.Fatalf("stopped %s, not %s", stopped, task)
				}
				if got := text(t, solve(t, s, stopped)); string(got) != string(want) {
					t.Errorf("stopped after %d events\n%s\nleft alone\n%s", events, got, want)
				}
			}
			if tasks, _, err = s.Unfinished(); err != nil || len(tasks) > 0 {
				t.Errorf("still unfinished: %v, %v", tasks, err)
			}
		})
	}
}

// text is what of a record does not depend on the clock.
func text(t *testing.T, r results.Record) []byte {
	t.Helper()
	r.FoundBy.Seconds, r.Started = 0, ""
	return coretest.Must(json.Marshal(r))
}

// TestStopped: a search that was over before it began is worth a random placement, or, where a
// store would keep it, nothing.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, _ := session(t)
	task := search4x4(7, 0)
	task.Time = time.Hour
	answer, err := s.Solve(ctx, task)
	if err != nil || answer.Record == nil {
		t.Fatalf("%+v, %v", answer, err)
	}
	verify(t, *answer.Record)
	stored(t, func(s *Session) {
		if answer, err := s.Solve(ctx, task); !errors.Is(err, ErrNoPlacement) || answer.Record != nil {
			t.Errorf("%+v, %v", answer, err)
		}
		tasks, _, err := s.Unfinished()
		if err != nil || len(tasks) != 1 {
			t.Errorf("%v, %v", tasks, err)
		}
	})
}

// TestAll: tasks come in turn, one that cannot be done is refused before any work, and take ends
// the rest.
func TestAll(t *testing.T) {
	s, _ := session(t)
	tasks := []Task{search4x4(2, 500), search4x4(3, 500), search4x4(4, 500)}
	var sizes []int
	stop := errors.New("enough")
	err := s.All(t.Context(), tasks, func(_ Task, a Answer, err error) error {
		if err != nil {
			return err
		}
		if sizes = append(sizes, a.Record.Size); a.Record.Size == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || !slices.Equal(sizes, []int{2, 3}) {
		t.Errorf("sizes %v, %v", sizes, err)
	}
	large := Task{Problem: searchtest.Problem("30x30", "odr", 4), Methods: []string{"counts"}}
	var unsupported *search.UnsupportedError
	err = s.All(t.Context(), append(tasks, large), func(Task, Answer,
		error) error {
		t.Error("work was begun")
		return nil
	})
	if !errors.As(err, &unsupported) {
		t.Error(err)
	}
}

// TestStoppedPlans stops a plan in the middle of its second problem, then again what resumes it, with
// another plan of which nothing had begun. In the end the store holds what both hold when they are left
// alone.
func TestStoppedPlans(t *testing.T) {
	one := []Task{search4x4(3, 2000), {Problem: searchtest.Problem("6x6", "udr", 17), Budget: Budget{Seed: 3,
		Evaluations: 20_000},
		Methods: []string{"local", "genetic"}}, search4x4(5, 2000), search4x4(6, 2000)}
	two := []Task{search4x4(7, 2000), search4x4(5, 2000), search4x4(8, 2000)}
	all := slices.Concat(one, two[:1], two[2:])
	records := func(s *Session) (list []string) {
		for _, task := range all {
			r, ok, err := s.Store.Best(compose.KeyOf(task.Problem))
			if err != nil || !ok {
				t.Fatalf("%s is not in the store: %v", task, err)
			}
			list = append(list, string(text(t, r)))
		}
		return list
	}
	goOn := func(Task, Answer, error) error { return nil }
	var want []string
	stored(t, func(s *Session) {
		coretest.Try(errors.Join(s.All(t.Context(), one, goOn), s.All(t.Context(), two, goOn)))
		want = records(s)
	})

	// stop works on tasks and stops after a given number of events of the problem at a place of the list.
	stop := func(s *Session, tasks []Task, place, events int) (places [][2]int) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var mu sync.Mutex
		s.Next = func(i, of int) { places = append(places, [2]int{i, of}) }
		s.Event = func(search.Event) {
			mu.Lock()
			defer mu.Unlock()
			if places[len(places)-1][0] == place {
				if events--; events <= 0 {
					cancel()
				}
			}
		}
		coretest.Try(s.All(ctx, tasks, goOn))
		return places
	}
	left := func(s *Session, done int, want []Task) []Task {
		t.Helper()
		tasks, unusable, err := s.Unfinished()
		if err != nil || unusable > 0 {
			t.Fatal(unusable, err)
		}
		if s.Before, err = s.Done(); err != nil || s.Before != done || fmt.Sprint(tasks) != fmt.Sprint(want) {
			t.Fatalf("%d done, left %v; want %d, %v; %v", s.Before, tasks, done, want, err)
		}
		return tasks
	}
	path := stored(t, func(s *Session) {
		if places := stop(s, one, 2, 3); !slices.Equal(places, [][2]int{{1, 4}, {2, 4}}) {
			t.Errorf("places %v", places)
		}
	})
	again(t, path, func(s *Session) {
		left(s, 1, one[1:])
		ended, cancel := context.WithCancel(t.Context())
		cancel() // the second plan is killed before its first problem is worth anything
		coretest.Try(s.All(ended, two, goOn))
		tasks := left(s, 1, slices.Concat(one[1:], two[:1], two[2:]))
		if places := stop(s, tasks, 2, 1); !slices.Equal(places, [][2]int{{2, 6}}) {
			t.Errorf("places %v", places)
		}
	})
	again(t, path, func(s *Session) {
		coretest.Try(s.All(t.Context(), left(s, 1, slices.Concat(one[1:], two[:1], two[2:])), goOn))
		left(s, 6, nil)
		if got := records(s); !slices.Equal(got, want) {
			t.Errorf("stopped\n%s\nleft alone\n%s", got, want)
		}
	})
}

// TestFill: a cell is proved once; what stays open leaves a null result and is not tried again;
// one that was stopped is.
func TestFill(t *testing.T) {
	proved, open := search4x4(5, 3000), Task{Problem: searchtest.Problem("7x7", "minimal", 15), Budget: Budget{Seed: 1,
		Evaluations: 40}, Methods: []string{"family"}}
	path := stored(t, func(s *Session) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Fill(ctx, proved, 0); err != nil && !errors.Is(err, ErrNoPlacement) {
			t.Fatal(err)
		}
		r, err := s.Fill(t.Context(), proved, time.Hour)
		if err != nil || r == nil || r.Status != results.StatusOptimal || r.Orbits == nil {
			t.Fatalf("%+v, %v", r, err)
		}
		verify(t, *r)
		if r, err := s.Fill(t.Context(), open, 0); err != nil || r == nil || r.Status != results.StatusFeasible {
			t.Errorf("%+v, %v", r, err)
		}
	})
	again(t, path, func(s *Session) {
		for _, task := range []Task{proved, open} {
			if r, err := s.Fill(t.Context(), task, 0); err != nil || r != nil {
				t.Errorf("%s: filled again: %+v, %v", task, r, err)
			}
		}
		if nulls, err := s.Store.Nulls(compose.KeyOf(open.Problem)); err != nil || len(nulls) == 0 {
			t.Errorf("null results %v, %v", nulls, err)
		}
	})
}

// TestLostRecords: a run that a store says is finished, but whose record is not there any more,
// is done again.
func TestLostRecords(t *testing.T) {
	task := search4x4(5, 3000)
	path := stored(t, func(s *Session) {
		solve(t, s, task)
		if _, err := s.Fill(t.Context(), Task{Problem: searchtest.Problem("4x4", "odr", 6), Budget: task.Budget},
			0); err != nil {
			t.Fatal(err)
		}
	})
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.Exec(`UPDATE problems SET routing = 'odr:ti'`)
	}
	coretest.Try(errors.Join(err, db.Close()))
	again(t, path, func(s *Session) {
		if answer, err := s.Solve(t.Context(), task); err != nil || answer.Record == nil || answer.Before {
			t.Errorf("search: %+v, %v", answer, err)
		}
		if r, err := s.Fill(t.Context(), Task{Problem: searchtest.Problem("4x4", "odr", 6), Budget: task.Budget},
			0); err != nil || r == nil {
			t.Errorf("fill: %+v, %v", r, err)
		}
	})
}

// A fakeHead is a cluster that finds what it is told to, and writes what write says of slices.
type fakeHead struct {
	result search.Outcome
	told   []string
	write  func(p refuters.Shared, name []int) []byte // nil: nothing
	wrong  int                                        // streams that were refused
}

func (h *fakeHead) Search(context.Context, portfolio.Portfolio, search.Params) (search.Outcome, error) {
	return h.result, nil
}
func (h *fakeHead) Know(best, lower string) { h.told = append(h.told, best+" "+lower) }

func (h *fakeHead) Prove(ctx context.Context, p refuters.Shared) error {
	for {
		name, ok := p.Next()
		if !ok {
			return nil
		}
		if h.write == nil {
			p.Own(ctx, name)
		} else if stream := h.write(p, name); stream == nil {
			p.Own(ctx, name)
		} else if p.Judge(ctx, name, bytes.NewReader(stream)) != nil {
			h.wrong++
			p.Own(ctx, name)
		}
	}
}

// TestHead: what a cluster found is a record like any other, which steps prove here.
func TestHead(t *testing.T) {
	p := searchtest.Problem("4x4", "odr", 6)
	s, _ := session(t)
	alone := solve(t, s, Task{Problem: p, Budget: Budget{Seed: 1}, Proof: &Proof{Engine: "orderly"}})
	placement := coretest.Must(core.PlacementFromCoords(p.Torus(), alone.Nodes))
	value, _ := results.ParseFraction(alone.MaxLoad)
	s.Head = &fakeHead{result: search.Outcome{Method: "local", Best: placement, Value: value, Evaluations: 9}}
	s.Known = nil
	answer, err := s.Solve(t.Context(), Task{Problem: p, Budget: Budget{Seed: 1}, Methods: []string{"local"}})
	if err != nil || answer.Record.MaxLoad != alone.MaxLoad {
		t.Fatalf("%+v, %v", answer, err)
	}
	shared := solve(t, s, Task{Problem: p, Budget: Budget{Seed: 1}, Proof: &Proof{Engine: "orderly"}})
	if !reflect.DeepEqual(shared.Proof, alone.Proof) || shared.Status != results.StatusOptimal {
		t.Errorf("alone %+v, shared %+v", alone.Proof, shared.Proof)
	}
}

// TestTimeOfProofs: the time for the bounds and that after the placement was found went to the proof.
func TestTimeOfProofs(t *testing.T) {
	s, _ := session(t)
	r := &run{Session: s}
	improve := func(value int64) {
		r.noteImprovement(search.Event{Improved: true, Value: big.NewRat(value, 1)})
	}
	if improve(5); r.improved.IsZero() {
		t.Fatal("an improvement is not noted")
	}
	r.began = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	r.improved = r.began.Add(2 * time.Second)
	improve(5)
	improve(6)
	record := results.Record{FoundBy: results.FoundBy{Seconds: 10}}
	if took := r.answer(record).Proof; took != 0 {
		t.Errorf("%s went to a proof that there is not", took)
	}
	record.Proof = &results.Proof{Kind: results.ProofBound}
	if took := r.answer(record).Proof; took != 8*time.Second {
		t.Errorf("%s went to the proof, want 8s", took)
	}
	if improve(4); !r.improved.After(r.began.Add(time.Hour)) {
		t.Error("a better placement is not noted")
	}
}
