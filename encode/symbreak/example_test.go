package symbreak_test

import (
	"fmt"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/encode/cnf"
	"leeway/encode/cnf/cnftest"
	"leeway/encode/symbreak"
)

// Of the placements of two processors on a ring of four, the neighbours 0 and 1 stay, and
// their translates go.
func ExampleOrbit() {
	group, _ := symmetry.GroupOf(routing.NewUDR(core.MustTorus(4), routing.TieBoth))
	var clauses cnftest.Formula
	symbreak.Orbit(cnf.NewBuilder(&clauses, "an example", 4, 100), group, []int{1, 2, 3, 4})
	fmt.Println(clauses.Satisfiable([]int{1, 2, -3, -4}), clauses.Satisfiable([]int{-1, 2, 3, -4}))
	// Output: true false
}
