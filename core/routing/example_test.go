package routing_test

import (
	"fmt"

	"leeway/core"
	"leeway/core/routing"
)

func ExampleParse() {
	r, err := routing.Parse(core.MustTorus(4, 4), "udr")
	fmt.Println(r, err)
	_, err = routing.Parse(core.MustTorus(4, 4), "udr:tie=minus")
	fmt.Println(err)
	// Output:
	// udr:tie=plus <nil>
	// "udr:tie=minus", at "minus" (character 9): the tie rule is plus or both
}

// From (0,0) to (1,1) all dimension orders leave two paths of two links.
func ExampleRouting() {
	t := core.MustTorus(4, 4)
	r := routing.NewUDR(t, routing.TieBoth)
	for path := range r.Paths(0, 5, nil) {
		fmt.Print(t.Coords(0))
		for _, l := range path {
			_, to := t.LinkEnds(l)
			fmt.Print(" ", t.Coords(to))
		}
		fmt.Println()
	}
	// Output:
	// [0 0] [1 0] [1 1]
	// [0 0] [0 1] [1 1]
}
