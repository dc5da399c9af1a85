package schedules_test

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/results/check"
	"leeway/results/schedules"
)

// The checker follows every block of a schedule in the words of its file.
func ExamplePhases() {
	plan, err := exchange.ByAxes(core.MustTorus(4, 4), exchange.Balanced)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := plan.Schedule()
	v := check.Exchange(schedules.Head(s), schedules.Phases(context.Background(), s))
	fmt.Println(v.Verdict, v.Nodes)
	// Output: valid 16
}
