package exhaustive_test

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/searchtest/exhaustive"
)

// Two processors on 3x3 exchange over four paths at best: no link carries more than 1/2.
func ExampleNew() {
	problem, _ := objective.NewProblem(routing.NewUDR(core.MustTorus(3, 3), routing.TieBoth), 2)
	out, err := exhaustive.Method{}.Run(context.Background(), search.Params{Problem: problem, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Value.RatString(), out.Reason)
	// Output: 1/2 complete
}
