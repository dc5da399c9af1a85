package objective_test

import (
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
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
	load, links := objective.Evaluate(r, p).Max()
	fmt.Println(load.RatString(), links)
	// Output: 4 256
}
