package orderly_test

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/orderly"
)

// Two processors on 3x3 lie on one line or on none: 36 pairs in two orbits.
func ExampleEnumerate() {
	problem, _ := objective.NewProblem(routing.NewUDR(core.MustTorus(3, 3), routing.TieBoth), 2)
	result, err := orderly.Enumerate(context.Background(), problem, nil, orderly.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Representatives, result.OrbitSizes, result.Labelled)
	// Output: [[0 1] [0 4]] [18 18] 36
}
