package results_test

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/layout"
)

// A record is written as text and read back; the degree bound (n-1)/4 proves it.
func ExampleNew() {
	t := core.MustTorus(3, 3)
	p, _ := family.Parse(t, "linear")
	r, err := compose.New(compose.Values{Routing: routing.NewUDR(t, routing.TieBoth), Placement: p,
		MaxLoad: big.NewRat(1, 2), LowerBound: big.NewRat(1, 2), BoundReason: "degree",
		Proof: &results.Proof{Kind: results.ProofBound, Engine: "closed form", Below: "1/2"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := layout.Encode(r)
	again, err := results.ReadRecord(text)
	fmt.Println(again.Routing, again.Nodes, again.MaxLoad, again.Status, err)
	// Output: udr:tie=both [[0 0] [1 2] [2 1]] 1/2 optimal <nil>
}
