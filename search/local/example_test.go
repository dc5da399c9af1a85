package local_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/local"
)

// 14 processors on 7x7 with no link above 4, which is as good as can be.
func ExampleMethod() {
	problem, _ := objective.NewProblem(routing.NewUDR(core.MustTorus(7, 7), routing.TieBoth), 14)
	out, err := local.Method{}.Run(context.Background(),
		search.Params{Problem: problem, Goal: big.NewRat(4, 1), Seed: 1, Evaluations: 200000, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Best.Size(), out.Value.RatString(), out.Reason)
	// Output: 14 4 reached
}
