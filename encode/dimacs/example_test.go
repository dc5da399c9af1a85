package dimacs_test

import (
	"fmt"
	"strings"

	"leeway/encode/dimacs"
)

// What a solver prints, read back.
func ExampleReadAnswer() {
	answer, err := dimacs.ReadAnswer(strings.NewReader("c some solver\ns SATISFIABLE\nv 1 -2 3 0\n"), 3, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Status, answer.Value(1), answer.Value(2), answer.Value(3))
	// Output: SATISFIABLE true false true
}
