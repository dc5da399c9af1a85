package bound_test

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/bound"
)

// What no placement of 16 processors on 8x8 can be below.
func ExampleSizeBounds() {
	r := routing.NewUDR(core.MustTorus(8, 8), routing.TieBoth)
	for _, b := range bound.SizeBounds(r, 16) {
		fmt.Println(b.Name, b.Value.RatString())
	}
	// Output:
	// degree 15/4
	// mean 29/16
	// dimension-mean 1
	// band 15/4
	// corner 4
	// margin 4
	// granularity 4
}

func ExamplePlacementBounds() {
	t := core.MustTorus(4, 4)
	p, _ := family.Parse(t, "linear")
	bounds, _ := bound.PlacementBounds(context.Background(), routing.NewUDR(t, routing.TieBoth), p)
	best := bound.Best(bounds)
	fmt.Println(best.Name, best.Value.RatString())
	// Output: degree 3/4
}
