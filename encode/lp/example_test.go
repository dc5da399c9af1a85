package lp_test

import (
	"context"
	"fmt"
	"math/big"
	"os"

	"leeway/core"
	"leeway/core/routing"
	"leeway/encode/lp"
	"leeway/encode/opb"
	"leeway/objective"
)

// One processor on a ring of two nodes, with no load: variable 3 holds with both nodes.
func ExampleWrite() {
	problem, _ := objective.NewProblem(routing.NewUDR(core.MustTorus(2), routing.TieBoth), 1)
	m, err := opb.New(context.Background(), problem, big.NewRat(1, 1), opb.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := lp.Write(os.Stdout, nil, m); err != nil {
		fmt.Println(err)
	}
	// Output:
	// \ leeway var x1 node 0
	// \ leeway var x2 node 1
	// Minimize
	//  obj: 0 x1
	// Subject To
	//  r1: + 1 x1 + 1 x2 = 1
	//  r2: + 1 x3 - 1 x1 - 1 x2 >= -1
	//  r3: + 1 x1 - 1 x3 >= 0
	//  r4: + 1 x2 - 1 x3 >= 0
	//  r5: - 1 x3 >= 0
	//  r6: - 1 x3 >= 0
	// Binaries
	//  x1 x2 x3
	// End
}
