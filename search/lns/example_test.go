package lns_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/lns"
)

// Four processors on 4x4 with no link above 1 under dimension-ordered routing, which is
// as good as can be.
func ExampleMethod() {
	r, _ := routing.NewODR(core.MustTorus(4, 4), []int{0, 1}, routing.TieBoth)
	problem, _ := objective.NewProblem(r, 4)
	out, err := lns.Method{}.Run(context.Background(), search.Params{Problem: problem, Goal: big.NewRat(1, 1), Seed: 1, Evaluations: 200000, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Best.Size(), out.Value.RatString(), out.Reason)
	// Output: 4 1 reached
}
