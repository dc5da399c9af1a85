package objective_test

import (
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
)

// A problem prints the words of the command line, with the tie rule spelled out.
func ExampleParseProblem() {
	problem, err := objective.ParseProblem("8^2", "odr", 16)
	fmt.Println(problem, err)
	_, err = objective.ParseProblem("8x8", "odr", 65)
	fmt.Println(err)
	// Output:
	// --torus 8x8 --size 16 --routing odr:tie=plus <nil>
	// "65": the size lies outside 1..64, the nodes of torus 8x8
}

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
