package symmetry_test

import (
	"fmt"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
)

// Under all dimension orders a square torus may be moved, turned and reflected.
func ExampleGroupOf() {
	g, err := symmetry.GroupOf(routing.NewUDR(core.MustTorus(5, 5), routing.TieBoth))
	if err != nil {
		fmt.Println(err)
		return
	}
	form, stabilizer := g.Canonical([]int{7, 12})
	fmt.Println(g.Order(), form, stabilizer, g.Order()/stabilizer)
	// Output: 200 [0 1] 4 50
}
