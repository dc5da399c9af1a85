package fewest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core/coretest"
	"leeway/encode/dimacs"
	"leeway/encode/timetable"
	"leeway/objective/exchange"
	"leeway/objective/exchange/steps"
	"leeway/search/fewest"
)

// A block of the slow twin: where it is, and where it belongs.
type block struct{ at, to int }

// fewestSteps is the slow twin: it tries all sends of all steps, breadth first.
func fewestSteps(neighbours [][]int, procs []int) int {
	var blocks []block
	for _, p := range procs {
		for _, q := range procs {
			if p != q {
				blocks = append(blocks, block{p, q})
			}
		}
	}
	key := func(list []block) string {
		text := make([]byte, len(list))
		for i, b := range list {
			text[i] = byte(b.at)
		}
		return string(text)
	}
	seen := map[string]bool{key(blocks): true}
	for layer, steps := [][]block{blocks}, 0; ; steps++ {
		var next [][]block
		for _, state := range layer {
			if !slices.ContainsFunc(state, func(b block) bool { return b.at != b.to }) {
				return steps
			}
			sendsOf(neighbours, state, 0, make([]bool, len(neighbours)), nil, func(moved []block) {
				if k := key(moved); !seen[k] {
					seen[k] = true
					next = append(next, slices.Clone(moved))
				}
			})
		}
		layer = next
	}
}

// A hop is a block that moves to a node.
type hop struct{ block, to int }

// sendsOf calls f with what every choice of sends of nodes v and above leads to.
func sendsOf(neighbours [][]int, state []block, v int, receives []bool, hops []hop, f func([]block)) {
	if v == len(neighbours) {
		moved := slices.Clone(state)
		for _, h := range hops {
			moved[h.block].at = h.to
		}
		f(moved)
		return
	}
	sendsOf(neighbours, state, v+1, receives, hops, f)
	for i, b := range state {
		for _, w := range neighbours[v] {
			if b.at == v && !receives[w] {
				receives[w] = true
				sendsOf(neighbours, state, v+1, receives, append(hops, hop{i, w}), f)
				receives[w] = false
			}
		}
	}
}

// possible asks gini.
func possible(t *testing.T, q timetable.Question) bool {
	t.Helper()
	f := coretest.Must(timetable.New(q))
	status, value, err := fewest.Gini(context.Background(), f)
	if err != nil || status == dimacs.Unknown {
		t.Fatalf("%v, %v", status, err)
	}
	if status == dimacs.Satisfiable {
		coretest.Must(f.Decode(value))
	}
	return status == dimacs.Satisfiable
}

// TestFormulaEqualsTrial holds the formula against the twin on random connected graphs, directed ones among them.
func TestFormulaEqualsTrial(t *testing.T) {
	cases := 150
	if testing.Short() {
		cases = 20
	}
	for i := range cases {
		rng := rand.New(rand.NewPCG(11, uint64(i)))
		n := 2 + rng.IntN(4)
		neighbours := make([][]int, n)
		join := func(u, v int) {
			if !slices.Contains(neighbours[u], v) {
				neighbours[u] = append(neighbours[u], v)
			}
		}
		oneWay := rng.IntN(4) == 0
		for v := range n { // a directed ring, or a random tree
			if u := rng.IntN(max(v, 1)); oneWay {
				join(v, (v+1)%n)
			} else if u < v {
				join(u, v)
				join(v, u)
			}
		}
		for range rng.IntN(3) {
			if u, v := rng.IntN(n), rng.IntN(n); u != v {
				join(u, v)
				if !oneWay {
					join(v, u)
				}
			}
		}
		procs := rng.Perm(n)[:1+rng.IntN(min(n, 3))]
		slices.Sort(procs)
		want := fewestSteps(neighbours, procs)
		for steps := max(0, want-2); steps <= want+1; steps++ {
			if got := possible(t,
				timetable.Question{Neighbours: neighbours, Participants: procs, Steps: steps}); got != (steps >= want) {
				t.Fatalf("case %d: %v among %v in %d steps: %v, the fewest are %d", i, neighbours, procs, steps, got,
					want)
			}
		}
	}
}

