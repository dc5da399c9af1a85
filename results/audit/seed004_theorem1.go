package audit

import (
	"context"
	"fmt"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/objective/exchange/wormhole"
)

// Theorem 1 of seed 004 and its proof: the ring exchange with shared ports.

// ringPlan returns the published exchange on a ring.
func ringPlan(n int) (*wormhole.Plan, error) {
	t, err := core.NewTorus(n)
	if err != nil {
		return nil, err
	}
	return wormhole.ByAxes(t, wormhole.Published)
}

func theorem1Of004(ctx context.Context, l Limits) Finding {
	var s survey
	for d := 3; d <= ringExponent(l) && ctx.Err() == nil; d++ {
		plan, err := ringPlan(1 << d)
		if err != nil {
			return broken(err)
		}
		v := judged(plan.Schedule())
		claimed := fmt.Sprintf("%d startups, %s blocks, valid", 2*d-2, printedRing(d).RatString())
		truth := fmt.Sprintf("%d startups, %d blocks, %s", v.Phases, v.Transmission, v.Verdict)
		s.add(claimed == truth, func() Counterexample {
			return Counterexample{fmt.Sprintf("n = %d", 1<<d), claimed, truth, fmt.Sprintf("leeway exchange --torus %d --algorithm ring", 1<<d)}
		})
	}
	return s.finding(overRings(3, l)+", one port each way, by the checker",
		"sending the half-way blocks of even places the negative way takes one startup and some blocks less: leeway exchange --variant balanced")
}

func negativeSmaller(s *survey, d int) {
	positive, _ := runTree(d, 1<<(d-1), appendixReading)
	negative, _ := runTree(d, 1<<(d-1)-1, appendixReading)
	for k, p := range positive {
		s.add(negative[k].size() < p.size(), differs(fmt.Sprintf("n = %d, phase %d of %d", 1<<d, k+1, len(positive)),
			fmt.Sprintf("less than %d blocks on the negative tree", p.size()), fmt.Sprintf("%d", negative[k].size())))
	}
}

// blockPhases returns the phases of the ring plan, from 0, in which a block moves.
func blockPhases(plan *wormhole.Plan, source, target int) []int {
	var list []int
	k := 0
	for phase := range plan.Schedule().Phases {
		for _, send := range phase {
			if slices.Contains(send.Blocks, exchange.Block{From: int32(source), To: int32(target)}) {
				list = append(list, k)
			}
		}
		k++
	}
	return list
}

// theorem1Cases checks the four cases of the proof: each source is in one of them, and
// what they say about its blocks of distance 1 and 2 is what the plan does.
func theorem1Cases(ctx context.Context, l Limits) Finding {
	var s survey
	rest := 0
	for d := 4; d <= min(6, ringExponent(l)-1) && ctx.Err() == nil; d++ {
		n := 1 << d
		plan, err := ringPlan(n)
		if err != nil {
			return broken(err)
		}
		gather, scatter := func(l int) int { return l }, func(l int) int { return 2*d - 3 - l }
		for v := range n {
			at := func(by int) int { return (v + by) % n }
			one, two := -1, -1 // the phases that the proof has for distance 1 and 2; -1: it says nothing
			switch {
			case inHat(d, 2, v): // 1
				one, two = scatter(0), scatter(1)
			case inV(d, 2, at(1)): // 2
				one = gather(0)
			case inHat(d, 2, at(2)): // 3
				one, two = scatter(0), gather(1)
			case inHat(d, 2, at(3)): // 4
				one = gather(0)
			}
			truth := blockPhases(plan, v, at(1))
			if one < 0 && len(truth) == 1 && truth[0] == gather(0) && inHat(d, 2, at(1)) {
				rest++
			}
			second := two < 0 || slices.Equal(blockPhases(plan, v, at(2)), []int{two})
			s.add(slices.Equal(truth, []int{one}) && second, func() Counterexample {
				found := fmt.Sprintf("b_%d^%d moves in phase %d of %d", v, at(1), truth[0]+1, 2*d-2)
				if one < 0 {
					found = "in no case; " + found
				}
				return Counterexample{Case: fmt.Sprintf("n = %d, v_s = v_%d", n, v), Claimed: "one of the four cases", True: found}
			})
		}
	}
	return s.finding(fmt.Sprintf("rings of 2^d places, d = 4 to %d, every source", min(6, ringExponent(l)-1)),
		fmt.Sprintf("case 4 asks for v_{s+3} in \\hat V_2, which is case 2 again; sources with v_{s+1} in \\hat V_2 are in no case. With that as case 4 the %d that fail are right: b_s^{s+1} goes in GP_0", rest))
}

// blocksAdded checks by how much sharing the ports makes each phase larger.
func blocksAdded(ctx context.Context, l Limits) Finding {
	var s survey
	for d := 3; d <= ringExponent(l) && ctx.Err() == nil; d++ {
		plan, err := ringPlan(1 << d)
		if err != nil {
			return broken(err)
		}
		phases, _ := runTree(d, 1<<(d-1), appendixReading)
		for k, size := range plan.PhaseSizes() {
			claimed := 0
			if k == 0 || k == 2*d-3 || d == 3 && k == 1 {
				claimed = 1
			}
			s.equal(fmt.Sprintf("n = %d, phase %d of %d", 1<<d, k+1, 2*d-2), count(claimed), count(size-phases[k].size()), "")
		}
	}
	return s.finding(overRings(3, l)+", every phase", "")
}
