package portfolio_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/family"
	"leeway/search/local"
	"leeway/search/portfolio"
)

// Two methods side by side, until a bound is met.
func ExampleRun() {
	problem, _ := objective.NewProblem(routing.NewUDR(core.MustTorus(8, 8), routing.TieBoth), 16)
	result, err := portfolio.Run(context.Background(), []search.Method{family.Method{}, local.Method{}},
		search.Params{Problem: problem, Goal: big.NewRat(4, 1), Seed: 1, Evaluations: 100000, Workers: 2},
		portfolio.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Value.RatString(), result.Reason)
	// Output: 4 reached
}
