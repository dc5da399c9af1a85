package audit

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"leeway/core"
)

// The ten sums in the proof of Theorem 3.2 of seed 001, for odd k: traffic over the
// link from (0,0,s) to (0,0,s+1), coordinates as written there.

// A term is an ordered pair of processors of a sum, coordinates modulo k.
type term struct{ from, to [3]int }

// A proofSum is one of the ten: the pairs of its printed range, its printed value,
// and a repaired range if the printed one misses some.
type proofSum struct {
	terms    func(k, s int) iter.Seq[term]
	printed  func(k, s int) *big.Rat
	repaired func(k, s int) iter.Seq[term]
	note     string
}

// over yields the terms for i in iLow..iHigh and j in the bounds that depend on i.
func over(iLow, iHigh int, jBounds func(i int) (low, high int), at func(i, j int) term) iter.Seq[term] {
	return func(yield func(term) bool) {
		for i := iLow; i <= iHigh; i++ {
			low, high := jBounds(i)
			for j := low; j <= high; j++ {
				if !yield(at(i, j)) {
					return
				}
			}
		}
	}
}

func once(int) (int, int) { return 0, 0 }

// fromOrigin is the pair of (0,0,0) and (k-i-j, j, i).
func fromOrigin(k int) func(i, j int) term {
	return func(i, j int) term { return term{to: [3]int{k - i - j, j, i}} }
}

// across is the pair of (0,k-i,i) and (k-j,0,j), or with the first two coordinates
// exchanged.
func across(k int, exchanged bool) func(i, j int) term {
	return func(i, j int) term {
		if exchanged {
			return term{[3]int{k - i, 0, i}, [3]int{0, k - j, j}}
		}
		return term{[3]int{0, k - i, i}, [3]int{k - j, 0, j}}
	}
}

// proofSums returns S_1 to S_10.
func proofSums() []proofSum {
	return slices.Concat(originSums(), acrossSums())
}

// originSums returns S_1 to S_6.
func originSums() []proofSum {
	plane := func(k, s int) *big.Rat { return ratio(k-2*s-1, 4) }
	near := func(k, s int) *big.Rat { return ratio(k*k-4*k*s-4*k+4*s*s+8*s+3, 32) }
	middle := func(last int) func(k, s int) iter.Seq[term] {
		return func(k, s int) iter.Seq[term] {
			return over(s+1, (k-1)/2-last, func(i int) (int, int) { return (k+1)/2 - i, (k - 1) / 2 }, fromOrigin(k))
		}
	}
	return []proofSum{
		{terms: func(k, s int) iter.Seq[term] {
			return over(s+1, (k-1)/2, once, func(i, _ int) term { return term{to: [3]int{0, k - i, i}} })
		}, printed: plane},
		{terms: func(k, s int) iter.Seq[term] {
			return over(s+1, (k-1)/2, once, func(i, _ int) term { return term{to: [3]int{k - i, 0, i}} })
		}, printed: plane},
		{terms: func(k, s int) iter.Seq[term] {
			return over(s+1, (k-1)/2-1, func(i int) (int, int) { return 1, (k-1)/2 - i }, fromOrigin(k))
		}, printed: near},
		{terms: func(k, s int) iter.Seq[term] {
			return over(s+1, (k-1)/2-1, func(i int) (int, int) { return (k + 1) / 2, k - i - 1 }, fromOrigin(k))
		}, printed: near},
		{terms: middle(1), repaired: middle(0),
			note:    "the value belongs to i up to (k-1)/2; the printed upper end (k-1)/2 - 1, that of S_3 and S_4, leaves out i = (k-1)/2 and may be a slip of the print or of the conversion",
			printed: func(k, s int) *big.Rat { return ratio(k*k-4*s*s-4*s-1, 24) }},
		{terms: func(k, s int) iter.Seq[term] {
			return over(s+1, (k-1)/2, func(i int) (int, int) { return k + 1 - i, k - 1 }, fromOrigin(k))
		}, printed: func(k, s int) *big.Rat { return ratio(k*k-4*k-4*s*s+4*s+3, 16) }},
	}
}

