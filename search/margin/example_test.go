package margin_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/census"
	"leeway/search/margin"
)

// Six processors on 6x6 load some link with 2 under dimension-ordered routing.
func ExampleEngine() {
	r, _ := routing.NewODR(core.MustTorus(6, 6), []int{0, 1}, routing.TiePlus)
	problem, _ := objective.NewProblem(r, 6)
	plan, err := margin.Engine{}.Plan(context.Background(), problem, big.NewRat(2, 1), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	slices := census.Cut(plan)
	answer := census.Run(context.Background(), plan, slices, make([]bool, len(slices)), census.Options{Workers: 1})
	fmt.Println(answer.Complete, answer.Found.Size())
	// Output: true 0
}
