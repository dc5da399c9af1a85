package audit

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// Section 2.5 of seed 004 and its appendix: what the phases on a ring cost. The truth is
// counted on the tree of seed004_tree.go, and for Theorem 1 on the schedule that the
// checker accepts.

// binary returns factor * 2^e, e possibly below 0.
func binary(factor int64, e int) *big.Rat {
	v := big.NewRat(factor, 1)
	two := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e))))
	if e < 0 {
		return v.Quo(v, two)
	}
	return v.Mul(v, two)
}

func total(terms ...*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, t := range terms {
		sum.Add(sum, t)
	}
	return sum
}

func larger(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// firstTerm and secondTerm are those of the maximum in Lemmas 2 and 5.
func firstTerm(d, l int) *big.Rat {
	return total(binary(1, d+l-1), binary(-5, 2*l-1), binary(3, l-1))
}

func secondTerm(l int) *big.Rat { return binary(7, 2*l-2) }

// printedPhase is Lemmas 2 to 5: the largest send of GP_l or SP_l.
func printedPhase(d, l int, gather bool) *big.Rat {
	switch {
	case l <= d-3:
		return larger(firstTerm(d, l), secondTerm(l))
	case gather:
		return total(binary(1, 2*d-6), binary(3, d-3))
	}
	return count(1)
}

// phaseSizes compares Lemmas 2 to 5 with the tree: the levels from first(d) to last(d).
func phaseSizes(gather bool, first, last func(d int) int, note string) func(context.Context, Limits) Finding {
	return onRings(3, note, func(s *survey, d int) {
		phases, _ := runTree(d, 1<<(d-1), appendixReading)
		for l := first(d); l <= last(d); l++ {
			s.equal(fmt.Sprintf("n = %d, l = %d", 1<<d, l), printedPhase(d, l, gather), count(phaseOf(phases, l, gather).size()), "")
		}
	})
}

func lowest(int) int    { return 0 }
func inner(d int) int   { return d - 3 }
func highest(d int) int { return d - 2 }

// eachCase compares both terms of the maximum with every send of its case, as the proofs
// of Lemmas 2 and 5 do, and the two blocks that Case 2 has at level 0.
func eachCase(s *survey, d int) {
	phases, _ := runTree(d, 1<<(d-1), appendixReading)
	for l := 0; l <= d-3; l++ {
		for _, gather := range []bool{true, false} {
			for _, m := range phaseOf(phases, l, gather).moves {
				claimed := secondTerm(l)
				if l == 0 {
					claimed = count(2)
				}
				if inV(d, l+1, m.from) != gather { // Case 1: \hat V in GP, V in SP
					claimed = firstTerm(d, l)
				}
				s.equal(fmt.Sprintf("n = %d, l = %d, gather %v, v_%d", 1<<d, l, gather, m.from), claimed, count(len(m.blocks)), "")
			}
		}
	}
}

// lastGathering checks the proof of Lemma 3, that only Case 2 applies in GP_{d-2} because
// v_i is in \hat V_{d-1}, by what Section 2.2 does with \hat V.
func lastGathering(s *survey, d int) {
	phases, _ := runTree(d, 1<<(d-1), definitionReading)
	gather, scatter := phaseOf(phases, d-2, true).size(), phaseOf(phases, d-2, false).size()
	claimed := fmt.Sprintf("GP_%d %s, SP_%d %s", d-2, printedPhase(d, d-2, true).RatString(), d-2, printedPhase(d, d-2, false).RatString())
	truth := fmt.Sprintf("GP_%d %d, SP_%d %d", d-2, gather, d-2, scatter)
	s.add(claimed == truth, differs(fmt.Sprintf("n = %d", 1<<d), claimed, truth))
}

func corollary1Of004(s *survey, d int) {
	phases, _ := runTree(d, 1<<(d-1), appendixReading)
	for l := 0; l <= d-3; l++ {
		claimed := firstTerm(d, l)
		if l == d-3 && d <= 5 {
			claimed = total(binary(3, 2*d-7), binary(3, d-4))
		} else if l == d-3 {
			claimed = binary(7, 2*d-8)
		}
		for _, gather := range []bool{true, false} {
			s.equal(fmt.Sprintf("n = %d, l = %d, gather %v", 1<<d, l, gather), claimed, count(phaseOf(phases, l, gather).size()), "")
		}
	}
}

// printedTree is the transmission of Lemma 6.
func printedTree(d int) *big.Rat {
	third := big.NewRat(-1, 3)
	if d <= 5 {
		return total(new(big.Rat).Mul(big.NewRat(31, 96), binary(1, 2*d-1)), binary(1, d-3), third)
	}
	return total(new(big.Rat).Mul(big.NewRat(65, 192), binary(1, 2*d-1)), binary(-1, d-2), third)
}

// printedRing is the transmission of Theorem 1.
func printedRing(d int) *big.Rat {
	if d == 3 {
		return total(printedTree(d), count(3))
	}
	return total(printedTree(d), count(2))
}

func lemma6Of004(s *survey, d int) {
	phases, _ := runTree(d, 1<<(d-1), appendixReading)
	sum := 0
	for _, p := range phases {
		sum += p.size()
	}
	s.equal(fmt.Sprintf("n = %d", 1<<d), printedTree(d), count(sum), "")
	s.equal(fmt.Sprintf("n = %d, startups", 1<<d), count(2*d-2), count(len(phases)), "")
}

// ringPlan returns the published exchange on a ring.
func ringPlan(n int) (*exchange.TorusPlan, error) {
	t, err := core.NewTorus(n)
	if err != nil {
		return nil, err
	}
	return exchange.ByAxes(t, exchange.Published)
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
func blockPhases(plan *exchange.TorusPlan, source, target int) []int {
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
	for d := 4; d <= min(6, ringExponent(l)) && ctx.Err() == nil; d++ {
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
	return s.finding(fmt.Sprintf("rings of 2^d places, d = 4 to %d, every source", min(6, ringExponent(l))),
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
