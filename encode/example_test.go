package encode_test

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/encode"
	"leeway/objective"
)

// "Four processors on 4x4, no link above 3/4" as clauses.
func ExampleModel_Formula() {
	problem, _ := objective.NewProblem(routing.NewUDR(core.MustTorus(4, 4), routing.TieBoth), 4)
	m, err := encode.NewModel(context.Background(), problem, encode.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := m.Formula(context.Background(), big.NewRat(3, 4))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Vars() > 16, m.NodeVar(0))
	// Output: true 1
}
