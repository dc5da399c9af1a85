package fewest_test

import (
	"context"
	"fmt"

	"leeway/encode/timetable"
	"leeway/search/fewest"
)

// On a path of three nodes the middle one receives four blocks, one a step: two that it
// keeps and two to pass on.
func ExampleGini() {
	path := [][]int{{1}, {0, 2}, {1}}
	for _, steps := range []int{3, 4} {
		f, err := timetable.New(timetable.Question{Neighbours: path, Steps: steps})
		if err != nil {
			fmt.Println(err)
			return
		}
		status, _, err := fewest.Gini(context.Background(), f)
		fmt.Println(steps, status, err)
	}
	// Output:
	// 3 UNSATISFIABLE <nil>
	// 4 SATISFIABLE <nil>
}
