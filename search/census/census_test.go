package census_test

import (
	"context"
	"errors"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"sync"
	"testing"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/searchtest"
)

// plain is an engine without symmetry or pruning: its nodes are all placements of the problem, its prefixes their first
// two processors. blind makes it wrong: it overlooks every placement; narrow makes every tree too large.
type plain struct {
	name          string
	blind, narrow bool
}

func (e plain) Name() string                     { return e.name }
func (e plain) Supports(objective.Problem) error { return nil }

func (e plain) Plan(ctx context.Context, p objective.Problem, below *big.Rat, _ int) (census.Plan, error) {
	if e.narrow {
		return nil, &census.TooLargeError{Engine: e.name, Problem: p.String(), Why: "told so"}
	}
	plan := &plainPlan{plain: e, problem: p, below: below}
	seen := map[[2]int]bool{}
	for mask := range uint64(1) << p.Torus().N() {
		if bits.OnesCount64(mask) != p.Size || !p.AdmitsSet(core.Set{mask}) {
			continue
		}
		nodes := core.Set{mask}.Nodes()
		first := [2]int{nodes[0], nodes[len(nodes)-1]}
		plan.nodes = append(plan.nodes, nodes)
		if !seen[first] {
			seen[first] = true
			plan.prefixes = append(plan.prefixes, first[:])
		}
	}
	return plan, ctx.Err()
}

type plainPlan struct {
	plain
	problem  objective.Problem
	below    *big.Rat
	nodes    [][]int
	prefixes [][]int
}

func (p *plainPlan) Split() int            { return 2 }
func (p *plainPlan) Prefixes() [][]int     { return p.prefixes }
func (p *plainPlan) Walker() census.Walker { return p }

func (p *plainPlan) Walk(i int, poll func(int64) bool) (t census.Tally) {
	for _, nodes := range p.nodes {
		if !slices.Equal([]int{nodes[0], nodes[len(nodes)-1]}, p.prefixes[i]) {
			continue
		}
		h := uint64(0)
		for _, v := range nodes {
			h = census.Hash(h, v)
		}
		t.Nodes++
		t.Sum += h
		s := core.MustPlacement(p.problem.Torus(), nodes)
		if v, _ := p.problem.Naive(s).Max(); v.Cmp(p.below) < 0 && !p.blind {
			t.Found = s
		}
		if !poll(1) || t.Found.Size() > 0 {
			break
		}
	}
	return t
}

func question(p objective.Problem, below *big.Rat) census.Question {
	return census.Question{Problem: p, Below: below, Engines: []census.Engine{plain{name: "plain"}}, Workers: 2}
}

func TestDecideMeetsBruteForce(t *testing.T) {
	for _, p := range []objective.Problem{searchtest.Problem("3x3", "odr", 4),
		searchtest.Problem("2x4", "udr:tie=both", 3), searchtest.Problem("9", "odr", 5)} {
		optimum := searchtest.Optimum(p)
		for _, below := range []*big.Rat{optimum, new(big.Rat).Add(optimum, big.NewRat(1, 64)), big.NewRat(100, 1)} {
			reply, err := census.Decide(context.Background(), question(p, below))
			if err != nil {
				t.Fatal(err)
			}
			if none := below.Cmp(optimum) <= 0; none != (reply.Refutation != nil) || none == (reply.Found.Size() > 0) {
				t.Errorf("%s below %s, optimum %s: %+v", p, below.RatString(), optimum.RatString(), reply)
			}
			if r := reply.Refutation; r != nil &&
				big.NewInt(r.Count).Cmp(new(big.Int).Binomial(int64(p.Torus().N()), int64(p.Size))) != 0 {
				t.Errorf("%s: %d nodes", p, r.Count)
			}
		}
	}
}

