package joint_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/joint"
)

// Two processors on 3x3 exchange over two paths each way: no link carries more than 1/2.
func ExampleMethod() {
	problem := objective.FreeProblem(core.MustTorus(3, 3), routing.Free{MinPaths: 1}).WithSize(2)
	out, err := joint.Method{}.Run(context.Background(),
		search.Params{Problem: problem, Goal: big.NewRat(1, 2), Seed: 1, Evaluations: 100000, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Best.Size(), out.Value.RatString(), out.Reason)
	// Output: 2 1/2 reached
}
