package fast_test

import (
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
)

// Two diagonals half a side apart on an 8x8 torus: every link carries 4.
func ExampleEvaluate() {
	t := core.MustTorus(8, 8)
	p, err := family.Parse(t, "spaced:t=2")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := routing.NewUDR(t, routing.TieBoth)
	load, links := fast.Evaluate(objective.Problem{Routing: r}, p).Max()
	fmt.Println(load.RatString(), links)
	// Output: 4 256
}
