package levels_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/census"
	"leeway/search/levels"
)

// Sixteen processors on 4x4x4 load some link with 8 under dimension-ordered routing.
func ExampleEngine() {
	r, _ := routing.NewODR(core.MustTorus(4, 4, 4), []int{0, 1, 2}, routing.TiePlus)
	problem, _ := objective.NewProblem(r, 16)
	plan, err := levels.Engine{}.Plan(context.Background(), problem, big.NewRat(8, 1), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	slices := census.Cut(plan)
	answer := census.Run(context.Background(), plan, slices, make([]bool, len(slices)), census.Options{Workers: 1})
	fmt.Println(answer.Complete, answer.Found.Size())
	// Output: true 0
}
