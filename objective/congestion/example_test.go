package congestion_test

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective/congestion"
)

// The best that any shortest paths can do for the linear placement of 4x4x4.
func ExampleSolve() {
	p, _ := family.Parse(core.MustTorus(4, 4, 4), "linear")
	r, err := congestion.Solve(context.Background(), p, congestion.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Lower.RatString(), r.Upper.RatString(), r.Optimal)
	// Output: 5/2 5/2 true
}