// acrossSums returns S_7 to S_10.
func acrossSums() []proofSum {
	var list []proofSum
	for _, exchanged := range []bool{false, true} {
		list = append(list, proofSum{terms: func(k, s int) iter.Seq[term] {
			return over(1, s, func(int) (int, int) { return s + 1, (k - 1) / 2 }, across(k, exchanged))
		}, printed: func(k, s int) *big.Rat { return ratio(k*s-2*s*s-s, 8) }})
	}
	for _, exchanged := range []bool{false, true} {
		list = append(list, proofSum{terms: func(k, s int) iter.Seq[term] {
			return over(1, s, func(i int) (int, int) { return (k + 1) / 2, (k-1)/2 + i }, across(k, exchanged))
		}, printed: func(k, s int) *big.Rat { return ratio(s*s+s, 12) }})
	}
	return list
}

// traffic returns the load that the pairs put on the link from (0,0,s) up. Pairs that
// stand twice count twice.
func (at setting) traffic(terms iter.Seq[term], s int) *big.Rat {
	t, set, total := at.torus(), at.placement.Set(), new(big.Rat)
	link := t.Link(s, 2, core.Plus)
	for pair := range terms {
		flow := at.routing.Flow(nodeModulo(t, pair.from), nodeModulo(t, pair.to), set)
		for _, share := range flow.Shares {
			if share.Link == link {
				total.Add(total, new(big.Rat).SetFrac(share.Num, flow.Den))
			}
		}
	}
	return total
}

// nodeModulo returns the node with the given coordinates modulo the sides.
func nodeModulo(t *core.Torus, c [3]int) int {
	v := 0
	for j, x := range c {
		v = t.Shift(v, j, x)
	}
	return v
}

// checkProofSum compares a sum with its printed value.
func checkProofSum(sum proofSum) func(context.Context, Limits) Finding {
	return func(ctx context.Context, l Limits) Finding {
		var s, repaired survey
		for at, k := range oddCubes(ctx, l) {
			for i := 0; 2*i < k; i++ {
				where := words(fmt.Sprintf("k = %d, s = %d", k, i))
				s.compare(where, at.traffic(sum.terms(k, i), i), equals, sum.printed(k, i))
				if sum.repaired != nil {
					repaired.compare(where, at.traffic(sum.repaired(k, i), i), equals, sum.printed(k, i))
				}
			}
		}
		note := sum.note
		if sum.repaired != nil {
			note += ". " + repaired.instead("with i up to (k-1)/2 the sum")
		}
		return s.finding(l.span(3, 3)+", "+sumRange, note)
	}
}

const sumRange = "odd k, s = 0..(k-1)/2, linear placement, routing avoid, the printed range of the sum against its printed value"

// oddCubes yields the linear placement under avoid for odd k with k.
func oddCubes(ctx context.Context, l Limits) iter.Seq2[setting, int] {
	return func(yield func(setting, int) bool) {
		for k, d := range cubes(ctx, l, 3, 3) {
			if k%2 == 1 && !yield(setUp(cube(k, d), "linear", "avoid"), k) {
				return
			}
		}
	}
}

// checkAllSums: the ten printed values add up to the load.
func checkAllSums(ctx context.Context, l Limits) Finding {
	var s survey
	for k := 3; k <= 4*l.MaxK && ctx.Err() == nil; k += 2 {
		for i := 0; 2*i < k; i++ {
			total := new(big.Rat)
			for _, part := range proofSums() {
				total.Add(total, part.printed(k, i))
			}
			s.compare(words(fmt.Sprintf("k = %d, s = %d", k, i)), total, equals, spaceLoad(k, i))
		}
	}
	return s.finding(fmt.Sprintf("odd k from 3 to %d, s = 0..(k-1)/2, the printed values against (k^2-1)/6 - s(s+1)/2", 4*l.MaxK), "")
}
