package orbit_test

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/orbit"
)

// The translation by (1,4) leaves five diagonals of 5x5 to choose from: each is a
// linear placement.
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
	value, _ := objective.Evaluate(problem.Routing, linear).Max()
	fmt.Println(result.Orbits, result.Complete, result.Value.Cmp(value))
	// Output: 5 true 0
}
