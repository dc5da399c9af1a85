package explain_test

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective/congestion"
	"leeway/results/explain"
)

// The diagonal of 3x3 reaches the degree bound (3-1)/4 under UDR: nothing is lost.
func ExampleParts() {
	p, _ := family.Parse(core.MustTorus(3, 3), "linear")
	e, err := explain.Parts(context.Background(), p, congestion.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("best minimal routing", e.BestMinimal.Upper)
	fmt.Println("lost to the placement", e.LostToPlacement)
	fmt.Println("lost to udr:tie=both", e.LostToRouting["udr:tie=both"])
	// Output:
	// best minimal routing 1/2
	// lost to the placement 0
	// lost to udr:tie=both 0
}
