package frontier_test

import (
	"fmt"

	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/frontier"
)

// Two sizes of 8x8, one of them open.
func ExampleChart() {
	on := results.Grid{Torus: []int{8, 8}}
	chart, err := frontier.Chart([]atlas.Cell{
		{Grid: on, Routing: "udr:tie=both", Size: 16, MaxLoad: "4", LowerBound: "4", Status: atlas.Optimal},
		{Grid: on, Routing: "udr:tie=both", Size: 17, MaxLoad: "5", LowerBound: "4", Status: atlas.Feasible},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(chart.Title)
	fmt.Println(chart.About)
	// Output:
	// E_max on 8x8 under UDR, both ways at ties
	// 2 sizes, 1 proved optimal, 1 open
}
