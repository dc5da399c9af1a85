// Command controllers compares where the literature puts 16 memory controllers on 8x8, a mesh and a torus, under
// XY routing when every node sends a request to every controller and gets a reply; then it asks an exact
// search whether any 16 nodes do better than the best of these.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search/counts"
)

const controllers = 16

func main() {
	torus := core.MustTorus(8, 8)
	mesh, err := torus.WithLinks([]int{0, 1}, nil) // no wrap-around in either dimension
	if err != nil {
		log.Fatal(err)
	}
	for _, network := range []*core.Torus{mesh, torus} {
		if err := compare(network); err != nil {
			log.Fatal(err)
		}
	}
}

// compare prints what the placements carry on a network, and whether any carries less.
func compare(network *core.Torus) error {
	xy, err := routing.Parse(network, "xy:tie=both")
	if err != nil {
		return err
	}
	problem, err := objective.NewProblem(xy, controllers)
	if err != nil {
		return err
	}
	problem, err = problem.WithTraffic(objective.Traffic{Request: 1, Reply: 1})
	if err != nil {
		return err
	}
	fmt.Println(problem)
	var least *big.Rat
	for _, text := range append(family.Planar(network, controllers), "spaced:t=2") {
		p, err := family.Parse(network, text)
		if err != nil {
			return err
		}
		load, _ := fast.Evaluate(problem, p).Max()
		distance, _ := fast.MeanDistance(p).Float64()
		fmt.Printf("  %-16s E_max %3s, mean distance %.2f\n", text, load.RatString(), distance)
		if least == nil || load.Cmp(least) < 0 {
			least = load
		}
	}
	proof := steps.NewWriter(io.Discard, steps.Sets(problem))
	err = counts.Refute(context.Background(), problem, least, proof)
	var found *counts.PlacementError
	switch {
	case errors.As(err, &found):
		fmt.Printf("  below %s: nodes %v\n", least.RatString(), found.Placement.Nodes())
	case err != nil:
		return err
	default:
		fmt.Printf("  no placement of %d is below %s, in %d steps\n", controllers, least.RatString(), proof.Steps)
	}
	return nil
}
