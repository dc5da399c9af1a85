package core_test

import (
	"fmt"

	"leeway/core"
)

func ExampleParseTorus() {
	t, err := core.ParseTorus("4x6x3")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.N(), "nodes,", t.M(), "directed links")
	_, err = core.ParseTorus("4x1")
	fmt.Println(err)
	// Output:
	// 72 nodes, 432 directed links
	// "4x1", at "1" (character 3): side 1 is 1, outside 2..65535
}

func ExampleTorus_Node() {
	t := core.MustTorus(4, 6, 3)
	v, _ := t.Node(1, 2, 0)
	fmt.Println(v, t.Coords(v))
	// Output: 24 [1 2 0]
}

func ExampleTorus_LinkEnds() {
	t := core.MustTorus(4, 4)
	from, to := t.LinkEnds(t.Link(3, 1, core.Plus)) // around the end of the first row
	fmt.Println(t.Coords(from), t.Coords(to))
	// Output: [0 3] [0 0]
}

func ExamplePlacement_SlabCounts() {
	p := core.MustPlacement(core.MustTorus(3, 3), []int{0, 1, 5})
	fmt.Println(p.SlabCounts(0), p.Uniform(0), p.Uniform(1))
	// Output: [2 1 0] false true
}
