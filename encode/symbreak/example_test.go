package symbreak_test

import (
	"fmt"

	"leeway/encode/cnf"
	"leeway/encode/cnf/cnftest"
	"leeway/encode/symbreak"
)

// Of two placements that an exchange of two nodes maps to each other, the one with the
// larger vector passes.
func ExampleLexLeader() {
	var clauses cnftest.Formula
	symbreak.LexLeader(cnf.NewBuilder(&clauses, "an example", 2, 100), []int{1, 2}, []int{1, 0}, symbreak.Entries)
	fmt.Println(clauses.Satisfiable([]int{1, -2}), clauses.Satisfiable([]int{-1, 2}))
	// Output: true false
}
