package joint_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/search/joint"
)

// Two processors on 3x3 exchange over two paths each way: no link carries more than 1/2.
func ExampleRun() {
	result, err := joint.Run(context.Background(), joint.Params{Torus: core.MustTorus(3, 3), Size: 2, Free: routing.Free{MinPaths: 1},
		Goal: big.NewRat(1, 2), Walk: true, Seed: 1, Evaluations: 100000, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Placement.Size(), result.Value.RatString(), result.Reason)
	// Output: 2 1/2 reached
}
