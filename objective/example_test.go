package objective_test

import (
	"fmt"

	"leeway/objective/texts"
)

// A problem prints the words of the command line, with the tie rule spelled out.
func ExampleParseProblem() {
	problem, err := texts.ParseProblem("8^2", "odr", 16)
	fmt.Println(problem, err)
	_, err = texts.ParseProblem("8x8", "odr", 65)
	fmt.Println(err)
	// Output:
	// --torus 8x8 --size 16 --routing odr:tie=plus <nil>
	// "65": the size lies outside 1..64, the nodes of torus 8x8
}
