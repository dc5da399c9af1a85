package lattice_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/lattice"
)

// A union of cosets with 20 processors on 10x10 and no link above 5, which is as good as can be.
func ExampleMethod() {
	problem, _ := objective.NewProblem(routing.NewUDR(core.MustTorus(10, 10), routing.TieBoth), 20)
	out, err := lattice.Method{}.Run(context.Background(), search.Params{Problem: problem, Goal: big.NewRat(5, 1), Seed: 1, Evaluations: 200000, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Best.Size(), out.Value.RatString(), out.Reason)
	// Output: 20 5 reached
}
