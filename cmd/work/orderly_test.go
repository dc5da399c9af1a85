package work

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results/check/kernel"
	"leeway/search/orderly"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// free is a spender without a limit.
func free(int64) error { return nil }

// engine is the refuter that is tested here.
var engine = refuters.Refuter{Name: orderly.Name, Refutes: orderly.Refutes, Refute: orderly.Refute, List: orderly.List}

// drawQuestion returns a random problem on a small network, with all placements that it admits and their E_max.
func drawQuestion(t *testing.T, i int) (objective.Problem, []core.Placement, []*big.Rat) {
	t.Helper()
	r := coretest.Rng(13, i)
	network := coretest.AnyNetwork(r, 12)
	rt := coretest.Routing(r, network)
	if r.IntN(3) == 0 {
		rt = coretest.Must(routing.Parse(network, []string{"avoid:tie=plus", "avoid:tie=both"}[r.IntN(2)]))
	}
	p, err := objective.NewProblem(rt, 1+r.IntN(network.N()))
	if r.IntN(3) == 0 && err == nil {
		nodes := r.Perm(network.N())
		p, err = p.WithNodes(nodes[:r.IntN(2)], nodes[1:1+r.IntN(min(3, network.N()))])
	}
	if r.IntN(4) == 0 && err == nil {
		p, err = p.WithNear(objective.Near{Radius: r.IntN(3), Distance: r.IntN(2) * r.IntN(3*network.N())})
	}
	if err != nil || orderly.Refutes(p) != nil {
		return p, nil, nil
	}
	var placements []core.Placement
	var values []*big.Rat
	for s, value := range searchtest.Placements(p) {
		placements, values = append(placements, s), append(values, value)
	}
	return p, placements, values
}

// kernelQuestion returns what the kernel is asked.
func kernelQuestion(p objective.Problem, limit *big.Rat, atMost bool) kernel.Question {
	return kernel.Question{Routing: p.Routing, Size: p.Size, Limit: limit, AtMost: atMost, Fixed: p.Fixed.Nodes(),
		Forbidden: p.Forbidden.Nodes(), Radius: p.Radius, Distance: p.Distance}
}

// TestOrderlyLists has the kernel read lists of optima, and compares them with all placements: one of every orbit.
func TestOrderlyLists(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(1500, 150) {
		p, placements, values := drawQuestion(t, i)
		if len(placements) == 0 {
			continue
		}
		least := slices.MinFunc(values, (*big.Rat).Cmp)
		var out bytes.Buffer
		if err := engine.Write(t.Context(), p, least, true, steps.Cut{}, &out); err != nil {
			t.Fatalf("case %d: %s at most %s: %v", i, p, least, err)
		}
		result, err := kernel.Check(kernelQuestion(p, least, true), bytes.NewReader(out.Bytes()), true, free)
		if err != nil {
			t.Fatalf("case %d: %s at most %s: %v", i, p, least, err)
		}
		g := coretest.Must(fast.Group(t.Context(), p))
		orbits, listed := map[string]bool{}, map[string]bool{}
		form := func(nodes []int) string {
			form, _ := g.Canonical(nodes)
			return fmt.Sprint(form)
		}
		for k, s := range placements {
			if values[k].Cmp(least) == 0 {
				orbits[form(s.Nodes())] = true
			}
		}
		for _, nodes := range result.Placed {
			if listed[form(nodes)] = true; !orbits[form(nodes)] {
				t.Fatalf("case %d: %s: %v is listed", i, p, nodes)
			}
		}
		if len(listed) != len(orbits) {
			t.Fatalf("case %d: %s: %d of %d orbits are listed", i, p, len(listed), len(orbits))
		}
		if twice := len(result.Placed) - len(listed); twice > 0 {
			t.Errorf("case %d: %s: %d placements are listed twice", i, p, twice)
		}
	}
}
