package margin_test

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/margin"
)

// 20 processors on 10x10 cannot stay below 5, whatever the placement.
func ExampleLowerBound() {
	r := routing.NewUDR(core.MustTorus(10, 10), routing.TieBoth)
	result, err := margin.LowerBound(context.Background(), r, 20, 1<<26)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Value.RatString())
	// Output: 5
}
