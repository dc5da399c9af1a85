package timetable_test

import (
	"fmt"

	"leeway/encode/cnf/cnftest"
	"leeway/encode/timetable"
)

// On a triangle every node has two blocks to send, one a step.
func ExampleNew() {
	for _, steps := range []int{1, 2} {
		f, err := timetable.New(timetable.Question{Neighbours: [][]int{{1, 2}, {0, 2}, {0, 1}}, Steps: steps})
		if err != nil {
			fmt.Println(err)
			return
		}
		var clauses cnftest.Formula
		err = f.Write(&clauses)
		fmt.Println(steps, clauses.Satisfiable(nil), err)
	}
	// Output:
	// 1 false <nil>
	// 2 true <nil>
}
