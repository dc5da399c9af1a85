package slabs_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/census"
	"leeway/search/slabs"
)

// Six processors on 6x6 load some link with 2 under dimension-ordered routing.
func ExampleMargin() {
	r, _ := routing.NewODR(core.MustTorus(6, 6), []int{0, 1}, routing.TiePlus)
	problem, _ := objective.NewProblem(r, 6)
	plan, err := slabs.Margin{}.Plan(context.Background(), problem, big.NewRat(2, 1), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	slices := census.Cut(plan)
	answer := census.Run(context.Background(), plan, slices, make([]bool, len(slices)), census.Options{Workers: 1})
	fmt.Println(answer.Complete, answer.Found.Size())
	// Output: true 0
}

// Sixteen processors on 4x4x4 load some link with 8 under dimension-ordered routing.
func ExampleLevels() {
	r, _ := routing.NewODR(core.MustTorus(4, 4, 4), []int{0, 1, 2}, routing.TiePlus)
	problem, _ := objective.NewProblem(r, 16)
	plan, err := slabs.Levels{}.Plan(context.Background(), problem, big.NewRat(8, 1), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	slices := census.Cut(plan)
	answer := census.Run(context.Background(), plan, slices, make([]bool, len(slices)), census.Options{Workers: 1})
	fmt.Println(answer.Complete, answer.Found.Size())
	// Output: true 0
}