// TestFoundIsTheFirst: whatever the workers, the placement is that of the earliest slice.
func TestFoundIsTheFirst(t *testing.T) {
	p := searchtest.Problem("3x4", "udr", 4)
	below := new(big.Rat).Add(searchtest.Optimum(p), big.NewRat(1, 64))
	var first []int
	for _, workers := range []int{1, 2, 7} {
		q := question(p, below)
		q.Workers = workers
		reply, err := census.Decide(context.Background(), q)
		if err != nil || reply.Found.Size() == 0 {
			t.Fatal(reply, err)
		}
		if first == nil {
			first = reply.Found.Nodes()
		}
		if !slices.Equal(first, reply.Found.Nodes()) {
			t.Errorf("%d workers: %v, one: %v", workers, reply.Found.Nodes(), first)
		}
	}
}

// memory is a log that ends the context after some slices.
type memory struct {
	mu     sync.Mutex
	kept   []search.Slice
	left   int
	cancel context.CancelFunc
}

func (m *memory) Walked(string, *big.Rat, int) []search.Slice { return slices.Clone(m.kept) }

func (m *memory) Keep(_ string, _ *big.Rat, _ int, s search.Slice) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept = append(m.kept, s)
	if m.left--; m.left == 0 {
		m.cancel()
	}
	return nil
}

func (m *memory) Drop(string, *big.Rat, int, search.Slice) error {
	return errors.New("nothing is wrong here")
}

