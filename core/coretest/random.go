// Package coretest holds seeded random instances and the conformance suite of
// routings. Only tests import it.
package coretest

import (
	"fmt"
	"math/rand/v2"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
)

// An Instance is a torus with a routing and a placement, small enough for the
// naive evaluator.
type Instance struct {
	Torus     *core.Torus
	Routing   routing.Routing
	Placement core.Placement
}

// String spells the instance so that a failure can be repeated.
func (i Instance) String() string {
	return fmt.Sprintf("--torus %s --routing %s, nodes %v", i.Torus, i.Routing, i.Placement.Nodes())
}

// Rng returns the generator of case number i of a test with the given seed.
func Rng(seed, i int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), uint64(i))) }

// Torus returns a random torus of 1 to 5 dimensions, mixed sides, many of them
// 2, with at most maxNodes nodes.
func Torus(rng *rand.Rand, maxNodes int) *core.Torus {
	for {
		dims := make([]int, 1+rng.IntN(5))
		nodes := 1
		for j := range dims {
			dims[j] = 2 + rng.IntN(7)
			if rng.IntN(4) == 0 {
				dims[j] = 2
			}
			nodes *= dims[j]
		}
		if nodes <= maxNodes {
			return core.MustTorus(dims...)
		}
	}
}

// Tie returns one of the tie rules.
func Tie(rng *rand.Rand) routing.Tie {
	if rng.IntN(2) == 0 {
		return routing.TiePlus
	}
	return routing.TieBoth
}

// Orders returns a random dimension-ordered routing: odr, udr or a set of
// orders.
func Orders(rng *rand.Rand, t *core.Torus) *routing.Orders {
	tie := Tie(rng)
	switch rng.IntN(3) {
	case 0:
		return must(routing.NewODR(t, rng.Perm(t.D()), tie))
	case 1:
		return routing.NewUDR(t, tie)
	default:
		var list [][]int
		for range 1 + rng.IntN(4) {
			list = append(list, rng.Perm(t.D()))
		}
		return must(routing.NewOrders(t, list, tie))
	}
}

// Routing returns a random routing of any family.
func Routing(rng *rand.Rand, t *core.Torus) routing.Routing {
	switch rng.IntN(5) {
	case 0:
		return routing.NewMinimal(t, Tie(rng))
	case 1:
		return routing.NewAvoid(t, Tie(rng))
	default:
		return Orders(rng, t)
	}
}

// Placement returns a random placement of a random size, which is 0, 1 or N more
// often than chance has it.
func Placement(rng *rand.Rand, t *core.Torus) core.Placement {
	n := rng.IntN(t.N() + 1)
	switch rng.IntN(12) {
	case 0:
		n = rng.IntN(2)
	case 1:
		n = t.N()
	}
	return family.Draw(t, n, rng)
}

// Random returns a random instance on a torus of at most maxNodes nodes.
func Random(rng *rand.Rand, maxNodes int) Instance {
	t := Torus(rng, maxNodes)
	return Instance{Torus: t, Routing: Routing(rng, t), Placement: Placement(rng, t)}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic("coretest: " + err.Error())
	}
	return v
}
