package audit

import (
	"context"
	"fmt"
	"math/big"
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
