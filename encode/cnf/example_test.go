package cnf_test

import (
	"fmt"

	"leeway/encode/cnf"
)

// Without a sink a builder only counts: what a formula would take.
func ExampleBuilder() {
	b := cnf.NewBuilder(nil, "an example", 2, 100)
	both := b.Var() // holds if and only if variables 1 and 2 do
	b.Clause(-both, 1)
	b.Clause(-both, 2)
	b.Clause(both, -1, -2)
	fmt.Println(both, b.Vars(), b.Clauses(), b.Err())
	// Output: 3 3 3 <nil>
}
