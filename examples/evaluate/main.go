// Command evaluate computes what a placement is worth: the exact load of its
// busiest links, and what of it no placement could avoid.
package main

import (
	"fmt"
	"log"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/fast"
)

func main() {
	t := core.MustTorus(8, 8)
	r := routing.NewUDR(t, routing.TieBoth)
	for _, text := range []string{"multilinear:t=2", "spaced:t=2"} {
		p, err := family.Parse(t, text)
		if err != nil {
			log.Fatal(err)
		}
		load, links := fast.Evaluate(objective.Problem{Routing: r}, p).Max()
		fmt.Printf("%s: E_max %s on %d of %d links\n", text, load.RatString(), links, t.M())
	}

	best := bound.Best(bound.SizeBounds(r, 16)) // holds for every placement of 16
	fmt.Printf("no 16 processors stay below %s: %s\n", best.Value.RatString(), best.Reason())
}
