package census_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/census"
	"leeway/search/orderly"
	"leeway/search/slabs"
)

// Six processors on 6x6 load some link with 2 under dimension-ordered routing.
func ExampleDecide() {
	r, _ := routing.NewODR(core.MustTorus(6, 6), []int{0, 1}, routing.TiePlus)
	problem, _ := objective.NewProblem(r, 6)
	var engines []census.Engine
	for _, e := range []census.Engine{slabs.Margin{}, slabs.Levels{}, orderly.Engine{}} {
		if e.Supports(problem) == nil {
			engines = append(engines, e)
		}
	}
	for _, below := range []int64{2, 3} {
		reply, err := census.Decide(context.Background(),
			census.Question{Problem: problem, Below: big.NewRat(below, 1), Engines: engines, Workers: 1})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(len(engines), "engines, below", below, "found", reply.Found.Size(), "refuted", reply.Refutation != nil)
	}
	// Output:
	// 2 engines, below 2 found 0 refuted true
	// 2 engines, below 3 found 6 refuted false
}