// TestStoppedAndResumed stops a proof after every few slices until it is done, and compares the slices with those of
// one that was left alone.
func TestStoppedAndResumed(t *testing.T) {
	p := searchtest.Problem("3x3", "udr", 4)
	q := question(p, searchtest.Optimum(p))
	alone, err := census.Decide(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	log := &memory{}
	q.Log = log
	for round := 0; ; round++ {
		ctx, cancel := context.WithCancel(context.Background())
		log.left, log.cancel = 3, cancel
		reply, err := census.Decide(ctx, q)
		cancel()
		if err != nil || round > 100 {
			t.Fatal(round, err)
		}
		if reply.Refutation == nil {
			continue
		}
		if !slices.EqualFunc(reply.Refutation.Slices, alone.Refutation.Slices, func(a, b search.Slice) bool {
			return slices.Equal(a.First, b.First) && a.Prefixes == b.Prefixes && a.Nodes == b.Nodes && a.Sum == b.Sum
		}) || round < 3 {
			t.Errorf("round %d: %v, alone %v", round, reply.Refutation.Slices, alone.Refutation.Slices)
		}
		return
	}
}

// TestPartsJoin walks three parts into one log; none of them alone refutes.
func TestPartsJoin(t *testing.T) {
	p := searchtest.Problem("2x4", "odr", 4)
	q := question(p, searchtest.Optimum(p))
	log := &memory{}
	q.Log = log
	for part := range 3 {
		q.Log = &memory{}
		q.Wanted = func(i int) bool { return i%3 == part }
		reply, err := census.Decide(context.Background(), q)
		if err != nil || reply.Refutation != nil {
			t.Fatal(reply, err)
		}
		log.kept = append(log.kept, q.Log.(*memory).kept...)
	}
	q.Log, q.Wanted = log, nil
	had := len(log.kept)
	reply, err := census.Decide(context.Background(), q)
	if err != nil || reply.Refutation == nil || reply.Nodes != 0 || len(log.kept) != had {
		t.Errorf("%+v, %v: walked %d nodes again", reply, err, reply.Nodes)
	}
}

// TestGoalOnly asks one question where the goal is all that counts: whether anything is below the least load above it.
func TestGoalOnly(t *testing.T) {
	for _, routing := range []string{"odr", "udr:tie=both"} {
		p := searchtest.Problem("3x3", routing, 4)
		optimum := searchtest.Optimum(p)
		for sixths := range int64(12) {
			goal := big.NewRat(sixths, 6)
			out, err := census.Method{Engines: []census.Engine{plain{name: "plain"}}}.Run(context.Background(),
				search.Params{Problem: p, Goal: goal, GoalOnly: true, Workers: 1})
			next := new(big.Rat) // the least load above the goal
			for next.Cmp(goal) <= 0 {
				next.Add(next, new(big.Rat).SetFrac(big.NewInt(1), p.Routing.Denominator()))
			}
			switch {
			case err != nil:
				t.Fatal(err)
			case optimum.Cmp(goal) <= 0:
				if out.Reason != search.Reached || out.Value.Cmp(goal) > 0 {
					t.Errorf("%s within %s: %s with %s", p, goal.RatString(), out.Reason, out.Value.RatString())
				}
			case out.Reason != search.Complete || out.Refutation == nil || out.Refutation.Below.Cmp(next) != 0:
				t.Errorf("%s within %s: %s, %v, want nothing below %s",
					p, goal.RatString(), out.Reason, out.Refutation, next.RatString())
			}
		}
	}
}

// TestFirstEngineAnswers: of engines that can plan the first answers, whatever the workers and the limit;
// one that can not is passed over.
func TestFirstEngineAnswers(t *testing.T) {
	p := searchtest.Problem("3x3", "odr", 3)
	q := question(p, searchtest.Optimum(p))
	q.Engines = []census.Engine{plain{name: "narrow", narrow: true}, plain{name: "first"}, plain{name: "second"}}
	for _, workers := range []int{0, 1, 2, 7} {
		for _, nodes := range []int64{0, 1000} {
			q.Workers, q.Nodes = workers, nodes
			reply, err := census.Decide(context.Background(), q)
			if err != nil || reply.Refutation == nil || reply.Refutation.Engine != "first" || reply.Nodes != 84 {
				t.Errorf("%d workers, %d nodes: %+v, %v", workers, nodes, reply, err)
			}
		}
	}
}

func TestTooLarge(t *testing.T) {
	p := searchtest.Problem("3x3", "odr", 3)
	q := question(p, searchtest.Optimum(p))
	q.Engines = []census.Engine{plain{name: "narrow", narrow: true}}
	reply, err := census.Decide(context.Background(), q)
	if err != nil || reply.TooLarge == nil || reply.Refutation != nil {
		t.Errorf("%+v, %v", reply, err)
	}
	q.Engines = append(q.Engines, plain{name: "plain"})
	if reply, err = census.Decide(context.Background(), q); err != nil || reply.TooLarge != nil ||
		reply.Refutation == nil {
		t.Errorf("with another engine: %+v, %v", reply, err)
	}
}

func TestBudget(t *testing.T) {
	p := searchtest.Problem("3x3", "odr", 3)
	q := question(p, searchtest.Optimum(p))
	for _, c := range []struct {
		nodes int64
		done  bool
	}{{1, false}, {83, false}, {84, true}, {1000, true}} {
		q.Nodes = c.nodes
		reply, err := census.Decide(context.Background(), q)
		if err != nil || (reply.Refutation != nil) != c.done || reply.Nodes != min(84, c.nodes) {
			t.Errorf("budget %d of 84: %+v, %v", c.nodes, reply, err)
		}
	}
}

func TestConform(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds under the race detector")
	}
	searchtest.Conform(t, census.Method{Engines: []census.Engine{plain{name: "plain"}}})
}

// TestHash holds the hash against values worked out from the text of docs/proofs.md by another program.
func TestHash(t *testing.T) {
	for _, c := range []struct {
		list []int
		want string
	}{{[]int{0}, "e220a8397b1dcdaf"}, {[]int{0, 1}, "b382a305f4414f5e"}, {[]int{3, 0, 255}, "20ad8f47766dbd28"}} {
		h := uint64(0)
		for _, v := range c.list {
			h = census.Hash(h, v)
		}
		if got := strconv.FormatUint(h, 16); got != c.want {
			t.Errorf("%v: %s, want %s", c.list, got, c.want)
		}
	}
}
