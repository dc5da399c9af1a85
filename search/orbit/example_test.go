package orbit_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/orbit"
)

// The translation by (1,4) leaves five diagonals of 5x5 to choose from: each is a linear placement.
func ExampleBest() {
	torus := core.MustTorus(5, 5)
	problem, _ := objective.NewProblem(routing.NewUDR(torus, routing.TieBoth), 5)
	symmetry, err := orbit.Parse(problem.Routing, "t=1,4")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := orbit.Best(context.Background(), problem, symmetry, nil, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	linear, _ := family.Parse(torus, "linear")
	value, _ := fast.Evaluate(objective.Problem{Routing: problem.Routing}, linear).Max()
	fmt.Println(result.Orbits, result.Complete, result.Value.Cmp(value))
	// Output: 5 true 0
}

// A union of cosets with 20 processors on 10x10 and no link above 5, which is as good as can be.
func ExampleLattice() {
	problem, _ := objective.NewProblem(routing.NewUDR(core.MustTorus(10, 10), routing.TieBoth), 20)
	out, err := orbit.Lattice{}.Run(context.Background(),
		search.Params{Problem: problem, Goal: big.NewRat(5, 1), Seed: 1, Evaluations: 200000, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Best.Size(), out.Value.RatString(), out.Reason)
	// Output: 20 5 reached
}
