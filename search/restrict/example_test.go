package restrict_test

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/search/restrict"
)

// The best paths by dimension for the linear placement of 3x3x3.
func ExampleRun() {
	p, _ := family.Parse(core.MustTorus(3, 3, 3), "linear")
	result, err := restrict.Run(context.Background(), restrict.Params{Placement: p, Seed: 1, Evaluations: 10000,
		Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	load, _ := objective.Naive(result.Table, p).Max()
	fmt.Println(load.RatString())
	// Output: 4/3
}