// TestKnownOptima: rings floor(n^2/4) and complete graphs n-1, the mean status (seed 003); paths floor((n^2-1)/2),
// what the middle node sends; the 2x3 mesh 9, its mean status 25/3 rounded up.
func TestKnownOptima(t *testing.T) {
	for text, want := range map[string]int{
		"ring:3": 2, "ring:4": 4, "ring:5": 6, "path:3": 4, "path:4": 7, "complete:4": 3, "complete:5": 4,
		"path:2,path:3": 9, "ring:2,ring:2": 4,
	} {
		if testing.Short() && want > 7 {
			continue
		}
		n := coretest.Must(steps.ParseNetwork(text))
		q := timetable.Question{Neighbours: exchange.Neighbours(n.Network)}
		for _, q.Steps = range []int{want - 1, want} {
			if got := possible(t, q); got != (q.Steps == want) {
				t.Errorf("%s in %d steps: %v", text, q.Steps, got)
			}
		}
	}
}

// TestFewest starts with the plans of A2 and of packing, and follows what is found.
func TestFewest(t *testing.T) {
	mesh := coretest.Must(steps.ParseNetwork("path:2,path:3"))
	a2, err := steps.ProductA2(mesh)
	if err != nil || a2.Steps != 11 {
		t.Fatalf("A2 takes %d steps, %v", a2.Steps, err)
	}
	var asked []int
	out, err := fewest.Fewest(context.Background(),
		fewest.Params{Plan: a2, Solver: fewest.Gini, Name: "sat", Observe: func(s int) { asked = append(asked, s) }})
	if err != nil || out.Plan.Steps != 9 || !out.Plan.Optimal || out.Refuted || !slices.Equal(asked, []int{10, 9}) {
		t.Errorf("%d steps, optimal %v, refuted %v, asked %v, %v", out.Plan.Steps, out.Plan.Optimal, out.Refuted,
			asked, err)
	}
	moves := 0
	for phase := range out.Plan.Schedule.Phases {
		moves += len(phase)
	}
	if moves < 50 { // 14 pairs at distance 1, 10 at 2, 4 at 3 and so on: 50 hops at least
		t.Errorf("%d moves", moves)
	}

	if testing.Short() {
		return
	}
	torus := coretest.Must(steps.ParseNetwork("ring:4,ring:4"))
	packed, err := steps.Pack(torus, []int{0, 2, 5, 13})
	if err != nil || packed.Optimal {
		t.Fatalf("%+v, %v", packed, err)
	}
	out, err = fewest.Fewest(context.Background(), fewest.Params{Plan: packed, Solver: fewest.Gini})
	if err != nil || !out.Refuted || out.Plan.Steps != 5 || out.Plan.Optimal {
		t.Errorf("%+v, %v", out, err)
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if out, err := fewest.Fewest(stopped, fewest.Params{Plan: packed, Solver: fewest.Gini}); err != nil ||
		out.Refuted || out.Plan != packed {
		t.Errorf("after the end: %+v, %v", out, err)
	}
}

// On a path of three nodes the middle one receives four blocks, one a step: two that it keeps and two to pass on.
func ExampleGini() {
	path := [][]int{{1}, {0, 2}, {1}}
	for _, steps := range []int{3, 4} {
		f, err := timetable.New(timetable.Question{Neighbours: path, Steps: steps})
		if err != nil {
			fmt.Println(err)
			return
		}
		status, _, err := fewest.Gini(context.Background(), f)
		fmt.Println(steps, status, err)
	}
	// Output:
	// 3 UNSATISFIABLE <nil>
	// 4 SATISFIABLE <nil>
}
