package card_test

import (
	"fmt"

	"leeway/encode/card"
	"leeway/encode/cnf"
	"leeway/encode/cnf/cnftest"
)

// Two of three hold: not one, not all.
func ExampleExactlyK() {
	var clauses cnftest.Formula
	card.ExactlyK(cnf.NewBuilder(&clauses, "an example", 3, 100), []int{1, 2, 3}, 2)
	for _, literals := range [][]int{{1, -2, -3}, {1, -2, 3}, {1, 2, 3}} {
		fmt.Println(literals, clauses.Satisfiable(literals))
	}
	// Output:
	// [1 -2 -3] false
	// [1 -2 3] true
	// [1 2 3] false
}
