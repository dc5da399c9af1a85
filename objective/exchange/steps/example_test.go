package steps_test

import (
	"fmt"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/objective/exchange/steps"
)

// On a ring of 6 by store and forward.
func ExampleProductA2() {
	n, err := steps.NewNetwork(core.MustTorus(6), exchange.StoreAndForward)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := steps.ProductA2(n)
	fmt.Println(plan.Steps, plan.Optimal, err)
	// Output: 9 true <nil>
}

// A mesh of 2x3: exchanging axis by axis takes 11 steps, packing 9.
func ExamplePack() {
	n, _ := steps.ParseNetwork("path:2,path:3")
	axes, _ := steps.ProductA2(n)
	packed, _ := steps.Pack(n, []int{0, 1, 2, 3, 4, 5})
	fmt.Println(axes.Steps, packed.Steps, packed.Optimal)
	// Output: 11 9 true
}
