// Command method adds a way to search to Leeway's own: it keeps swapping a
// random processor for a random free node as long as that lowers E_max, and runs
// in the same portfolio as the others.
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/orbit"
	"leeway/search/portfolio"
)

// A descent is a search.Method: swaps that do not raise the largest load.
type descent struct{}

// Name returns the word by which records call the method.
func (descent) Name() string { return "descent" }

// Supports accepts every problem without fixed and forbidden nodes whose loads fit the incremental evaluator.
func (m descent) Supports(p objective.Problem) error {
	if _, err := fast.NewIncremental(objective.Problem{Routing: p.Routing}, p.Size); err != nil {
		return search.Unsupported(m.Name(), p, "%v", err)
	}
	return search.Freely(m.Name(), p) // it would move processors off fixed nodes
}

// Run swaps until the goal is reached, the evaluations are spent or the context ends.
func (m descent) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	best, value, err := p.BestStart()
	if err != nil {
		return search.Outcome{}, err
	}
	loads, err := fast.NewIncremental(objective.Problem{Routing: p.Problem.Routing}, p.Problem.Size)
	if err != nil {
		return search.Outcome{}, err
	}
	out := search.Outcome{Best: best, Value: value, Evaluations: 1}
	nodes, free := divide(best)
	loads.Reset(nodes)
	most, links := loads.Peak()
	rng := rand.New(rand.NewPCG(p.Seed, 0)) // the seed alone decides
	for !p.Done(out.Value) {
		if ctx.Err() != nil || len(free) == 0 {
			out.Reason = search.Stopped
			return out, nil
		}
		if p.Evaluations > 0 && out.Evaluations >= p.Evaluations {
			out.Reason = search.Spent
			return out, nil
		}
		i, j := rng.IntN(len(nodes)), rng.IntN(len(free))
		out.Evaluations++
		m, l := loads.TrySwap(nodes[i], free[j])
		if m > most || m == most && l > links {
			continue
		}
		loads.Swap(nodes[i], free[j])
		nodes[i], free[j] = free[j], nodes[i]
		improved := m < most
		most, links = m, l
		if improved { // the exact evaluator has the last word
			out.Best = core.MustPlacement(p.Problem.Torus(), nodes)
			out.Value, _ = fast.Evaluate(objective.Problem{Routing: p.Problem.Routing}, out.Best).Max()
			p.Report(search.Event{Method: "descent", Value: out.Value, Best: out.Best, Evaluations: out.Evaluations,
				Improved: true})
		}
	}
	out.Reason = search.Reached
	return out, nil
}

// divide returns the nodes with and those without a processor.
func divide(p core.Placement) (nodes, free []int) {
	for v := range p.Torus().N() {
		if p.Set().Has(v) {
			nodes = append(nodes, v)
		} else {
			free = append(free, v)
		}
	}
	return nodes, free
}

func main() {
	r := routing.NewUDR(core.MustTorus(7, 7), routing.TieBoth)
	problem, err := objective.NewProblem(r, 11)
	if err != nil {
		log.Fatal(err)
	}
	goal := bound.Best(bound.SizeBounds(r, problem.Size)).Value
	methods := []search.Method{orbit.Lattice{}, descent{}}
	result, err := portfolio.Run(context.Background(), methods,
		search.Params{Problem: problem, Goal: goal, Seed: 1, Evaluations: 200000, Workers: 2}, portfolio.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: E_max %s by %s, bound %s\n", problem, result.Value.RatString(), result.Method, goal.RatString())
}
