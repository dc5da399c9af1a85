package opb_test

import (
	"context"
	"fmt"
	"math/big"
	"os"

	"leeway/core"
	"leeway/core/routing"
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
	if err := opb.Write(os.Stdout, nil, m); err != nil {
		fmt.Println(err)
	}
	// Output:
	// * #variable= 3 #constraint= 6
	// * leeway var x1 node 0
	// * leeway var x2 node 1
	// +1 x1 +1 x2 = 1 ;
	// +1 x3 -1 x1 -1 x2 >= -1 ;
	// +1 x1 -1 x3 >= 0 ;
	// +1 x2 -1 x3 >= 0 ;
	// -1 x3 >= 0 ;
	// -1 x3 >= 0 ;
}
