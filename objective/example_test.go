package objective_test

import (
	"fmt"

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
