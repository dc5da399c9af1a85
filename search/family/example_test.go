package family_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/family"
)

// A residue class with 16 processors on 8x8 and no link above 4, which is as good as can be.
func ExampleMethod() {
	problem, _ := objective.NewProblem(routing.NewUDR(core.MustTorus(8, 8), routing.TieBoth), 16)
	out, err := family.Method{}.Run(context.Background(), search.Params{Problem: problem, Goal: big.NewRat(4, 1),
		Seed: 1, Evaluations: 200000, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Best.Size(), out.Value.RatString(), out.Reason)
	// Output: 16 4 reached
}
