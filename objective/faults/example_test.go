package faults_test

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/faults"
)

// One path a pair loses pairs at any fault, all orders lose none here.
func ExampleAnalyze() {
	t := core.MustTorus(5, 5)
	p, _ := family.Parse(t, "linear")
	for _, text := range []string{"odr", "udr"} {
		r, _ := routing.Parse(t, text)
		report, _ := faults.Analyze(context.Background(), objective.Problem{Routing: r}, p)
		fmt.Println(r, report.DisconnectedPairs, report.MaxLoadAfterFault.RatString())
	}
	// Output:
	// odr:tie=plus 2 2
	// udr:tie=plus 0 2
}
